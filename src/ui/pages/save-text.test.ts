import { describe, expect, it } from 'vitest';
import { fileName } from './save-text.ts';

describe('fileName', () => {
  it('keeps what every system takes, in every script', () => {
    expect(fileName('Urban heat: a/b <c>?', 'md')).toBe('Urban heat a b c.md');
    expect(fileName('..hidden. ', 'json')).toBe('hidden.json');
    expect(fileName('城市热岛\n2024', 'md')).toBe('城市热岛 2024.md');
    expect(fileName('🌳'.repeat(200), 'md')).toBe(`${'🌳'.repeat(80)}.md`);
    expect(fileName('???', 'md')).toBe('chat.md');
  });
});
