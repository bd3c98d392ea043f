/** Whether the element takes part in the layout. Safari 16 has no `checkVisibility`. */
export const isDrawn = (element: Element): boolean => element.getClientRects().length > 0;
