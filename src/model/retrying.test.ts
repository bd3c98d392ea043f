import { describe, expect, it } from 'vitest';
import { ToolError } from '../tools/contract/errors.ts';
import type { Complete, CompletionResult, ModelDelta } from '../tools/contract/messages.ts';
import { InterruptedAnswer } from './language-model.ts';
import { BusyModel, type RetryOptions, withRetries } from './retrying.ts';

const answer: CompletionResult = { content: 'yes', tool_calls: [], finishReason: 'stop' };
const busy = (retryAfter: number | null = null) => new BusyModel('model_rate_limited', 'too many requests', 'wait', retryAfter);

/** A model that gives these in turn, and what was waited and told. */
function open(outcomes: readonly (Error | CompletionResult)[], options: Partial<RetryOptions> = {}) {
  const queue = [...outcomes];
  const waits: number[] = [];
  const deltas: ModelDelta[] = [];
  const inner: Complete = async () => {
    const next = queue.shift();
    if (next === undefined) throw new Error('asked too often');
    if (next instanceof Error) throw next;
    return next;
  };
  const wait = async (ms: number): Promise<void> => void waits.push(ms);
  const retry = withRetries({ retries: () => 3, wait, now: () => 1000, random: () => 0.5, ...options });
  const run = (signal = new AbortController().signal) =>
    retry(
      () => inner({ messages: [] }, signal, () => undefined),
      signal,
      (delta) => deltas.push(delta),
    );
  return { run, waits, deltas, left: queue };
}
const codeOf = (run: Promise<unknown>): Promise<string> =>
  run.then(
    () => 'no error',
    (error: ToolError) => error.code,
  );

describe('a provider that is busy', () => {
  it('is asked again, each time after twice as long, and each wait is told', async () => {
    const { run, waits, deltas } = open([busy(), new BusyModel('model_server_error', 'failed', 'again', null), busy(), answer]);
    expect(await run()).toBe(answer);
    expect(waits).toEqual([1000, 2000, 4000]);
    expect(deltas).toMatchObject([
      { type: 'retry', attempt: 1, at: 2000, error: { code: 'model_rate_limited' } },
      { type: 'retry', attempt: 2, at: 3000, error: { code: 'model_server_error' } },
      { type: 'retry', attempt: 3, at: 5000 },
    ]);
  });

  it('is asked at least every half minute', async () => {
    const { run, waits } = open([...Array.from({ length: 7 }, () => busy()), answer], { retries: () => 7 });
    await run();
    expect(waits).toEqual([1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]);
  });

  it('is asked when it says, but nobody waits longer than a minute', async () => {
    const { run, waits } = open([busy(7), busy(61)]);
    expect(await codeOf(run())).toBe('model_rate_limited');
    expect(waits).toEqual([7000]);
  });

  it('is not asked more often than the settings say', async () => {
    expect(await codeOf(open([busy()], { retries: () => 0 }).run())).toBe('model_rate_limited');
    const { run, left } = open([busy(), busy(), answer], { retries: () => 1 });
    expect(await codeOf(run())).toBe('model_rate_limited');
    expect(left).toEqual([answer]);
  });

  it('is not asked again by all at the same time', async () => {
    for (const [random, ms] of [
      [0, 750],
      [0.999, 1249.5],
    ] as const) {
      const { run, waits } = open([busy(), answer], { random: () => random });
      await run();
      expect(waits).toEqual([ms]);
    }
  });
});

describe('what is not tried again', () => {
  it.each([
    new ToolError('model_unauthorized', 'no', 'key'),
    new ToolError('model_unreachable', 'no', 'net'),
    new ToolError('model_no_credit', 'no', 'pay'),
    new InterruptedAnswer('broke', 'again', answer),
  ])('%s', async (error) => {
    const { run, waits } = open([error, answer]);
    expect(await codeOf(run())).toBe(error.code);
    expect(waits).toEqual([]);
  });

  it('a request that the user stopped, also while it waits', async () => {
    const stopped = new AbortController();
    const { run: runStopped, deltas } = open([busy(), answer]);
    stopped.abort();
    await expect(runStopped(stopped.signal)).rejects.toBeInstanceOf(ToolError);
    expect(deltas).toEqual([]);
    const controller = new AbortController();
    const { run } = open([busy(), answer], {
      wait: async () => {
        controller.abort();
        throw controller.signal.reason;
      },
    });
    expect(await codeOf(run(controller.signal))).toBe('aborted');
  });
});
