import type { EventError } from '../../tools/contract/errors.ts';
import type { NoteSource } from '../../tools/contract/provenance.ts';
import type { ToolArguments, ToolEffect, ToolExecuteStatus, WrittenBlocks } from '../../tools/contract/types.ts';
import { hexOf } from '../../tools/util/hex.ts';

export const TESTER_SESSION = 'tester-';
export const HOST_AGENT_SESSION = 'siyuan-agent-';
const PROGRAM_SESSION = 'program-';
/** Letters of a program's name that its calls are recorded with. */
const NAMED_BY = 30;

/** The session of a program that comes in through the app: it says whose calls they are, as the program has no chat. */
export function programSession(name: string, id: string): string {
  const bytes = new TextEncoder().encode([...name].slice(0, NAMED_BY).join(''));
  return `${PROGRAM_SESSION}${hexOf(bytes)}-${id}`;
}

/** The name of the program whose session it is; undefined for others. */
export function programOf(sessionId: string): string | undefined {
  const hex = new RegExp(`^${PROGRAM_SESSION}((?:[0-9a-f]{2})+)-`).exec(sessionId)?.[1];
  if (hex === undefined) return undefined;
  return new TextDecoder().decode(Uint8Array.from(hex.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16)));
}

/** One tool call: a row of the service's database, or an entry of the panel's files. Secrets in its texts are masked before it is saved. */
export interface ActivityRecord {
  readonly id: string;
  readonly sessionId: string;
  readonly messageId: string;
  readonly callId: string;
  /** For a sub-agent's call: the call that started the sub-agent. */
  readonly parentCallId?: string;
  readonly toolName: string;
  readonly effect: ToolEffect;
  readonly arguments: ToolArguments;
  /** The full result, before it was shortened for the model (at most 200,000 characters); null while the call runs or if it gave none. */
  readonly result: string | null;
  readonly error: EventError | null;
  readonly status: 'running' | ToolExecuteStatus;
  /** null while it runs. */
  readonly durationMs: number | null;
  readonly timestamp: number;
  /** The question of the answer: its message, and its text ('' if there is none). */
  readonly questionId?: string;
  readonly userMessage: string;
  readonly sources: readonly NoteSource[];
  readonly written?: WrittenBlocks;
  /** In the files of a workspace: `service` if the service ran it. */
  readonly program?: string;
}

export interface ActivityQuery {
  readonly sessionId?: string;
  readonly toolName?: string;
  readonly effect?: ToolEffect;
  readonly documentId?: string;
  /** Milliseconds since the epoch; `from` inclusive, `to` exclusive. */
  readonly from?: number;
  readonly to?: number;
  readonly limit: number;
  readonly offset: number;
}

export interface ActivityPage {
  /** Newest first. */
  readonly records: readonly ActivityRecord[];
  readonly total: number;
}

export interface ActivityStore {
  /** Called before the call runs, and with other arguments than the model wrote; a synchronous storage has the record when this returns. */
  start(record: ActivityRecord): Promise<void>;
  /** Replaces the record with this id; adds it if its start was not saved. */
  finish(record: ActivityRecord): Promise<void>;
  list(query: ActivityQuery): Promise<ActivityPage>;
  get(id: string): Promise<ActivityRecord | null>;
  /** Nothing runs in this chat: its records with status `running` become `interrupted` (`interruptedRecord`). */
  cutOff(sessionId: string): Promise<void>;
  /** Removes the records of a chat, those that started before a time, or all. Resolves with their number. */
  remove(which: { readonly sessionId?: string; readonly before?: number }): Promise<number>;
}
