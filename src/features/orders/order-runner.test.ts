// Orders by a fake clock, over files in memory: what is due, what a crash leaves behind, which of two programs runs.
import { describe, expect, it } from 'vitest';
import { createMemoryStorage, type MemoryStorage } from '../../chat/store/storage-port.ts';
import { Lease } from './lease.ts';
import { OrderFiles } from './order-files.ts';
import { OrderRunner, type RunEnd, type RunRequest } from './order-runner.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** A Monday. */
const START = Date.parse('2026-11-02T00:00:00Z');
const HEADING = '20261102000000-aaaaaaa';
const ZONE = 'UTC';

const block = (type: string, markdown: string, more: object = {}) => ({
  id: HEADING,
  type,
  subtype: type === 'h' ? 'h2' : '',
  markdown,
  hash: '',
  ...more,
});
const noteOf = (when: string) => [
  block('h', '## Sort'),
  block('l', '', { items: [{ id: '', hash: '', depth: 0, markdown: `When: ${when}` }] }),
  block('p', 'Sort it.'),
];

class World {
  now = START;
  when = 'every day at 7';
  tagged: readonly string[] = [];
  readonly undone = new Set<string>();
  readonly asked: RunRequest[] = [];
  end: (request: RunRequest) => Promise<RunEnd> = async () => ({ status: 'done' });
  readonly storage: MemoryStorage;
  readonly files: OrderFiles;
  readonly runner: OrderRunner;
  readonly holder: string;

  constructor(holder = 'one', storage = createMemoryStorage(), now = START) {
    this.holder = holder;
    this.storage = storage;
    this.now = now;
    this.files = new OrderFiles(storage, () => this.now);
    this.runner = new OrderRunner({
      ...{ files: this.files, now: () => this.now, timeZone: ZONE },
      lease: new Lease({ storage, holder, name: holder, settle: async () => undefined }),
      readNote: async (id) => ({ kind: 'read', id, title: 'Orders', blocks: noteOf(this.when) }),
      check: async (orders) => orders,
      tagged: async () => this.tagged,
      events: async () => new Map(),
      ask: async (request) => {
        this.asked.push(request);
        return this.end(request);
      },
      isUndone: async (_run, { id }) => this.undone.has(id),
    });
  }

  async look(passed = 0): Promise<void> {
    this.now += passed;
    await this.runner.tick();
    await this.runner.settled();
  }
}

async function world(when = 'every day at 7'): Promise<World> {
  const made = new World();
  made.when = when;
  await made.runner.choose('20261102000000-bbbbbbb');
  await made.look();
  return made;
}

const started = ({ asked }: World): readonly string[] => asked.map(({ run }) => new Date(run.started).toISOString().slice(0, 16));

describe('a month', () => {
  it('has a run for each working day, though the program looks often', async () => {
    const made = await world('every weekday at 7');
    for (let step = 0; step < 30 * 24; step += 1) await made.look(HOUR);
    expect(made.asked).toHaveLength(22);
    expect(new Set(started(made)).size).toBe(22);
    expect(started(made).every((time) => time.endsWith('07:00'))).toBe(true);
  });
});

describe('files of a newer version', () => {
  const newer = async (path: string) => {
    const made = await world();
    await made.storage.write(path, JSON.stringify({ schema: 2, note: ['of another shape'], orders: {}, later: true }));
    return { made, saved: await made.storage.read(path) };
  };

  it.each(['orders/wishes.json', 'orders/state.json'])('are not shown wrongly, run or written over: %s', async (path) => {
    const { made, saved } = await newer(path);
    await expect(made.look(DAY)).rejects.toMatchObject({ code: 'newer_version' });
    await expect(made.runner.view(new AbortController().signal)).rejects.toMatchObject({ code: 'newer_version' });
    if (path.includes('wishes')) await expect(made.runner.pause(HEADING)).rejects.toMatchObject({ code: 'newer_version' });
    expect(made.asked).toEqual([]);
    expect(await made.storage.read(path)).toBe(saved);
    expect((await made.storage.list('orders')).filter((name) => name.includes('broken'))).toEqual([]);
  });
});

