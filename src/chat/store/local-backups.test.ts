import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { tidyChats } from '../controller/start-chats.ts';
import type { Node, Session } from '../session/types.ts';
import { node, session, userPayload } from '../testing/samples.ts';
import { type ChatStorage, createMemoryStorage, type MemoryStorage } from './storage-port.ts';
import { createChatStore } from './store.ts';
import type { ChatStore, OutsideChange } from './store-port.ts';

/** One device with its own copy of the synced folder. */
class Device {
  readonly data = createMemoryStorage();
  readonly temp: ChatStorage;
  readonly changes: OutsideChange[] = [];
  readonly name: string;
  private time: number;
  store: ChatStore;

  constructor(name: string, temp: ChatStorage = createMemoryStorage(), start = 1000) {
    this.name = name;
    this.temp = temp;
    this.time = start;
    this.store = this.start();
  }

  /** As after a start of SiYuan: nothing is remembered but files. */
  start(): ChatStore {
    this.store = createChatStore({ storage: this.data, cache: this.temp, device: this.name, now: () => ++this.time });
    this.store.subscribe((change) => this.changes.push(change));
    return this.store;
  }

  async say(chat: string, id: string): Promise<void> {
    const loaded = (await this.store.load(chat))?.session ?? session(chat);
    const changed = { time: ++this.time, device: this.name };
    const added: Node = node(id, 'user', loaded.leafId, userPayload(`${id}v`, `says ${id}`), { changed });
    await this.store.save({ ...loaded, nodes: { ...loaded.nodes, [id]: added }, leafId: id });
  }

  nodes(chat: string): string[] {
    const text = this.data.files.get(`sessions/${chat}.json`);
    return text === undefined ? [] : Object.keys((JSON.parse(text) as Session).nodes).sort();
  }
}

/** The file of `from` in the place of that of `to`, as a sync does where both changed it. */
const sync = (from: Device, to: Device, chat = 's1') =>
  to.data.write(`sessions/${chat}.json`, from.data.files.get(`sessions/${chat}.json`) ?? '');
const copies = (temp: ChatStorage) => [...(temp as MemoryStorage).files.keys()].filter((name) => name.startsWith('chats/'));

async function twoDevices(): Promise<readonly [Device, Device]> {
  const [here, there] = [new Device('here'), new Device('there', createMemoryStorage(), 5000)];
  await here.store.save(session('s1'));
  await sync(here, there);
  await here.say('s1', 'a');
  await there.say('s1', 'b');
  await sync(there, here);
  expect(here.nodes('s1')).toEqual(['b', 'n1', 'n2']);
  return [here, there];
}

describe('a chat that is not open when a sync puts another device’s file in its place', () => {
  it('gets back what was said here, beside what came, and the panel is told', async () => {
    const [here] = await twoDevices();
    await here.store.restoreOverwritten();
    expect(here.nodes('s1')).toEqual(['a', 'b', 'n1', 'n2']);
    expect(here.changes).toEqual([['s1']]);
    expect((await here.store.list())[0]).toMatchObject({ id: 's1', messages: 3 });
    const [written, requests] = [here.data.files.get('sessions/s1.json'), here.changes.length];
    await here.store.restoreOverwritten();
    expect(here.data.files.get('sessions/s1.json')).toBe(written);
    expect(here.changes).toHaveLength(requests);
  });

  it('does so by itself when the sync is announced', async () => {
    const [here] = await twoDevices();
    here.store.changedOutside();
    await expect.poll(() => here.nodes('s1')).toEqual(['a', 'b', 'n1', 'n2']);
  });

  it('does so when it is opened, also after a start', async () => {
    const [here] = await twoDevices();
    const loaded = await here.start().load('s1');
    expect(Object.keys(loaded?.session.nodes ?? {}).sort()).toEqual(['a', 'b', 'n1', 'n2']);
    expect(here.nodes('s1')).toEqual(['a', 'b', 'n1', 'n2']);
  });

  it('is news to the same chat where it is open in this window', async () => {
    const [here] = await twoDevices();
    const open = { ...session('s1'), title: 'Open' };
    await here.store.restoreOverwritten();
    const found = await here.store.refresh(open);
    expect(Object.keys(found?.session.nodes ?? {}).sort()).toEqual(['a', 'b', 'n1', 'n2']);
  });

  it('stays deleted when another device deleted it, and leaves no copy', async () => {
    const [here] = await twoDevices();
    await here.data.remove('sessions/s1.json');
    await here.store.restoreOverwritten();
    expect(here.nodes('s1')).toEqual([]);
    expect(copies(here.temp)).toEqual([]);
  });

  it('keeps a name that was set later here, and takes one that was set later there', async () => {
    const [here, there] = await twoDevices();
    const named = (await there.store.load('s1'))!.session;
    await there.store.save({ ...named, title: 'Named there' });
    await sync(there, here);
    await here.store.restoreOverwritten();
    expect((await here.store.load('s1'))?.session.title).toBe('Named there');
    await here.store.save({
      ...(await here.store.load('s1'))!.session,
      title: 'Named here',
      changed: { title: { time: 9e9, device: 'here' } },
    });
    await sync(there, here);
    await here.store.restoreOverwritten();
    expect((await here.store.load('s1'))?.session.title).toBe('Named here');
  });
});

