import { type Component, tick } from 'svelte';
import { SvelteMap } from 'svelte/reactivity';
import type { ChatController } from '../../chat/controller/controller-port.ts';
import { type EventError, isAbort, toToolError } from '../../tools/contract/errors.ts';
import { inBackground } from '../../tools/util/notify.ts';
import type { FindState } from '../find/find-state.svelte.ts';
import type { HistoryWindow } from '../history/history-window.svelte.ts';
import { asQuotation } from '../history/selected-text.ts';
import type { HostUi } from '../ports/host-ui.ts';
import type { Translate } from '../ports/i18n.ts';
import type { SpeechPort } from '../ports/speech-port.ts';
import type { CitationPreviewState } from './citation-preview.svelte.ts';
import type { NoteNames } from './note-names.svelte.ts';
import { ReadAloud } from './read-aloud.svelte.ts';

/** Characters; a longer selection is nothing to look for. */
const LONGEST_FIND = 100;

export interface PanelStateDeps {
  readonly controller: ChatController;
  readonly host: HostUi;
  readonly t: Translate;
  readonly preview: CitationPreviewState;
  readonly find: FindState;
  /** Of notes that calls name. */
  readonly names: NoteNames;
  /** Of the notes that hold what answers cite. */
  readonly sources: NoteNames;
  readonly speech?: SpeechPort | undefined;
}

export interface FormProps {
  readonly title: string;
  readonly fields: readonly { readonly name: string; readonly description: string; readonly required: boolean }[];
  readonly action: string;
  /** With the value of each field. A failure is shown, and the form stays. */
  readonly submit: (values: Readonly<Record<string, string>>) => Promise<void>;
}

interface Saying {
  readonly undo?: () => Promise<unknown>;
  readonly show?: string;
  readonly about?: string;
  readonly ofChat?: boolean;
}

