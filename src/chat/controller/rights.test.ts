import { describe, expect, it } from 'vitest';
import { buildRequestBody } from '../../model/request-body.ts';
import type { ScriptedModel, ScriptedReply } from '../../model/testing/scripted-model.ts';
import { ANSWER_LEFT_OUT, LEFT_OUT } from '../../tools/contract/provenance.ts';
import { InMemoryNotes } from '../../tools/testing/in-memory-notes.ts';
import { createMemoryStorage } from '../store/storage-port.ts';
import { createChatStore } from '../store/store.ts';
import { type OpenChat, type OpenChatOptions, openChat } from '../testing/open-chat.ts';
import { answerPayload, callRecord, node, session, steppingClock, userPayload } from '../testing/samples.ts';

const settings = { baseURL: 'http://localhost', apiKey: '', model: 'm' };
/** Every request as it goes over the wire, from the given one on. */
const bytes = ({ requests }: Pick<ScriptedModel, 'requests'>, from = 0): string[] =>
  requests.slice(from).map((request) => JSON.stringify(buildRequestBody(settings, request, { withUsage: true })));

function diary(secret = 'PIN-4711') {
  const notes = new InMemoryNotes({
    notebooks: [
      { name: 'Diary', documents: { '/Bank': `# Money\n\nThe code is ${secret}.\n\n* first ${secret}\n* second` } },
      { name: 'Work', documents: { '/Apollo': 'The launch is in May.', '/Log': 'Begin.' } },
    ],
  });
  const [book] = notes.store.notebooks;
  const document = notes.store.documents.find(({ path }) => path === '/Bank');
  if (!book || !document) throw new Error('no diary');
  const item = document.blocks.find(({ type }) => type === 'l')?.items?.[0];
  const guard = (id: string) => notes.store.attributes.set(id, { 'custom-ai-access': 'none' });
  return { notes, book, document, item, guard };
}
type Diary = ReturnType<typeof diary>;

const HISTORIES = ['compressed', 'full'] as const;

/** What a user does so that the assistant shall not read it any more. */
const WITHDRAWALS: readonly (readonly [string, (made: Diary) => unknown])[] = [
  ['its notebook is set to no access', ({ book }) => Object.assign(book, { right: 'none' })],
  ['its notebook is closed', ({ book }) => Object.assign(book, { open: false })],
  ['the document is guarded', ({ guard, document }) => guard(document.id)],
  ['a block of it is guarded', ({ guard, document }) => guard(document.blocks[1]?.id ?? '')],
  ['an item inside of a block is guarded', ({ guard, item }) => guard(item?.id ?? '')],
  [
    'it is moved into a notebook without access',
    ({ notes, document }) => Object.assign(document, { notebook: notes.store.addNotebook('Safe', { right: 'none' }).id }),
  ],
];

const deps = (notes: InMemoryNotes, more: object = {}) => ({
  settings: () => ({ systemPrompt: '', chatOption: {}, toolCallMaxRounds: 10, ...more }),
  notes,
  history: notes,
});
const read = (id = 'c-read') => ({ calls: [{ name: 'read_doc', arguments: { path: '/Bank' }, id }] });

async function talk(
  made: Diary,
  replies: readonly ScriptedReply[],
  more: object = {},
  options: Partial<OpenChatOptions> = {},
): Promise<OpenChat> {
  return openChat({ notes: made.notes, replies, deps: deps(made.notes, more), ...options });
}

