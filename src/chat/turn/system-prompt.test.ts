import { describe, expect, it } from 'vitest';
import { autoTitle } from './model-title.ts';
import { buildSystemPrompt } from './system-prompt.ts';

const parts = { today: '2026-11-22', timeZone: 'Asia/Shanghai', userPrompt: ' Be brief. ', toolRules: '# Tools\nrules' };

describe('buildSystemPrompt', () => {
  it('has the day, the user’s prompt, the tools’ rules and the citation rule, and is byte-stable', () => {
    const prompt = buildSystemPrompt(parts);
    expect(prompt.startsWith('Today is 2026-11-22 (Asia/Shanghai).\n\nBe brief.\n\n# Tools\nrules\n\n## Citations')).toBe(true);
    expect(buildSystemPrompt({ ...parts })).toBe(prompt);
    expect(prompt).not.toMatch(/\d:\d\d/);
  });

  it('has no rules without tools, and the privacy rule where fields are set', () => {
    expect(buildSystemPrompt({ ...parts, toolRules: null, userPrompt: '' })).toBe('Today is 2026-11-22 (Asia/Shanghai).');
    expect(buildSystemPrompt({ ...parts, privacyFields: ['phone'] })).toContain('<PRIVACY_RULE>');
  });
});

describe('autoTitle', () => {
  it('takes the first question, cut at a word or a grapheme', () => {
    expect(autoTitle('  What do my\nnotes say? ')).toBe('What do my notes say?');
    const question = 'What do my notes say about the Apollo project and its risks?';
    expect(autoTitle(question)).toBe(question);
    expect(autoTitle('seven '.repeat(40))).toBe(`${'seven '.repeat(33).trim()}…`);
    expect(autoTitle('👨‍👩‍👧'.repeat(250))).toBe(`${'👨‍👩‍👧'.repeat(200)}…`);
  });
});
