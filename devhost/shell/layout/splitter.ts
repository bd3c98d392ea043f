/** Lets the user drag the line between a side panel and the centre; `onChange` runs while dragging and at its end. */
export function bindSplitter(
  handle: HTMLElement,
  side: 'Left' | 'Right',
  column: HTMLElement,
  minimum: number,
  onChange: () => void,
): void {
  handle.addEventListener('pointerdown', (down) => {
    down.preventDefault(); // dragging must not select text
    const start = column.clientWidth;
    handle.setPointerCapture(down.pointerId);
    const move = (event: PointerEvent) => {
      const delta = side === 'Left' ? event.clientX - down.clientX : down.clientX - event.clientX;
      column.style.width = `${Math.max(minimum, Math.min(innerWidth * 0.6, start + delta))}px`;
      onChange();
    };
    const up = () => {
      handle.removeEventListener('pointermove', move);
      onChange();
    };
    handle.addEventListener('pointermove', move);
    handle.addEventListener('pointerup', up, { once: true });
  });
}
