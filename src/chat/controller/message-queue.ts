import { withOwnIds } from '../session/contexts.ts';
import type { AttachedContext, ChatContext } from '../session/types.ts';
import type { DraftStore } from '../store/draft-store.ts';

/** What will go with the next question of a chat: attached notes, and words that were sent while an answer was being written. */
export class MessageQueue {
  contexts: readonly AttachedContext[] = [];
  text: string | null = null;
  private readonly typed: DraftStore;
  private release = (): void => undefined;

  constructor(typed: DraftStore) {
    this.typed = typed;
  }

  /** A block or note that was attached before is attached as it reads now; of its words each choice counts by itself. */
  attach(context: ChatContext): void {
    const { kind, id, text } = context;
    const again = (one: ChatContext): boolean => one.kind === kind && one.id === id && (kind !== 'selection' || one.text === text);
    this.contexts = withOwnIds([...this.contexts.filter((one) => !again(one)), context]);
  }

  detach(contextId: string): void {
    this.contexts = this.contexts.filter((context) => context.contextId !== contextId);
  }

  add(text: string): void {
    this.text = this.text === null ? text : `${this.text}\n\n${text}`;
    const { release } = this;
    this.release = this.typed.hold(this.text);
    release();
  }

  takeContexts(): readonly AttachedContext[] {
    const { contexts } = this;
    this.contexts = [];
    return contexts;
  }

  /** What waits goes back into the composer; false where nothing waits. */
  withdraw(): boolean {
    const waiting = this.takeText();
    if (waiting) this.typed.putBack(waiting.text);
    waiting?.taken();
    return waiting !== null;
  }

  /** `taken` is called back when a chat has them. */
  takeText(): { readonly text: string; readonly taken: () => void } | null {
    const { text, release } = this;
    this.text = null;
    this.release = () => undefined;
    return text === null ? null : { text, taken: release };
  }
}
