import { describe, expect, it } from 'vitest';
import { sendsOn } from './send-key.ts';

const plain = { key: 'Enter', shiftKey: false, altKey: false, ctrlKey: false, metaKey: false, isComposing: false, keyCode: 13 };
const enter = { mobile: false, sendWith: 'enter' } as const;
const modEnter = { mobile: false, sendWith: 'mod-enter' } as const;
const phone = { mobile: true, sendWith: 'enter' } as const;

describe('the key that sends', () => {
  it.each([
    ['Enter', plain, [true, false, false]],
    ['Shift+Enter', { ...plain, shiftKey: true }, [false, false, false]],
    ['Alt+Enter', { ...plain, altKey: true }, [false, false, false]],
    ['Ctrl+Enter', { ...plain, ctrlKey: true }, [true, true, true]],
    ['⌘+Enter', { ...plain, metaKey: true }, [true, true, true]],
    ['Ctrl+Shift+Enter', { ...plain, ctrlKey: true, shiftKey: true }, [false, false, false]],
    ['Enter in a composition', { ...plain, ctrlKey: true, isComposing: true }, [false, false, false]],
    ['the Enter that ends one in Safari', { ...plain, keyCode: 229 }, [false, false, false]],
    ['another key', { ...plain, key: 'a', ctrlKey: true }, [false, false, false]],
  ] as const)('%s', (_name, event, expected) =>
    expect([sendsOn(event, enter), sendsOn(event, modEnter), sendsOn(event, phone)]).toEqual(expected),
  );
});
