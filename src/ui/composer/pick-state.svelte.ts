import { inBackground } from '../../tools/util/notify.ts';
import type { PickItem } from '../controls/pick-item.ts';
import { type PickToken, tokenAt } from './pick-token.ts';

/** Debounce of the search while typing, in milliseconds. */
const PAUSE = 120;

const named = ({ title }: PickItem, { words }: PickToken): boolean => title.toLowerCase().includes(words.trim().toLowerCase());
const hasSpace = ({ words }: PickToken): boolean => words.includes(' ');

export interface PickStateDeps {
  /** The list, and again when slower results have arrived. Rejects with ToolError. */
  readonly find: (token: PickToken) => AsyncIterable<readonly PickItem[]>;
  /** Replaces the typed text in the composer; the caret stays after it. */
  readonly replace: (token: PickToken, words: string) => void;
  /** Whether it is a finished mention, and not a search. */
  readonly isMention: (token: PickToken) => boolean;
  readonly failed: (error: unknown) => void;
}

/** The list over the composer: what can be picked for the typed text, and the active entry, -1 for none. */
export class PickState {
  /** undefined: nothing is being picked, or nothing was found yet. */
  items: readonly PickItem[] | undefined = $state.raw();
  active: number = $state(0);
  #token: PickToken | null = null;
  /** Where Escape closed the list: it stays closed as long as the same character is there. */
  #dismissed = -1;
  /** The list is for an earlier state of the typed text. */
  #stale = false;
  /** Enter was pressed meanwhile: the first result is chosen. */
  #wanted = false;
  /** An arrow chose the active entry since something was typed: Enter takes it. */
  #chosen = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #deps: PickStateDeps;

  constructor(deps: PickStateDeps) {
    this.#deps = deps;
  }

  /** After typing, and after the caret moved. Not during a composition: its letters are not words yet. */
  look(field: Pick<HTMLTextAreaElement, 'value' | 'selectionStart' | 'selectionEnd'>): void {
    const token = field.selectionStart === field.selectionEnd ? tokenAt(field.value, field.selectionStart) : null;
    if (token?.start !== this.#dismissed) this.#dismissed = -1;
    if (!token || token.start === this.#dismissed || (token.kind === 'context' && this.#deps.isMention(token))) {
      this.close();
      return;
    }
    const before = this.#token;
    this.#token = token;
    if (before?.kind === token.kind && before.start === token.start && before.words === token.words) return;
    // Another one has a list of its own.
    if (before?.kind !== token.kind || before.start !== token.start) this.items = undefined;
    this.#stale = true;
    this.#wanted = false;
    this.#chosen = false;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => inBackground(this.#find(token)), before?.kind === 'context' && token.kind === 'context' ? PAUSE : 0);
  }

  async #find(token: PickToken): Promise<void> {
    let isShown = false;
    try {
      for await (const items of this.#deps.find({ ...token, goesOn: this.items !== undefined })) {
        if (this.#token?.words !== token.words || this.#token.kind !== token.kind) return;
        // Among words that may be a sentence nothing becomes active by itself.
        if (isShown && this.items && this.active >= 0) this.#extend(items);
        else this.#show(items, token);
        isShown = true;
      }
    } catch (error) {
      if (!isShown) this.close();
      this.#deps.failed(error);
    }
  }

  #show(items: readonly PickItem[], token: PickToken): void {
    const before = this.items?.[this.active]?.key;
    // Several words may be a sentence that continues: Enter sends it, unless a title contains them or an arrow chose an entry.
    this.items = hasSpace(token) && items.length === 0 ? undefined : items;
    const chosen = this.#chosen ? items.findIndex(({ key }) => key === before) : -1;
    this.#chosen = chosen >= 0;
    const first = hasSpace(token) ? items.findIndex((item) => named(item, token)) : 0;
    this.active = chosen >= 0 ? chosen : first;
    this.#stale = false;
    if (this.#wanted) this.choose(items[Math.max(this.active, 0)]);
    this.#wanted = false;
  }

  /** Slower results have arrived: the active entry stays the same. */
  #extend(items: readonly PickItem[]): void {
    const before = this.items?.[this.active]?.key;
    this.items = items;
    this.active = Math.max(
      items.findIndex(({ key }) => key === before),
      0,
    );
  }

  /** The text has changed: a dismissed list is no longer dismissed. */
  forget(): void {
    this.close();
    this.#dismissed = -1;
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#token = null;
    this.#stale = false;
    this.#wanted = false;
    this.items = undefined;
  }

  choose(item: PickItem | undefined): void {
    const token = this.#token;
    if (!item || !token) return;
    this.close();
    // The current text is not a name that somebody is searching.
    this.#dismissed = token.start;
    this.#deps.replace(token, item.words ?? '');
    item.picked();
  }

  #step(to: number): void {
    this.active = to;
    this.#chosen = true;
  }

  /** True: the list handled the key. */
  onkeydown(event: KeyboardEvent): boolean {
    // An input method has its own list of candidates and uses these keys for it (Safari reports it only as key code 229).
    if (!this.#token || event.isComposing || event.keyCode === 229) return false;
    const isChoice = event.key === 'Enter' || event.key === 'Tab';
    const isPlain = !event.shiftKey && !event.ctrlKey && !event.metaKey && !event.altKey;
    if (!this.items) {
      // The list is on its way: the typed text is a name to be searched, not yet a message to be sent.
      if (!isChoice || !isPlain || hasSpace(this.#token)) return false;
      this.#wanted = true;
      event.preventDefault();
      event.stopPropagation();
      return true;
    }
    const { length } = this.items;
    if (event.key === 'Escape') {
      this.#dismissed = this.#token?.start ?? -1;
      this.close();
    } else if (length === 0 || !isPlain) return false;
    else if (event.key === 'ArrowDown') this.#step((this.active + 1) % length);
    else if (event.key === 'ArrowUp') this.#step((Math.max(this.active, 0) + length - 1) % length);
    else if (event.key === 'Enter' && (this.active < 0 || (this.#stale && !this.#chosen && hasSpace(this.#token)))) {
      this.close();
      return false;
    } else if (isChoice && this.#stale && !this.#chosen) this.#wanted = true;
    else if (isChoice) this.choose(this.items[Math.max(this.active, 0)]);
    else return false;
    event.preventDefault();
    event.stopPropagation();
    return true;
  }

  destroy(): void {
    this.close();
  }
}
