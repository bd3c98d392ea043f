// Orders that wait for something to happen, by a fake clock, over files and notes in memory.
import { describe, expect, it } from 'vitest';
import { createMemoryStorage } from '../../chat/store/storage-port.ts';
import { ToolError } from '../../tools/contract/errors.ts';
import type { NotebookInfo } from '../../tools/contract/ports.ts';
import { EventReader } from './event-reader.ts';
import { Lease } from './lease.ts';
import { OrderFiles } from './order-files.ts';
import { questionOfRun } from './order-prompt.ts';
import { OrderRunner, type RunRequest } from './order-runner.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
/** A Monday. */
const START = Date.parse('2026-11-02T08:00:00Z');
const BOOK = '20261001000000-notebok';
const DATABASE = '20261001000000-databas';
const HEADING = '20261102000000-aaaaaaa';
const SIGNAL = new AbortController().signal;

const stamp = (time: number): string => new Date(time).toJSON().replaceAll(/\D/gu, '').slice(0, 14);
const block = (type: string, markdown: string, more: object = {}) => ({
  ...{ id: HEADING, type, subtype: type === 'h' ? 'h2' : '', markdown, hash: '' },
  ...more,
});
const item = (markdown: string) => ({ id: '', hash: '', depth: 0, markdown });

class World {
  now = START;
  written = 0;
  lines: readonly string[];
  /** Titles and times of notes below the notebook. */
  readonly notes = new Map<string, string>();
  rows: { id: string; cells: Record<string, string> }[] = [];
  books: NotebookInfo[] = [{ id: BOOK, name: 'Inbox', open: true, right: 'write' }];
  readonly asked: (RunRequest & { readonly titles: ReadonlyMap<string, string> })[] = [];
  readonly reads: string[] = [];
  /** Ids of the notebooks that the order names, and the rows in them. */
  allowed: readonly string[] | undefined;
  allowedRows: World['rows'] = [];
  readonly storage = createMemoryStorage();
  readonly files = new OrderFiles(this.storage, () => this.now);
  readonly reader: EventReader;
  runner: OrderRunner;

  constructor(...lines: string[]) {
    this.lines = lines;
    const database = async (all = this.rows) => {
      const columns = [
        { id: 'c0', name: 'Title', type: 'block', options: [] },
        { id: 'c1', name: 'Claim', type: 'text', options: [] },
        { id: 'c2', name: 'Due', type: 'date', options: [] },
      ];
      const place = { document: { id: '', title: '', path: '' }, notebook: { id: BOOK, name: 'Inbox' }, view: '', views: [], notes: [] };
      const rows = all.map((row) => ({ ...row, blockId: null }));
      return [{ ...place, id: DATABASE, name: 'Papers', columns, rows, total: rows.length, nextPage: null }];
    };
    const counted =
      <Args extends readonly unknown[], Result>(name: string, read: (...args: Args) => Promise<Result>) =>
      (...args: Args): Promise<Result> => {
        this.reads.push(name);
        return read(...args);
      };
    const notes = {
      changeMark: counted('mark', async () => String(this.written)),
      notesBelow: counted('below', async ([place = '']: readonly string[]) => {
        const notes = [...this.notes].map(([id, updated]) => ({ id, title: `Title ${id}`, notebook: BOOK, updated }));
        return new Map(place === BOOK && this.books[0]?.open ? [[BOOK, notes] as const] : []);
      }),
      database: counted('database', () => database()),
      databases: counted('databases', () => database()),
      document: counted('document', async () => {
        throw new ToolError('not_found', 'nothing is there', 'look elsewhere');
      }),
    };
    this.reader = new EventReader(
      (within) => (within ? { ...notes, database: () => database(this.allowedRows) } : notes),
      () => this.now,
      'UTC',
    );
    this.runner = this.open();
  }

  /** Another start of the program. */
  open(): OrderRunner {
    return new OrderRunner({
      ...{ files: this.files, now: () => this.now, timeZone: 'UTC' },
      lease: new Lease({ storage: this.storage, holder: 'one', name: 'one', settle: async () => undefined }),
      readNote: async (id) => {
        const list = block('l', '', { items: this.lines.map(item) });
        return { kind: 'read', id, title: 'Orders', blocks: [block('h', '## Sort'), list, block('p', 'Sort it.')] };
      },
      check: (orders, signal) => Promise.all(orders.map((order) => this.reader.placed(order, this.books, this.allowed, signal))),
      tagged: async () => [],
      events: (orders, signal) => this.reader.look(orders, signal),
      ask: async (request) => {
        this.asked.push({ ...request, titles: await this.reader.titles(request.order, SIGNAL) });
        return { status: 'done' };
      },
      isUndone: async () => false,
    });
  }

