import { ToolError } from '../../tools/contract/errors.ts';
import { orAborted } from '../../tools/util/abort.ts';

/** One request with several waiting callers. It is aborted when all of them have stopped waiting. */
export class JoinedRequest<T> {
  readonly answer: Promise<T>;
  private readonly controller = new AbortController();
  private waiting = 0;
  private isOver = false;

  constructor(ask: (signal: AbortSignal) => Promise<T>) {
    this.answer = ask(this.controller.signal);
    const settle = (): void => {
      this.isOver = true;
    };
    this.answer.then(settle, settle);
  }

  get stopped(): boolean {
    return this.controller.signal.aborted;
  }

  /** Rejects like the request, or with `aborted`. */
  async wait(signal: AbortSignal): Promise<T> {
    this.waiting += 1;
    try {
      return await orAborted(this.answer, signal);
    } catch (error) {
      if (!signal.aborted) throw error;
      throw new ToolError('aborted', 'the call was stopped', 'ask the user whether to go on');
    } finally {
      this.waiting -= 1;
      if (this.waiting === 0 && !this.isOver) this.controller.abort();
    }
  }
}
