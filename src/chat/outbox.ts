import type { LanguageModel } from '../model/language-model.ts';
import type { EventError, ToolError } from '../tools/errors.ts';
import { PendingMessage } from './pending-message.ts';
import type { ChatSession } from './session.ts';
import type { TypedWords } from './typed-words.ts';

export interface OutboxHost {
  readonly typed: TypedWords;
  /** The chat that is open. */
  readonly session: () => ChatSession;
  /** Resolves when no other chat is being opened. */
  readonly settled: () => Promise<void>;
  /** Runs a turn, with all that follows one; the question is in the chat when this returns. */
  readonly turn: (work: (session: ChatSession, model: LanguageModel | ToolError) => Promise<void>) => Promise<void>;
  readonly say: (problem: EventError) => void;
  readonly changed: () => void;
}

/** The way of the user's words into the open chat; they wait while an answer is being written, here or in another window. */
export class Outbox {
  pending: PendingMessage;
  private readonly host: OutboxHost;

  constructor(host: OutboxHost) {
    this.host = host;
    this.pending = new PendingMessage(host.typed);
  }

  /** Another chat is opened: what waited belongs to the one before. */
  renew(): void {
    this.pending = new PendingMessage(this.host.typed);
  }

  /** Resolves when the words are answered, or wait. */
  async send(text: string): Promise<void> {
    if (text.trim() !== '') await this.hand(text, this.host.typed.hold(text));
  }

  async sendWaiting(): Promise<void> {
    const { running, blocked } = this.host.session();
    const waiting = running || blocked ? null : this.pending.takeText();
    if (waiting) await this.hand(waiting.text, waiting.taken);
  }

  /** Ends the running turn and keeps what waited as a message that nobody answers. */
  async leave(): Promise<void> {
    const waiting = this.pending.takeText();
    const session = this.host.session();
    await session.stop();
    if (!waiting) return;
    session.keepUnsent(waiting.text);
    const saved = session.save();
    waiting.taken();
    await saved;
  }

  /** `taken` is called back when a chat has the words, or they wait in the queue. */
  private async hand(text: string, taken: () => void): Promise<void> {
    const { session, settled, turn, say, changed } = this.host;
    await settled();
    const { readOnly, blocked, running } = session();
    if (readOnly && blocked) {
      say(blocked);
      return taken();
    }
    if (running || blocked) {
      this.pending.queue(text);
      taken();
      return changed();
    }
    const answered = turn((chat, model) => chat.send(text, this.pending.takeContexts(), model));
    taken();
    await answered;
  }
}