describe.each(WITHDRAWALS)('after a note was read, and %s', (_what, withdraw) => {
  it.each(HISTORIES)('no later request carries it, nor what was said of it: %s history', async (toolHistory) => {
    const made = diary();
    const storage = createMemoryStorage();
    const opened = await talk(
      made,
      [{ text: 'I look. ', ...read() }, 'Your code is PIN-4711.', 'As I said: PIN-4711.', 'No.'],
      { toolHistory },
      { storage },
    );
    await opened.chat.send('my code?');
    await opened.chat.send('say it again');
    expect(bytes(opened.model).join('')).toContain('PIN-4711');
    withdraw(made);
    const sent = opened.model.requests.length;
    await opened.chat.send('and now?');
    expect(bytes(opened.model, sent)).toHaveLength(1);
    expect(bytes(opened.model, sent).join('')).not.toContain('4711');
    expect(bytes(opened.model, sent).join('')).toContain(ANSWER_LEFT_OUT);
    expect(bytes(opened.model, sent).join('')).toContain('say it again');
    await opened.chat.dispose();
    const again = await talk(made, ['Still no.', 'And no.'], { toolHistory }, { storage, run: 2 });
    await again.chat.send('and here?');
    // What was said after the withdrawal was made without the note, so it goes along.
    await again.chat.send('sure?');
    expect(bytes(again.model).join('')).not.toContain('4711');
    expect(bytes(again.model).at(-1)).toContain('Still no.');
    expect(bytes(again.model).at(-1)).toContain('"No."');
  });

  it('an attached note is left out in its place, the question stays', async () => {
    const made = diary();
    const opened = await talk(made, ['PIN-4711, I see.', 'No.']);
    const [, block] = made.document.blocks;
    opened.chat.addContext({ kind: 'block', id: block?.id ?? '', title: 'Code PIN-4711', text: block?.markdown ?? '' });
    opened.chat.addContext({ kind: 'document', id: made.document.id, title: 'Bank', text: 'all of PIN-4711' });
    await opened.chat.send('what is this?');
    expect(bytes(opened.model)[0]).toContain('PIN-4711');
    withdraw(made);
    await opened.chat.send('and now?');
    expect(bytes(opened.model)[1]).not.toContain('4711');
    expect(bytes(opened.model)[1]).toContain(LEFT_OUT);
    expect(bytes(opened.model)[1]).toContain('what is this?');
  });

  it('no variable gives it back: read, listed, referred to, or written by the model itself', async () => {
    const made = diary();
    const keep = { calls: [{ name: 'WriteVar', arguments: { name: 'mine', value: 'PIN-4711' }, id: 'c-keep' }] };
    const todo = { calls: [{ name: 'todo', arguments: { op: 'add', items: ['use PIN-4711'] }, id: 'c-todo' }] };
    const opened = await talk(made, [read(), keep, todo, 'Kept.']);
    opened.chat.view();
    await opened.chat.send('keep it');
    withdraw(made);
    const sent = opened.model.requests.length;
    const call = (name: string, args: object, id: string) => ({ calls: [{ name, arguments: { ...args }, id }] });
    opened.model.push(
      call('ReadVar', { name: 'read_doc_c-read_result' }, 'v1'),
      call('ReadVar', { name: 'WriteVar_c-keep_args' }, 'v2'),
      call('ReadVar', { name: 'mine' }, 'v3'),
      call('ListVars', {}, 'v4'),
      call('todo', { op: 'list' }, 'v5'),
      call('calculate', { expression: '$VAR_REF{{read_doc_c-read_result}}' }, 'v6'),
      call('calculate', { expression: '$VAR_REF{{mine}}' }, 'v7'),
      'Nothing.',
    );
    await opened.chat.send('what was it?');
    expect(opened.model.remaining).toBe(0);
    expect(bytes(opened.model, sent).join('')).not.toContain('4711');
    expect(bytes(opened.model, sent).at(-1)).toContain('no_right');
  });

  it('nor does any request of the turn in which it is withdrawn', async () => {
    const made = diary();
    const late: ScriptedReply = () => {
      withdraw(made);
      return { text: 'So PIN-4711. ', calls: [{ name: 'read_doc', arguments: { path: '/Apollo', start: 0 }, id: 'c-apollo' }] };
    };
    const opened = await talk(made, [read(), late, 'The launch is in May.', 'Yes.']);
    await opened.chat.send('code, then launch');
    expect(bytes(opened.model)[1]).toContain('PIN-4711');
    expect(bytes(opened.model)[2]).not.toContain('4711');
    expect(bytes(opened.model)[2]).toContain('The launch is in May.');
    await opened.chat.send('sure?');
    expect(bytes(opened.model)[3]).not.toContain('4711');
  });

  it('what stands in its place is the same, whatever the note said', async () => {
    const run = async (secret: string): Promise<string[]> => {
      const made = diary(secret);
      const opened = await talk(made, [read(), `It is ${secret}.`, 'No.'], { toolHistory: 'full' });
      await opened.chat.send('my code?');
      withdraw(made);
      await opened.chat.send('again?');
      return bytes(opened.model, 2);
    };
    expect(await run('a much longer secret, in other words')).toEqual(await run('7'));
  });
});

