import { hashText } from '../../host/blocks/block-hash.ts';
import type { DatabaseReading } from '../../tools/contract/databases.ts';
import { isOfOne } from '../../tools/contract/errors.ts';
import { isSeen } from '../../tools/contract/notebook-right.ts';
import type { NotebookInfo, NotesPort } from '../../tools/contract/ports.ts';
import { areAlike } from '../../tools/equal-text/equal-text.ts';
import type { EventSchedule, Order, OrderProblem, Target } from './order.ts';
import { type Marks, stampOf } from './order-events.ts';

type Notes = Pick<NotesPort, 'changeMark' | 'notesBelow' | 'database' | 'databases' | 'document'>;

/** Looks that nothing seems to have changed since, before all is read again: it may have been written twice within a second. */
const LOOKS_UNREAD = 15;
/** Milliseconds for which a place is not looked for again. */
const PLACE_MS = 60_000;
const MAX_ROWS = 5000;
/** Columns that change with the answer of the order itself, or with other rows. */
const DERIVED = ['updated', 'created', 'rollup', 'template', 'relation', 'lineNumber'];

/** Notes of some notebooks; undefined: of all. */
type NotesIn = (notebooks: readonly string[] | undefined) => Notes;

/** The Inbox notebook. */
const AROUND_NAME = /^(?:the|my) | (?:notebook|note|page|database|table)$|(?:笔记本|筆記本|数据库|資料庫)$/giu;

interface EventPlace {
  readonly id: string;
  readonly notebook: string;
  readonly columns?: DatabaseReading['columns'];
}
type Sought = EventPlace | OrderProblem['code'];
type EventOrder = Order & { readonly schedule: EventSchedule; readonly place: string };

const isEvent = (order: Order): order is EventOrder =>
  order.schedule?.kind === 'event' && order.place !== undefined && order.problems.length === 0;

/** Undefined for what is gone or may not be read. Rejects where SiYuan does not answer. */
export async function ifThere<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (!isOfOne(error)) throw error;
    return undefined;
  }
}

/** What orders wait for, read under the rights of the workspace. */
export class EventReader {
  private readonly notesIn: NotesIn;
  private readonly now: () => number;
  private readonly timeZone: string;
  private readonly places = new Map<string, { readonly sought: EventPlace; readonly at: number }>();
  private known: ReadonlyMap<string, Marks> = new Map();
  private mark = '';
  private unread = 0;

  constructor(notesIn: NotesIn, now: () => number, timeZone: string) {
    this.notesIn = notesIn;
    this.now = now;
    this.timeZone = timeZone;
  }

  /** The order with its place, or with why it has none. `allowed`: ids of the notebooks that it may read; undefined: all of `books`. */
  async placed(order: Order, books: readonly NotebookInfo[], allowed: readonly string[] | undefined, signal: AbortSignal): Promise<Order> {
    const { schedule: event } = order;
    if (event?.kind !== 'event') return order;
    const { target } = event;
    const problem = (code: OrderProblem['code'], line = target.name): Order => ({
      ...order,
      problems: [...order.problems, { code, line }],
    });
    const found = await this.sought(event, books, allowed, signal);
    if (typeof found === 'string') return problem(found);
    if (allowed && !allowed.includes(found.notebook)) return problem('bad_place');
    const column = columnNeeded(event);
    const isThere = (found.columns ?? []).some(({ name, type }) => areAlike(name, column) && (event.of !== 'dates' || type === 'date'));
    return column === '' || isThere ? { ...order, place: found.id, within: allowed } : problem('bad_column', column);
  }

  /** By order, for those that wait for an event. Reads nothing while nothing was written. */
  async look(orders: readonly Order[], signal: AbortSignal): Promise<ReadonlyMap<string, Marks>> {
    const waiting = orders.filter(isEvent);
    if (waiting.length === 0) return new Map();
    const below = waiting.flatMap(({ schedule, place }) => (schedule.of === 'notes' ? [place] : []));
    const mark = await this.notesIn(undefined).changeMark({ below, databases: below.length < waiting.length }, signal);
    const asked = JSON.stringify([mark, waiting.map(({ id, when, place }) => [id, when, place])]);
    this.unread += 1;
    if (asked === this.mark && this.unread < LOOKS_UNREAD) return this.known;
    this.mark = asked;
    this.known = await this.read(waiting, signal);
    this.unread = 0;
    return this.known;
  }

  /** Of what still is there and may be read; `among`: of notes that a project keeps to. */
  async titles(order: Order, signal: AbortSignal, among?: Notes): Promise<ReadonlyMap<string, string>> {
    if (!isEvent(order)) return new Map();
    const { schedule, place, within } = order;
    const notes = among ?? this.notesIn(within);
    if (schedule.of === 'notes') return new Map((await notes.notesBelow([place], signal)).get(place)?.map(({ id, title }) => [id, title]));
    const [database] = (await ifThere(notes.database({ id: place, page: 1, pageSize: MAX_ROWS }, signal))) ?? [];
    const main = database?.columns.find(({ type }) => type === 'block')?.id ?? '';
    return new Map(database?.rows.map(({ id, cells }) => [id, cells[main] ?? '']));
  }

