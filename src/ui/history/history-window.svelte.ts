import { tick, untrack } from 'svelte';
import type { MessageView } from '../../chat/view/view.ts';
import { inBackground } from '../../tools/util/notify.ts';
import { EndRoom } from './end-room.ts';
import { estimateHeight } from './estimate.ts';
import { ITEM, keyOf, selectedIn } from './item-keys.ts';
import { SizeTable } from './size-table.ts';
import { type Row, sameRows, visibleRows } from './visible-rows.ts';

/** A reader this near to the end counts as being there. */
const NEAR = 24;
/** Before the list has a size. */
const UNKNOWN = { width: 380, height: 700 };
/** A selection over more messages than this is not kept in the document. */
const LONGEST_SELECTION = 200;
/** CSS pixels of the messages that must stay in view: a list that would show nothing goes to its end instead. */
const LEFT_IN_SIGHT = 48;
/** CSS pixels below the last message, as in the style of the list. */
const END_PADDING = 4;

/** What keeps its position on the screen while heights around it change. */
interface Anchor {
  readonly key: string;
  /** From its upper edge to the upper edge of the view. */
  readonly within: number;
}

/**
 * A long chat with only the messages near the view in the document. The end stays in view while it
 * grows, but only for a reader who is there; for any other reader the view stays in place.
 */
export class HistoryWindow {
  rows: readonly Row[] = $state.raw([]);
  after: number = $state(0);
  atEnd = $state(true);
  /** False while something is above the upper edge. */
  atStart = $state(true);
  readonly room = new EndRoom();
  readonly #table = new SizeTable();
  readonly #seen = new Set<Element>();
  #messages: readonly MessageView[] = [];
  #list: HTMLElement | undefined;
  #observer: ResizeObserver | undefined;
  #size = UNKNOWN;
  #top = 0;
  #frame = 0;
  /** Key of the focused message; keys of those where the selection begins and ends. */
  #focused = '';
  #selected: readonly string[] = [];
  /** Messages were added or removed, and the document has not followed yet. */
  #unsettled = false;
  #restore: Anchor | undefined;
  /** The list got another width, and the document has not followed yet: every message has another height, also those above. */
  #reflowed = false;

