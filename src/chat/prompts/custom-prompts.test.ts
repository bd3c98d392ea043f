import { describe, expect, it } from 'vitest';
import { readPrompts } from './custom-prompts.ts';

describe('prompts of the settings file', () => {
  it('reads what a hand wrote and leaves out what says nothing', () => {
    expect(
      readPrompts([
        { id: 'a b', name: ' Shout ', prompt: 'In capitals.', output: 'replace' },
        { name: '润色', prompt: '写得更好' },
        { id: 'a-b', name: 'Again', prompt: 'x', output: 'nonsense' },
        { id: 'c', name: '', prompt: 'x' },
        'text',
        null,
      ]),
    ).toEqual([
      { id: 'a-b', name: 'Shout', prompt: 'In capitals.', output: 'replace' },
      {
        id: 'named-lhgjn6'.replace('lhgjn6', [...'润色'].map((letter) => letter.codePointAt(0)?.toString(36)).join('')),
        name: '润色',
        prompt: '写得更好',
        output: 'insert',
      },
      { id: 'a-b-2', name: 'Again', prompt: 'x', output: 'insert' },
    ]);
    expect(readPrompts(undefined)).toEqual([]);
    expect(readPrompts({})).toEqual([]);
  });
});
