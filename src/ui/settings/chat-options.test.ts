import { describe, expect, it } from 'vitest';
import { optionsText, readOptions, withOption } from './chat-options.ts';

describe('the options of a chat', () => {
  const own = { temperature: 0.2, top_p: 0.5, provider: { order: ['a'] } };

  it('have a field of their own, or stand in the text, and neither costs the other', () => {
    expect(JSON.parse(optionsText(own))).toEqual({ top_p: 0.5, provider: { order: ['a'] } });
    expect(optionsText({ temperature: 1 })).toBe('');
    expect(readOptions('{"seed": 7}', own)).toEqual({ kind: 'ok', options: { temperature: 0.2, seed: 7 } });
    expect(readOptions(' ', own)).toEqual({ kind: 'ok', options: { temperature: 0.2 } });
    expect(withOption(own, 'max_tokens', 10)).toEqual({ ...own, max_tokens: 10 });
    expect(withOption(own, 'temperature', undefined)).toEqual({ top_p: 0.5, provider: { order: ['a'] } });
  });

  it.each([
    ['{ top_p }', 'not-json', /position|JSON/],
    ['[1]', 'no-object', /^$/],
    ['"text"', 'no-object', /^$/],
    ['{"seed": 1, "messages": []}', 'reserved', /^messages$/],
    ['{"model": "x"}', 'reserved', /^model$/],
  ])('are refused as %s', (text, kind, detail) => {
    expect(readOptions(text, own)).toEqual({ kind, detail: expect.stringMatching(detail) });
  });
});
