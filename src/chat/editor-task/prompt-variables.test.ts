import { describe, expect, it } from 'vitest';
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
