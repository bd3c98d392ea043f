import { describe, expect, it } from 'vitest';
import type { ToolDefinition } from '../contract/messages.ts';
import { GROUP_DEFAULTS } from '../groups/notes-groups.ts';
import { openNotes } from '../testing/open-notes.ts';
import { estimateTokens } from '../util/estimate-tokens.ts';
import type { ToolExecutor } from './executor.ts';
import { type FitOptions, fitTools, simpleTools } from './fit-tools.ts';

function open(on: readonly string[] = []) {
  const { executor } = openNotes({ meaningServer: 'https://meaning.example/v1' });
  for (const { name } of executor.groups()) executor.toggleGroupEnabled(name, GROUP_DEFAULTS[name] === true || on.includes(name));
  const fitTo = (window: number, more: Partial<FitOptions> = {}) => {
    executor.fitTools((tools) => fitTools(tools, { window, isChosen: () => false, weight: 1, ...more }));
    return executor.toolFit;
  };
  const offered = (): readonly string[] => executor.getEnabledToolDefinitions().map((tool) => tool.function.name);
  return { executor, fitTo, offered };
}

/** The tools that a model can ask for. */
const askedFor = (executor: ToolExecutor): readonly string[] => {
  const rare = executor.getEnabledToolDefinitions().find((each) => each.function.name === 'use_tool');
  const { tool } = (rare?.function.parameters.properties ?? {}) as { tool?: { enum: readonly string[] } };
  return tool?.enum ?? [];
};

const LEAN = ['edit_block', 'insert_blocks', 'create_doc', 'daily_note', 'read_doc', 'search_notes', 'ReadVar'];