  private async read(orders: readonly EventOrder[], signal: AbortSignal): Promise<ReadonlyMap<string, Marks>> {
    const places = orders.flatMap(({ schedule, place }) => (schedule.of === 'notes' ? [place] : []));
    const start = stampOf(this.now(), this.timeZone);
    const below = places.length > 0 ? await this.notesIn(undefined).notesBelow([...new Set(places)], signal) : undefined;
    const end = stampOf(this.now(), this.timeZone);
    const marks = new Map<string, Marks>();
    for (const { id, schedule, place, within } of orders) {
      if (schedule.of === 'notes') {
        const notes = below?.get(place);
        const isTimed = schedule.on.includes('changed');
        const before = isTimed ? this.known.get(id) : undefined;
        const settled = (notes ?? []).flatMap((note) => {
          // What was written in this second may be written again in it: it is taken at the next look.
          const isOpen = before !== undefined && start <= note.updated && note.updated <= end;
          if (isOpen) this.mark = '';
          const mark = isOpen ? before.get(note.id) : note.updated;
          return mark === undefined ? [] : [[note.id, isTimed ? mark : ''] as const];
        });
        if (notes) marks.set(id, new Map(settled));
        continue;
      }
      const database = await ifThere(this.notesIn(within).database({ id: place, page: 1, pageSize: MAX_ROWS }, signal));
      if (database?.[0]) marks.set(id, marksOf(database[0], schedule));
    }
    return marks;
  }

  private async sought(
    event: EventSchedule,
    books: readonly NotebookInfo[],
    within: readonly string[] | undefined,
    signal: AbortSignal,
  ): Promise<Sought> {
    const key = JSON.stringify([event.of === 'notes', event.target, within]);
    const known = this.places.get(key);
    if (known && this.now() < known.at + PLACE_MS && books.some(({ id, open }) => open && id === known.sought.notebook))
      return known.sought;
    const find = (target: Target): Promise<Sought> =>
      event.of === 'notes' ? this.place(target, books, signal) : this.database(target, this.notesIn(within), signal);
    const bare = { ...event.target, name: event.target.name.replaceAll(AROUND_NAME, '') };
    const named = await find(event.target);
    const sought = typeof named === 'string' && bare.name !== event.target.name ? await find(bare) : named;
    if (typeof sought !== 'string') this.places.set(key, { sought, at: this.now() });
    return sought;
  }

  /** A notebook by its name, or a note by its path, with or without the name of its notebook. */
  private async place({ name, id }: Target, books: readonly NotebookInfo[], signal: AbortSignal): Promise<Sought> {
    const [first = ''] = name.replace(/^\//u, '').split('/');
    const named = books.filter(
      (book) => id === undefined && (book.id === name || areAlike(book.name, first)) && (isSeen(book.right) || book.encrypted),
    );
    const whole = named.filter((book) => book.id === name || areAlike(book.name, name));
    if (named.some(({ open, encrypted }) => !open || encrypted)) return 'closed_place';
    const [book, another] = whole;
    if (book) return another ? 'bad_place' : { id: book.id, notebook: book.id };
    const address = id === undefined ? { path: name.startsWith('/') ? name : `/${name}` } : { id };
    const note = await ifThere(this.notesIn(undefined).document(address, { start: 0, blocks: 1 }, signal));
    return note ? { id: note.id, notebook: note.notebook.id } : 'bad_place';
  }

  private async database({ name, id }: Target, notes: Notes, signal: AbortSignal): Promise<Sought> {
    const found =
      id === undefined
        ? await notes.databases({ find: name }, signal)
        : await ifThere(notes.database({ id, page: 1, pageSize: 1 }, signal));
    const [one, another] = (found ?? []).filter((each) => id !== undefined || areAlike(each.name, name));
    return one && !another ? { id: one.id, notebook: one.notebook.id, columns: one.columns } : 'bad_database';
  }
}

function columnNeeded(event: EventSchedule): string {
  if (event.of === 'notes') return '';
  return event.of === 'dates' ? event.column : event.except;
}

function marksOf({ columns, rows }: DatabaseReading, event: EventSchedule): Marks {
  const column = columnNeeded(event);
  const named = columns.find(({ name }) => areAlike(name, column));
  if (event.of === 'dates')
    return new Map(
      rows.flatMap(({ id, cells }) => {
        const date = /^\d{4}-\d{2}-\d{2}/u.exec(cells[named?.id ?? ''] ?? '')?.[0];
        return date === undefined ? [] : [[id, date] as const];
      }),
    );
  const counted = columns.filter(({ id, type }) => id !== named?.id && !DERIVED.includes(type));
  const isTimed = event.of === 'rows' && event.on.includes('changed');
  return new Map(rows.map(({ id, cells }) => [id, isTimed ? hashText(JSON.stringify(counted.map((each) => cells[each.id] ?? ''))) : '']));
}
