import * as v from 'valibot';
import { ToolError } from '../../tools/contract/errors.ts';
import { ORDERS_WISHES } from '../../tools/contract/saved-names.ts';
import { type CopyStorage, keepBroken } from '../../tools/util/broken-copy.ts';
import { fieldOf } from '../../tools/util/plain-value.ts';

/** Files of orders below the plugin's storage (docs/formats.md). Each has one kind of writer, so that none overwrites another. */
export interface OrderStorage extends CopyStorage {
  /** Does nothing if it does not exist. */
  remove(path: string): Promise<void>;
}

const SCHEMA = 1;
const time = v.number();

const wish = v.looseObject({
  pausedAt: v.optional(time),
  resumedAt: v.optional(time),
  runAt: v.optional(time),
  /** For a tag: the note that it is to run for. */
  runNote: v.optional(v.string()),
  /** For a tag or rows: also those that were there before. */
  allAt: v.optional(time),
});
/** What people want, in any window, in milliseconds since the epoch. */
const wishesFormat = v.looseObject({
  schema: v.optional(time, SCHEMA),
  /** The note of orders; '' if there is none. */
  note: v.optional(v.string(), ''),
  orders: v.optional(v.record(v.string(), wish), {}),
});
export type Wishes = v.InferOutput<typeof wishesFormat>;

const how = v.picklist(['made', 'moved', 'changed', 'date']);
/** What happened to a note or row; `at`: when it was seen. */
const happening = v.looseObject({ id: v.string(), how, at: time });
export type Happening = v.InferOutput<typeof happening>;

const orderState = v.looseObject({
  /** As it was written when `since` was set. */
  when: v.string(),
  /** Times before it are not missed: the order did not exist, or had another schedule. */
  since: time,
  /** For a tag: the notes that have it, and for how many it did not run. */
  seen: v.optional(v.array(v.string())),
  had: v.optional(v.number()),
  /** For an event: what is there, each with what changes with it: a time, a hash, a date. */
  marks: v.optional(v.record(v.string(), v.string())),
  /** What happened since the last run. */
  waiting: v.optional(v.array(happening)),
  /** When `seen` or `marks` was set. */
  seenAt: v.optional(time),
  /** The wish for all notes that was taken up last. */
  allAt: v.optional(time),
});
/** What the program that runs the orders remembers. */
const stateFormat = v.looseObject({ schema: v.optional(time, SCHEMA), orders: v.optional(v.record(v.string(), orderState), {}) });
export type OrdersState = v.InferOutput<typeof stateFormat>;

const PROPOSAL_STATUSES = ['pending', 'approved', 'rejected', 'declined', 'dropped'] as const;
const proposal = v.looseObject({
  /** Of the call. */
  id: v.string(),
  /** The answer that it belongs to. */
  nodeId: v.string(),
  tool: v.string(),
  args: v.record(v.string(), v.unknown()),
  /** Of the texts that it would change, as they were. */
  before: v.string(),
  /** What it would change of what is there, if it adds nothing: a later proposal of the order for the same replaces it. */
  targets: v.optional(v.array(v.string())),
  /** Of blocks that it changes, as they would be, if it does nothing else. */
  after: v.optional(v.record(v.string(), v.string())),
  /** What it would do, in a line. */
  words: v.string(),
  /** `declined`: and not again. `dropped`: its run was cut off, or its blocks have changed. */
  status: v.picklist(PROPOSAL_STATUSES),
  /** What its approval wrote, and from when to when: no event of an order. */
  written: v.optional(v.looseObject({ ids: v.array(v.string()), from: time, to: time })),
});
export type Proposal = v.InferOutput<typeof proposal>;
/** As a run makes it. */
export type NewProposal = Pick<Proposal, 'id' | 'nodeId' | 'tool' | 'args' | 'before' | 'targets' | 'after' | 'words'>;

