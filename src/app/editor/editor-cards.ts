import type { IEventBusMap, IProtyle } from 'siyuan';
import type { ChatController } from '../../chat/controller/controller-port.ts';
import type { EditorAction } from '../../chat/editor-task/editor-actions.ts';
import { createEditorTask } from '../../chat/editor-task/editor-task.ts';
import type { CustomPrompt } from '../../chat/editor-task/editor-task-prompts.ts';
import type { EditorTarget, EditorTask, EditorTaskDeps } from '../../chat/editor-task/editor-task-types.ts';
import type { ChangedSource } from '../../tools/contract/written-blocks.ts';
import { inBackground } from '../../tools/util/notify.ts';
import type { MarginWays } from '../../ui/activity/margin-place.ts';
import { mountMarginCard } from '../../ui/activity/mount-margin-card.ts';
import { type CardContext, createCardContext, type MountedCard, mountCard } from '../../ui/editor/mount-card.ts';
import { actionName, actionQuestion } from '../../ui/editor/suggestion-labels.ts';
import type { HostUi } from '../../ui/ports/host-ui.ts';
import type { Translate } from '../../ui/ports/i18n.ts';
import type { SettingsPort } from '../../ui/ports/settings-port.ts';
import type { CommandName } from '../commands.ts';
import type { EditorRequest, PanelHost } from '../panel-host.ts';
import { keepCaret } from './editor-caret.ts';
import { containersOf, editorFor, placeFor, whenSaved } from './editor-place.ts';
import type { MarginMark } from './margin-pointer.ts';

export interface EditorCardsDeps {
  readonly host: PanelHost;
  readonly controller: ChatController;
  readonly hostUi: HostUi;
  readonly settings: SettingsPort;
  readonly t: Translate;
  /** Everything that a task needs except its texts. */
  readonly task: Omit<EditorTaskDeps, 'words'>;
  /** The kernel's DOM of a block, to see whether typed text has arrived there. */
  readonly domOf: (id: string, signal: AbortSignal) => Promise<string>;
  /** Opens the settings at the model's rights in a notebook. */
  readonly openAccess: (notebook: string) => Promise<void>;
  /** There are flashcards now, for which tools may be switched on. */
  readonly madeCards: () => Promise<unknown>;
  readonly signal: AbortSignal;
}

interface OpenCard {
  /** A place has one card: a second action there replaces the first. */
  readonly key: string;
  readonly protyle: IProtyle | undefined;
  /** The note that it is about. */
  readonly note: string | undefined;
  readonly card: MountedCard;
}

/** Pixels over and under the pointer that a card in the margin leaves free. */
const HALF_LINE = 10;

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

/** Of a task about an answer that was saved earlier. */
export interface CheckedAnswer {
  readonly sources: readonly ChangedSource[];
  /** The question that it answers; '' where nobody asked one. */
  readonly question: string;
  /** The person accepted what the model proposed, or left it at that the model would change nothing. */
  readonly onchecked: () => void;
}

/** The cards of this window. */
export class EditorCards {
  private readonly deps: EditorCardsDeps;
  private readonly cards = new Set<OpenCard>();
  private readonly words: EditorTaskDeps['words'];
  private shared: CardContext | undefined;
  private writer: { readonly id: string; close(): void } | undefined;
  /** Cards close because their place is left, not because somebody decided. */
  private isLeaving = false;

  constructor(deps: EditorCardsDeps) {
    this.deps = deps;
    const { t } = deps;
    this.words = {
      title: (action, about) => t('suggestion.title', { action: actionName(action, t), about }),
      question: (action, language) => actionQuestion(action, language, t),
      chinese: t('language.chinese'),
    };
    this.listen('on');
  }

  /** Opens a card for the request; resolves when it has its place, and never waits for the answer. */
  async open(request: EditorRequest, action: EditorAction | CustomPrompt, checked?: CheckedAnswer): Promise<void> {
    const { host, signal, domOf } = this.deps;
    const protyle = request.protyle ?? (await editorFor(host, request.ids[0] ?? '', signal));
    if (signal.aborted) return;
    this.writer?.close();
    const key = `${protyle?.id ?? ''} ${request.ids.at(-1) ?? ''}`;
    this.drop([...this.cards].filter((other) => other.key === key));
    const task = createEditorTask(
      { ...this.deps.task, words: this.words },
      { action, target: targetOf(request), typed: request.typed ?? false, ...checked },
    );
    const holds = checked?.onchecked ?? (() => undefined);
    const card = this.draw(request, action, { task, holds }, { key, protyle, note: protyle?.block.rootID ?? request.ids[0] });
    // Only if nobody is writing: the caret stays in the text.
    if (document.activeElement === null || document.activeElement === document.body) card.element.focus({ preventScroll: true });
    const saved = whenSaved(protyle, request.kind === 'document' ? [] : request.ids, domOf, signal);
    inBackground(saved.then(() => task.run()));
  }

  /** Shows who wrote a block, beside it, in place of an earlier card of that kind. */
  showWriter({ block, y, by }: MarginMark, ways: MarginWays): void {
    const id = block.dataset.nodeId ?? '';
    // The pointer moved on the same mark.
    if (by === 'pointer' && this.writer?.id === id) return;
    this.writer?.close();
    const protyle = this.deps.host.siyuan.getAllEditor().find(({ protyle: each }) => each.wysiwyg?.element.contains(block))?.protyle;
    const box = new DOMRect(block.getBoundingClientRect().left, y - HALF_LINE, 0, 2 * HALF_LINE);
    const card = mountMarginCard({ place: { id, box, by }, context: this.context(), ways }, () => {
      giveBack();
      if (this.writer?.id === id) this.writer = undefined;
    });
    const giveBack = keepCaret({ element: card.element, sheet: by === 'finger' }, protyle, id);
    this.writer = { id, close: card.close };
  }

  /** The write path's question while the user is typing, if it is about a card; else undefined. */
  askWhileTyping(blockIds: readonly string[], signal: AbortSignal): Promise<'write' | 'cancel'> | undefined {
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

  dispose(): void {
    this.listen('off');
    this.drop([...this.cards]);
    this.writer?.close();
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
    const { host, t, madeCards } = this.deps;
    const place = placeFor(host, request, where.protyle);
    const giveBack = keepCaret(place, where.protyle, request.ids.at(-1) ?? '');
    const card = mountCard(place.element, {
      task,
      context: this.context(),
      sheet: place.sheet,
      ondone: () => {
        giveBack();
        // What was undone is as old as it was.
        if (!task.view().undone) holds();
        if (action === 'cards') inBackground(madeCards());
      },
      onready: place.show,
      label: actionName(action, t),
      onaccess: this.deps.openAccess,
      keys: keysOf(host, 'toSuggestion'),
      action: typeof action === 'string' ? action : action.id,
      oncontinue: (sessionId) => inBackground(this.continueInPanel(sessionId)),
      onclose: () => {
        giveBack();
        if (!this.isLeaving && task.view().note === 'unchanged') holds();
        this.cards.delete(entry);
        card.destroy();
        place.remove();
      },
    });
    const entry: OpenCard = { ...where, card };
    this.cards.add(entry);
    return card;
  }

  private context(): CardContext['context'] {
    const { controller, hostUi, settings, t } = this.deps;
    this.shared ??= createCardContext({ controller, host: hostUi, t, settings });
    return this.shared.context;
  }

  private async continueInPanel(sessionId: string): Promise<void> {
    await this.deps.host.openPanel();
    await this.deps.controller.openChat(sessionId);
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
