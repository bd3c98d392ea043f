import type { ChatContext } from './types.ts';

/** What will go with the next question: attached notes, and words that were typed while an answer ran. */
export class PendingMessage {
  contexts: readonly ChatContext[] = [];
  text: string | null = null;

  attach(context: ChatContext): void {
    this.contexts = [...this.contexts.filter((one) => one.id !== context.id || one.kind !== context.kind), context];
  }

  detach(id: string): void {
    this.contexts = this.contexts.filter((context) => context.id !== id);
  }

  queue(text: string): void {
    this.text = this.text === null ? text : `${this.text}\n\n${text}`;
  }

  takeContexts(): readonly ChatContext[] {
    const { contexts } = this;
    this.contexts = [];
    return contexts;
  }

  takeText(): string | null {
    const { text } = this;
    this.text = null;
    return text;
  }
}
