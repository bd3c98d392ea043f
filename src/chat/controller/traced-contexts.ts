import { type NoteRights, type Obstacles, obstaclesBefore, traceRead } from '../../tools/contract/provenance.ts';
import type { ChatContext } from '../session/types.ts';

/** `reads`: blocks and documents whose text it contains; default: its own. `notebooks`: any notebook whose text it may contain. */
export type ReadContext = ChatContext & { readonly reads?: readonly string[]; readonly notebooks?: readonly string[] };

/** Reads notes to send with a question, with their sources: notes that are guarded later are left out again. */
export async function readContexts<T extends { readonly contexts: readonly ReadContext[] }>(
  rights: NoteRights,
  read: () => Promise<T>,
  signal: AbortSignal,
): Promise<T & { readonly contexts: readonly ChatContext[] }> {
  const before = await obstaclesBefore(rights, signal);
  const found = await read();
  const contexts: ChatContext[] = [];
  for (const context of found.contexts) contexts.push(await traced(rights, context, before, signal));
  return { ...found, contexts };
}

async function traced(
  rights: NoteRights,
  { reads, notebooks = [], ...context }: ReadContext,
  before: Obstacles,
  signal: AbortSignal,
): Promise<ChatContext> {
  const sources = await traceRead(rights, { notebooks, ids: reads ?? [context.id] }, before, signal);
  return sources.length === 0 && reads === undefined ? context : { ...context, sources };
}
