/** Whether the element is laid out. Safari 16 has no `checkVisibility`, which needs no layout for it. */
export const isDrawn = (element: Element): boolean =>
  Reflect.has(element, 'checkVisibility') ? element.checkVisibility() : element.getClientRects().length > 0;
