import type { EventError } from '../../tools/contract/errors.ts';
import type { NoteSource } from '../../tools/contract/provenance.ts';
import type { ToolArguments, ToolEffect, ToolExecuteStatus, WrittenBlocks } from '../../tools/contract/types.ts';

/** Sessions with this prefix are not chats: a person ran their calls in the tool tester. */
export const TESTER_SESSION = 'tester-';

/**
 * One call of a tool, as it is kept for a later look: a row of the service's database, an entry of the panel's files. Secrets (keys,
 * tokens) in its texts are masked before it is kept.
 */
export interface ActivityRecord {
  readonly id: string;
  readonly sessionId: string;
  /** The answer that asked for it. */
  readonly messageId: string;
  readonly callId: string;
  /** Of a sub-agent's call: the call that started the sub-agent. */
  readonly parentCallId?: string;
  readonly toolName: string;
  readonly effect: ToolEffect;
  readonly arguments: ToolArguments;
  /** In full, before it was shortened for the model (at most 200,000 characters); null while the call runs and where it gave none. */
  readonly result: string | null;
  readonly error: EventError | null;
  readonly status: 'running' | ToolExecuteStatus;
  /** null while it runs. */
  readonly durationMs: number | null;
  /** Of its start, milliseconds since the epoch. */
  readonly timestamp: number;
  /** The question that the answer belongs to: its message, and its text ('' where there is none). */
  readonly questionId?: string;
  readonly userMessage: string;
  /** Where its result was read from. */
  readonly sources: readonly NoteSource[];
  /** What it wrote into notes. */
  readonly written?: WrittenBlocks;
  /** In the files of a workspace: `service` if the service ran it. */
  readonly program?: string;
}

export interface ActivityQuery {
  readonly sessionId?: string;
  readonly toolName?: string;
  readonly effect?: ToolEffect;
  /** Id of a document that was read or written. */
  readonly documentId?: string;
  /** Milliseconds since the epoch; `from` inclusive, `to` exclusive. */
  readonly from?: number;
  readonly to?: number;
  readonly limit: number;
  readonly offset: number;
}

/** A record in a list: its texts are cut to 200 characters; `get` has them whole. */
export interface ActivityPage {
  /** Newest first. */
  readonly records: readonly ActivityRecord[];
  readonly total: number;
}

/** All methods reject with ToolError where the storage fails. */
export interface ActivityStore {
  /**
   * Kept before the call runs, with status `running`: what a crash cuts off is found by it. The call does not wait for it; a storage
   * that can has the record when this returns. Called again where the tool gets other arguments than the model wrote.
   */
  start(record: ActivityRecord): Promise<void>;
  /** Replaces the record of this id; adds it where its start could not be kept. */
  finish(record: ActivityRecord): Promise<void>;
  list(query: ActivityQuery): Promise<ActivityPage>;
  /** null where it is not kept, or no longer. */
  get(id: string): Promise<ActivityRecord | null>;
  /** Nothing runs in this chat: its records that still say so become `interrupted` (`interruptedRecord`). */
  cutOff(sessionId: string): Promise<void>;
  /** Removes those of a chat, or those that started before a time, or all. Resolves with their number. */
  remove(which: { readonly sessionId?: string; readonly before?: number }): Promise<number>;
}
