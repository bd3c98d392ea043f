// Traps of the kernel that no other test holds (tests/conformance/beyond.md names the other files). The index lags by a minute here,
// so that whoever reads it without bringing it up to date finds nothing.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type RunningHost, startHost } from '../../devhost/host.ts';
import { createAccessPolicy } from '../../src/host/access/access-policy.ts';
import { serializeBlock } from '../../src/host/blocks/block-dom.ts';
import { requireBlock } from '../../src/host/blocks/block-edit.ts';
import { hashOfBlock } from '../../src/host/blocks/block-hash.ts';
import { replaceInText } from '../../src/host/blocks/text-edit.ts';
import { createHostBase } from '../../src/host/host-base.ts';
import { createKernelClient, type KernelClient } from '../../src/host/kernel/kernel-client.ts';
import { createNotesHost, type NotesHost } from '../../src/host/notes-host.ts';
import { testEngine } from '../../src/host/testing/lute.ts';
import { chooseAnchor } from '../../src/host/transactions/plan-anchor.ts';
import { approvePlan, type ChangePlan } from '../../src/tools/contract/plans.ts';
import type { EditingProbe } from '../../src/tools/contract/ports.ts';
import { codeOf, origin, signal } from './support.ts';

interface Sent {
  readonly path: string;
  readonly body: Record<string, unknown>;
}

const LAG_MS = 60_000;
const root = join(import.meta.dirname, '../..');
const today = new Date().toLocaleDateString('sv-SE');
const probe: EditingProbe = {
  caretBlocks: () => [],
  whenLeft: () => Promise.resolve(),
  ask: () => Promise.resolve('write'),
};
const workspace = mkdtempSync(join(tmpdir(), 'marginalia-traps-'));
const sent: Sent[] = [];
const policy = createAccessPolicy();
let kernel: RunningHost;
let plain: KernelClient;
let host: NotesHost;
let notebook = '';
let count = 0;

beforeAll(async () => {
  kernel = await startHost({ workspace, port: 0, indexDelayMs: LAG_MS });
  plain = createKernelClient({ baseUrl: kernel.url.replace(/\/$/, ''), fetch: (url, init) => fetch(url, init) });
  notebook = (await api<{ notebook: { id: string } }>('/api/notebook/createNotebook', { name: 'Lagging' })).notebook.id;
  const client: KernelClient = {
    ...plain,
    readFile: (path, stop) => plain.readFile(path, stop),
    writeFile: (path, text, stop) => plain.writeFile(path, text, stop),
    call: (path, body, parse, stop) => {
      sent.push({ path, body: body as Record<string, unknown> });
      return plain.call(path, body, parse, stop);
    },
  };
  policy.setRight(notebook, 'delete');
  const clock = { now: () => Date.now(), today: () => today };
  host = createNotesHost({
    base: createHostBase({ client, policy, clock, device: 'd' }),
    engine: testEngine(),
    probe,
    random: Math.random,
    session: 'traps',
  });
});
beforeEach(() => void sent.splice(0));
afterAll(async () => {
  host.close();
  await kernel.close();
  rmSync(workspace, { recursive: true, force: true });
});

const api = <T>(path: string, body: object): Promise<T> => plain.call(path, body, (data) => data as T, signal);
const create = (title: string, markdown: string): Promise<string> =>
  api('/api/filetree/createDocWithMd', { notebook, path: `/${title} ${++count}`, markdown });
const blocksOf = async (id: string): Promise<string[]> =>
  (await api<{ id: string }[]>('/api/block/getChildBlocks', { id })).map((block) => block.id);
const read = async (id: string) => (await host.notes.document({ id }, { start: 0, blocks: 99 }, signal)).blocks;
const apply = (plan: ChangePlan, nodeId = 'trap') => host.notes.apply(approvePlan(plan), { ...origin, nodeId }, signal);
const find = (query: string, more: object = {}) => host.notes.search({ query, mode: 'keyword', page: 1, pageSize: 20, ...more }, signal);

