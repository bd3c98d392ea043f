import type { NamedProject } from '../../chat/session/chat-project.ts';
import type { Limit } from '../../model/budget/budgeted-model.ts';

export interface TimeOfDay {
  readonly hour: number;
  readonly minute: number;
}

export type DayChoice =
  | { readonly kind: 'day' }
  /** 0 is Sunday. */
  | { readonly kind: 'week'; readonly days: readonly number[] }
  /** Days of each month; a negative one alone, which counts from its end. */
  | { readonly kind: 'month'; readonly days: readonly number[] | 'last' }
  /** Such as the first Monday of each month; negative from its end. */
  | { readonly kind: 'nth'; readonly nth: number | 'last'; readonly weekday: number }
  /** Of each month, Monday to Friday. */
  | { readonly kind: 'workday'; readonly nth: 'first' | 'last' };

export interface Days {
  readonly days: DayChoice;
  /** Of the year, 1 is January; absent: each. */
  readonly months?: readonly number[];
  /** Only every so many, counted from `from`, or else from a fixed day. A week begins on Monday. */
  readonly every?: { readonly unit: 'days' | 'weeks'; readonly count: number };
  /** The first day that counts, YYYY-MM-DD. */
  readonly from?: string;
}

/** Made or moved there, or changed. */
export type NoteEvent = 'made' | 'moved' | 'changed';

/** A notebook, note or database, as the order names it; `id`: of a reference. */
export interface Target {
  readonly name: string;
  readonly id?: string | undefined;
}

/** What an order waits for. */
export type OrderEvent =
  /** At least so many notes below a notebook or note. */
  | { readonly of: 'notes'; readonly on: readonly NoteEvent[]; readonly target: Target; readonly count: number }
  /** Rows of a database that are new or changed, but for a column; '' for none. */
  | { readonly of: 'rows'; readonly on: readonly NoteEvent[]; readonly target: Target; readonly except: string }
  /** The dates of a column of a database, or so many days before. */
  | { readonly of: 'dates'; readonly target: Target; readonly column: string; readonly before: number; readonly time: TimeOfDay };

export type EventSchedule = { readonly kind: 'event' } & OrderEvent;

/** When an order runs, as it was understood. */
export type Schedule =
  | EventSchedule
  | ({ readonly kind: 'times'; readonly times: readonly TimeOfDay[] } & Days)
  | { readonly kind: 'every'; readonly unit: 'hours' | 'minutes'; readonly count: number }
  | { readonly kind: 'cron'; readonly cron: string }
  /** Once for each note that gets the tag. */
  | { readonly kind: 'tag'; readonly tag: string };

/** Why an order does not run. */
type OrderProblemCode =
  | 'no_when'
  | 'bad_when'
  | 'too_often'
  | 'no_text'
  | 'bad_budget'
  | 'bad_notebook'
  | 'bad_model'
  | 'bad_project'
  | 'left_project'
  | 'project_place'
  | 'bad_line'
  | 'bad_place'
  | 'closed_place'
  | 'bad_database'
  | 'bad_column'
  | 'bad_pace'
  | 'bad_quiet'
  | 'bad_limit'
  | 'foreign_text';

export interface OrderProblem {
  readonly code: OrderProblemCode;
  /** The line that it is about; '' if none is. */
  readonly line: string;
}

/** One order, as the user's note says it. */
export interface Order {
  /** Of its heading. */
  readonly id: string;
  readonly name: string;
  /** The request, in the person's words. */
  readonly text: string;
  /** As written; '' if it says none. */
  readonly when: string;
  /** Null if there is none that is understood. */
  readonly schedule: Schedule | null;
  /** Names of the notebooks that it may read and propose changes of; empty: as much as the workspace. */
  readonly notebooks: readonly string[];
  /** '' for the one of the settings. */
  readonly model: string;
  /** The project that its runs keep to, as it is written; null for none. */
  readonly project: Target | null;
  readonly budget: Limit | null;
  /** For an event: minutes without another before it runs, and runs in a day. */
  readonly quiet: number;
  readonly limit: number;
  /** `project`, once it was found. */
  readonly keepsTo?: NamedProject | undefined;
  /** For an event, once it was found: the notebook or note, or the block of the database. */
  readonly place?: string | undefined;
  /** Ids of `notebooks`, once they were found; absent: all. */
  readonly within?: readonly string[] | undefined;
  /** Tools beyond notes that it may use, such as web_search. */
  readonly tools: readonly string[];
  /** Empty if it can run. */
  readonly problems: readonly OrderProblem[];
}
