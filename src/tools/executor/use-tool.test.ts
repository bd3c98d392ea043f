import { describe, expect, it } from 'vitest';
import { executeToolChain } from '../chain/tool-chain.ts';
import type { CompletionRequest, CompletionResult, ToolCall } from '../contract/messages.ts';
import { GROUP_DEFAULTS } from '../groups/notes-groups.ts';
import { type OpenNotes, openNotes } from '../testing/open-notes.ts';
import { testClock, testTool } from '../testing/support.ts';
import { RUN_ASKING } from '../util/define.ts';
import { fitTools } from './fit-tools.ts';

const offerFew = ({ executor }: Pick<OpenNotes, 'executor'>, chosen: readonly string[] = []): void =>
  executor.fitTools((tools) => fitTools(tools, { window: Number.POSITIVE_INFINITY, isChosen: (name) => chosen.includes(name), weight: 1 }));

const offered = ({ executor }: Pick<OpenNotes, 'executor'>): readonly string[] =>
  executor.getEnabledToolDefinitions().map((each) => each.function.name);

type Called = readonly [name: string, args: object | string];

/** A chain whose model makes these calls, one in each round, then answers. */
async function play(bench: OpenNotes, calls: readonly Called[]) {
  const requests: CompletionRequest[] = [];
  const complete = async (request: CompletionRequest): Promise<CompletionResult> => {
    requests.push(request);
    const called = calls[requests.length - 1];
    const made: ToolCall[] = called
      ? [
          {
            id: '',
            type: 'function',
            function: { name: called[0], arguments: typeof called[1] === 'string' ? called[1] : JSON.stringify(called[1]) },
          },
        ]
      : [];
    return { content: called ? '' : 'Done.', tool_calls: made, finishReason: called ? 'tool_calls' : 'stop' };
  };
  const result = await executeToolChain(bench.executor, undefined, {
    contextMessages: [{ role: 'user', content: 'Do it.' }],
    ...{ complete, sessionId: 's', turnId: 't', nodeId: 'n', clock: testClock() },
  });
  const sent = requests.at(-1)?.messages ?? [];
  return { result, requests, results: sent.flatMap((each) => (each.role === 'tool' ? [each.content] : [])) };
}

describe('tools that are rarely needed', () => {
  it('are not offered but listed in one tool, with what they are for, the same text each time', () => {
    const bench = openNotes();
    offerFew(bench);
    const [names, text] = [offered(bench), JSON.stringify(bench.executor.getEnabledToolDefinitions())];
    expect(names).toContain('search_notes');
    expect(names).not.toContain('tags');
    const use = bench.executor.getEnabledToolDefinitions().find((each) => each.function.name === 'use_tool');
    expect(use?.function.description).toContain('db_create, db_read, db_write: databases');
    expect(use?.function.parameters).toMatchObject({ properties: { tool: { enum: expect.arrayContaining(['tags', 'db_write']) } } });
    offerFew(bench);
    expect(JSON.stringify(bench.executor.getEnabledToolDefinitions())).toBe(text);
    expect(bench.executor.toolRules()).not.toContain('## databases');
  });

  it('are offered where the person chose them, and all where nothing was fitted', () => {
    const bench = openNotes();
    expect(offered(bench)).toEqual(expect.arrayContaining(['tags', 'db_write']));
    expect(offered(bench)).not.toContain('use_tool');
    offerFew(bench, ['tags']);
    expect(offered(bench)).toEqual(expect.arrayContaining(['tags', 'use_tool']));
  });

  it('that are off, or of a group that is off, are neither listed nor described', async () => {
    const bench = openNotes();
    bench.executor.setToolEnabled('tags', false);
    bench.executor.toggleGroupEnabled('databases', false);
    offerFew(bench);
    expect(JSON.stringify(bench.executor.getEnabledToolDefinitions())).not.toMatch(/ntags:|db_write/u);
    expect(await bench.call('use_tool', { tool: 'db_write' })).toMatchObject({ status: 'error', error: { code: 'unknown_tool' } });
    const { results } = await play(bench, [['use_tool', { tool: 'tags', arguments: { op: 'list' } }]]);
    expect(results).toEqual([expect.stringMatching(/^tool_disabled: .* → /u)]);
  });

  it('are described with their group, and with its rules', async () => {
    const text = (await openNotes().call('use_tool', { tool: 'db_write' })).finalText ?? '';
    const described = text.split('\n').flatMap((line) => (line.startsWith('{') ? [(JSON.parse(line) as { name: string }).name] : []));
    expect(described).toEqual(['db_create', 'db_read', 'db_write']);
    expect(text).toMatch(/## databases[\s\S]*`Rule\/databases\/databases`/u);
    expect((await openNotes().call('use_tool', { tool: 'tag' })).finalText).toBe('unknown_tool: there is no tool "tag" → use one of: tags');
  });

  it.each<Called>([
    ['use_tool', { tool: 'ListVars', arguments: { page: 1 } }],
    ['use_tool', { tool: 'ListVars', arguments: '{"page":1}' }],
    ['use_tool', { tool: 'ListVars', page: 1 }],
    ['use_tool', '{"tool":"ListVars","arguments":{"page":1,}}'],
    ['ListVars', { page: 1 }],
  ])('run as themselves: recorded, sent back and answered under their own name (%s %j)', async (...call) => {
    const bench = openNotes();
    offerFew(bench);
    const { result, requests } = await play(bench, [call]);
    expect(result.toolCallHistory).toMatchObject([{ toolName: 'ListVars', result: { status: 'success' } }]);
    const made = requests.at(-1)?.messages.flatMap((each) => (each.role === 'assistant' ? (each.tool_calls ?? []) : []));
    expect(made?.map((each) => each.function)).toEqual([{ name: 'ListVars', arguments: '{"page":1}' }]);
  });

  it('pass the same gates: a wrong argument is refused, and what needs consent is asked for', async () => {
    const bench = openNotes();
    const properties = { text: { type: 'string' } };
    const tool = { ...testTool('send_it', { properties, required: ['text'], ...RUN_ASKING, effect: 'write' }), byNeed: 'send' };
    bench.executor.registerToolGroup({ name: 'other', tools: [tool] });
    bench.executor.toggleGroupEnabled('other', true);
    offerFew(bench);
    const { results } = await play(bench, [
      ['use_tool', { tool: 'send_it' }],
      ['use_tool', { tool: 'send_it', arguments: { words: 'a' } }],
      ['use_tool', { tool: 'send_it', arguments: { text: 'a' } }],
    ]);
    expect(results[0]).toContain('"name":"send_it"');
    expect(results[1]).toMatch(/^bad_arguments: /u);
    expect(bench.asked.map((each) => [each.tool, each.args])).toEqual([['send_it', { text: 'a' }]]);
  });

  it('leave a tool of the same name to whose it is', () => {
    const bench = openNotes();
    bench.executor.registerToolGroup({ name: 'other', tools: [testTool('use_tool')] });
    bench.executor.toggleGroupEnabled('other', true);
    offerFew(bench);
    expect(offered(bench)).toContain('tags');
    expect(bench.executor.getTool('use_tool')?.definition.function.description).not.toContain('another tool');
  });

  it('are offered as they are by the groups that are on by default', () => {
    const bench = openNotes();
    for (const { name } of bench.executor.groups()) bench.executor.toggleGroupEnabled(name, GROUP_DEFAULTS[name] === true);
    offerFew(bench);
    expect(offered(bench)).toEqual(
      expect.arrayContaining(['search_notes', 'read_doc', 'edit_block', 'create_doc', 'daily_note', 'ReadVar']),
    );
  });
});
