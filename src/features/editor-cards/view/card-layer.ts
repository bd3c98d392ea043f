import { keepEvents } from '../../../ui/controls/keep-events.ts';
import { cardSight } from './card-in-sight.ts';

/**
 * The layer of cards in an editor: an element of our own at the end of the editor's scroll area, outside the text that can
 * be edited and saved. A card follows its block by position; a rule of an adopted style sheet makes room for it, so
 * that no attribute of a block changes.
 */
export interface CardAnchor {
  /** The editor's scroll area (`.protyle-content`). */
  readonly content: HTMLElement;
  /** The editable text inside it (`.protyle-wysiwyg`). */
  readonly text: HTMLElement;
  /** The element above the card, looked up each time: editors redraw blocks. Null while it is not rendered. */
  readonly find: () => HTMLElement | null;
  /** Selects that element inside the scroll area, to make room below it. */
  readonly selector: string;
}

export interface PlacedCard {
  readonly element: HTMLElement;
  /** It has news: the editor scrolls to it as far as needed, unless somebody types or has scrolled away. */
  show(): void;
  remove(): void;
}

const GAP = 6;
const MIN_WIDTH = 280;
const EDITOR_MARK = 'data-marginalia-editor';
const LAYER = 'mg-cards';

let editors = 0;

function markEditor(content: HTMLElement): string {
  const known = content.getAttribute(EDITOR_MARK);
  if (known) return known;
  editors += 1;
  content.setAttribute(EDITOR_MARK, String(editors));
  return String(editors);
}

function layerOf(content: HTMLElement): HTMLElement {
  const known = content.querySelector<HTMLElement>(`:scope > .${LAYER}`);
  if (known) return known;
  const layer = document.createElement('div');
  layer.className = LAYER;
  content.append(layer);
  return layer;
}

/** Room below an element, without changing it. Without adopted style sheets the card covers what follows. */
function makeRoom(selector: string): { set(height: number): void; remove(): void } {
  if (!('adoptedStyleSheets' in document) || typeof CSSStyleSheet !== 'function') return { set: () => undefined, remove: () => undefined };
  let sheet: CSSStyleSheet;
  try {
    sheet = new CSSStyleSheet();
  } catch {
    return { set: () => undefined, remove: () => undefined }; // Safari 16.0–16.3: the constructor is not there yet.
  }
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  return {
    // At once: the host animates the margin of a title, and the card would be positioned by its start.
    set: (height) => sheet.replaceSync(`${selector} { margin-bottom: ${height}px !important; transition: none !important; }`),
    remove() {
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((one) => one !== sheet);
    },
  };
}

/** The text column of an editor, in the window. */
function innerBox(text: HTMLElement): { readonly left: number; readonly right: number; readonly width: number } {
  const { left, right } = text.getBoundingClientRect();
  const style = getComputedStyle(text);
  const box = { left: left + Number.parseFloat(style.paddingLeft), right: right - Number.parseFloat(style.paddingRight) };
  return { ...box, width: box.right - box.left };
}

/** Puts an empty element for a card under its anchor and keeps it there while the editor scrolls, resizes and redraws. */
export function placeCard(anchor: CardAnchor): PlacedCard {
  const { content, text } = anchor;
  const layer = layerOf(content);
  const element = document.createElement('div');
  element.className = 'mg-cards__place';
  keepEvents(element);
  layer.append(element);
  const room = makeRoom(`[${EDITOR_MARK}="${markEditor(content)}"] ${anchor.selector}`);
  const sight = cardSight(element, anchor);
  let height = -1;
  let frame = 0;

  const place = (): void => {
    frame = 0;
    const block = anchor.find();
    const wanted = block ? Math.ceil(element.getBoundingClientRect().height) + 2 * GAP : 0;
    if (wanted !== height) room.set(wanted);
    height = wanted;
    const area = innerBox(text);
    if (!block) {
      // The editor does not render it now (long notes are rendered in parts): the card waits at the lower edge of the view.
      const below = Math.max(0, innerHeight - content.getBoundingClientRect().bottom) + GAP;
      element.style.cssText = `position:fixed;bottom:${below}px;left:${area.left}px;width:${area.width}px`;
      return;
    }
    const [at, origin] = [block.getBoundingClientRect(), layer.getBoundingClientRect()];
    const width = Math.min(area.width, Math.max(at.width, MIN_WIDTH));
    const left = Math.max(area.left, Math.min(at.left, area.right - width));
    element.style.cssText = `top:${at.bottom - origin.top + GAP}px;left:${left - origin.left}px;width:${width}px`;
    sight.placed(block);
  };
  const soon = (): void => {
    frame ||= requestAnimationFrame(place);
  };
  const sizes = new ResizeObserver(soon);
  sizes.observe(text);
  sizes.observe(element);
  sizes.observe(content);
  const changes = new MutationObserver(soon);
  changes.observe(text, { childList: true, subtree: true, characterData: true });
  place();
  return {
    element,
    show() {
      sight.show();
      soon();
    },
    remove() {
      sight.stop();
      cancelAnimationFrame(frame);
      sizes.disconnect();
      changes.disconnect();
      room.remove();
      element.remove();
      if (layer.childElementCount > 0) return;
      layer.remove();
      content.removeAttribute(EDITOR_MARK);
    },
  };
}

/**
 * The host's writing bar covers the lower edge of a phone while somebody writes. The room for it stays when it is hidden:
 * an element must not move when a finger is about to touch it.
 */
function raise(stack: HTMLElement): () => void {
  const bar = document.getElementById('keyboardToolbar');
  if (!bar) return () => undefined;
  const look = (): void => {
    if (!bar.classList.contains('fn__none')) stack.classList.add('mg-sheets--raised');
  };
  const changes = new MutationObserver(look);
  changes.observe(bar, { attributes: true, attributeFilter: ['class'] });
  look();
  return () => changes.disconnect();
}

/** Phones, and documents without an editor: sheets at the lower edge of the window, the newest on top. */
export function placeSheet(): PlacedCard {
  const known = document.querySelector<HTMLElement>('body > .mg-sheets');
  const stack = known ?? document.createElement('div');
  if (!known) {
    stack.className = 'mg-sheets';
    document.body.append(stack);
  }
  const element = document.createElement('div');
  keepEvents(element);
  stack.append(element);
  const letDown = raise(stack);
  return {
    element,
    show: () => undefined,
    remove() {
      letDown();
      element.remove();
      if (stack.childElementCount === 0) stack.remove();
    },
  };
}
