import type { PendingDecision } from '../../tools/calls/pending.ts';
import type { DatabaseRef } from '../../tools/contract/databases.ts';
import type { InboxItem } from './inbox.ts';
import type { OrderProblem } from './order.ts';
import type { OrdersView } from './order-runner.ts';

/** An order as it is written into the note. */
export interface NewOrder {
  readonly name: string;
  readonly when: string;
  /** '' for none. */
  readonly budget: string;
  readonly text: string;
  /** The note of the project that it keeps to; '' or absent for none. */
  readonly project?: string | undefined;
  /** The title of that note; absent until it is written. */
  readonly projectTitle?: string | undefined;
  /** For an event, in minutes and runs a day; absent or '' for the usual. */
  readonly quiet?: string | undefined;
  readonly limit?: string | undefined;
}

/** When and how it runs. */
export type OrderSettings = Omit<NewOrder, 'name' | 'text'>;

/** A call that wrote something. */
export interface WrittenCall {
  readonly sessionId: string;
  readonly messageId: string;
  readonly callId: string;
}

/** Orders in the panel. Each method rejects with ToolError. */
export interface OrdersPort {
  view(): Promise<OrdersView>;
  /** What waits, each planned again against the notes of now. */
  inbox(): Promise<readonly InboxItem[]>;
  /** How many wait. */
  count(): Promise<number>;
  /** False if it is not pending any more. */
  decide(item: Pick<InboxItem, 'run' | 'id'>, decision: PendingDecision): Promise<boolean>;
  /** Takes away what does not fit any more. */
  drop(item: Pick<InboxItem, 'run' | 'id'>): Promise<void>;
  /** Whether a note has an order with a time to run. */
  isOrdersNote(id: string): Promise<boolean>;
  /** The note of orders; '' for none. */
  choose(note: string): Promise<void>;
  /** Makes a note of that title in a notebook, and chooses it. */
  makeNote(notebook: string, title: string, markdown: string): Promise<void>;
  /** Writes it at the end of the note. */
  add(order: NewOrder): Promise<void>;
  /** Writes what differs between both. Lines that a form does not have stay. */
  change(order: string, before: NewOrder, after: NewOrder): Promise<void>;
  /** Takes it out of the note; resolves with the call that did, which can be undone. */
  remove(order: string): Promise<WrittenCall>;
  /** Why an order of these settings could not run, such as a place that is not there. */
  problemsOf(order: OrderSettings): Promise<readonly OrderProblem[]>;
  /** `note`: for a tag, the note that it runs for. */
  runNow(order: string, note?: string): Promise<void>;
  pause(order: string): Promise<void>;
  resume(order: string): Promise<void>;
  runForAll(order: string): Promise<void>;
  /** Databases that may be read. */
  databases(): Promise<readonly DatabaseRef[]>;
  /** Adds a text column to a database, of the id of its block. */
  addColumn(database: string, name: string): Promise<void>;
}

/** The same with what is said in the panel, which opens without the rest. */
export interface PanelOrders extends OrdersPort {
  /** Whether this app runs them; undefined where it cannot, as in a browser. */
  runsHere(): boolean | undefined;
  runHere(on: boolean): void;
  /** Calls back with how many proposals wait, now and again; returns a function that stops it. */
  watch(listener: (count: number) => void): () => void;
}

export const ORDERS: { readonly name: string; readonly type?: PanelOrders } = { name: 'orders' };