const RUN_STATUSES = ['running', 'done', 'budget', 'failed', 'cut_off'] as const;
const runFormat = v.looseObject({
  schema: v.optional(time, SCHEMA),
  /** Also of its chat. */
  id: v.string(),
  order: v.string(),
  name: v.string(),
  /** Milliseconds since the epoch. */
  started: time,
  ended: v.optional(time),
  why: v.picklist(['time', 'asked', 'tag', 'event']),
  /** The note that got the tag. */
  note: v.optional(v.string()),
  /** What it runs for. */
  events: v.optional(v.array(happening)),
  /** 2 after one that was cut off. */
  attempt: v.optional(v.number(), 1),
  status: v.picklist(RUN_STATUSES),
  /** Why it failed or stopped. */
  reason: v.optional(v.string()),
  /** No model was asked: nothing waited that it may read. It has no chat. */
  unasked: v.optional(v.boolean()),
  proposals: v.array(proposal),
});
export type OrderRun = v.InferOutput<typeof runFormat>;

const STATE = 'orders/state.json';
const RUNS = 'orders/runs';
/** Ended runs of each order that are kept, beside those with pending proposals. */
const KEPT_RUNS = 30;

/** Nothing is run, shown or written over then. */
const NEWER = new ToolError('newer_version', 'the standing orders were saved by a newer version', 'update the plugin on this device');

/** Reads and writes them. Rejects like the storage, and with `newer_version`; a damaged file is copied aside and counts as missing. */
export class OrderFiles {
  private readonly storage: OrderStorage;
  private readonly now: () => number;

  constructor(storage: OrderStorage, now: () => number) {
    this.storage = storage;
    this.now = now;
  }

  async wishes(): Promise<Wishes> {
    return (await this.read(ORDERS_WISHES, wishesFormat)) ?? v.parse(wishesFormat, {});
  }

  async changeWishes(change: (wishes: Wishes) => Partial<Wishes>): Promise<void> {
    const wishes = await this.wishes();
    await this.storage.write(ORDERS_WISHES, JSON.stringify({ ...wishes, ...change(wishes), schema: SCHEMA }));
  }

  async state(): Promise<OrdersState> {
    return (await this.read(STATE, stateFormat)) ?? v.parse(stateFormat, {});
  }

  writeState(state: OrdersState): Promise<void> {
    return this.storage.write(STATE, JSON.stringify({ ...state, schema: SCHEMA }));
  }

  /** Newest first. */
  async runs(): Promise<readonly OrderRun[]> {
    const names = (await this.storage.list(RUNS)).filter((name) => name.endsWith('.json') && RUN_ID.test(name.slice(0, -5)));
    const runs = await Promise.all(names.map((name) => this.read(`${RUNS}/${name}`, runFormat)));
    return runs.filter((run) => run !== null).sort((left, right) => right.started - left.started);
  }

  /** Null for an id that no run can have, such as a path. */
  async run(id: string): Promise<OrderRun | null> {
    return RUN_ID.test(id) ? this.read(pathOf(id), runFormat) : null;
  }

  writeRun(run: OrderRun): Promise<void> {
    return this.storage.write(pathOf(run.id), JSON.stringify({ ...run, schema: SCHEMA }));
  }

  /** Removes old runs of an order; their chats stay. `runs`: newest first. `waiting`: ids of those that are kept. */
  async prune(runs: readonly OrderRun[], waiting: ReadonlySet<string>): Promise<void> {
    const old = runs.slice(KEPT_RUNS).filter(({ id, status }) => status !== 'running' && !waiting.has(id));
    for (const { id } of old) await this.storage.remove(pathOf(id));
  }

  private async read<T extends v.GenericSchema>(path: string, format: T): Promise<v.InferOutput<T> | null> {
    const text = await this.storage.read(path);
    if (text === null) return null;
    try {
      const saved: unknown = JSON.parse(text);
      if (Number(fieldOf(saved, 'schema')) > SCHEMA) throw NEWER;
      return v.parse(format, saved);
    } catch (error) {
      if (error === NEWER) throw error;
      await keepBroken(this.storage, path, text, this.now());
      return null;
    }
  }
}

const RUN_ID = /^[\w-]{1,100}$/;
const pathOf = (id: string): string => `${RUNS}/${id}.json`;
