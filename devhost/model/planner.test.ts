import { describe, expect, it } from 'vitest';
import { estimateTokens, fitArguments, planReply } from './planner.ts';
import { expectHonest, run } from './run-question.test-support.ts';
import { answers, demoTools, noteTools, toolSpec } from './scripted-notes.test-support.ts';
import type { ChatMessage, ToolSpec } from './types.ts';

describe('summarize', () => {
  it('reads a document page by page and takes a sentence of each section', () => {
    const result = run('Summarize "Spaced repetition"');
    expect(result.calls).toEqual([
      { name: 'search_notes', args: { query: 'Spaced repetition' } },
      { name: 'read_doc', args: { id: '20260125100000-spacrep', showIds: true, tokens: 4000 } },
      { name: 'read_doc', args: { id: '20260125100000-spacrep', start: 4, showIds: true, tokens: 4000 } },
    ]);
    expect(result.text).toContain('Desired retention 0.90');
    expect(result.text).toContain('**Spaced repetition**');
    expectHonest(result);
  });

  it('does so in Chinese, by title marks', () => {
    const result = run('总结《新人培训计划》');
    expect(result.text).toContain('**新人培训计划**，用原文的句子概括');
    expectHonest(result);
  });

  it("reads today's note, a path, an id and an attached block directly", () => {
    expect(run("Summarize today's note").calls[0]).toEqual({ name: 'daily_note', args: { op: 'read' } });
    expect(run('Summarize /Spaced repetition').calls[0]?.args).toMatchObject({ path: '/Spaced repetition' });
    expect(run('Summarize 20260420180000-vocabex').calls[0]?.args).toMatchObject({ id: '20260420180000-vocabex' });
    expect(run('Summarize this document\n\n<CONTEXT id="20260420180000-vocabex">x</CONTEXT>').calls[0]?.args).toMatchObject({
      id: '20260420180000-vocabex',
    });
  });

  it('summarizes an attached block as it was sent, without reading again', () => {
    const note = (kind: string) =>
      `<attached-note kind="${kind}" id="20260809180501-vocres1" title="Vocabulary experiment">\nDeck A kept 87 % of its words. Deck B did not.\n</attached-note>`;
    const result = run(`${note('block')}\n\nSummarize this block`);
    expect(result.calls).toEqual([]);
    expect(result.text).toContain('- Deck A kept 87 % of its words. ((20260809180501-vocres1 "Vocabulary experiment"))');
    expect(run(`${note('document')}\n\n总结这篇文档`).calls[0]).toMatchObject({ name: 'read_doc', args: { id: '20260809180501-vocres1' } });
  });

  it('reads the open note, which is named and not sent', () => {
    const open = `<attached-note kind="open" id="20260420180000-vocabex" title="Vocabulary experiment">\nThe user has this note open.\n</attached-note>`;
    for (const question of [
      'Summarize this note',
      'Summarize the open note',
      'Please summarize the current document',
      '总结当前笔记',
      '总结打开的这篇笔记',
    ]) {
      const result = run(`${open}\n\n${question}`);
      expect(result.calls.map(({ name, args }) => [name, args.id])).toEqual([['read_doc', '20260420180000-vocabex']]);
      expect(result.text).not.toContain('has this note open');
    }
  });

  it('takes the tail of a path for a title', () => {
    const result = run('Summarize Spaced repetition/Vocabulary experiment');
    expect(result.calls.map((call) => call.args.query ?? call.args.id)).toEqual(['Vocabulary experiment', '20260420180000-vocabex']);
  });

  it('takes the name as a topic when no document is called so, and says when there is nothing', () => {
    expect(run('Summarize retention').text).toContain('**retention**');
    expect(run('Summarize "Nowhere at all"').text).toContain('no document called **Nowhere at all**');
  });

  it('writes the summary of a document into another', () => {
    const result = run('总结《新人培训计划》，然后写到今天的笔记');
    expect(result.calls.at(-1)).toMatchObject({ name: 'daily_note', args: { op: 'append' } });
    expect(result.text).toContain('总结已写入今天的笔记。');
  });
});

describe('lists and searches', () => {
  it('lists notebooks', () => {
    const result = run('List my notebooks');
    expect(result.calls).toEqual([{ name: 'list_notebooks', args: {} }]);
    expect(result.text).toMatch(/^- Life$/m);
    expect(run('列出我的笔记本').text).toMatch(/^你的笔记本：/);
  });
  it('finds', () => {
    const result = run('Find spaced repetition');
    expect(result.calls).toHaveLength(1);
    expect(result.text).toContain('((20260125100501-srdefin "Spaced repetition"))');
    expect(run('查找间隔重复').text).toContain('((20261106170501-shidian "新人培训计划"))');
  });
});