describe('what another device changed in the settings', () => {
  it('counts in the next turn, before anything of it goes to the model', async () => {
    const made = diary();
    const opened = await talk(
      made,
      [read(), 'I cannot.'],
      {},
      {
        deps: {
          ...deps(made.notes),
          readSettings: async () => void Object.assign(made.book, { right: 'none' }),
        },
      },
    );
    await opened.chat.send('What is the code?');
    expect(opened.chat.view().messages.at(-1)?.segments[0]).toMatchObject({ call: { tool: 'read_doc', error: { code: 'not_found' } } });
    expect(bytes(opened.model).join()).not.toContain('PIN-4711');
  });

  it('is not waited for any longer once the answer is stopped', async () => {
    const { chat, until, model } = await talk(diary(), [], {}, { deps: { readSettings: () => new Promise(() => undefined) } });
    const sending = chat.send('hello');
    await until(({ running }) => running);
    chat.stop();
    await sending;
    expect(chat.view().messages.at(-1)).toMatchObject({ status: 'stopped' });
    expect(model.requests.length).toBe(0);
  });
});

describe('what goes on after a withdrawal', () => {
  it('a guard that stood when the note was read takes nothing from what was read around it', async () => {
    const made = diary();
    made.guard(made.document.blocks[1]?.id ?? '');
    const opened = await talk(made, [read(), 'One block is private.', 'Yes.']);
    await opened.chat.send('what is there?');
    await opened.chat.send('sure?');
    expect(bytes(opened.model)[1]).toContain('second');
    expect(bytes(opened.model)[2]).toContain('One block is private.');
    expect(bytes(opened.model).join('')).not.toContain('left out');
  });

  it('a right that is given back brings back what was left out', async () => {
    const made = diary();
    const opened = await talk(made, [read(), 'PIN-4711.', 'No.', 'Yes.']);
    await opened.chat.send('my code?');
    made.book.right = 'none';
    await opened.chat.send('again?');
    made.book.right = 'read';
    await opened.chat.send('and now?');
    expect(bytes(opened.model)[2]).not.toContain('4711');
    expect(bytes(opened.model)[3]).toContain('PIN-4711.');
  });

  it('what an answer changed in notes that may be read is still told, so that it is not done twice', async () => {
    const made = diary();
    const log = made.notes.store.documents.find(({ path }) => path === '/Log')?.id ?? '';
    const write = {
      calls: [{ name: 'insert_blocks', arguments: { anchor: log, position: 'append', markdown: 'PIN-4711' }, id: 'c-write' }],
    };
    const opened = await talk(made, [read(), write, 'Written.', 'Done already.']);
    const sending = opened.chat.send('write it down');
    opened.chat.decide((await opened.approval()).approvalId, { approved: true });
    await sending;
    made.book.right = 'none';
    await opened.chat.send('did you?');
    expect(bytes(opened.model)[3]).not.toContain('4711');
    expect(bytes(opened.model)[3]).toContain('changes in notes are in place');
  });

  it('an answer that broke off is gone on from without its words', async () => {
    const made = diary();
    const log = made.notes.store.documents.find(({ path }) => path === '/Log')?.id ?? '';
    const write = {
      text: 'PIN-4711 goes in.',
      calls: [{ name: 'insert_blocks', arguments: { anchor: log, position: 'append', markdown: 'x' }, id: 'w' }],
    };
    const opened = await talk(made, [read(), write, { error: new Error('broken') }, 'Done.']);
    const sending = opened.chat.send('write it down');
    opened.chat.decide((await opened.approval()).approvalId, { approved: true });
    await sending;
    made.book.right = 'none';
    await opened.chat.rerun(opened.chat.view().messages.at(-1)?.nodeId ?? '');
    expect(bytes(opened.model)[3]).not.toContain('4711');
    expect(bytes(opened.model)[3]).toContain('Go on from there');
  });

  it('a deleted message, a separator with a pinned one, and a copy of the branch hide nothing of where an answer came from', async () => {
    const made = diary();
    const storage = createMemoryStorage();
    const opened = await talk(made, [read(), 'It is PIN-4711.', 'PIN-4711 again.', 'No.', 'No.'], {}, { storage });
    await opened.chat.send('my code?');
    const [, first] = opened.chat.view().messages;
    await opened.chat.messages.setPinned(first?.nodeId ?? '', true);
    await opened.chat.messages.separate();
    await opened.chat.send('again');
    await opened.chat.messages.setPinned(first?.nodeId ?? '', false);
    await opened.chat.messages.remove(first?.nodeId ?? '');
    made.book.right = 'none';
    const sent = opened.model.requests.length;
    await opened.chat.send('and now?');
    expect(bytes(opened.model, sent).join('')).toContain(ANSWER_LEFT_OUT);
    await opened.chat.messages.extract(opened.chat.view().messages.at(-1)?.nodeId ?? '', 'A copy');
    await opened.chat.send('and here?');
    expect(bytes(opened.model, sent)).toHaveLength(2);
    expect(bytes(opened.model, sent).join('')).not.toContain('4711');
  });

  it('chats of an older version, which kept notebooks and ids alone, are held to them', async () => {
    const made = diary();
    const result = {
      status: 'success',
      preview: 'The code is PIN-4711.',
      notebooks: [made.book.id],
      blockIds: [made.document.id],
      cacheVarResult: 'old',
    } as const;
    const stats = { totalRounds: 1, totalCalls: 1, totalTime: 1, startTime: 1, endTime: 2 };
    const toolChainResult = {
      toolCallHistory: [callRecord('c1', { result })],
      rounds: [{ text: '', callIds: ['c1'] }],
      stats,
      status: 'completed',
    } as const;
    const toolChainMessages = [
      { role: 'assistant', content: '', tool_calls: [{ id: 'c1', type: 'function', function: { name: 'read_doc', arguments: '{}' } }] },
      { role: 'tool', tool_call_id: 'c1', content: 'PIN-4711' },
      { role: 'assistant', content: 'It is PIN-4711' },
    ] as const;
    const context = [{ contextId: 'x1', kind: 'document', id: made.document.id, title: 'Bank', text: 'PIN-4711' } as const];
    const { nodes } = session();
    const saved = session('s1', {
      nodes: {
        n1: { ...node('n1', 'user', null, userPayload('v1', 'what?')), context },
        ...(nodes.n1 ? { n2: node('n2', 'assistant', 'n1', answerPayload('v2', 'PIN-4711', { toolChainResult, toolChainMessages })) } : {}),
      },
      variables: [{ name: 'old', type: 'ToolCallResult', value: 'PIN-4711', created: 1, notebooks: [made.book.id] }],
    });
    for (const toolHistory of ['compressed', 'full']) {
      const storage = createMemoryStorage();
      await createChatStore({ storage, device: 'dev', now: steppingClock().now }).save(saved);
      made.guard(made.document.id);
      const opened = await talk(
        made,
        [{ calls: [{ name: 'ReadVar', arguments: { name: 'old' }, id: 'c2' }] }, 'No.'],
        { toolHistory },
        { storage },
      );
      await opened.chat.send('again?');
      expect(bytes(opened.model)).toHaveLength(2);
      expect(bytes(opened.model).join('')).not.toContain('4711');
    }
  });
});
