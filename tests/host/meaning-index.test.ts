// Vectors on this device, over the development host: they follow what is written and the rights, and a search joins them with what words find.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DeviceIndex } from '../../src/features/meaning/device-index.ts';
import { createMeaningServer, type MeaningEngine } from '../../src/features/meaning/meaning-calls.ts';
import { product, tinyModel } from '../../src/features/meaning/testing/tiny-model.ts';
import { createAccess } from '../../src/host/access/access.ts';
import type { PushSource } from '../../src/host/kernel/transaction-log.ts';
import type { SearchPage, SearchQuery } from '../../src/tools/contract/note-readings.ts';
import { buildWorld, changeSecret } from './non-interference-world.ts';
import { realKernelUrl } from './real-kernel.ts';
import { signal, startBench, type TestBench } from './support.ts';

interface OpenIndex {
  readonly index: DeviceIndex;
  /** Files by their paths. */
  readonly files: Map<string, Uint8Array>;
  readonly engine: MeaningEngine;
  readonly heard: (push: Partial<Parameters<Parameters<PushSource['onTransactions']>[0]>[0]>) => void;
  /** Ids of blocks that have a vector, once all that are to have one do. */
  held(): Promise<readonly string[]>;
  close(): void;
}

async function openIndex(
  bench: TestBench,
  meanings: Readonly<Record<string, number>>,
  files = new Map<string, Uint8Array>(),
  isPaused = false,
) {
  const server = createMeaningServer(await product());
  server.open(tinyModel(meanings));
  const engine = Object.fromEntries(
    Object.entries(server).map(([name, call]) => [name, async (...args: unknown[]) => Reflect.apply(call, server, args)]),
  ) as unknown as MeaningEngine;
  const ending = new AbortController();
  const listeners: Parameters<PushSource['onTransactions']>[0][] = [];
  const index = new DeviceIndex(
    {
      ...{ routes: bench.host.routes, access: createAccess(bench.host.routes, bench.policy), engine, folder: 'v' },
      files: {
        list: async () => [...files.keys()].map((path) => ({ name: path.slice(2), isDir: false })),
        readBytes: async (path) => new Uint8Array(files.get(path) ?? []),
        writeBytes: async (path, bytes) => void files.set(path, new Uint8Array(await new Response(bytes).arrayBuffer())),
      },
      pushes: {
        onTransactions: (listener) => {
          listeners.push(listener);
          return () => undefined;
        },
      },
      onRights: (listener) => bench.policy.subscribe(listener),
      idle: async () => undefined,
      later: (work) => queueMicrotask(work),
      ...{ now: () => performance.now(), onChange: () => undefined, signal: ending.signal },
    },
    isPaused,
  );
  void index.run();
  const opened: OpenIndex = {
    ...{ index, files, engine },
    heard: (push) => listeners.forEach((listener) => void listener({ session: 's', blockIds: [], operations: [], ...push })),
    async held() {
      await expect.poll(() => index.progress).toMatchObject({ isReading: false, problem: undefined });
      await expect.poll(() => index.progress.total - index.progress.done).toBe(0);
      const { own, other } = await engine.nearest('', Number.MAX_SAFE_INTEGER);
      return [...own, ...other].map(({ id }) => id).sort();
    },
    close: () => ending.abort(),
  };
  return opened;
}

/** The blocks that get a vector from now on. */
function watchSet(engine: MeaningEngine): readonly string[] {
  const asked: string[] = [];
  const { set } = engine;
  const counted: MeaningEngine['set'] = (blocks) => {
    asked.push(...blocks.map(({ id }) => id));
    return set(blocks);
  };
  Object.assign(engine, { set: counted });
  return asked;
}

const MEANINGS = { lamp: 1, 灯: 1, rope: 2, 绳: 2, bread: 3 };

