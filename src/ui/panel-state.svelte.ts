import { tick } from 'svelte';
import type { ChatController } from '../chat/view.ts';
import { isAbort, toToolError } from '../tools/errors.ts';
import type { EventError } from '../tools/events.ts';
import type { HostUi } from './host-ui.ts';
import type { Translate } from './i18n.ts';

/** Pages lie over the chat, so that its place is kept. */
export type Page = 'chat' | 'chats' | 'tools' | 'settings' | 'save';

interface Parts {
  readonly controller: ChatController;
  readonly host: HostUi;
  readonly t: Translate;
}

/** What is the panel's own: which page is open, and what it has to say outside any message. */
export class PanelState {
  page: Page = $state('chat');
  /** A short word about something that just happened; failures stay until they are closed. */
  notice: EventError | undefined = $state.raw();
  said: string = $state('');
  /** For screen readers only: the end of an answer, a question to the user. */
  announced: string = $state('');
  /** What is typed and not yet sent. */
  draft: string = $state('');
  composer: HTMLTextAreaElement | undefined;
  /** The page that lies over the chat. */
  pageElement: HTMLElement | undefined;
  readonly #parts: Parts;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  open(page: Page): void {
    this.page = this.page === page ? 'chat' : page;
  }

  /** At once where that is possible (phones open their keyboard only then), and once a page over the chat is gone. */
  focusComposer(): void {
    this.page = 'chat';
    this.composer?.focus();
    void tick().then(() => this.composer?.focus());
  }

  /** Back to the page after what had the focus is gone (a row that was deleted, a field that was closed). */
  focusPage(): void {
    const { pageElement } = this;
    if (pageElement && !pageElement.contains(document.activeElement)) pageElement.focus();
  }

  /** Puts a question with a gap ("…") into the composer, the gap selected, so that typing fills it. */
  async begin(text: string): Promise<void> {
    this.draft = text;
    this.focusComposer();
    await tick();
    const gap = text.indexOf('…');
    this.composer?.setSelectionRange(gap, gap + 1);
  }

  /** Runs what the user asked for; a failure becomes the notice bar, never a lost rejection. */
  run(work: Promise<unknown>): void {
    work.catch((error: unknown) => {
      if (isAbort(error)) return;
      const { code, message, next } = toToolError(error);
      this.notice = { code, message, next };
    });
  }

  /** Says a word for four seconds, also to screen readers. */
  say(text: string): void {
    clearTimeout(this.#timer);
    this.said = text;
    this.#timer = setTimeout(() => {
      this.said = '';
    }, 4000);
  }

  async copy(text: string): Promise<void> {
    const { host, t } = this.#parts;
    this.say(t((await host.writeClipboard(text)) ? 'said.copied' : 'said.noClipboard'));
  }

  /** Jumps to a cited block, or says that the note is gone. */
  async openBlock(id: string): Promise<void> {
    const { host, t } = this.#parts;
    if ((await host.blockMarkdown(id)) === null) this.say(t('said.blockGone'));
    else host.openBlock(id);
  }

  destroy(): void {
    clearTimeout(this.#timer);
  }
}
