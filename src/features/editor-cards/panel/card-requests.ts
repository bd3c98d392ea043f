import { SaidError } from '../../../app/in-words.ts';
import type { PanelEnvironment, PanelFrame } from '../../../app/panel-environment.ts';
import type { EditorRequest } from '../../../app/panel-host.ts';
import type { CustomPrompt } from '../../../chat/prompts/custom-prompts.ts';
import { type DatabaseAction, isDatabaseAction, isEditorAction } from '../../../chat/prompts/editor-actions.ts';
import { fillPrompt, variablesIn } from '../../../chat/prompts/prompt-variables.ts';
import { frameName } from '../../../tools/util/markers.ts';
import { isSwitchedOff, needGroup } from '../../../ui/ports/need-group.ts';
import { checkPrompt } from '../check-answer.ts';
import type { EditorCards } from './editor-cards.ts';

const DATABASES = 'databases';

export interface CardRequestDeps extends Pick<PanelEnvironment, 'attach' | 't'> {
  readonly chats: { readonly clock: Pick<PanelEnvironment['chats']['clock'], 'today'> };
  readonly frame: {
    readonly controller: Pick<PanelFrame['controller'], 'send' | 'typed'>;
    readonly host: Pick<PanelFrame['host'], 'readClipboard' | 'confirm'>;
    readonly settings: Pick<PanelFrame['settings'], 'get' | 'tools' | 'setGroup'>;
  };
  readonly cards: Pick<EditorCards, 'open'>;
}

/** A prompt with its values; its target is attached separately. `input`: what is shown where the user must type. */
function fillTemplate({ prompt }: CustomPrompt, { t, chats: { clock } }: CardRequestDeps, input: string, clipboard: string): string {
  return fillPrompt(prompt, { selection: t('prompts.given'), note: t('prompts.given'), date: clock.today(), clipboard, input });
}

async function clipboardFor({ prompt }: CustomPrompt, { frame: { host } }: CardRequestDeps): Promise<string> {
  return variablesIn(prompt).includes('clipboard') ? (await host.readClipboard()).trim() : '';
}

/** Asked at once, or put into the composer if something must still be typed, or checked: a clipboard may contain a password. */
async function askPrompt(deps: CardRequestDeps, request: EditorRequest, action: CustomPrompt): Promise<void> {
  const { controller } = deps.frame;
  const names = variablesIn(action.prompt);
  const text = fillTemplate(action, deps, '…', (await clipboardFor(action, deps)) || '…');
  await deps.attach(request);
  if (names.includes('input') || names.includes('clipboard')) controller.typed.putBack(text);
  else await controller.send(text);
}

/** Asks a built-in prompt about the note at once. */
async function askAboutNote(deps: CardRequestDeps, request: EditorRequest, action: DatabaseAction): Promise<void> {
  const { attach, chats, t } = deps;
  const { settings, controller } = deps.frame;
  if (isSwitchedOff(settings, DATABASES)) throw new SaidError(t('prompts.databasesOff'));
  const [note] = await attach(request, true);
  await needGroup(settings, DATABASES);
  const values = { note: `“${frameName(note?.title ?? '')}”`, date: chats.clock.today(), input: t('prompts.table.below') };
  await controller.send(fillPrompt(t(`prompts.${action}.text`), values));
}

/** Characters of the clipboard that are shown before they are sent. */
const SHOWN = 600;

/** The prompt for a card, which sends it at once: clipboard content is shown before; undefined if it must not be sent. */
async function cardPrompt(deps: CardRequestDeps, action: CustomPrompt): Promise<CustomPrompt | undefined> {
  const { t, frame } = deps;
  const clipboard = await clipboardFor(action, deps);
  if (clipboard !== '') {
    const shown = clipboard.length > SHOWN ? `${clipboard.slice(0, SHOWN)}…` : clipboard;
    const text = t('prompts.clipboard.text', { name: action.name, n: clipboard.length, text: shown });
    if (!(await frame.host.confirm({ title: t('prompts.clipboard.title'), text, action: t('action.send') }))) return undefined;
  }
  return { ...action, prompt: fillTemplate(action, deps, '', clipboard) };
}

/** A prompt of the user's own, in the panel or on a card. */
async function runPrompt(deps: CardRequestDeps, request: EditorRequest): Promise<void> {
  const action = deps.frame.settings.get().prompts.find(({ id }) => `prompt:${id}` === request.action);
  if (!action) throw new SaidError(deps.t('suggestion.promptGone'));
  if (action.output === 'ask') return askPrompt(deps, request, action);
  const task = await cardPrompt(deps, action);
  if (task) await deps.cards.open(request, task);
}

/** Asks once what is to be changed in a block whose sources changed; what is accepted then counts as checked. */
async function checkAnswer({ cards, t }: CardRequestDeps, request: EditorRequest): Promise<void> {
  const { sources = [], question = '' } = request.checked ?? {};
  await cards.open(request, checkPrompt(t('written.checkAgain'), sources, question));
}

/** Questions open the panel, everything else gets a card. */
export function runCardRequest(deps: CardRequestDeps, request: EditorRequest): Promise<void> {
  const { action } = request;
  if (isDatabaseAction(action)) return askAboutNote(deps, request, action);
  if (isEditorAction(action)) return deps.cards.open(request, action);
  return action === 'check-answer' ? checkAnswer(deps, request) : runPrompt(deps, request);
}
