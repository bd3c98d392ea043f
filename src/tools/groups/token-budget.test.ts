import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { estimateTokenCount } from 'tokenx';
import { describe, expect, it } from 'vitest';
import { buildSystemPrompt } from '../../chat/turn/system-prompt.ts';
import type { ToolDefinition } from '../contract/messages.ts';
import { NOTE_CONTENTS } from '../contract/note-queries.ts';
import { fitTools } from '../executor/fit-tools.ts';
import { openNotes } from '../testing/open-notes.ts';
import { GROUP_DEFAULTS } from './notes-groups.ts';

/** With everything that an option can add, and the groups as they are on by default. */
function openDefaults() {
  const { executor } = openNotes({ meaningServer: 'https://meaning.example/v1' });
  for (const { name } of executor.groups()) executor.toggleGroupEnabled(name, GROUP_DEFAULTS[name] === true);
  return executor;
}

/** What goes over the wire of the definitions. */
const sent = (executor: ReturnType<typeof openDefaults>): readonly ToolDefinition[] =>
  executor.getEnabledToolDefinitions().map(({ type, function: told }) => ({ type, function: told }));

describe('the first request, counted by a real tokenizer', () => {
  it.each([
    ['the groups that are on by default', [], 3500],
    ['what the notes may contain', NOTE_CONTENTS, 3500],
    ['every group over notes and the web', undefined, 4000],
  ] as const)('is small with %s', (_title, on, limit) => {
    const executor = openDefaults();
    for (const name of on ?? executor.groups().map((group) => group.name)) executor.toggleGroupEnabled(name, true);
    executor.fitTools((tools) => fitTools(tools, { window: Number.POSITIVE_INFINITY, isChosen: () => false, weight: 1 }));
    const prompt = buildSystemPrompt({ today: '2026-01-15', timeZone: 'Europe/Berlin', userPrompt: '', toolRules: executor.toolRules() });
    expect(countTokens(JSON.stringify(sent(executor))) + countTokens(prompt)).toBeLessThan(limit);
  });
});

describe('what the tools cost a small model', () => {
  it('is at most 3,600 tokens of definitions and 600 of rules before the user changes anything', () => {
    const executor = openDefaults();
    const definitions = sent(executor);
    expect(definitions.length).toBeGreaterThan(30);
    expect(estimateTokenCount(JSON.stringify(definitions))).toBeLessThan(3600);
    expect(estimateTokenCount(executor.toolRules())).toBeLessThan(600);
  });

  it('is at most 1,500 tokens more where the notes contain what some tools are for, and at most 6,000 in all', () => {
    const cost = (names: readonly string[]): number => {
      const executor = openDefaults();
      for (const name of names) executor.toggleGroupEnabled(name, true);
      return estimateTokenCount(JSON.stringify(sent(executor)) + executor.toolRules());
    };
    expect(cost(NOTE_CONTENTS) - cost([])).toBeLessThan(1500);
    expect(cost(NOTE_CONTENTS)).toBeLessThan(6000);
  });

  it('is at most 220 tokens for one tool, and a description says something in a few words', () => {
    for (const definition of sent(openDefaults())) {
      const { name, description } = definition.function;
      expect([name, estimateTokenCount(JSON.stringify(definition)) <= 220]).toEqual([name, true]);
      expect([name, description.length > 20 && description.length <= 260]).toEqual([name, true]);
    }
  });
});
