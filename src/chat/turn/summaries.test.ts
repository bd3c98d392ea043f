import { describe, expect, it } from 'vitest';
import { createGate, createScriptedModel, type ScriptedReply } from '../../model/testing/scripted-model.ts';
import { ToolError } from '../../tools/contract/errors.ts';
import { Withheld } from '../../tools/contract/provenance.ts';
import { VariableSystem } from '../../tools/executor/variables.ts';
import { toolExecutorFactory } from '../../tools/index.ts';
import { extractBranch } from '../controller/message-actions.ts';
import { mergeSessions } from '../session/merge-sessions.ts';
import { TreeModel } from '../session/tree-model.ts';
import type { Node, Session } from '../session/types.ts';
import { createMemoryStorage } from '../store/storage-port.ts';
import { type OpenChat, type OpenChatOptions, openChat, sampleNotes } from '../testing/open-chat.ts';
import { answerPayload, callRecord, counter, node, session, steppingClock, userPayload } from '../testing/samples.ts';
import { conversationOf } from './model-context.ts';
import type { SessionDeps } from './session.ts';
import { summarize } from './summarize.ts';

const long = (word: string): string => `${word} `.repeat(100).trim();
/** Of a request, what it begins with: the word of a turn, or that it is a summary. */
const heads = (messages: readonly { readonly content: string }[]): string[] =>
  messages.map(({ content }) => (content.includes('kind="summary"') ? 'summary' : (/[a-z]+\d+|Go/.exec(content)?.[0] ?? content)));

const clock = steppingClock();
const executorFactory: SessionDeps['executorFactory'] = ({ approvalAdapter }) =>
  toolExecutorFactory({ approvalAdapter, clock, varSystem: new VariableSystem({ clock }), groups: [] });

async function talk(
  turns: number,
  options: Partial<OpenChatOptions> & { settings?: object; writer?: readonly ScriptedReply[]; tools?: boolean } = {},
) {
  const { settings = {}, writer: replies = [], tools = false, deps, ...rest } = options;
  const writer = createScriptedModel(replies);
  const opened = await openChat({
    ...rest,
    deps: {
      settings: () => ({ systemPrompt: '', chatOption: { temperature: 0 }, toolCallMaxRounds: 10, contextTokens: 1000, ...settings }),
      summaries: async () => summarize,
      summaryModel: () => writer,
      ...(tools ? {} : { executorFactory }),
      ...deps,
    },
  });
  for (let turn = 1; turn <= turns; turn += 1) {
    opened.model.push(long(`answer${turn}`));
    await opened.chat.send(long(`question${turn}`));
  }
  return { ...opened, writer };
}
const lastRequest = ({ model }: Pick<OpenChat, 'model'>) => model.requests.at(-1)?.messages.filter(({ role }) => role !== 'system') ?? [];
const separators = ({ chat }: OpenChat) => chat.view().messages.filter(({ role }) => role === 'separator');
const answer = ({ chat }: OpenChat) => chat.view().messages.findLast(({ role }) => role === 'assistant');

