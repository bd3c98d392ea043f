import { Lineage } from '../../chat/session/lineage.ts';
import type { ChatSession } from '../../chat/turn/session.ts';
import { failureOf, startUserCall, type WantedCall } from '../../chat/turn/user-calls.ts';
import type { EventError } from '../../tools/contract/errors.ts';
import type { ApprovalDecision, ApprovalRequest } from '../../tools/contract/types.ts';
import { literalText } from '../../tools/executor/references.ts';
import type { AnswerPlace, AppendedAnswer } from './chat-notes-port.ts';
import { noteText } from './projection.ts';

type AppendOutcome =
  | { readonly kind: 'done'; readonly appended: AppendedAnswer }
  | { readonly kind: 'rejected' }
  | { readonly kind: 'failed'; readonly error: EventError };

interface AppendRequest {
  readonly nodeId: string;
  readonly place: AnswerPlace;
  readonly callId: string;
  readonly now: number;
  /** Asks whether text of other notebooks may go into that note. */
  readonly letIn: () => Promise<boolean>;
  readonly signal: AbortSignal;
}

/** Tells if the model had seen text of other notebooks, which its own may repeat. */
function holdsOthers({ tree }: ChatSession, nodeId: string, notebook: string): boolean {
  const node = tree.node(nodeId);
  return new Lineage(tree.path(nodeId)).of(node).some((source) => source.notebook !== notebook);
}

/** The person has seen the text and chosen the place; only included text of other notebooks and filtered text need a question. */
async function consent({ plan }: ApprovalRequest, session: ChatSession, request: AppendRequest): Promise<ApprovalDecision | undefined> {
  if (!plan) return undefined;
  if (holdsOthers(session, request.nodeId, plan.notebook.id) && !(await request.letIn())) return { approved: false };
  return plan.notices.length === 0 ? { approved: true, beyondRight: true } : undefined;
}

function callOf(place: AnswerPlace, markdown: string): WantedCall {
  if ('notebook' in place) return { tool: 'create_doc', args: { notebook: place.notebook, path: literalText(place.path), markdown } };
  const where = 'end' in place ? { anchor: place.end, position: 'append' } : { anchor: place.below, position: 'after' };
  return { tool: 'insert_blocks', args: { ...where, markdown } };
}

/** Writes an answer into a note as a tool would: with the same rights, filter, journal and Undo. Never rejects. */
export async function appendAnswer(session: ChatSession, request: AppendRequest): Promise<AppendOutcome> {
  const { nodeId, place, callId, now, signal } = request;
  const markdown = literalText(noteText(session.tree.node(nodeId), session.tree.payload(nodeId)));
  const forget = session.approvals.beforehand(callId, (approval) => consent(approval, session, request));
  const call = startUserCall(session.executor, callOf(place, markdown), {
    callId,
    sessionId: session.id,
    nodeId,
    signal,
    clock: { now: () => now },
    recorder: session.recorder,
  });
  const result = await call.result;
  forget();
  // The model did not make this call: its values must not become variables of the chat.
  for (const name of [result.cacheVarArgs, result.cacheVarResult]) if (name !== undefined) session.executor.varSystem.removeVariable(name);
  const error = failureOf(result);
  if (error) return { kind: 'failed', error };
  if (!result.written) return { kind: 'rejected' };
  return { kind: 'done', appended: { callId, documentId: result.written.documentId, blockIds: result.written.blockIds } };
}
