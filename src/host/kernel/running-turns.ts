/** The turns of all chats over one kernel: while one runs, what its calls read is remembered (remembered-reads.ts). */
export class RunningTurns {
  private running = 0;
  private readonly listeners = new Set<() => void>();

  /** A turn begins; call what is returned when it is over. */
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

  /** Called when one begins and when one is over. */
  subscribe(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  private change(by: number): void {
    this.running += by;
    for (const listener of this.listeners) listener();
  }
}
