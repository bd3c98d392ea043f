import { isToolError, ToolError } from '../tools/contract/errors.ts';
import type { Complete } from '../tools/contract/messages.ts';

/** A provider that may answer if it is asked again: it is busy, or failed. */
export class BusyModel extends ToolError {
  /** Seconds that it asked to wait; null where it did not say. */
  readonly retryAfter: number | null;

  constructor(code: 'model_rate_limited' | 'model_server_error', message: string, next: string, retryAfter: number | null) {
    super(code, message, next);
    this.retryAfter = retryAfter;
  }
}

export interface RetryOptions {
  /** Requests after the first one; 0: none. */
  readonly retries: () => number;
  /** Resolves after that many milliseconds, rejects when the signal aborts. */
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Uniform in [0, 1). */
  readonly random: () => number;
}

const FIRST_MS = 1000;
const LONGEST_MS = 30_000;
/** The longest wait before an answer begins, beyond which the failure is reported, with the time that the provider asked for. */
const PATIENCE_MS = 60_000;

/** Exponential backoff with jitter, so that clients turned away together do not return together. */
function backOff(attempt: number, random: number): number {
  return Math.min(LONGEST_MS, FIRST_MS * 2 ** (attempt - 1)) * (0.75 + random / 2);
}

/**
 * Retries where the provider was busy or failed before any of the answer had arrived. Each wait is announced by a `retry` delta, so that
 * the user sees it and can stop.
 */
export function withRetries(complete: Complete, { retries, wait, now, random }: RetryOptions): Complete {
  return async (request, signal, onDelta) => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await complete(request, signal, onDelta);
      } catch (error) {
        if (signal.aborted || attempt > retries() || !(error instanceof BusyModel)) throw error;
        const ms = error.retryAfter === null ? backOff(attempt, random()) : error.retryAfter * 1000;
        if (ms > PATIENCE_MS) throw error;
        onDelta({ type: 'retry', attempt, at: now() + ms, error: { code: error.code, message: error.message, next: error.next } });
        await wait(ms, signal).catch((reason: unknown) => {
          throw isToolError(reason) ? reason : new ToolError('aborted', 'the answer was stopped', 'send again when you want to go on');
        });
      }
    }
  };
}
