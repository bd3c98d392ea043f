import type { ChatController } from '../../chat/controller/controller-port.ts';
import { readContexts } from '../../chat/controller/traced-contexts.ts';
import type { ChatContext } from '../../chat/session/types.ts';
import type { KernelRoutes } from '../../host/kernel/kernel-routes.ts';
import { ToolError } from '../../tools/contract/errors.ts';
import { joinSentences } from '../../ui/labels/format.ts';
import { keptBackLabel } from '../../ui/labels/kept-back-label.ts';
import type { Translate } from '../../ui/ports/i18n.ts';
import { SaidError } from '../in-words.ts';
import type { Notes } from '../lazy-notes.ts';
import type { EditorRequest, PanelHost } from '../panel-host.ts';
import { blockContext, documentContext, selectedContext } from '../read-contexts.ts';
import { whenSaved } from './editor-place.ts';

export interface AttachDeps {
  readonly host: Pick<PanelHost, 'openPanel'>;
  readonly controller: Pick<ChatController, 'addContext'>;
  readonly notes: Notes;
  readonly routes: Pick<KernelRoutes, 'dom'>;
  readonly t: Translate;
  readonly signal: AbortSignal;
}

/** Opens the panel with what the question is about; `wholeNotes`: the notes of the blocks. Returns that. Rejects with ToolError or SaidError. */
export async function attachRequest(deps: AttachDeps, request: EditorRequest, wholeNotes = false): Promise<readonly ChatContext[]> {
  const { notes, routes, host, controller, signal } = deps;
  // Phones open their keyboard only directly after a tap: so the panel comes first.
  await host.openPanel('filled');
  if (request.kind !== 'document') await whenSaved(request.protyle, request.ids, (id, inner) => routes.dom(id, inner), signal);
  const read = async (): Promise<{ readonly contexts: readonly ChatContext[] }> => {
    const contexts: ChatContext[] = [];
    const isDocument = wholeNotes || request.kind === 'document';
    const ids = wholeNotes && request.kind !== 'document' ? await documentsOf(deps, request.ids) : request.ids;
    for (const id of ids) contexts.push(await (isDocument ? documentContext(deps, id) : blockContext(deps, id)));
    const text = request.text?.trim() ?? '';
    if (wholeNotes || request.kind !== 'selection' || text === '') return { contexts };
    const around = contexts.map((context) => context.text);
    return { contexts: [...contexts, selectedContext(request.ids[0] ?? '', text, around)] };
  };
  const { contexts } = await readContexts(notes.rights, read, signal).catch((error: unknown) => sayKeptBack(deps, request, error));
  for (const context of contexts) controller.addContext(context);
  return contexts;
}

/** The notes of blocks. Rejects like `readBlock`. */
async function documentsOf({ notes, signal }: Pick<AttachDeps, 'notes' | 'signal'>, ids: readonly string[]): Promise<readonly string[]> {
  const documents = new Set<string>();
  for (const id of ids) documents.add((await notes.readBlock(id, signal)).document.id);
  return [...documents];
}

/** The note of a block. Rejects with ToolError or SaidError. */
export async function noteOf(deps: Pick<AttachDeps, 'notes' | 't' | 'signal'>, id: string): Promise<string> {
  const [note = ''] = await documentsOf(deps, [id]).catch((error: unknown) => sayKeptBack(deps, { ids: [id] }, error));
  return note;
}

/** Rethrows a read error; the person who asked is shown what hides the text from the model. */
async function sayKeptBack(
  { notes, t, signal }: { readonly notes: Pick<Notes, 'whyKeptBack'>; readonly t: Translate; readonly signal: AbortSignal },
  { ids }: Pick<EditorRequest, 'ids'>,
  error: unknown,
): Promise<never> {
  if (!(error instanceof ToolError) || error.code !== 'not_found') throw error;
  for (const id of ids) {
    const kept = await notes.whyKeptBack(id, signal);
    if (!kept) continue;
    const { what, next: said } = keptBackLabel(kept, t);
    const next = kept.by === 'notebook' ? t('error.no_right.next') : said;
    throw new SaidError(joinSentences([what, next]));
  }
  throw new SaidError(joinSentences([t('suggestion.gone'), t('suggestion.next.gone')]));
}
