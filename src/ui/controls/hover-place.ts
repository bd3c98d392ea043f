const MARGIN = 8;
const GAP = 4;

/** What a card next to something has to keep to. */
export interface HoverFrame {
  readonly frame: DOMRect;
  readonly width: number;
  /** The most that it takes where there is less room on the other side. */
  readonly height: number;
}

/** The room over or under a box, whichever is larger. */
export const roomBeside = (box: DOMRect, frame: DOMRect): number => Math.max(box.top - frame.top, frame.bottom - box.bottom) - MARGIN - GAP;

/** The place of a card, as a style: under a box, or above it where there is more room; never out of the frame. */
export function hoverPlace(box: DOMRect, from: number, { frame, ...most }: HoverFrame): string {
  const [above, below] = [box.top - frame.top, frame.bottom - box.bottom];
  const under = below >= Math.min(above, most.height);
  const width = Math.min(most.width, frame.width - 2 * MARGIN);
  const left = Math.max(MARGIN, Math.min(from - frame.left, frame.width - width - MARGIN));
  const edge = under ? `top: ${box.bottom - frame.top + GAP}px` : `bottom: ${frame.bottom - box.top + GAP}px`;
  const height = Math.min(most.height, (under ? below : above) - MARGIN - GAP);
  return `${edge}; left: ${left}px; width: ${width}px; max-height: ${height}px`;
}
