import { describe, expect, it } from 'vitest';
import { expectHonest, run } from './run-question.test-support.ts';
import { demoTools } from './scripted-notes.test-support.ts';
import type { ChatMessage } from './types.ts';

describe('what do my notes say about …', () => {
  it('searches, reads the best documents with ids, and answers with cited sentences', () => {
    const result = run('What do my notes say about spaced repetition?');
    expect(result.rounds[0]).toEqual([{ name: 'search_notes', args: { query: 'spaced repetition' } }]);
    expect(result.rounds[1]?.map((call) => call.args)).toEqual([
      { id: '20260125100000-spacrep', showIds: true, tokens: 4000 },
      { id: '20260420180000-vocabex', showIds: true, tokens: 4000 },
    ]);
    expect(result.rounds).toHaveLength(2);
    expect(result.text).toContain('87 % of deck A');
    expect(result.text).toContain('((20260809180501-vocres1 "Vocabulary experiment"))');
    expectHonest(result);
  });

  it('answers in Chinese from Chinese notes', () => {
    const result = run('我的笔记里关于间隔重复说了什么？');
    expect(result.calls[0]).toEqual({ name: 'search_notes', args: { query: '间隔重复' } });
    expect(result.text).toMatch(/^你的笔记里提到了\*\*间隔重复\*\*/);
    expect(result.text).toContain('82 %');
    expectHonest(result);
  });

  it('writes the summary into the notebook that holds the diary, then answers', () => {
    const result = run("What do my notes say about spaced repetition? Write a summary into today's note.");
    expect(result.rounds.map((round) => round.map((call) => call.name))).toEqual([
      ['search_notes', 'list_notebooks', 'daily_note'],
      ['read_doc', 'read_doc'],
      ['daily_note'],
    ]);
    const { args } = result.calls.at(-1)!;
    expect(args).toMatchObject({ op: 'append', notebook: '20261122000002-aaaaaaa' });
    expect(String(args.markdown)).toMatch(/^## Summary: spaced repetition\n\n- .+ \(\(\d{14}-\w{7} "/);
    expect(result.text).toContain("The summary is in today's note.");
    expectHonest(result);
  });

  it('does the same in Chinese', () => {
    const result = run('把间隔重复的总结写到今天的笔记');
    expect(result.calls.at(-1)).toMatchObject({ name: 'daily_note', args: { op: 'append' } });
    expect(String(result.calls.at(-1)?.args.markdown)).toContain('## 总结：间隔重复');
    expect(result.text).toContain('总结已写入今天的笔记。');
    expectHonest(result);
  });

  it('tries the longest word when the whole finds nothing, then says that there is nothing', () => {
    const result = run('What do my notes say about purple elephants?');
    expect(result.calls.map((call) => call.args.query)).toEqual(['purple elephants', 'elephants']);
    expect(result.text).toContain('found nothing about **purple elephants**');
    expect(result.text).not.toContain('((');
  });

  it('writes nothing when nothing was found', () => {
    const result = run("Write a summary of zzz into today's note");
    expect(result.calls.every((call) => call.args.op !== 'append')).toBe(true);
    expect(result.text).toContain('Nothing was written.');
  });

  it('answers from the snippets when read_doc is not offered', () => {
    const result = run('What do my notes say about spaced repetition?', {
      tools: demoTools.filter((tool) => tool.function.name !== 'read_doc'),
    });
    expect(result.calls.map((call) => call.name)).toEqual(['search_notes']);
    expectHonest(result);
  });
});

describe('writing into a document', () => {
  it('finds its id by its title and appends', () => {
    const result = run('Write a summary of spaced repetition into the document "Vocabulary experiment"');
    expect(result.calls.map((call) => call.name)).toEqual(['search_notes', 'search_notes', 'read_doc', 'read_doc', 'insert_blocks']);
    expect(result.calls.at(-1)?.args).toMatchObject({ anchor: '20260420180000-vocabex', position: 'append' });
    expect(result.text).toContain('The summary is in **Vocabulary experiment**.');
  });

  it('says when there is no such document', () => {
    const result = run('Write a summary of spaced repetition into "Nowhere at all"');
    expect(result.text).toContain('no document called **Nowhere at all**');
    expect(result.text).toContain('Nothing was written.');
    expect(result.calls.some((call) => call.name === 'insert_blocks')).toBe(false);
  });

  it('makes a new document when asked to', () => {
    const result = run('Write a summary of spaced repetition into a new document called Memory');
    expect(result.calls.at(-1)).toMatchObject({
      name: 'create_doc',
      args: { notebook: '20261122000001-aaaaaaa', path: '/Memory', ifExists: 'error' },
    });
  });

  it('knows the topic of the question before', () => {
    const before: ChatMessage[] = [
      { role: 'user', content: 'What do my notes say about spaced repetition?' },
      { role: 'assistant', content: 'It said things.' },
    ];
    const result = run("Write a summary into today's note", { before });
    expect(result.calls[0]?.args).toEqual({ query: 'spaced repetition' });
    expect(result.calls.at(-1)?.name).toBe('daily_note');
    expect(run("Write a summary into today's note").text).toContain('A summary of what?');
  });
});
