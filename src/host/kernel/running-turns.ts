import { Listeners } from '../../tools/util/notify.ts';
/** The turns of all chats over one kernel: while one runs, reads of its calls are remembered (remembered-reads.ts). */
export class RunningTurns {
  private running = 0;
  private readonly listeners = new Listeners<[]>();

  /** Marks the begin of a turn; call the returned function at its end. */
  readonly begin = (): (() => void) => {
    let isOver = false;
    this.change(1);
    return () => {
      if (!isOver) this.change(-1);
      isOver = true;
    };
  };

  get any(): boolean {
    return this.running > 0;
  }

  subscribe(listener: () => void): () => void {
    return this.listeners.add(listener);
  }

  private change(by: number): void {
    this.running += by;
    this.listeners.call();
  }
}
