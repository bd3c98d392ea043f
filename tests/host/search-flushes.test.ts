import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Withheld } from '../../src/tools/contract/provenance.ts';
import { createNotesGroups, HeadlessApprovalAdapter, type ToolExecutor, toolExecutorFactory } from '../../src/tools/index.ts';
import { signal, useBench } from './support.ts';

/** SiYuan sleeps 50 ms for each flush of its index: a search asks for one, and is as new as with more. */
const bench = useBench('read');
const clock = { now: () => Date.now(), today: () => '2026-11-26' };
const paths: string[] = [];
let executor: ToolExecutor;

beforeAll(() => {
  const groups = createNotesGroups(bench.host.notes, clock);
  const approvalAdapter = new HeadlessApprovalAdapter(() => ({ approved: true }));
  const groupDefaults = Object.fromEntries(groups.map(({ name }) => [name, true]));
  executor = toolExecutorFactory({ approvalAdapter, clock, groups, groupDefaults, rights: bench.host.rights });
});
beforeEach(() => {
  paths.splice(0);
  bench.hooks = { before: (path) => void paths.push(path) };
});

const search = (query: string, more: object = {}) =>
  executor.execute('search_notes', { query, ...more }, { callId: 'c1', sessionId: 'chat-1', nodeId: 'node-1', signal });
const flushes = (): number => paths.filter((path) => path.endsWith('/flushTransaction')).length;
const guard = (id: string, value = 'none') => bench.api('/api/attr/setBlockAttrs', { id, attrs: { 'custom-ai-access': value } });

describe('a search', () => {
  it('by relevance flushes the index once', async () => {
    await bench.document('/Albireo', 'albireo is a double star');
    expect((await search('albireo')).finalText).toContain('double star');
    expect(flushes()).toBe(1);
  });

  it('flushes again before it is said where a text comes from that was read from the block itself', async () => {
    const target = await bench.document('/Gone', 'gone');
    const document = await bench.document('/Refers', `albireo beside ((${target} "it"))`);
    await guard(target);
    expect((await search('albireo beside')).finalText).toContain('albireo beside');
    expect(flushes()).toBe(2);
    await bench.api('/api/filetree/removeDocByID', { id: document });
    await guard(target, '');
  });

  it('in another mode flushes again as well', async () => {
    await search('albireo', { mode: 'keyword' });
    expect(flushes()).toBe(2);
  });

  it('finds at once what somebody else wrote, or wrote anew, and nothing that is gone', async () => {
    const document = await bench.document('/Mizar', 'mizar rides alone');
    expect((await search('mizar')).finalText).toContain('rides alone');
    const [id = ''] = await bench.blocks(document);
    await bench.api('/api/block/updateBlock', { id, dataType: 'markdown', data: 'mizar rides with alcor' });
    expect((await search('mizar')).finalText).toContain('with alcor');
    await bench.api('/api/block/appendBlock', { parentID: document, dataType: 'markdown', data: 'mizar has a friend' });
    expect((await search('mizar friend')).finalText).toContain('has a friend');
    await bench.api('/api/filetree/removeDocByID', { id: document });
    expect((await search('mizar')).finalText).toContain('0 notes');
  });

  it('names where its text comes from, so that a guard set right after it keeps it back', async () => {
    const document = await bench.document('/Deneb', 'deneb shines far away');
    const { sources = [] } = await search('deneb');
    const isWithheld = async () => (await Withheld.ask(bench.host.rights, sources, signal)).holds(sources);
    expect(sources).toMatchObject([{ notebook: bench.notebook, document }]);
    expect(await isWithheld()).toBe(false);
    await guard(document);
    expect(await isWithheld()).toBe(true);
  });

  it('counts a guard that is set while it runs as a later one', async () => {
    const document = await bench.document('/Enif', 'enif is the nose');
    let isSet = false;
    bench.hooks = {
      after: async (path) => {
        if (isSet || !path.endsWith('/flushTransaction')) return;
        isSet = true;
        await guard(document);
      },
    };
    const { sources = [] } = await search('enif');
    expect((await Withheld.ask(bench.host.rights, sources, signal)).holds(sources)).toBe(sources.length > 0);
    expect(isSet).toBe(true);
  });
});