describe('older messages of a chat that grows too long', () => {
  it('are checked with the settings that the question is sent with: others’ changes are read once for both', async () => {
    let reads = 0;
    const opened = await talk(2, { settings: { contextTokens: 100_000 }, deps: { readSettings: async () => void reads++ } });
    for (const text of ['a', 'b']) {
      const before = reads;
      opened.model.push('Well.');
      await opened.chat.send(text);
      expect(reads - before).toBe(1);
    }
    const before = reads;
    opened.model.push('Again.');
    await opened.chat.rerun(answer(opened)?.nodeId ?? '');
    expect(reads - before).toBe(1);
  });

  it('become a summary before the question goes, which says what they said in one message; the newest stay word for word', async () => {
    const usage = { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 };
    const opened = await talk(3, { writer: [{ text: 'They spoke of **one**.', usage }] });
    opened.model.push('Well.');
    await opened.chat.send('question4');
    expect(opened.writer.requests).toHaveLength(1);
    const [system, asked] = opened.writer.requests[0]?.messages ?? [];
    expect(system?.content).toContain('Summarize the conversation');
    expect(asked?.content).toContain('question1');
    expect(asked?.content).not.toMatch(/question2|answer2/);
    expect(heads(lastRequest(opened))).toEqual(['summary', 'question2', 'answer2', 'question3', 'answer3', 'question4']);
    expect(lastRequest(opened)[0]?.content).toContain('title="Summary of the earlier conversation"');
    expect(separators(opened)).toMatchObject([{ author: opened.writer.model, usage, segments: [{ text: 'They spoke of **one**.' }] }]);
    expect(opened.chat.messages.figures()).toMatchObject({ answers: 4, totalTokens: expect.any(Number) });
    expect(opened.chat.messages.figures().totalTokens).toBeGreaterThanOrEqual(10);
    expect(answer(opened)?.leftOut).toBeUndefined();
  });

  it('are in the next summary with the earlier one, never twice in one request, and are the same bytes each time', async () => {
    const opened = await talk(3, { writer: ['Summary of one.', 'Summary of all.'] });
    opened.model.push(long('answer4'), long('answer5'), 'Well.');
    await opened.chat.send(long('question4'));
    const [first] = lastRequest(opened);
    await opened.chat.send(long('question5'));
    await opened.chat.send('question6');
    const again = opened.writer.requests[1]?.messages.at(-1)?.content ?? '';
    expect(again).toContain('Summary of one.');
    expect(again).not.toContain('question1');
    for (const { messages } of [...opened.writer.requests, ...opened.model.requests]) {
      const texts = messages.map(({ content }) => content);
      expect(new Set(texts).size).toBe(texts.length);
    }
    expect(opened.model.requests.filter(({ messages }) => messages.some((one) => one.content === first?.content)).length).toBeGreaterThan(
      0,
    );
    const sent = lastRequest(opened);
    expect(sent.filter(({ content }) => content.includes('kind="summary"'))).toMatchObject([{ content: expect.stringContaining('all.') }]);
  });

  it('are read again word for word once the summary is undone, and the edited words go where it is edited', async () => {
    const storage = createMemoryStorage();
    const opened = await talk(3, { storage, writer: ['Summary of one.'], settings: { summaries: true } });
    opened.model.push('Well.', 'Well.', 'Well.');
    await opened.chat.send('question4');
    const id = separators(opened)[0]?.nodeId ?? '';
    await opened.chat.messages.editSummary(id, '  ');
    expect(opened.chat.view().notice?.code).toBe('empty_text');
    await opened.chat.messages.editSummary(id, 'In my words.');
    await opened.chat.send('question5');
    expect(lastRequest(opened)[0]?.content).toContain('In my words.');
    await opened.chat.messages.remove(id);
    const later = await talk(0, { storage, run: 2, settings: { summaries: false, contextTokens: undefined } });
    await later.chat.openChat(opened.chat.view().sessionId);
    later.model.push('Well.');
    await later.chat.send('question6');
    expect(heads(lastRequest(later)).slice(0, 2)).toEqual(['question1', 'answer1']);
    await later.chat.messages.restore(id);
    later.model.push('Well.');
    await later.chat.send('question7');
    expect(heads(lastRequest(later)).slice(0, 2)).toEqual(['summary', 'question2']);
  });

  it('are summarized in several requests where they do not fit into one', async () => {
    const opened = await talk(3, { settings: { contextTokens: undefined }, writer: [] });
    const small = createScriptedModel(['Part one.', 'Part two.', 'Part three.', 'Part four.', 'Part five.']);
    const window = { tokens: async () => 420, overflowed: () => undefined };
    const made = await talk(0, {
      deps: { summaryModel: () => ({ ...small, window }) },
      settings: { contextTokens: undefined },
      storage: opened.storage,
      run: 2,
    });
    await made.chat.openChat(opened.chat.view().sessionId);
    await made.chat.messages.summarize();
    expect(small.requests.length).toBeGreaterThan(1);
    expect(small.requests[1]?.messages.at(-1)?.content).toContain('Part one.');
    const words = small.requests.flatMap(({ messages }) => messages.at(-1)?.content.match(/(question|answer)1/g) ?? []);
    expect(words).toHaveLength(200);
  });

  it('are not summarized while the setting is off, when two turns are all there is, or while they fit', async () => {
    const off = await talk(4, { settings: { summaries: false } });
    expect(off.writer.requests).toHaveLength(0);
    expect(answer(off)?.leftOut).toEqual({ messages: 2 });
    const fits = await talk(4, { settings: { contextTokens: 8000 } });
    expect(fits.writer.requests).toHaveLength(0);
    const two = await talk(2);
    expect(two.chat.view().summarizable).toBeUndefined();
  });
});

