import { isToolError, ToolError } from '../tools/contract/errors.ts';
import type { ModelDelta } from '../tools/contract/messages.ts';

const BUSY = ['model_rate_limited', 'model_server_error', 'model_unreachable'] as const;
type BusyCode = (typeof BUSY)[number];

export const isBusyCode = (code: string): code is BusyCode => BUSY.some((one) => one === code);

/** A provider that may answer on a retry: it is busy, failed, or its connection was reset before any of the answer arrived. */
export class BusyModel extends ToolError {
  /** Seconds that it asked to wait; null if it did not say. */
  readonly retryAfter: number | null;

  constructor(code: BusyCode, message: string, next: string, retryAfter: number | null) {
    super(code, message, next);
    this.retryAfter = retryAfter;
  }
}

export interface RetryOptions {
  readonly retries: () => number;
  /** Resolves after that many milliseconds, rejects when the signal aborts. */
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly now: () => number;
  readonly random: () => number;
}

const FIRST_MS = 1000;
const LONGEST_MS = 30_000;
/** The longest wait before an answer begins; beyond it the failure is reported, with the time that the provider asked for. */
const PATIENCE_MS = 60_000;

/** Exponential backoff with jitter, so that clients rejected together do not return together. */
function backOff(attempt: number, random: number): number {
  return Math.min(LONGEST_MS, FIRST_MS * 2 ** (attempt - 1)) * (0.75 + random / 2);
}

/** Announces a wait, so that the user sees it and can stop. */
export type OnRetry = (retry: Extract<ModelDelta, { type: 'retry' }>) => void;

/** Retries a request. Rejects like the last attempt, or with `aborted`. */
export type Retry = <T>(attempt: () => Promise<T>, signal: AbortSignal, onRetry: OnRetry) => Promise<T>;

/** Retries if the provider was busy or failed before any of the answer had arrived. */
export function withRetries({ retries, wait, now, random }: RetryOptions): Retry {
  return async (attempt, signal, onRetry) => {
    for (let tries = 1; ; tries += 1) {
      try {
        return await attempt();
      } catch (error) {
        if (signal.aborted || tries > retries() || !(error instanceof BusyModel)) throw error;
        const ms = error.retryAfter === null ? backOff(tries, random()) : error.retryAfter * 1000;
        if (ms > PATIENCE_MS) throw error;
        onRetry({ type: 'retry', attempt: tries, at: now() + ms, error: { code: error.code, message: error.message, next: error.next } });
        await wait(ms, signal).catch((reason: unknown) => {
          throw isToolError(reason) ? reason : new ToolError('aborted', 'the answer was stopped', 'send again when you want to go on');
        });
      }
    }
  };
}
