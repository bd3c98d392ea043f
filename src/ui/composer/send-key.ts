/**
 * Enter sends, Shift+Enter breaks the line. While an input method composes, Enter picks a word (Safari reports the key
 * that ends a composition only by its code 229). On phones Enter breaks, and the button sends.
 */
export function sendsOn(event: Pick<KeyboardEvent, 'key' | 'shiftKey' | 'altKey' | 'isComposing' | 'keyCode'>, mobile: boolean): boolean {
  return event.key === 'Enter' && !event.shiftKey && !event.altKey && !event.isComposing && event.keyCode !== 229 && !mobile;
}
