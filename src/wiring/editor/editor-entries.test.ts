import { describe, expect, it } from 'vitest';
import { EditorEntries } from './editor-entries.ts';

/** Words of SiYuan's own slash commands that hold a word of ours (it looks for what is typed anywhere in them, and shows them first). */
const SIYUAN_WORDS = ['task list', 'todo list'];

const entries = new EditorEntries(
  (key) => key,
  () => undefined,
  () => undefined,
);
entries.setPrompts([{ id: 'shorter', name: 'Shorter', prompt: 'Make it shorter', output: 'replace' }]);

describe('the slash commands', () => {
  it('have a word each that finds nothing else', () => {
    const all = entries.slash();
    for (const { id, filter } of all) {
      const others = [...SIYUAN_WORDS, ...all.filter((other) => other.id !== id).flatMap((other) => other.filter)];
      expect(
        filter.some((word) => others.every((other) => !other.toLowerCase().includes(word.toLowerCase()))),
        id,
      ).toBe(true);
    }
  });

  it('are found together by the name of the plugin', () => {
    const all = entries.slash();
    expect(all).toHaveLength(8);
    for (const word of ['marginalia', '旁批', 'pangpi']) expect(all.filter(({ filter }) => filter.includes(word))).toEqual(all);
  });
});
