import type { ChatController } from '../../chat/controller/controller-port.ts';
import { readContexts } from '../../chat/controller/traced-contexts.ts';
import { checkPrompt } from '../../chat/editor-task/check-answer.ts';
import { type DatabaseAction, type EditorAction, isDatabaseAction } from '../../chat/editor-task/editor-actions.ts';
import type { CustomPrompt } from '../../chat/editor-task/editor-task-prompts.ts';
import { fillPrompt, variablesIn } from '../../chat/editor-task/prompt-variables.ts';
import type { ChatContext } from '../../chat/session/types.ts';
import type { KernelRoutes } from '../../host/kernel/kernel-routes.ts';
import { ToolError } from '../../tools/contract/errors.ts';
import type { Clock } from '../../tools/contract/ports.ts';
import { frameName } from '../../tools/util/markers.ts';
import { inBackground } from '../../tools/util/notify.ts';
import { keptBackLabel } from '../../ui/editor/kept-back-label.ts';
import { joinSentences } from '../../ui/labels/format.ts';
import type { MountedPanel } from '../../ui/panel/mount.ts';
import type { HostUi } from '../../ui/ports/host-ui.ts';
import type { Translate } from '../../ui/ports/i18n.ts';
import { isSwitchedOff, needGroup } from '../../ui/ports/need-group.ts';
import type { PanelPlace } from '../../ui/ports/panel-place.ts';
import type { SettingsPort } from '../../ui/ports/settings-port.ts';
import { SaidError } from '../in-words.ts';
import type { Notes } from '../lazy-notes.ts';
import { caretElement } from '../note-choices.ts';
import type { EditorRequest, PanelHost } from '../panel-host.ts';
import { blockContext, documentContext, selectedContext } from '../read-contexts.ts';
import type { EditorCards } from './editor-cards.ts';
import { editorFor, whenSaved } from './editor-place.ts';
import { MARKED } from './margin-pointer.ts';

const DATABASES = 'databases';

export interface EditorRequestDeps {
  readonly host: PanelHost;
  readonly controller: ChatController;
  readonly notes: Notes;
  readonly routes: KernelRoutes;
  readonly cards: () => Promise<EditorCards>;
  readonly settings: Pick<SettingsPort, 'get' | 'tools' | 'setGroup'>;
  readonly hostUi: Pick<HostUi, 'readClipboard' | 'confirm' | 'openBlock' | 'written'>;
  readonly clock: Pick<Clock, 'today'>;
  /** The panel, once it is open. */
  readonly drawn: { readonly current: () => Pick<MountedPanel, 'show'> | undefined };
  readonly t: Translate;
  readonly signal: AbortSignal;
}

/** Opens the panel with what the question is about; `wholeNote`: the note of the block. Returns that. */
async function runRequest(deps: EditorRequestDeps, request: EditorRequest, wholeNote = false): Promise<readonly ChatContext[]> {
  const { notes, routes, host, controller, signal } = deps;
  // Phones open their keyboard only directly after a tap: so the panel comes first.
  await host.openPanel('filled');
  if (request.kind !== 'document') await whenSaved(request.protyle, request.ids, (id, inner) => routes.dom(id, inner), signal);
  const read = async (): Promise<{ readonly contexts: readonly ChatContext[] }> => {
    const contexts: ChatContext[] = [];
    const isDocument = wholeNote || request.kind === 'document';
    const ids = wholeNote && request.kind !== 'document' ? await documentsOf(deps, request.ids) : request.ids;
    for (const id of ids) contexts.push(await (isDocument ? documentContext(deps, id) : blockContext(deps, id)));
    const text = request.text?.trim() ?? '';
    const selected = !wholeNote && request.kind === 'selection' && text !== '';
    return {
      contexts: selected
        ? [
            ...contexts,
            selectedContext(
              request.ids[0] ?? '',
              text,
              contexts.map((context) => context.text),
            ),
          ]
        : contexts,
    };
  };
  const { contexts } = await readContexts(notes.rights, read, signal).catch((error: unknown) => refused(deps, request, error));
  for (const context of contexts) controller.addContext(context);
  return contexts;
}

/** The notes of blocks. Rejects like `readBlock`. */
async function documentsOf({ notes, signal }: EditorRequestDeps, ids: readonly string[]): Promise<readonly string[]> {
  const documents = new Set<string>();
  for (const id of ids) documents.add((await notes.readBlock(id, signal)).document.id);
  return [...documents];
}

