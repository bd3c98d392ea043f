import type { IEventBusMap, IProtyle } from 'siyuan';
import type { CommandName } from '../../../app/commands.ts';
import { keepCaret } from '../../../app/editor/editor-caret.ts';
import { containersOf, editorFor, whenSaved } from '../../../app/editor/editor-place.ts';
import type { PanelEnvironment, PanelFrame } from '../../../app/panel-environment.ts';
import type { EditorRequest, PanelHost } from '../../../app/panel-host.ts';
import type { CustomPrompt } from '../../../chat/prompts/custom-prompts.ts';
import type { EditorAction } from '../../../chat/prompts/editor-actions.ts';
import { inBackground } from '../../../tools/util/notify.ts';
import { createOutsideContext, type OutsideContext } from '../../../ui/state/outside-context.ts';
import { createEditorTask } from '../editor-task.ts';
import type { EditorTarget, EditorTask, EditorTaskDeps } from '../editor-task-types.ts';
import { type MountedCard, mountCard } from '../view/mount-card.ts';
import { actionName, actionQuestion } from '../view/suggestion-labels.ts';
import { placeFor } from './card-place.ts';

export interface EditorCardsDeps
  extends Pick<
    PanelEnvironment,
    'host' | 'chats' | 'base' | 'notes' | 'executors' | 'settings' | 'show' | 'look' | 'typing' | 't' | 'ending'
  > {
  readonly frame: PanelFrame;
}

interface OpenCard {
  /** A place has one card: a second action there replaces the first. */
  readonly key: string;
  readonly protyle: IProtyle | undefined;
  /** The note that it is about. */
  readonly note: string | undefined;
  readonly card: MountedCard;
}

const isSheet = ({ card }: OpenCard): boolean => card.element.closest('.mg-sheets') !== null;

const targetOf = (request: EditorRequest): EditorTarget => {
  const [first = ''] = request.ids;
  if (request.kind === 'document') return { kind: 'document', id: first };
  const around = containersOf(request.protyle, request.ids.at(-1) ?? first);
  if (request.kind === 'selection') return { kind: 'selection', ids: [first], around, text: request.text ?? '' };
  return { kind: 'block', ids: request.ids, around };
};

/** The keys of a command for people: the user's binding, or the default. */
function keysOf({ plugin }: PanelHost, name: CommandName): string {
  const command = plugin.commands?.find(({ langKey }) => langKey === name);
  const keys = command?.customHotkey || command?.hotkey || '';
  if (/Mac|iP/.test(navigator.platform)) return keys;
  return keys.replace('⌃', 'Ctrl+').replace('⌘', 'Ctrl+').replace('⌥', 'Alt+').replace('⇧', 'Shift+');
}

/** What was written is used or edited by its reader: nothing is left to say of it. */
function whenUsed(protyle: IProtyle | undefined, card: MountedCard, signal: AbortSignal): void {
  const leave = (): void => {
    // The event is of the whole editor.
    const block = document.getSelection()?.anchorNode?.parentElement?.closest('[data-node-id]')?.getAttribute('data-node-id');
    if (block && card.isOver() && card.isOf(block)) card.reject();
  };
  for (const type of ['input', 'copy', 'cut']) protyle?.wysiwyg?.element.addEventListener(type, leave, { capture: true, signal });
}

/** The cards of this window. */
export class EditorCards {
  private readonly deps: EditorCardsDeps;
  private readonly cards = new Set<OpenCard>();
  private readonly task: EditorTaskDeps;
  private shared: OutsideContext | undefined;
  /** Cards close because their place is left, not because somebody decided. */
  private isLeaving = false;

  constructor(deps: EditorCardsDeps) {
    this.deps = deps;
    const { chats, notes, executors, settings, typing, t } = deps;
    const words: EditorTaskDeps['words'] = {
      title: (action, about) => t('suggestion.title', { action: actionName(action, t), about }),
      question: (action, language) => actionQuestion(action, language, t),
      chinese: t('language.chinese'),
    };
    this.task = { ...chats, ...notes, executorFactory: executors.build, translateTo: () => settings.get().translateTo, words };
    typing.askFirst((blockIds, signal) => this.askWhileTyping(blockIds, signal));
    this.listen('on');
    deps.ending.addEventListener('abort', () => this.dispose());
  }