describe('time that is missed or jumps', () => {
  it('runs once for three days of sleep', async () => {
    const made = await world();
    await made.look(3 * DAY + 12 * HOUR);
    await made.look(MINUTE);
    expect(made.asked).toHaveLength(1);
  });

  it('does not run again where the clock goes back', async () => {
    const made = await world();
    await made.look(8 * HOUR);
    await made.look(-2 * HOUR);
    await made.look(90 * MINUTE);
    expect(made.asked).toHaveLength(1);
  });

  it('goes on after a clock that was years ahead', async () => {
    const made = await world();
    await made.look(2000 * DAY);
    await made.look(-2000 * DAY);
    await made.look(8 * HOUR);
    expect(started(made).at(-1)).toBe('2026-11-02T08:00');
    expect(made.asked).toHaveLength(2);
  });

  it('does not make up for times before another schedule', async () => {
    const made = await world();
    made.when = 'every day at 3';
    await made.look(5 * HOUR);
    expect(made.asked).toEqual([]);
  });
});

describe('a crash in the middle of a run', () => {
  it('drops its proposals, and makes the run again once', async () => {
    const made = await world();
    let reached = (): void => undefined;
    const inside = new Promise<void>((resolve) => {
      reached = resolve;
    });
    made.end = async ({ keep }) => {
      await keep({ id: 'c1', nodeId: 'n', tool: 'insert_blocks', args: {}, before: '[]', words: 'a line' });
      reached();
      return new Promise<never>(() => undefined);
    };
    made.now += 8 * HOUR;
    await made.runner.tick();
    await inside;
    // The process is gone; another begins over the same files.
    const next = new World('one', made.storage, made.now + MINUTE);
    next.end = async ({ keep }) => {
      await keep({ id: 'c2', nodeId: 'n', tool: 'insert_blocks', args: {}, before: '[]', words: 'a line' });
      return { status: 'done' };
    };
    await next.look();
    await next.look(MINUTE);
    expect(next.asked).toHaveLength(1);
    const runs = await next.files.runs();
    expect(runs.map(({ status, attempt, proposals }) => [status, attempt, proposals.map((each) => each.status)])).toEqual([
      ['done', 2, ['pending']],
      ['cut_off', 1, ['dropped']],
    ]);
  });

  it('lets a program that wakes up late keep nothing more', async () => {
    const made = await world();
    let go = (): void => undefined;
    const woken = new Promise<void>((resolve) => {
      go = resolve;
    });
    let late: unknown;
    made.end = async ({ keep }) => {
      await woken;
      late = await keep({ id: 'c1', nodeId: 'n', tool: 'insert_blocks', args: {}, before: '[]', words: '' }).catch(
        (error: unknown) => error,
      );
      return { status: 'done' };
    };
    made.now += 8 * HOUR;
    await made.runner.tick();
    const next = new World('one', made.storage, made.now + MINUTE);
    await next.look();
    go();
    await made.runner.settled();
    expect(late).toBeInstanceOf(Error);
    expect((await next.files.runs()).flatMap(({ proposals }) => proposals)).toEqual([]);
  });
});

describe('failures', () => {
  it('pause it after three in a row, until a person starts it again', async () => {
    const made = await world();
    made.end = async () => ({ status: 'failed', reason: 'no model' });
    for (let day = 0; day < 6; day += 1) await made.look(DAY);
    expect(made.asked).toHaveLength(3);
    const signal = new AbortController().signal;
    expect((await made.runner.view(signal)).orders).toMatchObject([
      { paused: 'failures', failures: 3, last: { reason: 'no model' }, next: [] },
    ]);
    await made.runner.resume(HEADING);
    made.end = async () => ({ status: 'done' });
    await made.look(DAY);
    expect(made.asked).toHaveLength(4);
  });
});

