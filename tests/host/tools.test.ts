import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ApprovalRequest } from '../../src/tools/contract/types.ts';
import { createNotesGroups, HeadlessApprovalAdapter, type ToolExecutor, toolExecutorFactory } from '../../src/tools/index.ts';
import { signal, startBench, type TestBench } from './support.ts';

// The tools as a model calls them, over the real write path: what they show can be used in the next call.

let bench: TestBench;
let executor: ToolExecutor;
const asked: ApprovalRequest[] = [];
const files: { name: string; markdown: string }[] = [];
let calls = 0;

beforeAll(async () => {
  bench = await startBench();
  bench.policy.setRight(bench.notebook, 'delete');
  const { notes } = bench.host;
  const clock = { now: () => Date.now(), today: () => new Date().toLocaleDateString('sv-SE') };
  const write = async (name: string, markdown: string) => {
    files.push({ name, markdown });
    return { path: name };
  };
  const groups = createNotesGroups(notes, clock, { files: { write } });
  executor = toolExecutorFactory({
    approvalAdapter: new HeadlessApprovalAdapter((request) => {
      asked.push(request);
      return { approved: true };
    }),
    clock,
    groups,
    groupDefaults: Object.fromEntries(groups.map(({ name }) => [name, true])),
    rights: bench.host.rights,
  });
});
afterAll(() => bench.close());

async function call(name: string, args: object, nodeId = 'tools') {
  return executor.execute(name, { ...args }, { callId: `t${++calls}`, sessionId: 'chat-tools', nodeId, signal });
}

/** What the model reads; throws what it would be told of a failure. */
async function read(name: string, args: object, nodeId?: string): Promise<string> {
  const result = await call(name, args, nodeId);
  if (result.status !== 'success') throw new Error(result.finalText);
  return result.formattedText ?? '';
}

const block = (text: string, words: string) => {
  const found = new RegExp(`@@([\\w-]+)@@\\w+#(\\w+)[^@]*?${words}`, 'u').exec(text);
  return { id: found?.[1] ?? '', expectHash: found?.[2] ?? '' };
};