/** Rethrows a read error; the person who asked is shown what hides the text from the model. */
async function refused({ notes, t, signal }: EditorRequestDeps, { ids }: EditorRequest, error: unknown): Promise<never> {
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

/** A prompt with its values; its target is attached separately. `input`: what is shown where the user must type. */
function fillTemplate({ prompt }: CustomPrompt, { t, clock }: EditorRequestDeps, input: string, clipboard: string): string {
  return fillPrompt(prompt, { selection: t('prompts.given'), note: t('prompts.given'), date: clock.today(), clipboard, input });
}

async function clipboardFor({ prompt }: CustomPrompt, { hostUi }: EditorRequestDeps): Promise<string> {
  return variablesIn(prompt).includes('clipboard') ? (await hostUi.readClipboard()).trim() : '';
}

/** Asked at once, or put into the composer if something must still be typed, or checked: a clipboard may contain a password. */
async function askPrompt(deps: EditorRequestDeps, request: EditorRequest, action: CustomPrompt): Promise<void> {
  const names = variablesIn(action.prompt);
  const text = fillTemplate(action, deps, '…', (await clipboardFor(action, deps)) || '…');
  await runRequest(deps, request);
  if (names.includes('input') || names.includes('clipboard')) deps.controller.typed.putBack(text);
  else await deps.controller.send(text);
}

/** Asks a built-in prompt about the note at once. */
async function askAboutNote(deps: EditorRequestDeps, request: EditorRequest, action: DatabaseAction): Promise<void> {
  const { settings, controller, clock, t } = deps;
  if (isSwitchedOff(settings, DATABASES)) throw new SaidError(t('prompts.databasesOff'));
  const [note] = await runRequest(deps, request, true);
  await needGroup(settings, DATABASES);
  const values = { note: `“${frameName(note?.title ?? '')}”`, date: clock.today(), input: t('prompts.table.below') };
  await controller.send(fillPrompt(t(`prompts.${action}.text`), values));
}

/** Characters of the clipboard that are shown before they are sent. */
const SHOWN = 600;

/** The prompt for a card, which sends it at once: clipboard content is shown before; undefined if it must not be sent. */
async function cardPrompt(deps: EditorRequestDeps, action: CustomPrompt): Promise<CustomPrompt | undefined> {
  const { t, hostUi } = deps;
  const clipboard = await clipboardFor(action, deps);
  if (clipboard !== '') {
    const shown = clipboard.length > SHOWN ? `${clipboard.slice(0, SHOWN)}…` : clipboard;
    const text = t('prompts.clipboard.text', { name: action.name, n: clipboard.length, text: shown });
    if (!(await hostUi.confirm({ title: t('prompts.clipboard.title'), text, action: t('action.send') }))) return undefined;
  }
  return { ...action, prompt: fillTemplate(action, deps, '', clipboard) };
}

/** The action that a request names; undefined for a removed prompt. */
function actionOf({ action }: EditorRequest, { settings }: EditorRequestDeps): EditorAction | CustomPrompt | undefined {
  if (action === 'ask' || action === 'open-chat' || action === 'show-written' || action === 'show-writer' || action === 'check-answer')
    return undefined;
  if (!action.startsWith('prompt:')) return action as EditorAction;
  return settings.get().prompts.find(({ id }) => `prompt:${id}` === action);
}

/** Asks once what is to be changed in a block whose sources changed; what is accepted then counts as checked. */
async function checkAnswer(deps: EditorRequestDeps, request: EditorRequest): Promise<void> {
  const { notes, host, hostUi, cards, t, signal } = deps;
  const [id = ''] = request.ids;
  const answers = await notes.answers();
  const written = await hostUi.written.of([id]);
  const sources = written[0]?.sources;
  if (!sources) throw new SaidError(t('written.holds'));
  const { document } = await notes.readBlock(id, signal).catch((error: unknown) => refused(deps, request, error));
  const protyle = await editorFor(host, document.id, signal);
  hostUi.openBlock(id);
  const onchecked = (): void => void answers.renew([id], signal).catch(() => undefined);
  const [origin] = await hostUi.written.origins(written);
  const question = origin?.question ?? '';
  const prompt = checkPrompt(t('written.checkAgain'), sources, question);
  await (await cards()).open({ ...request, protyle }, prompt, { sources, question, onchecked });
}

/** At something in the panel, which opens for it. */
async function showInPanel({ host, drawn }: EditorRequestDeps, place: PanelPlace): Promise<void> {
  await host.openPanel('command');
  drawn.current()?.show(place);
}

/** Who wrote a block, in a card beside it; without a mark the block with the caret, or what a model wrote around it. */
async function showWriter(deps: EditorRequestDeps, { mark }: EditorRequest): Promise<void> {
  const at = mark ? undefined : caretElement(deps.host);
  const block = mark?.block ?? at?.closest<HTMLElement>(MARKED) ?? at;
  if (!block) throw new SaidError(deps.t('written.noCaret'));
  const cards = await deps.cards();
  cards.showWriter(mark ?? { block, y: block.getBoundingClientRect().top + 10, by: 'keys' }, {
    onchat: (call) => inBackground(showInPanel(deps, { answer: call })),
    onundo: ({ callId }) => inBackground(showInPanel(deps, { change: callId })),
  });
}

/** Starts a request from the editor: a question opens the panel, everything else gets a card. Rejects with ToolError or SaidError. */
export async function handleEditorRequest(deps: EditorRequestDeps, request: EditorRequest): Promise<void> {
  const { controller, cards, host } = deps;
  if (request.action === 'open-chat') {
    await host.openPanel();
    return controller.openFromDocument(request.ids[0] ?? '');
  }
  if (request.action === 'show-written') return showInPanel(deps, { written: request.ids });
  if (request.action === 'show-writer') return showWriter(deps, request);
  if (request.action === 'check-answer') return checkAnswer(deps, request);
  if (request.action === 'ask') return void (await runRequest(deps, request));
  if (isDatabaseAction(request.action)) return askAboutNote(deps, request, request.action);
  const action = actionOf(request, deps);
  if (!action) throw new SaidError(deps.t('suggestion.promptGone'));
  if (typeof action !== 'string' && action.output === 'ask') return askPrompt(deps, request, action);
  const task = typeof action === 'string' ? action : await cardPrompt(deps, action);
  if (task) await (await cards()).open(request, task);
}