describe('a chat that lost no message in a sync', () => {
  const older = session('s1');
  const variable = { name: 'read_doc_1_result', type: 'ToolCallResult', value: 'text', created: 7 } as const;
  it.each<readonly [string, Partial<Session>]>([
    ['the name that was set here', { title: 'Named here' }],
    ['what was taken off here', { tags: [] }],
    ['a result that was kept here', { variables: [variable] }],
  ])('gets back %s', async (_what, change) => {
    const here = new Device('here');
    await here.store.save({ ...older, tags: ['old'] });
    const before = here.data.files.get('sessions/s1.json') ?? '';
    await here.store.save({ ...older, tags: ['old'], ...change });
    await here.data.write('sessions/s1.json', before);
    await here.store.restoreOverwritten();
    expect((await here.start().load('s1'))?.session).toMatchObject({ ...change, nodes: older.nodes });
  });
});

describe('a chat whose file is damaged while it is not open', () => {
  const damages = [
    ['empty', () => ''],
    ['cut in half', (text: string) => text.slice(0, text.length / 2)],
  ] as const;
  async function damaged(damage: (text: string) => string): Promise<Device> {
    const here = new Device('here');
    await here.store.save(session('s1'));
    await here.data.write('sessions/s1.json', damage(here.data.files.get('sessions/s1.json') ?? ''));
    return here;
  }
  const broken = (here: Device) => [...here.data.files].filter(([name]) => name.includes('.broken-')).map(([, text]) => text);

  it.each(damages)('is opened from the copy, which is written over the file: %s', async (_what, damage) => {
    const here = await damaged(damage);
    const text = here.data.files.get('sessions/s1.json');
    expect(await here.start().load('s1')).toMatchObject({ repaired: true, session: { nodes: { n1: {}, n2: {} } } });
    expect(here.nodes('s1')).toEqual(['n1', 'n2']);
    expect(broken(here)).toEqual([text]);
    expect(await here.start().load('s1')).toMatchObject({ repaired: false });
  });

  it.each(damages)('is repaired after a sync; whoever opens it is told: %s', async (_what, damage) => {
    const here = await damaged(damage);
    await here.start().restoreOverwritten();
    expect(here.nodes('s1')).toEqual(['n1', 'n2']);
    expect(here.changes).toEqual([['s1']]);
    expect(await here.store.list()).toMatchObject([{ id: 's1', title: 'A chat', messages: 2 }]);
    expect(await here.store.load('s1')).toMatchObject({ repaired: true });
  });

  it.each(damages)('goes into the trash as the whole copy, and comes back from there: %s', async (_what, damage) => {
    const here = await damaged(damage);
    const text = here.data.files.get('sessions/s1.json');
    await here.start().remove('s1');
    expect(await here.store.trashed()).toMatchObject([{ id: 's1', title: 'A chat' }]);
    expect(broken(here)).toEqual([text]);
    expect(await here.store.restore('s1')).toBe(true);
    expect(here.nodes('s1')).toEqual(['n1', 'n2']);
  });

  it('with what a crash left of it has that too', async () => {
    const here = await damaged(() => '');
    const added = node('n3', 'user', 'n2', userPayload('q', 'cut off'), { changed: { time: 9000, device: 'here' } });
    const turn = { type: 'turn' as const, head: { id: 's1', title: 'A chat', created: 1 }, nodes: [added], leafId: 'n3' };
    await here.store.turnLog('s1', () => undefined).add(turn);
    expect(await here.start().load('s1')).toMatchObject({ repaired: true, recovered: true });
    expect(here.nodes('s1')).toEqual(['n1', 'n2', 'n3']);
  });

  it('says so, is named as it was, and is not repaired where the copy is damaged too', async () => {
    const here = await damaged((text) => text.slice(0, -40));
    const text = here.data.files.get('sessions/s1.json') ?? '';
    await here.temp.write('chats/s1.json', 'rubbish');
    await here.start().restoreOverwritten();
    await expect(here.store.load('s1')).rejects.toMatchObject({ code: 'chat_broken' });
    expect(here.data.files.get('sessions/s1.json')).toBe(text);
    expect(await here.store.listSoon()).toMatchObject({ chats: [], unreadable: ['s1'] });
    expect(await here.store.savedTitle('s1')).toBe('A chat');
    expect(broken(here)).toEqual([text]);
  });

  it('leaves a whole chat of this name in the trash when it is deleted', async () => {
    const whole = JSON.stringify(session('s1', { title: 'Whole' }));
    const here = new Device('here');
    await here.data.write('trash/s1.json', JSON.stringify({ schema: 1, deleted: 5, title: 'Whole', text: whole }));
    await here.data.write('sessions/s1.json', 'rubbish');
    await here.store.remove('s1');
    expect(await here.store.restore('s1')).toBe(true);
    expect(here.data.files.get('sessions/s1.json')).toBe(whole);
    expect(broken(here)).toEqual(['rubbish']);
  });
});