  /** A note is made or changed now. */
  write(id = `${stamp(this.now)}-aaaaaaa`): string {
    this.notes.set(id, stamp(this.now));
    this.written += 1;
    return id;
  }

  async look(passed = 0): Promise<void> {
    this.now += passed;
    await this.runner.tick();
    await this.runner.settled();
  }

  async view() {
    const { orders } = await this.runner.view(SIGNAL);
    if (!orders[0]) throw new Error('no order');
    return orders[0];
  }

  events(): readonly (readonly string[])[] {
    return this.asked.map(({ run }) => (run.events ?? []).map(({ id, how }) => `${id.slice(0, 14)} ${how}`));
  }
}

async function world(when: string, ...lines: string[]): Promise<World> {
  const made = new World(`When: ${when}`, ...lines);
  made.notes.set('20261001120000-oldnote', '20261001120000');
  await made.runner.choose('20261102000000-bbbbbbb');
  await made.look();
  return made;
}

describe('notes below a place', () => {
  it('start a run once it is quiet, with what is new since the first look', async () => {
    const made = await world('when a note is added to Inbox');
    await made.look(20_000);
    const first = made.write();
    await made.look(20_000);
    const second = made.write();
    await made.look(20_000);
    await made.look(4 * MINUTE);
    expect(made.asked).toEqual([]);
    expect((await made.view()).waiting).toBe(2);
    await made.look(MINUTE);
    expect(made.events()).toEqual([[`${first.slice(0, 14)} made`, `${second.slice(0, 14)} made`]]);
    await made.look(20 * MINUTE);
    expect(made.asked).toHaveLength(1);
    expect((await made.view()).waiting).toBe(0);
  });

  it('are waited for again with each change', async () => {
    const made = await world('when a note in Inbox is changed', 'Quiet: 2 minutes');
    for (let step = 0; step < 5; step += 1) {
      made.write('20261001120000-oldnote');
      await made.look(MINUTE);
    }
    expect(made.asked).toEqual([]);
    await made.look(2 * MINUTE);
    expect(made.events()).toEqual([['20261001120000 changed']]);
  });

  it('that change again within the second of a look are taken at the next one, once', async () => {
    const made = await world('when a note in Inbox is changed', 'Quiet: 0');
    await made.look(20_000);
    made.write('20261001120000-oldnote');
    await made.look();
    expect(made.asked).toEqual([]);
    made.now += 900;
    // In the same second, and nothing else is written.
    made.notes.set('20261001120000-oldnote', stamp(made.now));
    for (let step = 0; step < 3; step += 1) await made.look(20_000);
    expect(made.events()).toEqual([['20261001120000 changed']]);
  });

  it('tell what was moved in from what was made there', async () => {
    const made = await world('when a note is moved to Inbox', 'Quiet: 0');
    await made.look(10 * MINUTE);
    made.now += 10_000;
    made.write();
    await made.look(10_000);
    made.write('20261015000000-another');
    await made.look(20_000);
    expect(made.events()).toEqual([['20261015000000 moved']]);
  });

  it('start no run for a move where it waits for what is made', async () => {
    const made = await world('when a note is made in Inbox', 'Quiet: 0');
    made.write('20261015000000-another');
    await made.look(20_000);
    expect(made.asked).toEqual([]);
  });

  it('that are gone again before it is quiet start none', async () => {
    const made = await world('when a note is added to Inbox');
    const id = made.write();
    await made.look(20_000);
    made.notes.delete(id);
    made.written += 1;
    await made.look(20_000);
    await made.look(DAY);
    expect(made.asked).toEqual([]);
  });

  it('are counted up to the number that is waited for', async () => {
    const made = await world('when 3 new notes are in Inbox', 'Quiet: 0');
    for (let count = 0; count < 4; count += 1) {
      made.write();
      await made.look(MINUTE);
    }
    expect(made.asked.map(({ run }) => run.events?.length)).toEqual([3]);
    expect((await made.view()).waiting).toBe(1);
  });

  it('that came while no program looked are taken at the next look, once', async () => {
    const made = await world('when a note is added to Inbox');
    made.now += 3 * DAY;
    made.write('20261103070000-another');
    made.runner = made.open();
    await made.look();
    await made.look(MINUTE);
    expect(made.events()).toEqual([['20261103070000 made']]);
  });

  it('are found below a notebook that is called one', async () => {
    expect((await (await world('when a note is added to the Inbox notebook')).view()).order).toMatchObject({ place: BOOK, problems: [] });
  });

  it('are left for the next day once the limit is reached, and the line says so', async () => {
    const made = await world('when a note is added to Inbox', 'Quiet: 0', 'Limit: 2 a day');
    for (let count = 0; count < 5; count += 1) {
      made.write();
      await made.look(MINUTE);
    }
    expect(made.asked).toHaveLength(2);
    expect(await made.view()).toMatchObject({ waiting: 3, isLimited: true });
    await made.look(DAY);
    expect(made.asked.map(({ run }) => run.events?.length)).toEqual([1, 1, 3]);
    expect(await made.view()).toMatchObject({ waiting: 0, isLimited: false });
  });

  it('that an approved proposal wrote are no event, and what a person changes afterwards is one', async () => {
    const made = await world('when a note in Inbox is changed', 'Quiet: 0');
    made.write('20261001120000-oldnote');
    await made.look(MINUTE);
    const [run] = await made.files.runs();
    if (!run) throw new Error('no run');
    made.now += MINUTE;
    made.write('20261001120000-oldnote');
    const written = { ids: ['20261001120000-oldnote'], from: made.now - 1000, to: made.now };
    const proposal = { id: 'c1', nodeId: 'n', tool: 'edit_block', args: {}, before: '[]', words: '', status: 'approved' as const, written };
    await made.files.writeRun({ ...run, proposals: [proposal] });
    await made.look(20_000);
    await made.look(MINUTE);
    expect(made.asked).toHaveLength(1);
    made.write('20261001120000-oldnote');
    await made.look(MINUTE);
    expect(made.asked).toHaveLength(2);
  });

  it('let a run by hand ask no model while nothing ever happened, and take what happened last afterwards', async () => {
    const made = await world('when a note is added to Inbox', 'Quiet: 0');
    await made.runner.runNow((await made.view()).order.id);
    await made.look(MINUTE);
    expect(made.asked).toEqual([]);
    expect((await made.view()).last).toMatchObject({ status: 'done', unasked: true });
    made.write();
    await made.look(MINUTE);
    made.now += MINUTE;
    await made.runner.runNow((await made.view()).order.id);
    await made.look(MINUTE);
    expect(made.events()).toHaveLength(2);
    expect(made.events()[1]).toEqual(made.events()[0]);
  });

  it('in a closed notebook, or one that is gone, are said in the order, and nothing is forgotten', async () => {
    const made = await world('when a note is added to Inbox', 'Quiet: 0');
    made.books = [{ id: BOOK, name: 'Inbox', open: false, right: 'write' }];
    made.now += 2 * MINUTE;
    const problems = async () => (await made.view()).order.problems.map(({ code }) => code);
    expect(await problems()).toEqual(['closed_place']);
    await made.look();
    made.books = [];
    expect(await problems()).toEqual(['bad_place']);
    await made.look(DAY);
    made.books = [{ id: BOOK, name: 'Inbox', open: true, right: 'write' }];
    await made.look(MINUTE);
    expect(made.asked).toEqual([]);
    made.write();
    await made.look(MINUTE);
    expect(made.asked).toHaveLength(1);
  });

  it('are given to the model as content, by what may be read of them at the run', async () => {
    const made = await world('when a note is added to Inbox', 'Quiet: 0');
    const id = made.write();
    await made.look(MINUTE);
    const [request] = made.asked;
    if (!request) throw new Error('no run');
    const question = questionOfRun(request, request.titles);
    expect(question).toContain('<untrusted-data');
    expect(question).toContain(`- [${id}] “Title ${id}”: new`);
    expect(questionOfRun(request, new Map())).not.toContain(id);
  });

  it('cost one small question where nothing was written, and are read again now and then', async () => {
    const made = await world('when a note is added to Inbox');
    made.reads.length = 0;
    for (let step = 0; step < 14; step += 1) await made.look(MINUTE / 3);
    expect(made.reads.filter((name) => name !== 'document')).toEqual(Array.from({ length: 14 }, () => 'mark'));
    await made.look(MINUTE / 3);
    await made.look(MINUTE / 3);
    expect(made.reads.filter((name) => name === 'below')).toHaveLength(1);
  });
});