describe('two programs on one workspace', () => {
  it('have one that runs, and another takes over when it is gone', async () => {
    const made = await world();
    const other = new World('two', made.storage, made.now);
    await made.look(6 * HOUR);
    other.now = made.now;
    for (let step = 0; step < 20; step += 1) {
      await made.look(10 * MINUTE);
      await other.look(10 * MINUTE);
    }
    expect([made.asked.length, other.asked.length]).toEqual([1, 0]);
    expect((await other.runner.view(new AbortController().signal)).runsOn).toBe('one');
    for (let step = 0; step < 6; step += 1) await other.look(5 * HOUR);
    expect(other.asked.length).toBeGreaterThan(0);
  });
});

describe('a tag', () => {
  it('runs once for each note that gets it, and not for those that had it', async () => {
    const made = new World();
    made.when = 'when a note gets the tag #x';
    made.tagged = ['a', 'b'];
    await made.runner.choose('20261102000000-bbbbbbb');
    await made.look();
    made.tagged = ['a', 'b', 'c'];
    for (let step = 0; step < 3; step += 1) await made.look(MINUTE);
    expect(made.asked.map(({ run }) => run.note)).toEqual(['c']);
    made.tagged = ['a', 'b'];
    await made.look(MINUTE);
    made.tagged = ['a', 'b', 'c'];
    for (let step = 0; step < 3; step += 1) await made.look(MINUTE);
    expect(made.asked.map(({ run }) => run.note)).toEqual(['c', 'c']);
    await made.runner.runForAll(HEADING);
    for (let step = 0; step < 3; step += 1) await made.look(MINUTE);
    expect(made.asked.map(({ run }) => run.note)).toEqual(['c', 'c', 'a', 'b']);
    made.tagged = ['a', 'b'];
    await made.look(MINUTE);
    made.tagged = ['a', 'b', 'c'];
    await made.look(MINUTE);
    expect(made.asked.at(-1)?.run.note).toBe('c');
    expect(made.asked).toHaveLength(5);
  });

  it('is run again for the note whose proposals a person wants anew', async () => {
    const made = new World();
    made.when = 'when a note gets the tag #x';
    await made.runner.choose('20261102000000-bbbbbbb');
    await made.look();
    made.tagged = ['a', 'b'];
    await made.look(MINUTE);
    made.now += MINUTE;
    await made.runner.runNow(HEADING, 'a');
    const isAsked = async () => (await made.runner.view(new AbortController().signal)).orders.map((each) => each.isAsked);
    expect(await isAsked()).toEqual([true]);
    for (let step = 0; step < 3; step += 1) await made.look(MINUTE);
    expect(made.asked.map(({ run }) => [run.note, run.why])).toEqual([
      ['a', 'tag'],
      ['b', 'tag'],
      ['a', 'asked'],
    ]);
    expect(await isAsked()).toEqual([false]);
  });
});

describe('the list of orders', () => {
  it('counts what a person approved and undid since', async () => {
    const made = await world();
    made.end = async ({ keep }) => {
      for (const id of ['c1', 'c2', 'c3']) await keep({ id, nodeId: 'n', tool: 'insert_blocks', args: {}, before: '[]', words: '' });
      return { status: 'done' };
    };
    await made.look(8 * HOUR);
    const [run] = await made.files.runs();
    if (!run) throw new Error('it did not run');
    const proposals = run.proposals.map((each) => ({ ...each, status: each.id === 'c3' ? ('rejected' as const) : ('approved' as const) }));
    await made.files.writeRun({ ...run, proposals });
    const undone = async () => (await made.runner.view(new AbortController().signal)).orders.map((each) => each.undone);
    expect(await undone()).toEqual([0]);
    for (const id of ['c1', 'c3']) made.undone.add(id);
    expect(await undone()).toEqual([1]);
  });
});
