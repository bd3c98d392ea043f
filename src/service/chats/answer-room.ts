import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { joined } from '../../tools/util/turns.ts';
import { ServiceError } from '../contract/errors.ts';

export interface Heap {
  /** The memory limit of the process in bytes. */
  readonly limit: number;
  /** The used bytes, garbage included. */
  used(): number;
  collectGarbage(): void;
}

/** MB set as the heap limit: V8 itself adds up to 200 MB for new objects. */
const SET = /--max[-_]old[-_]space[-_]size[= ](\d+)/.exec([...process.execArgv, process.env.NODE_OPTIONS ?? ''].join(' '))?.[1];

/** The heap of this process. */
export const PROCESS_HEAP: Heap = {
  limit: SET === undefined ? getHeapStatistics().heap_size_limit : Number(SET) * 1024 * 1024,
  used: () => getHeapStatistics().used_heap_size,
  collectGarbage() {
    setFlagsFromString('--expose-gc');
    const collect: () => void = runInNewContext('gc');
    collect();
  },
};

/** A share of the heap: near its limit a process does little but collect garbage. */
const SHARE = 0.75;
/** Bytes reserved for each running answer, whose length is not known. */
const FOR_ONE = 4_000_000;

/** Memory for answers over all chats: one too many would end the process, and with it every running answer. */
export class AnswerRoom {
  private readonly heap: Heap;
  private running = 0;
  /** Used bytes without garbage, measured once for concurrent questions. */
  private readonly needed: () => Promise<number>;

  /** `letGo`: frees what can be read again. */
  constructor(heap: Heap, letGo: () => Promise<void>) {
    this.heap = heap;
    this.needed = joined(async () => {
      await letGo();
      heap.collectGarbage();
      return heap.used();
    });
  }

  /** To be called before an answer begins; call the returned function when it has ended. Rejects with ServiceError if there is no room. */
  async take(): Promise<() => void> {
    if (!this.hasRoom(this.heap.used()) && !this.hasRoom(await this.needed())) throw this.full();
    this.running += 1;
    return () => {
      this.running -= 1;
    };
  }

  /** A single answer is tried with whatever memory there is. */
  private hasRoom(used: number): boolean {
    return this.running === 0 || used + (this.running + 1) * FOR_ONE <= this.heap.limit * SHARE;
  }

  private full(): ServiceError {
    return new ServiceError(
      503,
      'memory_full',
      `there is no memory for one more answer (running: ${this.running}); the question was not taken`,
      'send it again when one of them has ended, or start the service with more memory (node --max-old-space-size=…)',
    );
  }
}