describe('the preview of a question that needs a summary', () => {
  it('is the request for the summary, byte for byte what is sent first; nothing is sent for it and nothing changed', async () => {
    const sent: string[] = [];
    const replies = createScriptedModel(['Summary.']);
    const writer = {
      ...replies,
      prepare: async (request: object) => ({ address: 'here', body: JSON.stringify(request) }),
      complete: (...given: Parameters<typeof replies.complete>) => {
        sent.push(JSON.stringify(given[0]));
        return replies.complete(...given);
      },
    };
    const opened = await talk(3, { deps: { summaryModel: () => writer } });
    const before = JSON.stringify(opened.chat.view().messages);
    const preview = await opened.chat.preview('question4');
    expect(preview).toMatchObject({ summarizes: true });
    expect(sent).toEqual([]);
    expect(JSON.stringify(opened.chat.view().messages)).toBe(before);
    opened.model.push('Well.');
    await opened.chat.send('question4');
    expect(sent).toEqual([preview?.body]);
  });
});

describe('a summary that cannot be made', () => {
  const failing = (code: 'budget_reached' | 'model_unreachable') => [{ error: new ToolError(code, 'no', 'later') }];

  it('leaves the oldest out as before, and the answer says so and why', async () => {
    const opened = await talk(3, { writer: failing('model_unreachable') });
    opened.model.push('Well.');
    await opened.chat.send(long('question4'));
    expect(separators(opened)).toEqual([]);
    expect(answer(opened)).toMatchObject({ leftOut: { messages: 2, summary: 'failed' } });
    const budget = await talk(3, { writer: failing('budget_reached') });
    budget.model.push('Well.');
    await budget.chat.send(long('question4'));
    expect(answer(budget)).toMatchObject({ leftOut: { summary: 'budget' } });
  });

  it('ends with Stop: the question stands in the composer again, nothing was changed, and nothing is sent', async () => {
    const gate = createGate();
    const opened = await talk(3, { writer: [{ text: 'late', gateStart: gate }] });
    const before = opened.model.requests.length;
    const sending = opened.chat.send('question4');
    await gate.reached;
    expect(opened.chat.view()).toMatchObject({ running: true, preparing: 'summarizing', queued: 'question4' });
    opened.chat.stop();
    await sending;
    expect(opened.chat.view()).toMatchObject({ running: false, queued: null });
    expect(opened.chat.typed.draft).toBe('question4');
    expect(separators(opened)).toEqual([]);
    expect(opened.model.requests).toHaveLength(before);
  });

  it('of messages that say nothing is none: an empty one would cut off all that stands above it', async () => {
    const opened = await talk(0, { settings: { contextTokens: undefined } });
    for (let turn = 1; turn <= 3; turn += 1) {
      opened.model.push(turn === 1 ? '' : `answer${turn}`);
      await opened.chat.send(`question${turn}`);
    }
    await opened.chat.messages.setHidden(opened.chat.view().messages[0]?.nodeId ?? '', true);
    await opened.chat.messages.summarize();
    expect(opened.writer.requests).toHaveLength(0);
    expect(separators(opened)).toEqual([]);
  });

  it('is not one that is many times longer than was asked for, which would leave no room for the chat', async () => {
    const opened = await talk(3, { writer: [long('and so on').repeat(50)] });
    opened.model.push('Well.');
    await opened.chat.send(long('question4'));
    expect(separators(opened)).toEqual([]);
    expect(answer(opened)).toMatchObject({ leftOut: { messages: 2, summary: 'failed' } });
  });

  it('is not one that the model did not finish; that model is asked again by hand alone, since each try costs', async () => {
    const opened = await talk(3, { writer: [{ text: 'They spoke of', finishReason: 'length' }, 'They spoke.', 'All of them.'] });
    for (const question of ['question4', 'question5']) {
      opened.model.push('Well.');
      await opened.chat.send(long(question));
      expect(answer(opened)).toMatchObject({ leftOut: { summary: 'failed' } });
    }
    expect(opened.writer.requests).toHaveLength(1);
    expect(separators(opened)).toEqual([]);
    await opened.chat.messages.summarize();
    expect(separators(opened)).toHaveLength(1);
  });

  it('is given up where it would take very many requests', async () => {
    const opened = await talk(20, { settings: { contextTokens: undefined } });
    const writer = createScriptedModel(Array.from({ length: 40 }, () => 'Short.'));
    const window = { tokens: async () => 420, overflowed: () => undefined };
    const made = await talk(0, {
      deps: { summaryModel: () => ({ ...writer, window }) },
      settings: { contextTokens: undefined },
      storage: opened.storage,
      run: 2,
    });
    await made.chat.openChat(opened.chat.view().sessionId);
    await made.chat.messages.summarize();
    expect(separators(made)).toEqual([]);
    expect(writer.requests).toHaveLength(20);
  });

  it('is not made of a message that was hidden meanwhile', async () => {
    const gate = createGate();
    const opened = await talk(3, { writer: [{ text: 'late', gateStart: gate }] });
    const first = opened.chat.view().messages[0]?.nodeId ?? '';
    const sending = opened.chat.messages.summarize();
    await gate.reached;
    await opened.chat.messages.setHidden(first, true);
    gate.open();
    await sending;
    expect(separators(opened)).toEqual([]);
    expect(opened.chat.view().notice?.code).toBe('raced');
  });
});