describe('rows of a database', () => {
  const row = (id: string, cells: Record<string, string>) => ({ id, cells });

  it('start a run when they are new or changed, but for the column of the answer', async () => {
    const made = await world('when a row of Papers is new or changed except in Claim', 'Quiet: 0');
    const change = async (...rows: World['rows']): Promise<void> => {
      made.rows = rows;
      made.written += 1;
      await made.look(MINUTE);
    };
    await change(row('20261102080100-rownew1', { c0: 'One' }));
    await change(row('20261102080100-rownew1', { c0: 'One', c1: 'The claim.' }));
    await change(row('20261102080100-rownew1', { c0: 'One, again', c1: 'The claim.' }));
    expect(made.events()).toEqual([['20261102080100 made'], ['20261102080100 changed']]);
    expect(made.asked[1]?.titles.get('20261102080100-rownew1')).toBe('One, again');
  });

  it('that were there before can be asked, too', async () => {
    const made = new World('When: when a row of Papers is new or changed', 'Quiet: 0');
    made.rows = [row('20261001080100-rowold1', { c0: 'Old' })];
    await made.runner.choose('20261102000000-bbbbbbb');
    await made.look();
    await made.look(MINUTE);
    expect([made.asked.length, (await made.view()).had]).toEqual([0, 1]);
    await made.runner.runForAll(HEADING);
    expect(await made.view()).toMatchObject({ had: 0, isAsked: true });
    await made.look(MINUTE);
    await made.look(MINUTE);
    expect(made.events()).toEqual([['20261001080100 made']]);
    expect(await made.view()).toMatchObject({ had: 0, isAsked: false });
    made.lines = ['When: when a row of Papers is new', 'Quiet: 0'];
    for (let step = 0; step < 3; step += 1) await made.look(MINUTE);
    expect(made.asked).toHaveLength(1);
  });

  it('are those of the notebooks that the order names', async () => {
    const made = new World('When: when a row of Papers is new', 'Quiet: 0');
    made.allowed = [BOOK];
    await made.runner.choose('20261102000000-bbbbbbb');
    await made.look();
    made.rows = [row('20261102080100-rownew1', { c0: 'Secret' }), row('20261102080100-rownew2', { c0: 'Open' })];
    made.allowedRows = made.rows.slice(1);
    made.written += 1;
    await made.look(MINUTE);
    expect(made.asked.map(({ run, titles }) => [run.events?.length, [...titles.values()]])).toEqual([[1, ['Open']]]);
  });

  it('without such a column are said in the order', async () => {
    const made = await world('on the date in Title of Papers');
    expect((await made.view()).order.problems).toEqual([{ code: 'bad_column', line: 'Title' }]);
  });
});

