import { ToolError } from '../contract/errors.ts';
import type { AskUser, UserQuestion } from '../contract/ports.ts';
import { Listeners } from '../util/notify.ts';

function stopped(): ToolError {
  return new ToolError('aborted', 'the question was canceled', 'ask the user whether to go on');
}

interface Waiting {
  readonly question: UserQuestion;
  readonly settle: (answer: string | null) => void;
  readonly cancel: () => void;
}

/** Questions shown inside the chat: they wait in a list until someone answers, closes, aborts or disposes. */
export class InlineAskUser implements AskUser {
  /** Keyed by themselves, not by call: call ids may repeat. */
  private readonly waiting = new Set<Waiting>();
  private readonly listeners = new Listeners<[questions: readonly UserQuestion[]]>();
  private disposed = false;

  ask(question: UserQuestion, signal: AbortSignal): Promise<string | null> {
    if (this.disposed || signal.aborted) return Promise.reject(stopped());
    return new Promise((resolve, reject) => {
      const finish = (act: () => void): void => {
        signal.removeEventListener('abort', cancel);
        this.waiting.delete(entry);
        act();
        this.notify();
      };
      const cancel = (): void => finish(() => reject(stopped()));
      const entry: Waiting = { question, cancel, settle: (answer) => finish(() => resolve(answer)) };
      signal.addEventListener('abort', cancel, { once: true });
      this.waiting.add(entry);
      this.notify();
    });
  }

  list(): readonly UserQuestion[] {
    return [...this.waiting].map(({ question }) => question);
  }

  /** Answers the oldest question of an id; null closes it. False if none waits. */
  answer(callId: string, text: string | null): boolean {
    const waiting = [...this.waiting].find(({ question }) => question.callId === callId);
    waiting?.settle(text);
    return waiting !== undefined;
  }

  /** Calls back after every change; returns a function that stops listening. */
  subscribe(listener: (questions: readonly UserQuestion[]) => void): () => void {
    return this.listeners.add(listener);
  }

  /** Cancels everything, now and from now on. */
  dispose(): void {
    this.disposed = true;
    for (const { cancel } of [...this.waiting]) cancel();
    this.listeners.clear();
  }

  private notify(): void {
    const questions = this.list();
    this.listeners.call(questions);
  }
}