/** The panel's own state: the open page, and its messages outside the chat. */
export class PanelState {
  #page: string = $state('chat');
  /** The pages from which one came to the open one, with what each was opened for. */
  #trail: readonly { readonly page: string; readonly ids: readonly string[] }[] = [];
  #openedFor: readonly string[] = [];
  /** A short word about something that just happened; failures stay until they are closed. */
  notice: EventError | undefined = $state.raw();
  /** What was searched for in the chats when one of them was opened: the search goes on when the reader comes back. */
  chatSearch = '';
  /** Code of a failure that the open page shows itself. */
  shownByPage: string | undefined = $state();
  said: string = $state('');
  /** The title in `said`, of any length. */
  saidAbout: string = $state('');
  undo: (() => Promise<unknown>) | undefined = $state.raw();
  /** Block that `said` links to. */
  saidOf: string | undefined = $state();
  /** The call whose sub-agent is shown, while that page is open. */
  agent: { readonly nodeId: string; readonly callId: string } | undefined = $state.raw();
  /** What the page is opened for. */
  #shownIds: readonly string[] = $state.raw([]);
  /** For screen readers only: the end of an answer, a question to the user. */
  announced: string = $state('');
  draft: string = $state('');
  choosingModel: boolean = $state(false);
  /** The answer to be generated again by the model chosen there; without one, the choice is for the chat. */
  askAgain: string | undefined = $state();
  picture: { readonly src: string; readonly alt: string } | undefined = $state.raw();
  wrapsCode: boolean = $state(false);
  /** Something that can go with the next question is being dragged over the panel. */
  dropping: boolean = $state(false);
  /** Fields over the composer, for what is to be put into it or attached. */
  form: { readonly Fields: Component<FormProps>; readonly props: FormProps } | undefined = $state.raw();
  composer: HTMLTextAreaElement | undefined;
  pageElement: HTMLElement | undefined;
  readonly preview: CitationPreviewState;
  /** Of notes that calls have by their ids. */
  readonly names: NoteNames;
  readonly sources: NoteNames;
  history: HistoryWindow | undefined;
  /** What the reader opened or closed, by node or call: kept while its message is out of the document. */
  readonly folds = new Map<string, boolean>();
  /** Questions that are being put in other words, by node: kept while their message is out of the document. */
  readonly edits = new SvelteMap<string, string>();
  /** What was typed into the forms of pages, by form: kept while their page is not shown, nor the panel, which a phone takes away for a note. */
  readonly forms: Map<string, object>;
  readonly find: FindState;
  readonly aloud: ReadAloud;
  readonly deps: PanelStateDeps;
  /** What of the next page is to get the focus, as a selector. */
  #wanted: string | undefined;
  #part: string | undefined = $state();
  #beforeFind: Element | null = null;
  readonly #stopTyped: () => void;
  #saidOfChat = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(deps: PanelStateDeps) {
    this.deps = deps;
    this.forms = deps.controller.typed.forms;
    this.draft = deps.controller.typed.draft;
    this.#stopTyped = deps.controller.typed.subscribe((draft) => (this.draft = draft));
    this.preview = deps.preview;
    this.names = deps.names;
    this.sources = deps.sources;
    this.find = deps.find;
    this.aloud = new ReadAloud({
      speak: (text, signal) => deps.speech?.speak(text, signal) ?? Promise.reject(new Error('nothing speaks here')),
      failed: (error) => this.run(Promise.reject(error)),
    });
  }

  /** 'chat', or the page that lies over it, so that its place is kept. */
  get page(): string {
    return this.#page;
  }

  set page(page: string) {
    const known = this.#trail.findIndex((each) => each.page === page);
    if (page === 'chat') this.#trail = [];
    else if (known >= 0) this.#trail = this.#trail.slice(0, known);
    else if (this.#page !== 'chat' && page !== this.#page) this.#trail = [...this.#trail, { page: this.#page, ids: this.#openedFor }];
    this.#openedFor = this.#shownIds;
    this.#page = page;
    this.preview.hide();
  }

  /** To the page from which one came, else to the chat. */
  back(): void {
    const last = this.#trail.at(-1);
    this.#shownIds = last?.ids ?? [];
    if (last) this.page = last.page;
    else this.focusComposer();
  }

  open(page: string): void {
    this.#wanted = undefined;
    this.#part = undefined;
    this.#shownIds = [];
    this.page = this.page === page ? 'chat' : page;
  }

  /** The settings, at the part of that name: at what can be filled in there, or made. `page`: where that is, if not there. */
  openSetting(part: string, page = 'settings'): void {
    this.#part = part;
    this.page = page;
  }

  /** Whether somebody is led to that part of the settings: true once. */
  takePart(part: string): boolean {
    if (this.#part !== part) return false;
    this.#part = undefined;
    return true;
  }

  /** The settings, at what the model may do in a notebook; they may be open already. */
  openAccess(notebook: string): void {
    const isThere = this.page === 'settings';
    this.page = 'settings';
    this.#wanted = `[data-notebook="${CSS.escape(notebook)}"]`;
    const field = isThere ? this.pageElement?.querySelector<HTMLElement>(this.#wanted) : undefined;
    if (field) this.drawn(field);
  }

  /** A field that comes later than its page: the focus goes to it where the page was opened for it. */
  drawn(field: HTMLElement): void {
    if (this.page !== 'settings' || this.#wanted === undefined || !field.matches(this.#wanted)) return;
    this.#wanted = undefined;
    field.focus();
    field.scrollIntoView({ block: 'center' });
  }

  /** The list of models over the composer, for the open chat. */
  chooseModel(): void {
    this.page = 'chat';
    this.choosingModel = true;
  }

  /** A page is drawn: the focus goes to it. One that is still being loaded has no fields yet. */
  arrive(page: HTMLElement): void {
    this.pageElement = page;
    const wanted = this.#wanted === undefined ? null : page.querySelector<HTMLElement>(this.#wanted);
    if (wanted) this.#wanted = undefined;
    (wanted ?? page.querySelector<HTMLElement>('[data-arrive]') ?? page).focus();
    wanted?.scrollIntoView({ block: 'center' });
  }

  /** At once where that is possible (phones open their keyboard only then), and once a page over the chat is gone. */
  focusComposer(): void {
    this.page = 'chat';
    this.composer?.focus();
    inBackground(tick().then(() => this.composer?.focus()));
  }

  /** Where keys are at home: the page that lies over the chat, else the composer. */
  get home(): HTMLElement | undefined {
    return this.pageElement ?? this.composer;
  }

  /** Back to the page after what had the focus is gone (a row that was deleted, a field that was closed). */
  focusPage(): void {
    const { pageElement } = this;
    if (pageElement && !pageElement.contains(document.activeElement)) pageElement.focus();
  }

  /** Puts a question into the composer; a gap ("…") in it is selected, so that typing fills it. */
  async begin(text: string): Promise<void> {
    this.draft = text;
    this.focusComposer();
    await tick();
    const gap = text.indexOf('…');
    if (gap >= 0) this.composer?.setSelectionRange(gap, gap + 1);
    else this.composer?.setSelectionRange(text.length, text.length);
  }

  /** Puts text into the composer as a quotation, below what is typed already, the caret after it. */
  async quote(text: string): Promise<void> {
    const before = this.draft.trimEnd();
    this.draft = `${before === '' ? '' : `${before}\n\n`}${asQuotation(text)}\n\n`;
    this.focusComposer();
    await tick();
    this.composer?.setSelectionRange(this.draft.length, this.draft.length);
    this.composer?.scrollTo({ top: this.composer.scrollHeight });
  }

  /** Runs what the user requested; a failure is shown in the notice bar, never a lost rejection. */
  run(work: Promise<unknown>): void {
    const before = this.notice;
    const failed = (error: unknown): void => {
      if (isAbort(error)) return;
      const { code, message, next } = toToolError(error);
      this.notice = { code, message, next };
    };
    work.then(() => {
      // Only what was said before this began: the work may have failed for another reason meanwhile.
      if (this.notice === before) this.answered();
    }, failed);
  }

  /** Runs a change of the settings and says that it is saved, once it is. */
  save(work: Promise<unknown>): void {
    this.run(work.then(() => this.say(this.deps.t('said.saved'))));
  }

  /** SiYuan or the service answered: the notice that it does not is outdated. */
  answered(failure: 'kernel_unreachable' | 'service_' = 'kernel_unreachable'): void {
    if (this.notice?.code.startsWith(failure)) this.notice = undefined;
  }

  /** Another chat is shown: what the microphone failed at belonged to the one before. */
  chatChanged(): void {
    this.form = undefined;
    this.aloud.stop();
    if (this.#saidOfChat) this.hush();
    if (this.notice?.code === 'no_microphone') this.notice = undefined;
  }

  /** Shows a message for four seconds, also to screen readers; for ten if it can be undone. `show`: the block that it leads to. `about`: a title in it. `ofChat`: nothing of another chat. */
  say(text: string, { undo, show, about = '', ofChat = false }: Saying = {}): void {
    clearTimeout(this.#timer);
    this.said = text;
    this.saidAbout = about;
    this.undo = undo;
    this.saidOf = show;
    this.#saidOfChat = ofChat;
    this.#timer = setTimeout(() => this.hush(), undo ? 10_000 : 4000);
  }

  /** Says words to screen readers only, also when they are the same as before. */
  async announce(text: string): Promise<void> {
    this.announced = '';
    await tick();
    this.announced = text;
  }

  hush(): void {
    clearTimeout(this.#timer);
    this.said = '';
    this.undo = undefined;
    this.saidOf = undefined;
  }

  /** Opens the find bar, with the words that are selected in a message; again only gives it the focus. */
  startFind(): void {
    this.page = 'chat';
    if (!this.find.open) this.#beforeFind = document.activeElement;
    const selection = document.getSelection();
    const words = selection && this.history?.list?.contains(selection.anchorNode) ? selection.toString().trim() : '';
    this.find.show(words.length > LONGEST_FIND || words.includes('\n') ? '' : words);
  }

  /** Marks the words that a search found in a message of the open chat. */
  leadToFound(words: string, nodeId: string): void {
    this.#beforeFind = document.activeElement;
    this.find.lead(words, nodeId);
  }

  endFind(): void {
    this.find.close();
    const before = this.#beforeFind;
    this.#beforeFind = null;
    if (before instanceof HTMLElement && before.isConnected && before !== document.body) before.focus({ preventScroll: true });
    else this.composer?.focus();
  }

  openAgent(nodeId: string, callId: string): void {
    this.agent = { nodeId, callId };
    this.page = 'agent';
  }

  /** A page at what has these ids: calls, blocks or messages. */
  openAt(page: string, ids: readonly string[]): void {
    this.#shownIds = ids;
    this.page = page;
  }

  /** For the page, once; empty where it was opened for all. */
  takeShownIds(): readonly string[] {
    const ids = this.#shownIds;
    if (ids.length > 0) this.#shownIds = [];
    return ids;
  }

  async copy(text: string, html?: string): Promise<void> {
    const { host, t } = this.deps;
    this.say(t((await host.writeClipboard(text, html)) ? 'said.copied' : 'said.noClipboard'));
  }

  /**
   * Goes to the next (1) or previous (−1) message and gives it the focus; at the ends it stays. A reader who is in none begins
   * with what is seen: going on with its first message, going back with the last one of the chat if that is in sight.
   */
  step(direction: 1 | -1): void {
    this.run(this.#step(direction));
  }

  async #step(direction: 1 | -1): Promise<void> {
    const { history } = this;
    if (!history) return;
    this.page = 'chat';
    const first = history.current();
    const last = history.atEnd ? this.deps.controller.view().messages.length - 1 : first - 1;
    const nearest = direction === 1 ? first : last;
    const index = history.focused >= 0 ? history.focused + direction : nearest;
    const article = (await history.show(index))?.querySelector<HTMLElement>('article');
    article?.focus({ preventScroll: true });
  }

  /** Brings a message into sight and gives the focus to a part of it, or to itself. Nothing where it is not in the shown branch. */
  async goTo(index: number, part?: string): Promise<void> {
    this.page = 'chat';
    await tick();
    const article = this.#inSight(index) ?? (await this.history?.show(index))?.querySelector<HTMLElement>('article');
    const target = part ? article?.querySelector<HTMLElement>(part) : undefined;
    (target ?? article)?.focus({ preventScroll: true });
  }

  /** A message of which the beginning is seen; where that is so nothing needs to move. */
  #inSight(index: number): HTMLElement | undefined {
    const list = this.composer?.closest('.mg-panel')?.querySelector('.mg-list');
    const article = list?.querySelector<HTMLElement>(`article[aria-posinset="${index + 1}"]`);
    if (!list || !article) return undefined;
    const [frame, box] = [list.getBoundingClientRect(), article.getBoundingClientRect()];
    return box.top >= frame.top && box.top < frame.bottom - 40 ? article : undefined;
  }

  /** Jumps to a block, or says that it is gone. */
  /** `page`: of the PDF in the block, which is opened instead. */
  openBlock(id: string, page?: number): void {
    this.run(this.#open(id, page));
  }

  async #open(id: string, page: number | undefined): Promise<void> {
    const { host, t } = this.deps;
    if ((await host.blockMarkdown(id)) === null) this.say(t('said.blockGone'));
    else if (page === undefined || !(await host.openPdf(id, page))) host.openBlock(id);
  }

  destroy(): void {
    this.#stopTyped();
    this.preview.hide();
    this.aloud.stop();
    clearTimeout(this.#timer);
  }
}
