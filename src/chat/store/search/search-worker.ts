import { describeThrown } from '../../../tools/contract/errors.ts';
import { EngineLost, readGiven, readReply, type SearchCall, type SearchCalls, type SearchEngine, toQuestion } from './search-calls.ts';

/** The part of a worker running `createSearchServer` that is used. */
export interface WorkerPort {
  post(message: unknown): void;
  /** `onFailure`: it could not start, or threw; called at most once per cause, with what is known about it. */
  listen(onMessage: (message: unknown) => void, onFailure: (reason: string) => void): void;
  end(): void;
}

/** Milliseconds that a worker may take to answer: one that never answered probably never will. */
const PATIENCE = { first: 5_000, later: 20_000 };

/** A corpus in a worker. If it fails, does not answer or sends invalid replies, it is ended, and every call rejects with EngineLost. */
export class WorkerEngine implements SearchEngine {
  private readonly port: WorkerPort;
  private readonly waiting = new Map<number, { readonly take: (gives: unknown) => void; readonly fail: (error: Error) => void }>();
  private asked = 0;
  private hasAnswered = false;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private lost: EngineLost | undefined;

  constructor(port: WorkerPort) {
    this.port = port;
    port.listen(
      (message) => this.receive(message),
      (reason) => this.lose(reason),
    );
  }

  ask<K extends SearchCall>(call: K, takes: SearchCalls[K]['takes']): Promise<SearchCalls[K]['gives']> {
    return new Promise((resolve, reject) => {
      if (this.lost) return reject(this.lost);
      const id = ++this.asked;
      this.waiting.set(id, { take: (gives) => resolve(readGiven(call, gives)), fail: reject });
      if (this.waiting.size === 1) this.watch();
      this.attempt(() => this.port.post(toQuestion(id, call, takes)));
    });
  }

  end(): void {
    this.lose('it was ended');
  }

  private receive(message: unknown): void {
    if (this.lost) return;
    this.hasAnswered = true;
    this.attempt(() => {
      const { id, gives } = readReply(message);
      this.waiting.get(id)?.take(gives);
      this.waiting.delete(id);
      this.watch();
    });
  }

  private attempt(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.lose(describeThrown(error));
    }
  }

  /** Restarts the timeout with every answer while others are still expected. */
  private watch(): void {
    clearTimeout(this.timer);
    if (this.waiting.size === 0) return;
    this.timer = setTimeout(() => this.lose('it does not answer'), this.hasAnswered ? PATIENCE.later : PATIENCE.first);
  }

  private lose(reason: string): void {
    if (this.lost) return;
    this.lost = new EngineLost(`the search worker is gone: ${reason}`);
    clearTimeout(this.timer);
    this.port.end();
    for (const { fail } of this.waiting.values()) fail(this.lost);
    this.waiting.clear();
  }
}
