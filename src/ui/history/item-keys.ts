export const ITEM = '[data-node]';
/** Key of the message that an element is in; '' outside of messages. */
export const keyOf = (element: Element | null | undefined): string => element?.closest<HTMLElement>(ITEM)?.dataset.node ?? '';

/** Keys of the messages in which the selection begins and ends; none where nothing of the list is selected. */
export function selectedIn(list: HTMLElement): readonly string[] {
  const selection = document.getSelection();
  if (!selection || selection.isCollapsed || !list.contains(selection.anchorNode)) return [];
  return [selection.anchorNode, selection.focusNode].map((node) => keyOf(node instanceof Element ? node : node?.parentElement));
}