describe('tools for a model with a small window', () => {
  it.each([4096, 6000, 8192, 11_999])(
    'are search, read, write and variables at %i, in at most 1,700 tokens and a third of it',
    (window) => {
      const { executor, fitTo, offered } = open();
      const all = offered();
      const fitted = fitTo(window);
      expect(offered()).toEqual(LEAN);
      expect(fitted).toMatchObject({ window, isLean: true, isOver: false, leftOut: all.filter((name) => !LEAN.includes(name)) });
      const definitions = executor.getEnabledToolDefinitions().map(({ type, function: body }) => ({ type, function: body }));
      const tokens = estimateTokens(JSON.stringify(definitions)) + estimateTokens(executor.toolRules());
      expect(tokens).toBeLessThan(Math.min(1700, window / 3));
      expect(tokens).toBeLessThanOrEqual(fitted?.tokens ?? 0);
    },
  );

  it('are as many as a third has room for above that, the same each time, and all where there is room', () => {
    const { executor, fitTo, offered } = open();
    const all = offered();
    const counts = [12_000, 14_000, 18_000].map((window) => {
      const fitted = fitTo(window);
      expect(fitted?.tokens ?? 0).toBeLessThanOrEqual(window / 3);
      expect(new Set([...offered(), ...askedFor(executor)])).toEqual(new Set([...all, 'use_tool']));
      expect(fitted?.leftOut).toEqual([]);
      const names = offered();
      fitTo(window);
      expect(offered()).toEqual(names);
      return names.length;
    });
    expect(counts[0]).toBeGreaterThan(LEAN.length);
    expect(counts).toEqual([...counts].sort((one, other) => one - other));
    fitTo(32_000);
    expect(askedFor(executor)).toEqual(all.filter((name) => executor.getTool(name)?.byNeed !== undefined));
  });

  it('get fewer still where the window is tiny, the search last', () => {
    const { fitTo, offered } = open();
    fitTo(1500);
    expect(offered()).toContain('search_notes');
    expect(offered().length).toBeLessThan(LEAN.length);
  });

  it('hold those that somebody chose, whatever they take, and say that they are more than fits', () => {
    const { fitTo, offered } = open(['web']);
    const group = fitTo(4096, { isChosen: (_name, group) => group === 'web' });
    expect(offered()).toEqual(expect.arrayContaining(['web_search', 'web_fetch', 'search_notes']));
    expect(group?.leftOut).not.toContain('web_search');
    const everything = fitTo(4096, { isChosen: () => true });
    expect(everything).toMatchObject({ leftOut: [], isOver: true });
    expect(fitTo(20_000, { isChosen: () => true })).toBeNull();
  });

  it('count more where the protocol takes more', () => {
    const { fitTo, offered } = open();
    fitTo(12_000);
    const before = offered().length;
    fitTo(12_000, { weight: 1.4 });
    expect(offered().length).toBeLessThan(before);
  });

  it('have their rules in short, and those of a chosen group besides', () => {
    const { executor, fitTo } = open();
    const whole = executor.toolRules();
    fitTo(4096);
    expect(estimateTokens(executor.toolRules())).toBeLessThan(estimateTokens(whole) / 2);
    expect(executor.toolRules()).toMatch(/^# Tools\n- [\s\S]*untrusted-data[\s\S]*search_notes[\s\S]*expectHash[\s\S]*Cite/u);
    fitTo(4096, { isChosen: (name) => name === 'calculate' });
    expect(executor.toolRules()).toContain('## basic');
  });

  it('leave a tool that was switched off out, and one that is left out can be called all the same', async () => {
    const { executor, fitTo, offered } = open();
    executor.setToolEnabled('search_notes', false);
    fitTo(4096);
    expect(offered()).not.toContain('search_notes');
    executor.setToolEnabled('edit_block', false);
    expect(offered()).not.toContain('edit_block');
    expect(await executor.execute('list_notebooks', {})).toMatchObject({ status: 'success' });
  });

  it('give results that fit as well, a note with where to read on', async () => {
    const long = Array.from({ length: 120 }, (_, at) => `Paragraph ${at} about the launch of the rocket in May.`).join('\n\n');
    const { executor } = openNotes({ notebooks: [{ name: 'Work', documents: { '/Long': long } }] });
    executor.fitTools((tools) => fitTools(tools, { window: 4096, isChosen: () => false, weight: 1 }));
    for (const [name, args] of [
      ['read_doc', { path: '/Long' }],
      ['search_notes', { query: 'launch rocket May', mode: 'keyword' }],
    ] as const) {
      const { finalText = '' } = await executor.execute(name, args);
      expect(estimateTokens(finalText)).toBeLessThan(1100);
      expect(finalText).toMatch(/next:|cut:/u);
    }
  });
});

const plainTool = (name: string, properties: object, required: readonly string[] = []): ToolDefinition => ({
  type: 'function',
  function: { name, description: 'Does it.', parameters: { type: 'object', properties, required, additionalProperties: false } },
});

it('simple tools are the fewest that notes can be worked with, with types, descriptions and what is required alone', () => {
  const query = { type: 'string', description: 'words', maxLength: 2000, pattern: '\\d' };
  const edits = { type: 'array', items: { type: 'object', properties: { old: { type: 'string', enum: ['a'] } }, required: ['old'] } };
  const notebooks = { anyOf: [{ type: 'array', items: { type: 'string' } }, { type: 'string' }], description: 'which' };
  const made = simpleTools([
    plainTool('search_notes', { query, notebooks, mode: { type: 'string' } }, ['query', 'mode']),
    plainTool('edit_block', { edits: { ...edits, minItems: 1 } }),
    plainTool('query_sql', { sql: query }),
  ]);
  expect(made.map(({ function: { name } }) => name)).toEqual(['search_notes', 'edit_block']);
  expect(made[0]?.function.parameters).toMatchObject({
    type: 'object',
    properties: { query: { type: 'string', description: 'words' } },
    required: ['query'],
  });
  expect(JSON.stringify(made)).not.toMatch(/maxLength|pattern|enum|anyOf|minItems|additionalProperties/u);
  expect(made[1]?.function.parameters).toMatchObject({
    properties: { edits: { type: 'array', items: { properties: { old: { type: 'string' } }, required: ['old'] } } },
  });
});

it('simple tools are all that are offered where none of those is among them', () => {
  expect(simpleTools([plainTool('one', {}), plainTool('two', {})])).toHaveLength(2);
});