  /** Watches a scrolling element with one child that holds its content. */
  readonly attach = (list: HTMLElement): (() => void) => {
    this.#list = list;
    this.#observer = new ResizeObserver((entries) => this.#measure(entries));
    this.#observer.observe(list);
    if (list.firstElementChild) this.#observer.observe(list.firstElementChild);
    for (const item of this.#seen) this.#observer.observe(item);
    const onScroll = (): void => this.#scrolled();
    // Reading focus and selection from the document forces a layout: they are recorded when they change.
    const onFocus = (event: FocusEvent): void => {
      this.#focused = keyOf(event.target instanceof Element ? event.target : null);
      this.#later();
    };
    const onBlur = (): void => {
      this.#focused = '';
    };
    const onSelection = (): void => {
      this.#selected = selectedIn(list);
    };
    list.addEventListener('scroll', onScroll, { passive: true });
    list.addEventListener('focusin', onFocus);
    list.addEventListener('focusout', onBlur);
    document.addEventListener('selectionchange', onSelection);
    // An attachment runs as an effect: its reads would run it again.
    untrack(() => {
      this.#resized();
      this.toEnd();
    });
    return () => {
      cancelAnimationFrame(this.#frame);
      this.#observer?.disconnect();
      this.#observer = undefined;
      list.removeEventListener('scroll', onScroll);
      list.removeEventListener('focusin', onFocus);
      list.removeEventListener('focusout', onBlur);
      document.removeEventListener('selectionchange', onSelection);
      this.#list = undefined;
    };
  };

  /** Of every message in the document. */
  readonly item = (element: HTMLElement): (() => void) => {
    this.#seen.add(element);
    this.#observer?.observe(element);
    return () => {
      this.#seen.delete(element);
      this.#observer?.unobserve(element);
    };
  };

  /** Sets the messages of the chat, before they are rendered; `settle` follows when they are. */
  set(messages: readonly MessageView[]): void {
    const before = this.#messages;
    this.#messages = messages;
    const same = before.length === messages.length && messages.every((message, index) => message.nodeId === before[index]?.nodeId);
    if (same) return;
    this.#unsettled = true;
    this.#restore = this.atEnd ? undefined : this.#anchor();
    this.#fill();
    if (this.#restore) {
      const index = this.#table.indexOf(this.#restore.key);
      if (index >= 0) this.#top = this.#table.start(index) + this.#restore.within;
    }
    this.#draw();
  }

  /** After the document has followed: restores the view. */
  settle(): void {
    if (!this.#unsettled) return;
    this.#unsettled = false;
    const anchor = this.#restore;
    this.#restore = undefined;
    if (this.atEnd || this.#isEmpty) this.toEnd();
    else if (anchor && this.#table.indexOf(anchor.key) >= 0) this.#scrollTo(this.#top);
  }

  /** An empty chat has no end: it is read from its top. */
  toEnd(): void {
    this.atEnd = true;
    this.room.keep(0);
    this.#draw();
    if (!this.#list) return;
    this.#list.scrollTop = this.#isEmpty ? 0 : this.#list.scrollHeight;
    this.#top = this.#list.scrollTop;
  }

  /** Brings a message to the upper edge. @returns its element, once it is in the document */
  async show(index: number): Promise<HTMLElement | undefined> {
    const key = this.#table.key(index);
    const list = this.#list;
    if (key === undefined || !list) return undefined;
    this.atEnd = false;
    this.#top = this.#table.start(index);
    this.#draw();
    await tick();
    this.#scrollTo(this.#top);
    const element = this.element(index);
    if (!element) return undefined;
    this.#measureSeen();
    list.scrollTop += element.getBoundingClientRect().top - list.getBoundingClientRect().top;
    this.#scrolled();
    return element;
  }

  /** New elements are measured now: measured later, they would move what was brought into place. */
  #measureSeen(): void {
    for (const item of this.#seen) this.#table.measure(keyOf(item), item.getBoundingClientRect().height);
  }

  /** What scrolls, while it is in the document. */
  get list(): HTMLElement | undefined {
    return this.#list;
  }

  /** Of a message, where it is in the document. */
  element(index: number): HTMLElement | undefined {
    const key = this.#table.key(index);
    const element = key === undefined ? undefined : [...this.#seen].find((item) => keyOf(item) === key);
    return element instanceof HTMLElement ? element : undefined;
  }

  /** Scrolls to an element in the document, if it is not well in view already. */
  bring(place: Pick<Range, 'getBoundingClientRect'>): void {
    const list = this.#list;
    if (!list) return;
    const [frame, box] = [list.getBoundingClientRect(), place.getBoundingClientRect()];
    if (box.top >= frame.top + NEAR && box.bottom <= frame.bottom - NEAR) return;
    this.atEnd = false;
    this.#scrollTo(list.scrollTop + box.top - frame.top - frame.height / 3);
    this.#scrolled();
  }

  /** Index of the message that holds the focus; −1 where none does. */
  get focused(): number {
    return this.#table.indexOf(this.#focused);
  }

  /** Index of the message that holds the focus, else of the first one that is seen. */
  current(): number {
    return this.focused >= 0 ? this.focused : this.#table.at(this.#top + 1);
  }

  get #isEmpty(): boolean {
    return this.#messages.length === 0;
  }

  #fill(): void {
    const keys = this.#messages.map((message) => message.nodeId);
    this.#table.set(keys, (index) => {
      const message = this.#messages[index];
      return message ? estimateHeight(message, this.#size.width) : 0;
    });
  }

  #draw(): void {
    const { height } = this.#size;
    const top = this.atEnd && !this.room.isKept ? Math.max(0, this.#table.total - height) : this.#top;
    const rows = visibleRows(this.#table, { top, height, kept: this.#kept() }, this.rows);
    const last = rows.at(-1);
    this.after = last ? this.#table.total - this.#table.end(last.index) : 0;
    if (sameRows(rows, this.rows)) return;
    this.#hold();
    this.rows = rows;
  }

  /**
   * Keeps the height of the content until all rows are changed: between two of them the list would be short for a
   * moment, and the browser might then move the reader to its beginning.
   */
  #hold(): void {
    const content = this.#list?.firstElementChild;
    if (!(content instanceof HTMLElement) || content.style.minHeight !== '') return;
    content.style.minHeight = `${content.offsetHeight}px`;
    inBackground(
      tick().then(() => {
        content.style.minHeight = '';
      }),
    );
  }

  #later(): void {
    this.#frame ||= requestAnimationFrame(() => {
      this.#frame = 0;
      this.#draw();
      if (!this.#reflowed) return;
      inBackground(
        tick().then(() => {
          this.#reflowed = false;
          if (this.atEnd) this.toEnd();
        }),
      );
    });
  }

  #kept(): readonly number[] {
    const kept = this.#focused === '' ? [] : [this.#table.indexOf(this.#focused)];
    const ends = this.#selected.map((key) => this.#table.indexOf(key)).filter((index) => index >= 0);
    const [from, to] = [Math.min(...ends), Math.max(...ends)];
    for (let index = from; index <= to && to - from < LONGEST_SELECTION; index += 1) kept.push(index);
    return kept;
  }

  /** The first message in view; one that was measured before, since the others are about to change. */
  #anchor(): Anchor | undefined {
    const first = this.#table.at(this.#top);
    const last = this.#table.at(this.#top + this.#size.height);
    let index = first;
    while (index < last && !this.#table.isMeasured(index)) index += 1;
    if (!this.#table.isMeasured(index)) index = first;
    const key = this.#table.key(index);
    return key === undefined ? undefined : { key, within: this.#top - this.#table.start(index) };
  }

  #measure(entries: readonly ResizeObserverEntry[]): void {
    const anchor = this.atEnd ? undefined : this.#anchor();
    const before = this.#size.height;
    let changed = false;
    for (const { target, borderBoxSize } of entries) {
      if (target === this.#list) changed = this.#resized() || changed;
      else if (target.matches(ITEM)) {
        const height = borderBoxSize[0]?.blockSize ?? target.getBoundingClientRect().height;
        changed = this.#table.measure(keyOf(target), height) || changed;
      }
    }
    const list = this.#list;
    if (!list) return;
    if (this.#isEmpty) this.room.keep(0);
    else if (this.atEnd) this.#follow(list, Math.max(0, this.#size.height - before));
    else if (anchor) {
      const top = this.#table.start(this.#table.indexOf(anchor.key)) + anchor.within;
      this.#stay(list, top);
    }
    // All of it is in view: there is no end to go to.
    if (list.scrollHeight <= list.clientHeight) this.atEnd = true;
    // Not at once: what is rendered inside this callback would be measured too late for this frame.
    if (changed) this.#later();
  }

  /**
   * Follows the end as it grows. If the content got shorter, the view stays in place, with space below for what comes next.
   * @param grown by how much the list itself got taller, which needs no such space
   */
  #follow(list: HTMLElement, grown: number): void {
    const short = this.#missing(list, this.#top);
    if (this.#reflowed || short < 1 + (this.room.isKept ? 0 : grown) || short > list.clientHeight - LEFT_IN_SIGHT) {
      this.room.keep(0);
      list.scrollTop = list.scrollHeight;
    } else {
      this.room.keep(short);
      list.scrollTop = this.#top;
    }
    this.#top = list.scrollTop;
  }

  /** Keeps the view in place, though something above it changed its height, or the list has become too short for it. */
  #stay(list: HTMLElement, top: number): void {
    const to = top + (this.#isCut(list) ? 0 : list.scrollTop - this.#top);
    this.room.keep(this.#missing(list, to));
    if (Math.abs(to - list.scrollTop) >= 1) this.#scrollTo(to);
  }

  /** The list became too short for the reader's position: the browser scrolled, not the reader. */
  #isCut(list: HTMLElement): boolean {
    return list.scrollTop < this.#top && list.scrollTop + list.clientHeight >= list.scrollHeight - 1;
  }

  /** By how much the messages are too short for a reader at `top`. */
  #missing(list: HTMLElement, top: number): number {
    const bottom = this.room.bottom(list.firstElementChild);
    return bottom === undefined || top <= 0 ? 0 : top + list.clientHeight - bottom - END_PADDING;
  }

  #resized(): boolean {
    const list = this.#list;
    if (!list || list.clientHeight === 0) return false;
    const { clientWidth: width, clientHeight: height } = list;
    const wider = width !== this.#size.width;
    if (!wider && height === this.#size.height) return false;
    this.#size = { width, height };
    if (wider) {
      this.#reflowed = true;
      this.#fill();
    }
    return true;
  }

  #scrollTo(top: number): void {
    const list = this.#list;
    if (!list) return;
    list.scrollTop = top;
    this.#top = list.scrollTop;
  }

  #scrolled(): void {
    const list = this.#list;
    if (!list) return;
    if (!this.#isEmpty && this.#isCut(list)) {
      if (this.atEnd) this.#follow(list, Math.max(0, list.clientHeight - this.#size.height));
      else this.#stay(list, this.#top);
    }
    const top = list.scrollTop;
    const near = list.scrollHeight - top - list.clientHeight < NEAR;
    // Text that grew since the last frame is no reason to leave the end; only the reader is.
    this.atEnd = near || (this.atEnd && top >= this.#top - 1);
    this.#top = top;
    this.atStart = top <= 0;
    this.#draw();
  }
}