describe('vectors of the notes', () => {
  let bench: TestBench;
  let opened: OpenIndex;
  let lamp = '';
  let light = '';
  beforeAll(async () => {
    bench = await startBench();
    lamp = await bench.document('/Lamp', 'The lamp stands beside the bed of the keeper.\n\nThe rope is new, and was bought in spring.');
    light = await bench.document('/灯', '塔上的灯每天晚上都亮着，船从很远的地方就能看到。');
    await bench.api('/api/sqlite/flushTransaction', {});
    opened = await openIndex(bench, MEANINGS);
    bench.host.near.find = opened.index.nearest;
  });
  afterAll(async () => {
    opened?.close();
    await bench?.close();
  });

  const search = (query: string, more: Partial<SearchQuery> = {}): Promise<SearchPage> =>
    bench.host.notes.search({ query, mode: 'relevance', page: 1, pageSize: 10, ...more }, signal);
  const notes = async (query: string, more: Partial<SearchQuery> = {}) => [
    ...new Set((await search(query, more)).matches.map(({ documentTitle }) => documentTitle)),
  ];
  const guard = async (id: string, right: string): Promise<void> => {
    await bench.api('/api/attr/setBlockAttrs', { id, attrs: { 'custom-ai-access': right } });
    opened.heard({ blockIds: [id], operations: [{ action: 'updateAttrs', id, data: '', previousID: '', parentID: '' }] });
  };

  it('are of all blocks with a text, kept in files, and read from them again', async () => {
    const held = await opened.held();
    for (const id of [...(await bench.blocks(lamp)), ...(await bench.blocks(light))]) expect(held).toContain(id);
    expect(held).not.toContain(lamp);
    await expect.poll(() => opened.files.size).toBe(1);
    const again = await openIndex(bench, MEANINGS, opened.files);
    const asked = watchSet(again.engine);
    expect(await again.held()).toEqual(held);
    expect(asked).toEqual([]);
    again.close();
  });

  it('find a note in another language, and say that meaning counted', async () => {
    expect((await notes('lamp')).slice(0, 2)).toEqual(['Lamp', '灯']);
    expect((await notes('灯')).slice(0, 2).sort()).toEqual(['Lamp', '灯'].sort());
    expect((await search('lamp')).byMeaning).toBe(true);
  });

  it('are searched within what is asked for, and not for a list of words', async () => {
    expect(await notes('lamp', { types: ['h'] })).toEqual([]);
    expect(await notes('lamp', { notebooks: [bench.notebook], places: [`${bench.notebook}/${lamp}.sy`] })).toEqual(['Lamp']);
    expect(await notes('lamp', { occurrences: new Map([['lamp', 1]]) })).toEqual(['Lamp']);
  });

  it('relate a note to one in another language, and name no words where there are none', async () => {
    const related = async () => (await bench.host.notes.related({ id: lamp, limit: 10 }, signal)).notes;
    expect((await related()).map(({ document, words }) => [document.title, words])).toEqual([['灯', []]]);
    const near = bench.host.near.find;
    bench.host.near.find = undefined;
    expect(await related()).toEqual([]);
    bench.host.near.find = near;
    await guard(light, 'none');
    expect(await related()).toEqual([]);
    await guard(light, '');
    await opened.held();
  });

  it('follow what is written', async () => {
    const [first = ''] = await bench.blocks(lamp);
    await bench.api('/api/block/updateBlock', {
      id: first,
      dataType: 'markdown',
      data: 'The bread is in the box beside the bed of the keeper.',
    });
    opened.heard({ blockIds: [first] });
    const similarity = async () => (await opened.index.nearest('灯')).other[0]?.similarity ?? 0;
    await expect.poll(similarity).toBeLessThan(0.5);
    await bench.api('/api/block/updateBlock', { id: first, dataType: 'markdown', data: 'The lamp stands beside the bed of the keeper.' });
    opened.heard({ blockIds: [first] });
    await expect.poll(similarity).toBeGreaterThan(0.8);
  });

  it('go with a right that closes, of a block, of a note above and of a notebook, and come back', async () => {
    const [first = ''] = await bench.blocks(lamp);
    const whole = await opened.held();
    const text = (): string => [...opened.files.values()].map((bytes) => Buffer.from(bytes).toString('latin1')).join('');
    for (const id of [first, lamp]) {
      await guard(id, 'none');
      await expect.poll(() => opened.held()).not.toContain(first);
      await expect.poll(text).not.toContain(first);
      expect(opened.index.progress.total).toBeLessThan(whole.length);
      await guard(id, '');
      await expect.poll(() => opened.held()).toEqual(whole);
    }
    bench.policy.setRight(bench.notebook, 'none');
    await expect.poll(() => opened.held()).toEqual([]);
    bench.policy.setRight(bench.notebook, 'read');
    await expect.poll(() => opened.held()).toEqual(whole);
  });

  it('of a block that shows words of a hidden one are not made', async () => {
    const secret = await bench.document('/Hidden', 'The bread of the keeper is behind the third door.\n\nThe rope too.');
    const [hidden = '', rope = ''] = await bench.blocks(secret);
    const open = await bench.document('/Open', `See ((${hidden} "the bread behind the door")) for it.`);
    await bench.api('/api/sqlite/flushTransaction', {});
    const [shows = ''] = await bench.blocks(open);
    opened.heard({ blockIds: [hidden, shows] });
    await expect.poll(() => opened.held()).toContain(shows);
    await guard(secret, 'none');
    await expect.poll(() => opened.held()).not.toContain(shows);
    // Written again, they are inspected alone; the note that is written with them says when that is done.
    const [last = ''] = await bench.blocks(light);
    const write = (id: string, data: string) => bench.api('/api/block/updateBlock', { id, dataType: 'markdown', data });
    const asked = watchSet(opened.engine);
    await write(shows, `Look at ((${hidden} "the bread behind the door")) now.`);
    await write(rope, 'The rope too, and the lamp.');
    await write(last, '塔上的灯每天晚上都亮着，船从很远的地方就能看到它的光。');
    opened.heard({ blockIds: [shows, rope, last] });
    await expect.poll(() => asked).toContain(last);
    await opened.held();
    expect(asked).toEqual([last]);
  });

  it('that are out of date never show what may not be read', async () => {
    const near = bench.host.near.find;
    const [first = ''] = await bench.blocks(light);
    bench.host.near.find = async () => ({ own: [], other: [{ id: first, similarity: 1 }] });
    expect(await notes('zzz')).toEqual(['灯']);
    await bench.api('/api/attr/setBlockAttrs', { id: light, attrs: { 'custom-ai-access': 'none' } });
    expect(await notes('zzz')).toEqual([]);
    await bench.api('/api/attr/setBlockAttrs', { id: light, attrs: { 'custom-ai-access': '' } });
    bench.host.near.find = near;
  });

  it('are not made while paused, and a failure costs a search nothing', async () => {
    const paused = await openIndex(bench, MEANINGS, new Map(), true);
    await expect.poll(() => paused.index.progress).toMatchObject({ isReading: false, done: 0, isPaused: true });
    expect(paused.index.progress.total).toBeGreaterThan(0);
    paused.index.pause(false);
    expect((await paused.held()).length).toBeGreaterThan(0);
    paused.close();
    const near = bench.host.near.find;
    bench.host.near.find = () => Promise.reject(new Error('gone'));
    expect(await notes('lamp')).toEqual(['Lamp']);
    expect((await search('lamp')).byMeaning).toBeUndefined();
    bench.host.near.find = near;
  });
});

// One workspace each; a real kernel has one for all.
it.skipIf(realKernelUrl !== undefined)('what is hidden changes neither vectors nor their number', async () => {
  const seen: unknown[] = [];
  for (const secret of ['zqkestrel4711', 'brambleberry']) {
    const bench = await startBench();
    const world = await buildWorld(bench, '20260101000000', () => undefined);
    await changeSecret(world, secret);
    const opened = await openIndex(bench, { zqkestrel4711: 1, brambleberry: 2, harbour: 3, meadow: 4 });
    const names = new Map(Object.entries(world.ids).map(([name, id]) => [id, name]));
    const held = (await opened.held()).map((id) => names.get(id) ?? 'other').sort();
    const near = await Promise.all(['zqkestrel4711', 'brambleberry', 'meadow'].map((word) => opened.index.nearest(word)));
    const similar = near.map(({ own, other }) => [...own, ...other].map(({ similarity }) => similarity.toFixed(4)));
    expect(held).toContain('gardenPara');
    expect(world.hidden.filter((name) => held.includes(name))).toEqual([]);
    const { done, total } = opened.index.progress;
    seen.push({ held, similar, done, total });
    opened.close();
    await bench.close();
  }
  expect(seen[1]).toEqual(seen[0]);
});
