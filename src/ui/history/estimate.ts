import type { MessageView } from '../../chat/view/view.ts';

const LINE = 22;
const AROUND = { user: 26, assistant: 44, separator: 36 } as const;
const known = new WeakMap<MessageView, { readonly width: number; readonly height: number }>();

/**
 * Estimated height in CSS pixels of a message in a list of this width, from the length of its text. Too low is better than
 * too high: rendering too much costs little, a gap is visible.
 */
export function estimateHeight(message: MessageView, width: number): number {
  const before = known.get(message);
  if (before?.width === width) return before.height;
  const perLine = Math.max(12, (width - 24) / 7);
  let lines = 0;
  let steps = 0;
  // A summary is folded.
  const segments = message.role === 'separator' ? [] : message.segments;
  for (const segment of segments) {
    if (segment.kind === 'text') lines += Math.ceil(segment.text.length / perLine);
    else steps = 1;
  }
  const height = AROUND[message.role] + (lines + steps) * LINE;
  known.set(message, { width, height });
  return height;
}