const chain = (id: string, document: string) => ({
  toolCallHistory: [callRecord(id, { result: { status: 'success', preview: 'p', sources: [{ document }], cacheVarResult: `v_${id}` } })],
  rounds: [],
  stats: { totalRounds: 1, totalCalls: 1, totalTime: 1, startTime: 1, endTime: 2 },
  status: 'completed' as const,
});

function treeOf(nodes: readonly Node[]): { readonly tree: TreeModel; readonly saved: Session } {
  const linked = nodes.map((one, index) => ({ ...one, parent: nodes[index - 1]?.id ?? null }));
  const saved = session('s1', {
    nodes: Object.fromEntries(linked.map((one) => [one.id, one])),
    rootId: linked[0]?.id ?? null,
    leafId: linked.at(-1)?.id ?? null,
  });
  return { tree: new TreeModel({ newId: counter('t'), now: () => 9, device: 'd' }, saved), saved };
}

const THREAD = [
  node('a', 'user', null, userPayload('a1', 'ask a')),
  node('b', 'assistant', null, answerPayload('b1', 'said b', { toolChainResult: chain('c1', 'doc-b') })),
  node('c', 'user', null, userPayload('c1', 'ask c')),
  node('d', 'assistant', null, answerPayload('d1', 'said d', { toolChainResult: chain('c2', 'doc-d') })),
  node('s', 'separator', null, answerPayload('s1', 'the summary'), { covers: 'b', sources: [{ document: 'doc-b' }] }),
  node('q', 'user', null, userPayload('q1', 'ask q')),
];
const without = (...documents: string[]) =>
  Withheld.ask(
    {
      currentObstacles: async () => new Set(),
      trace: async () => [],
      obstacles: async (sources) => sources.map(({ document = '' }) => new Set(documents.includes(document) ? ['x'] : [])),
    },
    documents.map((document) => ({ document })),
    new AbortController().signal,
  );
const texts = (tree: TreeModel, withheld: Withheld, tokens?: number, toolHistory: 'compressed' | 'full' = 'compressed') =>
  conversationOf(tree, tree.leaf, { toolHistory })
    .messages(tokens, withheld)
    .map(({ content }) => content.replace(/^<attached-note[^>]*>\n|\n<\/attached-note>$/g, ''));