/** Every kind of change of blocks, one after another. */
async function writeEverything(): Promise<string> {
  const { notes } = host;
  const lines = Array.from({ length: 70 }, (_line, index) => `line ${index}`).join('\n\n');
  const made = await apply(await notes.planCreateDocument({ notebook, path: `/Written ${++count}`, markdown: lines }, 't', signal));
  const id = made.documentId;
  const [first = '', second = '', third = ''] = await blocksOf(id);
  await apply(await notes.planInsert({ anchor: first, position: 'after', markdown: '- a\n- b\n\ntext' }, 't', signal));
  const [block] = await read(id);
  await apply(await notes.planEdit({ id: first, expectHash: block?.hash ?? '', markdown: 'one\n\ntwo' }, 't', signal));
  await apply(await notes.planMoveBlocks({ ids: [second], target: { parent: id } }, 't', signal));
  await apply(await notes.planDeleteBlocks({ ids: [third] }, 't', signal));
  await apply(await notes.planRewrite({ id, markdown: 'line 5\n\nsomething else\n\nline 3' }, 't', signal), `rewrite ${count}`);
  await host.history.undo(origin.sessionId, `rewrite ${count}`, signal);
  return id;
}

describe('writing', () => {
  it('goes by transactions alone, one a request, within their size, each with its inverse', async () => {
    await writeEverything();
    const transactions = sent.filter(({ path }) => path === '/api/transactions').map(({ body }) => body.transactions);
    expect(transactions.length).toBeGreaterThan(8);
    for (const each of transactions as { doOperations: object[]; undoOperations: object[] }[][]) {
      expect(each).toHaveLength(1);
      expect(each[0]?.doOperations.length).toBeLessThanOrEqual(31);
      expect(each[0]?.undoOperations.length).toBeGreaterThanOrEqual(each[0]?.doOperations.length ?? 1);
    }
    const others = new Set(sent.map(({ path }) => path).filter((path) => path.startsWith('/api/block/')));
    expect([...others].filter((path) => !/^\/api\/block\/(get|check)/.test(path))).toEqual([]);
    expect(sent.filter(({ path }) => path === '/api/filetree/createDocWithMd').map(({ body }) => body.markdown)).toEqual(['']);
  });

  it('takes an attribute list at the beginning for no block', async () => {
    const id = await create('Lists', 'start');
    const markdown = '{: custom-a="b"}\n{: memo="c"}\nthe text\n\nmore';
    const plan = await host.notes.planInsert({ anchor: id, position: 'append', markdown }, 't', signal);
    expect(plan.operations.map((operation) => operation.after)).toEqual(['the text', 'more']);
    expect(plan.notices).toEqual([{ code: 'attribute-dropped', count: 2 }]);
  });

  it('gives a reference without words an anchor: the kernel would show the id', async () => {
    const id = await create('Anchors', 'start');
    const [start = ''] = await blocksOf(id);
    const markdown = `see ((${start})) and ((${start} "${start}")) and ((${start} "words"))`;
    await apply(await host.notes.planInsert({ anchor: id, position: 'append', markdown }, 't', signal));
    expect((await read(id))[1]?.markdown).toBe(`see ((${start} "*")) and ((${start} "*")) and ((${start} "words"))`);
  });
});

describe('a place', () => {
  it('is behind a paragraph, never in it, and at the end of a section, never in its heading', () => {
    const at = { parentIds: [], parentType: 'd', parentId: 'doc', siblingIds: ['b'], index: 0, guarded: false };
    expect(chooseAnchor('b', 'doc', { type: 'p', ...at }, 'append').anchor).toEqual({ kind: 'after', id: 'b' });
    expect(chooseAnchor('b', 'doc', { type: 'h', ...at }, 'append').anchor).toEqual({ kind: 'section-end', heading: 'b' });
  });
});

