type KeyPress = Pick<KeyboardEvent, 'key' | 'shiftKey' | 'altKey' | 'ctrlKey' | 'metaKey' | 'isComposing' | 'keyCode' | 'repeat'>;

/**
 * Alt with Enter approves, Alt with Backspace rejects. With Ctrl they would be the keys that send: pressed once more they would decide
 * about what has just come.
 */
export function decisionOf(event: KeyPress): 'approve' | 'reject' | undefined {
  const { key, altKey, ctrlKey, metaKey, shiftKey, isComposing, keyCode, repeat } = event;
  if (!altKey || ctrlKey || metaKey || shiftKey || isComposing || keyCode === 229 || repeat) return undefined;
  if (key === 'Enter') return 'approve';
  return key === 'Backspace' ? 'reject' : undefined;
}

const ALT = /mac|iphone|ipad/i.test(globalThis.navigator?.platform ?? '') ? '⌥' : 'Alt+';

/** As people read them. */
export const DECISION_KEYS = { approve: `${ALT}Enter`, reject: `${ALT}Backspace` } as const;