describe('the rights over a summary', () => {
  it('are those of all that it was made from: otherwise the messages go, each under its own, and the answer says so', async () => {
    const { tree } = treeOf(THREAD);
    expect(texts(tree, Withheld.nothing)).toEqual(['the summary', 'ask c', 'said d', 'ask q']);
    const closed = await without('doc-b');
    expect(texts(tree, closed)).toEqual([
      'ask a',
      expect.stringContaining('left out'),
      'ask c',
      expect.stringContaining('left out'),
      'ask q',
    ]);
    expect(conversationOf(tree, 'q', { toolHistory: 'compressed' }).leftOut(undefined, closed)).toEqual({
      messages: 0,
      summary: 'withheld',
    });
    // Of what it does not cover, nothing is in it.
    const other = await without('doc-d');
    expect(texts(tree, other)).toEqual(['the summary', 'ask c', expect.stringContaining('left out'), 'ask q']);
  });

  it('reach to what was said after it, and stay where the messages themselves are gone', async () => {
    const closed = await without('doc-b');
    const after = treeOf([
      ...THREAD.slice(0, -1),
      node('e', 'user', null, userPayload('e1', 'ask e')),
      node('f', 'assistant', null, answerPayload('f1', 'said f')),
      ...THREAD.slice(-1),
    ]);
    expect(texts(after.tree, closed).join()).not.toContain('said f');
    const { tree } = treeOf(THREAD.slice(4));
    expect(texts(tree, closed)).toEqual(['ask q']);
  });

  it('are asked about for the request that makes it: what may not be read is not in it, and so not held against it', async () => {
    const notes = sampleNotes();
    const opened = await talk(0, { notes, tools: true, writer: ['Summary.'], settings: { contextTokens: undefined } });
    opened.model.push({ calls: [{ name: 'read_doc', arguments: { path: '/Projects/Apollo' } }] }, 'The launch is in May.', 'two', 'three');
    for (const question of ['when?', 'and?', 'so?']) await opened.chat.send(question);
    const [book] = notes.store.notebooks as { right: string }[];
    Object.assign(book ?? {}, { right: 'none' });
    await opened.chat.messages.summarize();
    expect(JSON.stringify(opened.writer.requests)).not.toContain('May');
    opened.model.push('four');
    await opened.chat.send('next?');
    expect(heads(lastRequest(opened))[0]).toBe('summary');
  });
});

