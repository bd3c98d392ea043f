const KINDS = ['mousedown', 'mouseup', 'click', 'dblclick'] as const;

/**
 * The second press of a double click would hit what was under a removed element: below the last block of a
 * note an editor would start a new paragraph. From now until the next click begins, it is ignored.
 */
export function dropSecondClick(): void {
  const take = (event: MouseEvent): void => {
    if (event.detail > 1) {
      event.preventDefault();
      event.stopImmediatePropagation();
    } else if (event.type === 'mousedown') for (const kind of KINDS) window.removeEventListener(kind, take, true);
  };
  for (const kind of KINDS) window.addEventListener(kind, take, true);
}
