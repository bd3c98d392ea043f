/** Whether the element takes part in the layout. Safari 16 has no `checkVisibility`, which needs no layout to say so. */
export const isDrawn = (element: Element): boolean =>
  Reflect.has(element, 'checkVisibility') ? element.checkVisibility() : element.getClientRects().length > 0;