describe('reading', () => {
  it('finds at once what was written, although the index lags', async () => {
    const target = await create('Lag target', 'the target');
    const id = await create('Lag source', `a fresh ocelot ((${target} "there")) #lagging#`);
    const [block = ''] = await blocksOf(id);
    expect((await find('ocelot')).matches.map((match) => match.id)).toEqual([block]);
    const other = await create('Lag source', `another ocelot ((${target} "there")) #lagged#`);
    expect((await host.notes.backlinks({ id: target, kind: 'links', page: 1, pageSize: 9 }, signal)).items).toHaveLength(2);
    await create('Lag third', 'a third #laggard#');
    expect((await host.notes.tags({ limit: 50 }, signal)).tags.map((tag) => tag.label)).toContain('laggard');
    const last = await create('Lag last', 'the last ocelot');
    const recent = (await host.notes.recentDocuments({ days: 1, limit: 50 }, signal)).documents.map((document) => document.id);
    expect(recent).toEqual(expect.arrayContaining([id, other, last]));
    const guarded = await create('Lag guarded', 'a shrouded ocelot');
    await api('/api/attr/setBlockAttrs', { id: guarded, attrs: { 'custom-ai-access': 'none' } });
    expect(JSON.stringify(await find('ocelot'))).not.toContain('shrouded');
    expect(await codeOf(host.notes.sql({ stmt: 'SELECT 1', maxRows: 1 }, signal))).toBe('sql_off');
    await api('/api/attr/setBlockAttrs', { id: guarded, attrs: { 'custom-ai-access': '' } });
    expect(await host.notes.sql({ stmt: `SELECT id FROM blocks WHERE id = '${last}'`, maxRows: 9 }, signal)).toMatchObject({
      rows: [[last]],
    });
  });

  it('judges by what was written a moment ago, although the index lags', async () => {
    const { notes } = host;
    const target = await create('Judged', 'one\n\ntwo');
    const path = `/Judged ${count}`;
    const [one = '', two = ''] = await blocksOf(target);
    await create('Judge', `((${one} "refers")) #judged#`);
    expect(await notes.blockInfo([one], signal)).toMatchObject([{ backlinks: 1 }]);
    await create('Judge', `((${two} "refers"))`);
    expect((await notes.planDeleteBlocks({ ids: [two] }, 't', signal)).notices).toEqual([{ code: 'references-lost', count: 1 }]);
    await create('Judge', 'words #judged-later#');
    expect((await notes.planTag({ label: 'judged-later', to: 'x' }, 't', signal)).operations).toHaveLength(1);
    await api('/api/filetree/createDocWithMd', { notebook, path: `${path}/Below`, markdown: 'below' });
    const { notices } = await notes.planDeleteDocuments({ ids: [target] }, 't', signal);
    expect(notices).toContainEqual({ code: 'children-deleted', count: 1 });
    const { id: daily } = await api<{ id: string }>('/api/filetree/createDailyNote', { notebook });
    expect((await notes.dailyNotes({ from: today, to: today, notebook }, signal)).map((note) => note.id)).toEqual([daily]);
    const { notebook: doomed } = await api<{ notebook: { id: string } }>('/api/notebook/createNotebook', { name: 'Doomed' });
    policy.setRight(doomed.id, 'delete');
    const kept = await api('/api/filetree/createDocWithMd', { notebook: doomed.id, path: '/Kept', markdown: 'kept' });
    await api('/api/attr/setBlockAttrs', { id: kept, attrs: { 'custom-ai-access': 'none' } });
    expect(await codeOf(notes.planNotebook({ op: 'remove', id: doomed.id }, 't', signal))).toBe('no_right');
    await api('/api/notebook/removeNotebook', { notebook: doomed.id });
  });

  it('knows that a block is gone, although the index still has it', async () => {
    const { notes } = host;
    const document = await create('Referring', 'the target\n\nwords');
    const [target = '', source = ''] = await blocksOf(document);
    await api('/api/sqlite/flushTransaction', {});
    const [, block] = await read(document);
    await apply(
      await notes.planEdit({ id: source, expectHash: block?.hash ?? '', markdown: `((${target} "there"))` }, 't', signal),
      'refer',
    );
    const [, referring] = await read(document);
    await apply(await notes.planEdit({ id: source, expectHash: referring?.hash ?? '', markdown: 'other words' }, 't', signal), 'unrefer');
    await api('/api/sqlite/flushTransaction', {});
    const gone = { doOperations: [{ action: 'delete', id: target }], undoOperations: [] };
    await api('/api/transactions', { app: 'x', session: 'x', reqId: 1, transactions: [gone] });
    const { conflicts } = await host.history.undo(origin.sessionId, 'unrefer', signal);
    expect(conflicts).toMatchObject([{ blockId: source, reasons: [{ code: 'reference-lost' }] }]);
  });

  it('asks the index read-only and with a limit of its own', async () => {
    const id = await writeEverything();
    await find('line', { tags: ['none'], updatedFrom: today });
    await host.notes.backlinks({ id, kind: 'mentions', page: 1, pageSize: 9 }, signal);
    await host.notes.tags({ limit: 9 }, signal);
    await host.notes.recentDocuments({ days: 1, limit: 9 }, signal);
    await host.notes.blockInfo([id], signal);
    await host.notes.sql({ stmt: 'SELECT id FROM blocks', maxRows: 9 }, signal);
    const asked = sent.filter(({ path }) => path === '/api/query/sql').map(({ body }) => body);
    expect(asked.length).toBeGreaterThan(10);
    expect(asked.filter(({ mode, stmt }) => mode !== 'readonly' || !/\bLIMIT \d+$/.test(String(stmt)))).toEqual([]);
  });

  it('keeps the order of the document, whatever the types of its blocks', async () => {
    const texts = ['last words', '## heading', '- item', 'text', '> quote', '# title', '1. first', '```\ncode\n```', 'end'];
    const id = await create('Order', texts.join('\n\n'));
    const all = await read(id);
    expect(all.map((block) => block.markdown)).toEqual(texts);
    const grep = await host.notes.grep({ id, pattern: '[a-z]', regex: true, limit: 50 }, signal);
    const places = grep.matches.map((match) => match.index);
    expect(places).toEqual(texts.map((_text, index) => index));
  });

  it('knows no notebook as a document', async () => {
    expect((await find('Lagging', { types: ['d'] })).matches.map((match) => match.id)).not.toContain(notebook);
    const { documents } = await host.notes.recentDocuments({ days: 9, limit: 500 }, signal);
    expect(documents.map((document) => document.id)).not.toContain(notebook);
    expect(await codeOf(read(notebook))).toBe('bad_id');
  });

  it('gives text without the zero-width characters that the kernel puts in, which an edit then matches', async () => {
    const id = await create('Zero width', 'press <kbd>k</kbd>, see `code` and #tag# here\n\n- item\n\nword\u200bs in text');
    const blocks = await read(id);
    expect(blocks[2]?.markdown).toBe('words in text');
    expect(JSON.stringify(blocks)).not.toContain('\u200b');
    const edits = [{ old: '`code` and #tag# here', new: '`code`, and #tag# there' }];
    await apply(await host.notes.planEdit({ id: blocks[0]?.id ?? '', expectHash: blocks[0]?.hash ?? '', edits }, 't', signal));
    expect((await read(id))[0]?.markdown).toBe('press <kbd>k</kbd>, see `code`, and #tag# there');
  });
});