describe('the tools over notes', () => {
  it('write, read, find and change a document, each with the ids of the one before', async () => {
    const markdown = '# Plan\n\nLaunch in May. #space#\n\n* Anna\n  * backup Li\n* Boris';
    const created = await read('create_doc', { notebook: bench.notebook, path: '/Tools/Apollo', markdown });
    const id = /\[([\w-]+)\]/u.exec(created)?.[1] ?? '';
    const text = await read('read_doc', { path: '/Tools/Apollo' });
    expect(text).toContain(`# Apollo [${id}] /Tools/Apollo in `);
    // Every list item can be edited by what is shown of it.
    const item = block(text, 'backup Li');
    expect(text).toMatch(new RegExp(`@@${item.id}@@i#${item.expectHash} .*backup Li`, 'u'));
    expect(await read('edit_block', { ...item, edits: [{ old: 'Li', new: 'Mei' }] })).toContain(`edited ${item.id}`);
    const launch = block(text, 'Launch in May');
    await read('insert_blocks', { anchor: launch.id, position: 'after', markdown: 'Fuel first.' });
    const after = await read('read_block', { id: launch.id, range: 'after', limit: 1 });
    expect(after).toMatch(/Fuel first\.\n\(1 more blocks\)\nnext: read_block id=[\w-]+ range=after limit=1$/u);
    const fuel = block(after, 'Fuel first');
    const moved = await read('move_blocks', { ids: [launch.id], after: fuel.id });
    expect(moved).toMatch(new RegExp(`order: .*${fuel.id}, ${launch.id}`, 'u'));
    expect(await read('get_outline', { id })).toMatch(/- h1 Plan \[[\w-]+\]/u);
    expect(await read('grep_doc', { id, pattern: 'mei' })).toContain(`[${item.id}]`);
    expect(await read('block_info', { ids: [launch.id] })).toMatch(/at: .*Apollo \[.*backlinks: 0/su);
    expect(await read('delete_blocks', { ids: [fuel.id] })).toContain('Fuel first.');
    expect(await read('export_doc', { id })).not.toContain('Fuel first.');
    await read('export_doc', { id, format: 'file' });
    expect(files).toMatchObject([{ name: 'Apollo.md', markdown: expect.stringContaining('backup Mei') }]);
  });

  it('search, refer, query and tell what is recent', async () => {
    await bench.api('/api/sqlite/flushTransaction', {});
    const found = await read('search_notes', { query: 'Launch', tags: ['space'] });
    expect(found).toMatch(/^1 note\n1\. \/Tools\/Apollo \[[\w-]+\] in .*\n {3}\[([\w-]+)\] .*Launch in May/u);
    const launch = /\n {3}\[([\w-]+)\]/u.exec(found)?.[1] ?? '';
    await read('create_doc', { notebook: bench.notebook, path: '/Tools/Log', markdown: `See ((${launch} "the launch")).` });
    await bench.api('/api/sqlite/flushTransaction', {});
    expect(await read('backlinks', { id: launch })).toMatch(/^1 links\n1\. \/Tools\/Log \[[\w-]+\] in .*\n {3}\[[\w-]+\] See the launch/u);
    expect(
      await read('query_sql', { stmt: "SELECT hpath, id FROM blocks WHERE type = 'd' AND hpath LIKE '/Tools/%' ORDER BY hpath" }),
    ).toMatch(/^\| hpath \| id \|\n\| --- \| --- \|\n\| \/Tools\/Apollo \| [\w-]+ \|\n\| \/Tools\/Log \| [\w-]+ \|\n2 rows$/u);
    expect(await read('recent_docs', { days: 1 })).toMatch(/Log \[[\w-]+\] \/Tools\/Log/u);
    expect(await read('read_docs', { items: [{ path: '/Tools/Log' }, { path: '/Tools/No' }] })).toMatch(
      /summary: read 1 of 2 documents, 1 failed/u,
    );
    expect(await read('list_docs', { parent: bench.notebook })).toMatch(/- Tools \[[\w-]+\]\n {2}- Apollo \[/u);
  });

  it('set attributes, rename a tag, rewrite, organize and delete, and undo all of it', async () => {
    const text = await read('read_doc', { path: '/Tools/Apollo' });
    const id = /\[([\w-]+)\]/u.exec(text)?.[1] ?? '';
    const before = await bench.markdown(id);
    await read('attributes', { op: 'set', ids: [id], attrs: { 'custom-state': 'done' } }, 'change');
    expect(await read('attributes', { op: 'get', ids: [id] })).toContain('custom-state = done');
    await bench.api('/api/sqlite/flushTransaction', {});
    expect(await read('tags', { op: 'list' })).toContain('#space# 1');
    expect(await read('tags', { op: 'rename', label: 'space', to: 'spaceflight' }, 'change')).toContain('in 1 blocks');
    expect(await read('rewrite_doc', { id, markdown: '# Plan\n\nNothing is left.' }, 'change')).toMatch(/rewrote \/Tools\/Apollo \(/u);
    expect(await read('organize_doc', { op: 'rename', ids: [id], target: 'Artemis' }, 'change')).toMatch(/Apollo → .*Artemis/u);
    expect(await read('delete_doc', { ids: [id] }, 'change')).toMatch(/^deleted\n- \[[\w-]+\] .*Artemis/u);
    expect((await call('read_doc', { id })).finalText).toMatch(/^not_found: .+ → /u);
    expect(await bench.host.history.undo('chat-tools', 'change', signal)).toMatchObject({ conflicts: [] });
    expect(await read('read_doc', { id })).toContain('/Tools/Apollo in ');
    expect(await bench.markdown(id)).toEqual(before);
    expect(await read('attributes', { op: 'get', ids: [id] })).not.toContain('custom-state');
  });

  it('manage notebooks', async () => {
    const created = await read('manage_notebook', { op: 'create', name: 'Ideas' });
    expect(created).toMatch(/^created\n- Ideas\nnew: [\w-]+\n/u);
    // A new notebook is at `read`, as every one is that the user has not opened further.
    expect((await call('manage_notebook', { op: 'close', id: 'Ideas' })).finalText).toMatch(/^no_right: .+ → /u);
    bench.policy.setRight(/new: ([\w-]+)/u.exec(created)?.[1] ?? '', 'write');
    expect(await read('manage_notebook', { op: 'close', id: 'Ideas' })).toMatch(/^closed/u);
    expect(await read('list_notebooks', {})).toMatch(/Ideas \[[\w-]+\] closed/u);
  });
});