it('tidying looks for what a sync took out while nothing of ours ran', async () => {
  const [here] = await twoDevices();
  await tidyChats(here.start(), 0);
  await expect.poll(() => here.nodes('s1')).toEqual(['a', 'b', 'n1', 'n2']);
});

describe('copies of what was written here', () => {
  it('go with a chat that is deleted here', async () => {
    const here = new Device('here');
    await here.store.save(session('s1'));
    expect(copies(here.temp)).toEqual(['chats/s1.json']);
    await here.store.remove('s1');
    expect(copies(here.temp)).toEqual([]);
  });

  it('cost three requests where nothing changed, however many chats there are', async () => {
    const here = new Device('here');
    for (let count = 0; count < 20; count++) await here.store.save(session(`s${count}`));
    await here.store.restoreOverwritten();
    let requests = 0;
    const counted = (storage: ChatStorage): ChatStorage =>
      new Proxy(storage, {
        get(target, name: keyof ChatStorage) {
          requests++;
          return target[name];
        },
      });
    const again = createChatStore({ storage: counted(here.data), cache: counted(here.temp), device: 'here', now: () => 1 });
    await again.restoreOverwritten();
    expect(requests).toBe(3);
  });

  it('are kept of the 200 chats that were written last', async () => {
    const temp = createMemoryStorage(Object.fromEntries(Array.from({ length: 230 }, (_each, index) => [`chats/old${index}.json`, '{}'])));
    const here = new Device('here', temp);
    await here.store.save(session('s1'));
    expect(copies(temp)).toHaveLength(200);
    expect(copies(temp)).toContain('chats/s1.json');
  });

  it('are no reason for a chat not to be saved or opened: where they fail, or are damaged, the file counts', async () => {
    const failing: ChatStorage = {
      read: () => Promise.reject(new Error('no copies')),
      write: () => Promise.reject(new Error('no copies')),
      remove: () => Promise.reject(new Error('no copies')),
      list: () => Promise.resolve([]),
    };
    const here = new Device('here', failing);
    await here.say('s1', 'a');
    await here.start().load('s1');
    expect(here.nodes('s1')).toEqual(['a', 'n1', 'n2']);
    await here.store.remove('s1');
    expect(here.nodes('s1')).toEqual([]);
    const damaged = new Device('damaged', createMemoryStorage({ 'chats/s1.json': 'rubbish', 'chats-compared.json': 'rubbish' }));
    await damaged.data.write('sessions/s1.json', JSON.stringify(session('s1')));
    await damaged.store.restoreOverwritten();
    expect((await damaged.store.load('s1'))?.session.nodes).toEqual(session('s1').nodes);
    expect([...damaged.data.files.keys()].filter((name) => name.includes('broken'))).toEqual([]);
  });

  it('of one chat whose file cannot be read do not hold up the others', async () => {
    const [here, there] = await twoDevices();
    await here.store.save(session('s0'));
    await here.data.write('sessions/s0.json', 'rubbish');
    await here.store.restoreOverwritten();
    expect(here.nodes('s1')).toEqual(['a', 'b', 'n1', 'n2']);
    await here.data.write('sessions/s0.json', JSON.stringify({ ...session('s0'), nodes: {} }));
    await here.store.restoreOverwritten();
    expect(here.nodes('s0')).toEqual(['n1', 'n2']);
    expect(there.nodes('s1')).toEqual(['b', 'n1', 'n2']);
  });
});

it('property: whatever three devices write, and whichever file a sync keeps, everything said is in the end on all of them', async () => {
  const step = fc.record({ device: fc.nat(2), what: fc.constantFrom('say', 'say', 'sync', 'start', 'regain'), to: fc.nat(2) });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 24 }), async (steps) => {
      const devices = ['a', 'b', 'c'].map((name, index) => new Device(name, createMemoryStorage(), 1000 * (3 - index)));
      const said: string[] = ['n1', 'n2'];
      await devices[0]!.store.save(session('s1'));
      await sync(devices[0]!, devices[1]!);
      await sync(devices[0]!, devices[2]!);
      for (const { device, what, to } of steps) {
        const one = devices[device]!;
        if (what === 'say') {
          said.push(`${one.name}${said.length}`);
          await one.say('s1', said.at(-1)!);
        } else if (what === 'sync') await sync(one, devices[to]!);
        else if (what === 'start') one.start();
        else await one.store.restoreOverwritten();
      }
      // A round of syncs in which every device takes in what the one before it has.
      for (let round = 0; round < 2; round++) {
        for (const [index, one] of devices.entries()) {
          await one.store.restoreOverwritten();
          await sync(one, devices[(index + 1) % 3]!);
        }
      }
      for (const one of devices) await one.store.restoreOverwritten();
      for (const one of devices) expect(one.nodes('s1')).toEqual([...said].sort());
    }),
    { numRuns: 100 },
  );
});
