/** What requests used. */
export interface Spent {
  readonly tokens: number;
  /** US dollars; requests without a known price count as 0. */
  readonly dollars: number;
}

export const NOTHING: Spent = { tokens: 0, dollars: 0 };
export const plus = (one: Spent, other: Spent): Spent => ({ tokens: one.tokens + other.tokens, dollars: one.dollars + other.dollars });

/** What a request was for. */
export type Purpose = 'answer' | 'sub-agent' | 'title' | 'summary' | 'suggestion' | 'picture' | 'speech' | 'transcription' | 'test';

/** Who asked a model, for the record of what was used. */
export interface ModelUse {
  /** Absent for what belongs to no chat, such as a connection test. */
  readonly sessionId?: string;
  readonly purpose: Purpose;
}

/** What the requests of one kind used. */
export interface Usages extends Spent {
  /** Tokens of requests of which the price was not known: `dollars` is at least that much too small. */
  readonly unpriced: number;
  readonly sessionId?: string;
  /** As the provider names it. Absent, with `purpose`, where only the sum was recorded. */
  readonly model?: string;
  /** A Purpose, or what a newer version calls it. */
  readonly purpose?: string;
}

export interface DayUsages extends Usages {
  /** YYYY-MM-DD, local where and when it was used. */
  readonly day: string;
}

/** A record that cannot be read: what it counted is in no sum. */
export interface DamagedRecord {
  /** Relative to the plugin's storage, as the path of its copy is. */
  readonly path: string;
  readonly copy: string;
}

export interface UsageReport {
  readonly days: readonly DayUsages[];
  readonly damaged: readonly DamagedRecord[];
}
