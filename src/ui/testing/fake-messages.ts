import type { ChatController } from '../../chat/controller/controller-port.ts';
import type { ChatFigures } from '../../chat/view/message-figures.ts';
import type { ChatView, MessageView } from '../../chat/view/view.ts';
import type { PlanOperation } from '../../tools/contract/plans.ts';
import type { Note } from './fake-library.ts';

type Messages = ChatController['messages'];

/** What one does to messages: written down, and done where the panel shows it. */
export class FakeMessages implements Messages {
  readonly #note: Note;
  readonly #view: () => ChatView;
  readonly #set: (messages: readonly MessageView[]) => void;
  #removed: readonly { readonly message: MessageView; readonly place: number }[] = [];

  /** What calls wrote, by call. */
  written: Readonly<Record<string, readonly PlanOperation[]>> = {};

  constructor(note: Note, view: () => ChatView, set: (messages: readonly MessageView[]) => void) {
    this.#note = note;
    this.#view = view;
    this.#set = set;
  }

  async changes(_nodeId: string, callId: string): Promise<readonly PlanOperation[]> {
    return this.written[callId] ?? [];
  }

  async lookAgain(sessionId: string, nodeId: string): Promise<void> {
    this.#note('messages.lookAgain', sessionId, nodeId);
  }

  stopCall(callId: string): void {
    this.#note('messages.stopCall', callId);
  }

  async edit(nodeId: string, text: string): Promise<void> {
    this.#note('messages.edit', nodeId, text);
  }

  async showVersion(nodeId: string, version: number): Promise<void> {
    this.#note('messages.showVersion', nodeId, version);
    this.#change(nodeId, (message) => (message.position ? { position: { ...message.position, version } } : {}));
  }

  /** As the tree does it: another message takes the place. */
  async showBranch(nodeId: string, branch: number): Promise<void> {
    this.#note('messages.showBranch', nodeId, branch);
    this.#change(nodeId, (message) =>
      message.position ? { nodeId: `${nodeId}-${branch}`, position: { ...message.position, branch } } : {},
    );
  }

  async reveal(nodeId: string): Promise<void> {
    this.#note('messages.reveal', nodeId);
  }

  async continueFrom(nodeId: string): Promise<void> {
    this.#note('messages.continueFrom', nodeId);
  }

  async setHidden(nodeId: string, hidden: boolean): Promise<void> {
    this.#note('messages.setHidden', nodeId, hidden);
    this.#change(nodeId, () => ({ hidden }));
  }

  async setPinned(nodeId: string, pinned: boolean): Promise<void> {
    this.#note('messages.setPinned', nodeId, pinned);
    this.#change(nodeId, () => ({ pinned }));
  }

  async remove(nodeId: string): Promise<void> {
    this.#note('messages.remove', nodeId);
    const { messages } = this.#view();
    const place = messages.findIndex((message) => message.nodeId === nodeId);
    const message = messages[place];
    if (!message) return;
    this.#removed = [...this.#removed, { message, place }];
    this.#set(messages.filter((each) => each !== message));
  }

  async restore(nodeId: string): Promise<void> {
    this.#note('messages.restore', nodeId);
    const found = this.#removed.find(({ message }) => message.nodeId === nodeId);
    if (found) this.#set(this.#view().messages.toSpliced(found.place, 0, found.message));
  }

  async separate(): Promise<void> {
    this.#note('messages.separate');
    const [like] = this.#view().messages;
    if (like)
      this.#set([
        ...this.#view().messages,
        { ...like, nodeId: 'separator', role: 'separator', segments: [], contexts: [], attachments: [] },
      ]);
  }

  async summarize(): Promise<void> {
    this.#note('messages.summarize');
  }

  async editSummary(nodeId: string, text: string): Promise<void> {
    this.#note('messages.editSummary', nodeId, text);
    this.#change(nodeId, () => ({ segments: [{ kind: 'text', text }] }));
  }

  async extract(nodeId: string, title: string): Promise<void> {
    this.#note('messages.extract', nodeId, title);
  }

  figures(): ChatFigures {
    const answers = this.#view().messages.filter((message) => message.role === 'assistant').length;
    return {
      answers,
      unknown: 0,
      promptTokens: 9300,
      completionTokens: 1230,
      totalTokens: 10_530,
      agentsTokens: 0,
      firstToken: 600,
      tokensPerSecond: 114,
      usages: [],
    };
  }

  #change(nodeId: string, patch: (message: MessageView) => Partial<MessageView>): void {
    this.#set(this.#view().messages.map((message) => (message.nodeId === nodeId ? { ...message, ...patch(message) } : message)));
  }
}
