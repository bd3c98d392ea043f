export interface Spent {
  readonly tokens: number;
  readonly dollars: number;
}

export const NOTHING: Spent = { tokens: 0, dollars: 0 };
export const plus = (one: Spent, other: Spent): Spent => ({ tokens: one.tokens + other.tokens, dollars: one.dollars + other.dollars });

export type Purpose =
  | 'answer'
  | 'sub-agent'
  | 'title'
  | 'summary'
  | 'suggestion'
  | 'check'
  | 'picture'
  | 'speech'
  | 'transcription'
  | 'test';

export interface ModelUse {
  /** Absent if it belongs to no chat, such as a connection test. */
  readonly sessionId?: string;
  readonly purpose: Purpose;
}

export interface Usages extends Spent {
  /** Tokens of requests without a known price: they are missing in `dollars`. */
  readonly unpriced: number;
  readonly sessionId?: string;
  /** The provider's name for it. Absent, like `purpose`, if only the sum was recorded. */
  readonly model?: string;
  /** A Purpose, or one of a newer version. */
  readonly purpose?: string;
}

export interface DayUsages extends Usages {
  /** YYYY-MM-DD, local where and when it was used. */
  readonly day: string;
}

/** A record that cannot be read: its usage is in no sum. */
export interface DamagedRecord {
  /** Relative to the plugin's storage, like the path of its copy. */
  readonly path: string;
  readonly copy: string;
}

export interface UsageReport {
  readonly days: readonly DayUsages[];
  readonly damaged: readonly DamagedRecord[];
}
