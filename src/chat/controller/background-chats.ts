import type { ToolExecutor } from '../../tools/executor/executor.ts';
import type { NewChat, Session } from '../session/types.ts';
import { emptySession } from '../store/turn-log.ts';
import type { ChatSession } from '../turn/session.ts';
import type { BackgroundChat } from '../view/view.ts';
import type { ChatControllerDeps } from './controller-deps.ts';

export const newSession = ({ newId, clock }: Pick<ChatControllerDeps, 'newId' | 'clock'>, made: NewChat = {}): Session => ({
  ...emptySession({ id: newId(), title: '', created: clock.now() }),
  ...made,
});

/** The shown chat, and chats that were left during an answer: they continue, and opening one again gives the running chat. */
export class BackgroundChats {
  private readonly chats = new Map<string, ChatSession>();
  private shown: ChatSession;
  private readonly onShown: (executors: readonly ToolExecutor[]) => void;

  constructor(shown: ChatSession, onShown: (executors: readonly ToolExecutor[]) => void = () => undefined) {
    this.shown = shown;
    this.onShown = onShown;
  }

  open(id: string): ChatSession | undefined {
    return id === this.shown.id ? this.shown : this.chats.get(id);
  }

  running(id: string): ChatSession | undefined {
    const session = this.open(id);
    return session?.running ? session : undefined;
  }

  /** Shows another chat: the previous one continues if it is answering, and is closed otherwise. */
  show(session: ChatSession): void {
    this.chats.delete(session.id);
    const before = this.shown;
    this.shown = session;
    if (before !== session && before.running) this.chats.set(before.id, before);
    else if (before !== session) before.dispose();
    this.onShown([session, ...this.chats.values()].map(({ executor }) => executor));
  }

  drop(session: ChatSession): void {
    if (session.running || this.chats.get(session.id) !== session) return;
    this.chats.delete(session.id);
    session.dispose();
  }

  /** Ends a chat's answer and closes it; resolves when it is saved. */
  async end(id: string): Promise<void> {
    const session = this.chats.get(id);
    await session?.stop();
    if (session) this.drop(session);
  }

  async endAll(): Promise<void> {
    await Promise.all([...this.chats.keys()].map((id) => this.end(id)));
  }

  view(): readonly BackgroundChat[] | undefined {
    const chats = [...this.chats.values()].filter(({ running }) => running);
    if (chats.length === 0) return undefined;
    return chats.map(({ id, approvals, questions }) => ({ id, waits: approvals.list().length + questions.list().length > 0 }));
  }
}