describe('a result of an earlier turn', () => {
  const before: ChatMessage[] = [
    { role: 'user', content: 'What do my notes say about spaced repetition?' },
    {
      role: 'assistant',
      content:
        '<SYSTEM-CONTEXT>\nExecuted tools:\n- `search_notes` (args=$VAR_REF{{search_notes_call_1_args}}, result=$VAR_REF{{search_notes_call_1_result}})\n' +
        '- `read_doc` (result=$VAR_REF{{read_doc_call_2_result}})\n</SYSTEM-CONTEXT>\n---\n\n- Spaced repetition means reviewing just before forgetting. ((20260125100501-srdefin "x"))',
    },
  ];
  it.each(['Show me more', 'What did you find?', 'use the earlier result', '再看看刚才的结果'])(
    '%s: calls ReadVar by its name',
    (question) => {
      const result = run(question, { before });
      expect(result.calls).toEqual([{ name: 'ReadVar', args: { name: 'search_notes_call_1_result' } }]);
      expect(result.text).toContain('search_notes_call_1_result');
      expect(result.text).not.toContain('means reviewing');
      expect(result.text).toContain('87 %');
    },
  );
  it('keeps to a topic when one is named', () => {
    const result = run('Show me more about deck A', { before });
    expect(result.text).toContain('87 % of deck A');
    expect(run('Show me more about ferrets', { before }).text).toContain('nothing about **ferrets**');
  });
  it('says when there is none, or no ReadVar', () => {
    expect(run('Show me more').text).toContain('no earlier result');
    expect(run('Show me more', { before, tools: noteTools }).text).toContain('`ReadVar`');
  });
});

describe('rejections and errors', () => {
  it('says that a write was rejected, stops, and still gives the answer', () => {
    const result = run("What do my notes say about spaced repetition? Write a summary into today's note.", {
      override: (name, args) =>
        name === 'daily_note' && args.op === 'append' ? '{"status":"rejected","message":"not in my diary"}' : undefined,
    });
    expect(result.calls.at(-1)?.name).toBe('daily_note');
    expect(result.text).toContain('You rejected the change, so I stopped.');
    expect(result.text).toContain('not in my diary');
    expect(result.text).toContain('Nothing was written.');
    expectHonest(result);
  });
  it('does not say that nothing was written when only the result was kept back, or nobody knows', () => {
    const question = "Write a summary of spaced repetition into today's note";
    const withheld =
      '{"status":"rejected","message":"The call ran, but the user keeps its result from you. Do not repeat it; go on without it or ask the user."}';
    const unknown = 'outcome_unknown: the kernel went away; it may or may not have been written → read the document before anything else';
    for (const answer of [withheld, unknown]) {
      const result = run(question, { override: (name, args) => (name === 'daily_note' && args.op === 'append' ? answer : undefined) });
      expect(result.text).not.toContain('Nothing was written');
      expect(result.text).toContain('so I stopped');
    }
  });
  it('tells an error as it stands and calls nothing more', () => {
    const result = run('What do my notes say about spaced repetition?', {
      override: (name) => (name === 'search_notes' ? 'kernel_unreachable: no answer from the kernel → start it and ask again' : undefined),
    });
    expect(result.calls).toHaveLength(1);
    expect(result.text).toContain('`search_notes` failed, so I stopped: kernel_unreachable: no answer from the kernel');
  });
  it('says it in Chinese', () => {
    const result = run('查找间隔重复', { override: () => '{"status":"rejected","message":"不行"}' });
    expect(result.text).toContain('你拒绝了 `search_notes`');
  });
});

describe('limits', () => {
  it('says which tool is missing', () => {
    expect(run('List my notebooks', { tools: [toolSpec('search_notes', { query: {} })] }).text).toContain('`list_notebooks`');
    expect(
      run("Write a summary of spaced repetition into today's note", {
        tools: demoTools.filter((tool) => tool.function.name !== 'daily_note'),
      }).text,
    ).toContain('`daily_note`');
    expect(run('查找灰度', { tools: [] }).text).toContain('没有启用任何工具');
  });
  it('says what it can do when it understands nothing', () => {
    expect(run('What is the capital of France?').text).toContain('What do my notes say about');
    expect(run('今天天气怎么样').text).toContain('我的笔记里关于');
    expect(run('Hello', { tools: [] }).text).toContain('Offline demo: no language model');
  });
  it('does not take the prompt after the last round for a question', () => {
    const messages: ChatMessage[] = [
      { role: 'user', content: 'Find spaced repetition' },
      {
        role: 'assistant',
        content: '',
        tool_calls: [{ id: 'call_1_1', type: 'function', function: { name: 'search_notes', arguments: '{"query":"spaced repetition"}' } }],
      },
      { role: 'tool', tool_call_id: 'call_1_1', content: answers('search_notes', { query: 'spaced repetition' }) },
      { role: 'user', content: '[SYSTEM] No more rounds. Give the final answer.' },
    ];
    const reply = planReply({ messages, tools: demoTools });
    expect(reply.content).toContain('((20260125100501-srdefin');
  });
  it('keeps to the schema of the tools at hand', () => {
    const tool: ToolSpec = {
      type: 'function',
      function: { name: 'read_doc', parameters: { properties: { id: {}, tokens: { maximum: 2000 } } } },
    };
    expect(fitArguments(tool, { id: 'x', showIds: true, tokens: 4000 })).toEqual({ id: 'x', tokens: 2000 });
    expect(fitArguments({ type: 'function', function: { name: 'x' } }, { any: 1 })).toEqual({ any: 1 });
  });
  it('has unique call ids and counts usage', () => {
    const reply = planReply({ messages: [{ role: 'user', content: "Write a summary of heat into today's note" }], tools: demoTools });
    expect(new Set(reply.toolCalls.map((call) => call.id)).size).toBe(reply.toolCalls.length);
    expect(reply.usage.total_tokens).toBe(reply.usage.prompt_tokens + reply.usage.completion_tokens);
    expect(estimateTokens('abcdefgh')).toBe(2);
    expect(estimateTokens('间隔重复')).toBe(4);
  });
});
