import { describe, expect, it } from 'vitest';
import { decisionOf } from './decision-keys.ts';

const press = (key: string, more: Partial<KeyboardEvent> = {}) =>
  decisionOf({
    ...{ key, altKey: true, shiftKey: false, ctrlKey: false, metaKey: false, isComposing: false, keyCode: 0, repeat: false },
    ...more,
  });

describe('the keys of a decision', () => {
  it('are Alt with Enter and Alt with Backspace, once, and no input method’s', () => {
    expect([press('Enter'), press('Backspace'), press('a')]).toEqual(['approve', 'reject', undefined]);
    for (const more of [
      { altKey: false },
      { ctrlKey: true },
      { metaKey: true },
      { shiftKey: true },
      { isComposing: true },
      { keyCode: 229 },
      { repeat: true },
    ])
      expect(press('Enter', more)).toBeUndefined();
  });
});
