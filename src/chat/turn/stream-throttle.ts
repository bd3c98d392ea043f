import { inBackground } from '../../tools/util/notify.ts';
import { Turns } from '../../tools/util/turns.ts';

/** Milliseconds between two writes; half of that at the end of a sentence. */
const GAP = 1_000;
/** If many answers are written at once, the gap of each is this long times their number: the kernel gets at most ten writes a second. */
const GAP_OF_EACH = 100;
/** The maximum number of concurrent writes: each holds the whole answer several times until the kernel has received it. */
const AT_ONCE = 4;
const SENTENCE_END = /[.!?。！？…\n]["'”’)\]」』»*_]*\s*$/u;
const TAIL = 24;

/** The throttles of all answers being written. */
const running = new Set<StreamThrottle>();

const writes = new Turns(AT_ONCE);

const gap = (): number => Math.max(GAP, running.size * GAP_OF_EACH);

/**
 * Decides when streamed text is written to the turn log: every write is synced to all devices, so rarely; but whoever kills the page
 * must lose only the unfinished sentence. A slow write delays the next.
 */
export class StreamThrottle {
  private readonly write: () => Promise<void>;
  private readonly now: () => number;
  private last: number;
  private timer: { readonly handle: ReturnType<typeof setTimeout>; readonly due: number } | null = null;
  private writing = false;
  private again = false;
  private stopped = false;

  /** `write` writes the current text, and never rejects. */
  constructor(write: () => Promise<void>, now: () => number) {
    this.write = write;
    this.now = now;
    this.last = now();
    running.add(this);
  }

  /** More text was streamed: `piece` is the delta, never the whole text, which grows with each. */
  grown(piece: string): void {
    if (this.stopped) return;
    if (this.writing) {
      this.again = true;
      return;
    }
    const due = this.last + (SENTENCE_END.test(piece.slice(-TAIL)) ? gap() / 2 : gap());
    if (this.timer && this.timer.due <= due) return;
    this.clear();
    this.timer = { due, handle: setTimeout(() => inBackground(this.flush()), Math.max(0, due - this.now())) };
  }

  /** The streamed text was saved elsewhere (a round, the saved chat): nothing is written until more comes. */
  reset(): void {
    this.clear();
    this.again = false;
  }

  stop(): void {
    this.stopped = true;
    running.delete(this);
    this.reset();
  }

  private async flush(): Promise<void> {
    this.timer = null;
    this.last = this.now();
    this.writing = true;
    await writes.take(async () => {
      // Text that came while it waited is included.
      this.again = false;
      if (!this.stopped) await this.write();
    });
    this.writing = false;
    if (!this.again) return;
    this.again = false;
    this.grown('.');
  }

  private clear(): void {
    if (this.timer) clearTimeout(this.timer.handle);
    this.timer = null;
  }
}
