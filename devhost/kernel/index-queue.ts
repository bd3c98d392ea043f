import type { BlockIndex } from './tree/index-port.ts';

type Change = (index: BlockIndex) => void;

/** Writes reach the index later than the disk, as in the kernel: after a delay, or when somebody flushes. */
export class IndexQueue {
  private readonly index: BlockIndex;
  private readonly delayMs: number;
  private readonly committed: () => void;
  private changes = new Map<string, Change>();
  private unnamed = 0;
  private timer: NodeJS.Timeout | undefined;

  constructor(index: BlockIndex, delayMs: number, committed: () => void) {
    this.index = index;
    this.delayMs = delayMs;
    this.committed = committed;
  }

  /** Changes of one `key` are the same change: the last one counts, at its own place in the order. */
  add(change: Change, key = `#${++this.unnamed}`): void {
    this.changes.delete(key);
    this.changes.set(key, change);
    this.timer ??= setTimeout(() => this.flush(), this.delayMs);
  }

  /** Brings the index up to date; `committed` is called only when there was something to do. */
  flush(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    if (this.changes.size === 0) return;
    const changes = this.changes;
    this.changes = new Map();
    for (const change of changes.values()) {
      try {
        change(this.index);
      } catch (error) {
        // The disk is right and the index is made again at the next start; one bad document must not stop the others.
        console.error('devhost: a change did not reach the index', error);
      }
    }
    this.committed();
  }

  /** Drops what waits; for shutting down. */
  stop(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.changes.clear();
  }
}