describe('dates of rows', () => {
  it('start a run when they come, once, and again when they are put off', async () => {
    const made = await world('2 days before the date in Due of Papers at 9');
    const put = (date: string): void => {
      made.rows = [{ id: '20261001080100-rowold1', cells: { c0: 'Old', c2: date } }];
      made.written += 1;
    };
    put('2026-11-05');
    await made.look(30 * MINUTE);
    expect(made.asked).toEqual([]);
    await made.look(DAY);
    expect(made.asked).toEqual([]);
    await made.look(31 * MINUTE);
    await made.look(DAY);
    expect(made.asked.map(({ run }) => new Date(run.started).toJSON().slice(0, 16))).toEqual(['2026-11-03T09:01']);
    put('2026-11-09');
    await made.look(MINUTE);
    await made.look(4 * DAY);
    expect(made.asked).toHaveLength(2);
  });

  it('that passed before the order was there start none', async () => {
    const made = new World('When: on the date in Due of Papers');
    made.rows = [{ id: '20261001080100-rowold1', cells: { c2: '2026-11-01' } }];
    await made.runner.choose('20261102000000-bbbbbbb');
    await made.look();
    await made.look(DAY);
    expect(made.asked).toEqual([]);
  });
});

describe('the lines of an order', () => {
  it.each([
    ['when a note is added to Inbox', 'Quiet: soon', 'bad_quiet'],
    ['when a note is added to Inbox', 'Limit: 100', 'bad_limit'],
    ['every day at 7', 'Quiet: 5 minutes', 'bad_pace'],
  ])('of pace are refused where they say nothing: %s, %s', async (when, line, code) => {
    expect((await (await world(when, line)).view()).order.problems).toMatchObject([{ code }]);
  });

  it.each([
    ['Quiet: 1 hour', 'Limit: 3', { quiet: 60, limit: 3 }],
    ['静候：10 分钟', '每日上限：每天 4 次', { quiet: 10, limit: 4 }],
  ])('are read: %s, %s', async (quiet, limit, pace) => {
    expect((await (await world('when a note is added to Inbox', quiet, limit)).view()).order).toMatchObject({ ...pace, problems: [] });
  });
});