describe('what a summary covers', () => {
  it('is all above it where the last message is not known, as in a damaged copy', async () => {
    const cut = (one: Node): Node => (one.id === 's' ? { ...one, covers: 'gone' } : one);
    expect(texts(treeOf(THREAD.map(cut)).tree, Withheld.nothing)).toEqual(['the summary', 'ask q']);
    const { covers: _covers, ...bare } = THREAD[4] ?? THREAD[0]!;
    expect(texts(treeOf(THREAD.map((one) => (one.id === 's' ? bare : one))).tree, Withheld.nothing)).toEqual(['the summary', 'ask q']);
  });

  it('is known in a copy of the branch, though messages have other ids there or were deleted', () => {
    const options = { title: '', now: 1, newId: counter('x') };
    const copied = extractBranch(treeOf(THREAD).saved, 'q', options);
    const tree = new TreeModel({ newId: counter('y'), now: () => 9, device: 'd' }, copied);
    expect(texts(tree, Withheld.nothing)).toEqual(['the summary', 'ask c', 'said d', 'ask q']);
    const deleted = THREAD.map((one) => (one.id === 'b' ? { ...one, deleted: true } : one));
    const again = new TreeModel({ newId: counter('z'), now: () => 9, device: 'd' }, extractBranch(treeOf(deleted).saved, 'q', options));
    expect(texts(again, Withheld.nothing)).toEqual(['the summary', 'ask c', 'said d', 'ask q']);
  });

  it('is not what was hidden, pinned or deleted when it was made: that goes when it is shown again', () => {
    const hidden = treeOf(THREAD.map((one) => (one.id === 's' ? { ...one, uncovered: ['a'] } : one)));
    expect(texts(hidden.tree, Withheld.nothing)).toEqual(['ask a', 'the summary', 'ask c', 'said d', 'ask q']);
    hidden.tree.setPinned('b', true);
    expect(texts(hidden.tree, Withheld.nothing)).toEqual(['ask a', 'said b', 'the summary', 'ask c', 'said d', 'ask q']);
    hidden.tree.setHidden('a', true);
    expect(texts(hidden.tree, Withheld.nothing)).toEqual(['said b', 'the summary', 'ask c', 'said d', 'ask q']);
  });

  it('ends at a divider, and a divider after it ends all', () => {
    const divider = node('x', 'separator', null, userPayload('x1', ''));
    expect(texts(treeOf([...THREAD.slice(0, 5), divider, ...THREAD.slice(5)]).tree, Withheld.nothing)).toEqual(['ask q']);
  });

  it('is each window’s own where both summarized: two branches, and neither loses its messages', () => {
    const { saved } = treeOf(THREAD.slice(0, 4));
    const window = (name: string): Session => {
      const tree = new TreeModel({ newId: counter(name), now: () => 9, device: name }, saved);
      tree.append({ role: 'separator', payload: answerPayload(`${name}-p`, `by ${name}`), summary: { covers: 'b' } });
      tree.append({ role: 'user', payload: userPayload(`${name}-q`, `ask ${name}`) });
      return { ...saved, ...tree.snapshot() };
    };
    const [one, other] = [window('one'), window('other')];
    const merged = mergeSessions(one, other);
    expect(mergeSessions(other, one)).toEqual(merged);
    const tree = new TreeModel({ newId: counter(), now: () => 9, device: 'd' }, merged);
    for (const name of ['one', 'other'])
      expect(
        conversationOf(tree, `${name}2`, { toolHistory: 'compressed' })
          .messages(undefined, Withheld.nothing)
          .map(({ content }) => content),
      ).toEqual([expect.stringContaining(`by ${name}`), 'ask c', 'said d', `ask ${name}`]);
  });
});

describe('results of older turns', () => {
  const whole = (id: string): string => `${id} `.repeat(600);
  const result = (id: string, text: string) => [
    {
      role: 'assistant' as const,
      content: '',
      tool_calls: [{ id, type: 'function' as const, function: { name: 'read_doc', arguments: '{}' } }],
    },
    { role: 'tool' as const, tool_call_id: id, content: text, sources: [] },
    { role: 'assistant' as const, content: `said ${id}` },
  ];
  const turns = ['c1', 'c2'].flatMap((id) => [
    node(`q${id}`, 'user', null, userPayload(`p${id}`, `ask ${id}`)),
    node(
      `a${id}`,
      'assistant',
      null,
      answerPayload(`r${id}`, `said ${id}`, { toolChainResult: chain(id, id), toolChainMessages: result(id, whole(id)) }),
    ),
  ]);

  it('become their variables, the oldest first, before any message is left out', () => {
    const { tree } = treeOf([...turns, node('q', 'user', null, userPayload('q1', 'ask'))]);
    const conversation = conversationOf(tree, 'q', { toolHistory: 'full' });
    const tools = (tokens?: number) =>
      conversation.messages(tokens, Withheld.nothing).flatMap((message) => (message.role === 'tool' ? [message.content] : []));
    expect(tools()).toEqual([whole('c1'), whole('c2')]);
    const [first, second] = tools(1200);
    expect(first).toContain('next: ReadVar(name="v_c1")');
    expect(second).toBe(whole('c2'));
    expect(tools(600).every((text) => text.includes('ReadVar'))).toBe(true);
    expect(conversation.messages(600, Withheld.nothing)).toHaveLength(9);
    expect(conversation.leftOut(600, Withheld.nothing)).toBeUndefined();
    expect(conversation.calls?.map(({ callId }) => callId)).toEqual(['c1', 'c2']);
  });
});
