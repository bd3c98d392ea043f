/** Buttons of the bar, in display order. */
export type BarAction = 'new' | 'chats' | 'tools' | 'settings';

const ORDER: readonly BarAction[] = ['new', 'chats', 'tools', 'settings'];
const BUTTON = 28;
/** The minimum width of the title, "more" and the margins. */
const RESERVED = 28 + 16 + 90;

export interface FoldedBar {
  readonly shown: readonly BarAction[];
  readonly folded: readonly BarAction[];
}

/** In a narrow dock the last buttons fold into "more". @param width of the panel in CSS pixels */
export function foldActions(width: number): FoldedBar {
  const room = Math.floor((width - RESERVED) / BUTTON);
  const count = Math.max(1, Math.min(ORDER.length, room));
  return { shown: ORDER.slice(0, count), folded: ORDER.slice(count) };
}
