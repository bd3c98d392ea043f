import type { TypedWords } from './typed-words.ts';
import type { ChatContext } from './types.ts';

/** What will go with the next question: attached notes, and words that were typed while an answer ran. */
export class PendingMessage {
  contexts: readonly ChatContext[] = [];
  text: string | null = null;
  private readonly typed: TypedWords;
  private release = (): void => undefined;

  constructor(typed: TypedWords) {
    this.typed = typed;
  }

  attach(context: ChatContext): void {
    this.contexts = [...this.contexts.filter((one) => one.id !== context.id || one.kind !== context.kind), context];
  }

  detach(id: string): void {
    this.contexts = this.contexts.filter((context) => context.id !== id);
  }

  queue(text: string): void {
    this.text = this.text === null ? text : `${this.text}\n\n${text}`;
    const { release } = this;
    this.release = this.typed.hold(this.text);
    release();
  }

  takeContexts(): readonly ChatContext[] {
    const { contexts } = this;
    this.contexts = [];
    return contexts;
  }

  /** `taken` is called back when a chat has them. */
  takeText(): { readonly text: string; readonly taken: () => void } | null {
    const { text, release } = this;
    this.text = null;
    this.release = () => undefined;
    return text === null ? null : { text, taken: release };
  }
}
