/** What sends: Enter (Shift+Enter breaks the line), or Ctrl or ⌘ with Enter (Enter breaks it). */
export type SendWith = 'enter' | 'mod-enter';

type KeyPress = Pick<KeyboardEvent, 'key' | 'shiftKey' | 'altKey' | 'ctrlKey' | 'metaKey' | 'isComposing' | 'keyCode'>;

/**
 * While an input method composes, Enter picks a word (Safari reports the key that ends a composition only by its code 229).
 * On phones Enter alone breaks, and the button sends.
 */
export function sendsOn(event: KeyPress, { mobile, sendWith }: { readonly mobile: boolean; readonly sendWith: SendWith }): boolean {
  if (event.key !== 'Enter' || event.shiftKey || event.altKey || event.isComposing || event.keyCode === 229) return false;
  return event.ctrlKey || event.metaKey || (!mobile && sendWith === 'enter');
}