  /** Opens a card for the request; resolves when it has its place, and never waits for the answer. */
  async open(request: EditorRequest, action: EditorAction | CustomPrompt): Promise<void> {
    const { host, ending, base } = this.deps;
    const { checked } = request;
    const protyle = request.protyle ?? (await editorFor(host, request.ids[0] ?? '', ending));
    if (ending.aborted) return;
    const key = `${protyle?.id ?? ''} ${request.ids.at(-1) ?? ''}`;
    this.drop([...this.cards].filter((other) => other.key === key));
    const task = createEditorTask(this.task, { action, target: targetOf(request), typed: request.typed ?? false, ...checked });
    const holds = checked?.onchecked ?? (() => undefined);
    const card = this.draw(request, action, { task, holds }, { key, protyle, note: protyle?.block.rootID ?? request.ids[0] });
    // Only if nobody is writing: the caret stays in the text.
    if (document.activeElement === null || document.activeElement === document.body) card.element.focus({ preventScroll: true });
    const saved = whenSaved(protyle, request.kind === 'document' ? [] : request.ids, base.routes.dom, ending);
    inBackground(saved.then(() => task.run()));
  }

  /** The write path's question while the user is typing, if it is about a card; else undefined. */
  private askWhileTyping(blockIds: readonly string[], signal: AbortSignal): Promise<'write' | 'cancel'> | undefined {
    for (const { card } of this.cards) {
      const answer = card.askWhileTyping(blockIds, signal);
      if (answer) return answer;
    }
    return undefined;
  }

  /** Focuses the card nearest to the caret. */
  focusNearest(): void {
    const caret = document.getSelection()?.anchorNode?.parentElement?.getBoundingClientRect().top ?? 0;
    const distance = ({ card }: OpenCard): number => Math.abs(card.element.getBoundingClientRect().top - caret);
    [...this.cards].sort((one, other) => distance(one) - distance(other))[0]?.card.element.focus();
  }

  private dispose(): void {
    this.listen('off');
    this.drop([...this.cards]);
    this.shared?.destroy();
  }

  private drop(cards: readonly OpenCard[]): void {
    this.isLeaving = true;
    for (const { card } of cards) card.reject();
    this.isLeaving = false;
  }

  private draw(
    request: EditorRequest,
    action: EditorAction | CustomPrompt,
    { task, holds }: { readonly task: EditorTask; readonly holds: () => void },
    where: Omit<OpenCard, 'card'>,
  ): MountedCard {
    const { host, t, look, show } = this.deps;
    const place = placeFor(host, request, where.protyle);
    const over = new AbortController();
    const giveBack = keepCaret(place, where.protyle, request.ids.at(-1) ?? '');
    const card = mountCard(place.element, {
      task,
      context: this.context(),
      sheet: place.sheet,
      ondone: () => {
        giveBack();
        // What was undone is as old as it was.
        if (!task.view().undone) holds();
        // Tools for them may be switched on now.
        if (action === 'cards') inBackground(look());
      },
      onready: place.show,
      label: actionName(action, t),
      onaccess: (notebook) => show({ access: notebook }),
      keys: keysOf(host, 'toSuggestion'),
      action: typeof action === 'string' ? action : action.id,
      oncontinue: (sessionId) => inBackground(this.continueInPanel(sessionId)),
      onclose: () => {
        giveBack();
        if (!this.isLeaving && task.view().note === 'unchanged') holds();
        over.abort();
        this.cards.delete(entry);
        card.destroy();
        place.remove();
      },
    });
    whenUsed(where.protyle, card, over.signal);
    const entry: OpenCard = { ...where, card };
    this.cards.add(entry);
    return card;
  }

  private context(): OutsideContext['context'] {
    const { frame, t } = this.deps;
    const { controller, host, settings } = frame;
    this.shared ??= createOutsideContext({ controller, host, settings, t }, 'marginalia-suggestion-preview');
    return this.shared.context;
  }

  private async continueInPanel(sessionId: string): Promise<void> {
    await this.deps.host.openPanel();
    await this.deps.frame.controller.openChat(sessionId);
  }

  private listen(how: 'on' | 'off'): void {
    const { eventBus } = this.deps.host.plugin;
    eventBus[how]('destroy-protyle', this.onDestroyed);
    eventBus[how]('switch-protyle', this.onShown);
  }

  private readonly onDestroyed = ({ detail }: CustomEvent<IEventBusMap['destroy-protyle']>): void =>
    this.leave(({ protyle }) => protyle === detail.protyle);

  /** A phone shows one note at a time, in one editor. */
  private readonly onShown = ({ detail }: CustomEvent<IEventBusMap['switch-protyle']>): void =>
    this.leave((open) => (isSheet(open) || open.protyle === detail.protyle) && open.note !== detail.protyle.block.rootID);

  /** Leaving a note closes its cards; sheets, which belong to the window, only when they are over. */
  private leave(isLeft: (open: OpenCard) => boolean): void {
    this.drop([...this.cards].filter((open) => isLeft(open) && (!isSheet(open) || open.card.isOver())));
  }
}
