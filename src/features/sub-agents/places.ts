import { ToolError } from '../../tools/contract/errors.ts';
import { orAborted } from '../../tools/util/abort.ts';

/** A semaphore: a number of places, given in the order in which they were requested. */
export class Places {
  private free: number;
  private readonly waiting: (() => void)[] = [];

  constructor(count: number) {
    this.free = count;
  }

  /** Resolves with a function that gives the place back. Rejects with ToolError `aborted`, and then no place was taken. */
  async take(signal: AbortSignal): Promise<() => void> {
    if (this.free > 0) this.free -= 1;
    else await this.wait(signal);
    return () => this.giveBack();
  }

  private async wait(signal: AbortSignal): Promise<void> {
    let mine: () => void = () => undefined;
    const turn = new Promise<void>((resolve) => {
      mine = resolve;
      this.waiting.push(resolve);
    });
    try {
      await orAborted(turn, signal);
    } catch {
      const place = this.waiting.indexOf(mine);
      if (place >= 0) this.waiting.splice(place, 1);
      // It was given in the same moment.
      else this.giveBack();
      throw new ToolError('aborted', 'the call was stopped while it waited', 'ask the user whether to go on');
    }
  }

  private giveBack(): void {
    const next = this.waiting.shift();
    if (next) next();
    else this.free += 1;
  }
}
