import { inBackground } from '../../tools/util/notify.ts';
import type { BlockPreview, HostUi } from '../ports/host-ui.ts';

export type PreviewContent =
  | ({ readonly kind: 'text' } & BlockPreview)
  | { readonly kind: 'gone' }
  | { readonly kind: 'failed'; readonly error: unknown };

/** Time that the pointer rests on a citation before its block is shown, and that it has to reach what is shown. */
const REST = 250;
const WAY = 200;
const FINGER_REST = 450;
const LENGTH = 1500;

/** The look at a note or block that is named: one at a time, near its link, by pointer, by focus, or by a finger that rests. */
export class CitationPreviewState {
  /** The link that the block is shown for; undefined: nothing is shown. */
  link: HTMLElement | undefined = $state.raw();
  content: PreviewContent | undefined = $state.raw();
  readonly id: string;
  readonly #host: Pick<HostUi, 'preview'>;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(host: Pick<HostUi, 'preview'>, id: string) {
    this.#host = host;
    this.id = id;
  }

  /** Shows the block of a link (`data-block-id` of a citation, `data-note-id` of any other), at once for the keyboard, after a rest for the pointer, after a longer one for a finger. */
  show(link: HTMLElement, by: 'focus' | 'pointer' | 'finger'): void {
    clearTimeout(this.#timer);
    if (this.link === link) return;
    if (by === 'focus') inBackground(this.#open(link));
    else this.#timer = setTimeout(() => inBackground(this.#open(link)), by === 'finger' ? FINGER_REST : REST);
  }

  /** The pointer left the link: it may be on its way to what is shown. */
  leave(): void {
    clearTimeout(this.#timer);
    if (this.link) this.#timer = setTimeout(() => this.hide(), WAY);
  }

  /** The pointer is over what is shown: it stays. */
  stay(): void {
    clearTimeout(this.#timer);
  }

  hide(): void {
    clearTimeout(this.#timer);
    this.link?.removeAttribute('aria-describedby');
    this.link = undefined;
    this.content = undefined;
  }

  async #open(link: HTMLElement): Promise<void> {
    this.hide();
    if (!link.isConnected) return;
    this.link = link;
    const content = await this.#read(link.dataset.blockId ?? link.dataset.noteId ?? '');
    // Another citation may be shown by now, or none.
    if (this.link !== link) return;
    this.content = content;
    link.setAttribute('aria-describedby', this.id);
    if (link.matches('.mg-cite')) link.classList.toggle('mg-cite-gone', content.kind === 'gone');
  }

  async #read(id: string): Promise<PreviewContent> {
    try {
      const found = await this.#host.preview(id);
      if (found === null) return { kind: 'gone' };
      const { markdown } = found;
      return { kind: 'text', ...found, markdown: markdown.length > LENGTH ? `${markdown.slice(0, LENGTH).trimEnd()}…` : markdown };
    } catch (error) {
      return { kind: 'failed', error };
    }
  }
}
