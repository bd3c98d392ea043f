import { describe, expect, it } from 'vitest';
import type { CustomPrompt } from './custom-prompts.ts';
import { exportPrompts, importPrompts } from './prompt-exchange.ts';
import { fillPrompt, variablesIn } from './prompt-variables.ts';

describe('variables of a prompt', () => {
  it('are found in any spelling, each once', () => {
    expect(variablesIn('{{note}} and {{ Note }}, {{date}}, {{other}}, {input}')).toEqual(['note', 'date']);
  });

  it('are filled once, and braces around anything else stay', () => {
    const values = { note: '{{selection}} $& $1', selection: 'never' };
    expect(fillPrompt('About {{note}}: {{input}}, {{x}}', values)).toBe('About {{selection}} $& $1: {{input}}, {{x}}');
  });
});

describe('an exported file of prompts', () => {
  const own: CustomPrompt = { id: 'own-1', name: 'E-mail', prompt: 'Write {{selection}} as an e-mail.', output: 'insert' };
  const other: CustomPrompt = { id: 'own-1', name: 'Why', prompt: 'Why {{input}}?', output: 'ask' };

  it('comes back word for word, once, and beside one of the same id', () => {
    expect(importPrompts(exportPrompts([own]), [])).toEqual({ prompts: [own], added: 1 });
    expect(importPrompts(exportPrompts([own]), [own])).toEqual({ prompts: [own], added: 0 });
    expect(importPrompts(exportPrompts([other]), [own])).toEqual({ prompts: [own, { ...other, id: 'own-1-2' }], added: 1 });
  });

  it.each([
    '',
    '[]',
    'null',
    '{"format":"marginalia-chats","prompts":[{"name":"a","prompt":"b"}]}',
    '{"format":"marginalia-prompts","prompts":[{}]}',
  ])('that is none adds nothing: %s', (text) => {
    expect(importPrompts(text, [own])).toEqual({ prompts: [own], added: 0 });
  });

  it('adds no more than the settings hold', () => {
    const many = Array.from({ length: 60 }, (_, index) => ({ ...own, id: `p${index}`, name: `P${index}` }));
    expect(importPrompts(exportPrompts(many.slice(0, 40)), many.slice(40, 60)).added).toBe(30);
  });
});