describe('zero-width characters inside words', () => {
  it('are in the way of no edit', async () => {
    const dom = (text: string): string =>
      `<div data-node-id="20260101000000-aaaaaaa" data-type="NodeParagraph" class="p"><div contenteditable="true">${text}</div></div>`;
    const block = requireBlock(dom('a wo\u200brd *x*'));
    await replaceInText(block, [{ old: 'word\u200b', new: 'name' }], async (text) => [dom(text)]);
    expect(serializeBlock(block)).toBe(dom('a name *x*'));
    expect(hashOfBlock(dom('a wo\u200brd'))).toBe(hashOfBlock(dom('a word')));
  });
});

describe('the source', () => {
  const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.(ts|svelte)$/.test(path) && !/\.test\.ts$|testing\//.test(path))
    .map((path) => ({ path, code: readFileSync(join(root, 'src', path), 'utf8').replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '') }));

  it.each([
    ['writes of blocks that skip the undo log', /\/api\/block\/(insert|append|prepend|update|delete|move)/],
    ['the tree that answers -1 at the root', /listDocTree/],
    ['the proxy that follows any address, for reading', /\/api\/network\/proxy/],
    ['text that the forwarding proxy would drop', /payloadEncoding: 'text'/],
    ['the undo of the user’s last step', /\/api\/transactions\/(undo|redo)/],
    ['what plain http lacks', /crypto\.(subtle|randomUUID)\b/],
  ])('names none of %s', (_what, pattern) => {
    expect(sources.length).toBeGreaterThan(200);
    expect(sources.filter(({ code }) => pattern.test(code)).map(({ path }) => path)).toEqual([]);
  });
});
