import type { ActivityRecorder } from '../../chat/activity/recorder.ts';
import type { TreeModel } from '../../chat/session/tree-model.ts';
import type { ChatContext, Session } from '../../chat/session/types.ts';
import type { SessionStore } from '../../chat/store/store-port.ts';
import { emptySession } from '../../chat/store/turn-log.ts';
import { ChatSession } from '../../chat/turn/session.ts';
import { textOf } from '../../chat/turn/turn-progress.ts';
import type { LanguageModel } from '../../model/language-model.ts';
import type { EventError, ToolError } from '../../tools/contract/errors.ts';
import type { InlineApprovalAdapter } from '../../tools/executor/approvals.ts';
import type { ToolExecutor } from '../../tools/executor/executor.ts';
import type { EditorTaskDeps } from './editor-task-types.ts';

export interface TaskQuestion {
  readonly text: string;
  readonly contexts: readonly ChatContext[];
  /** The system prompt of this turn; not saved with the chat, which may continue in the panel with tools. */
  readonly prompt: string;
  /** A new version of the answer to the same question. */
  readonly again: boolean;
}

interface TaskSessionListener {
  readonly onChange: () => void;
  readonly title: () => string;
}

/** The chat behind an editor task: in no list until `keep`, and without tools while the model answers, so that it only writes text. */
export class TaskSession {
  readonly id: string;
  private readonly deps: EditorTaskDeps;
  private readonly listener: TaskSessionListener;
  private chat: ChatSession | null = null;
  private kept = false;
  private prompt = '';
  private text = '';
  private groups: readonly string[] = [];

  constructor(deps: EditorTaskDeps, listener: TaskSessionListener) {
    this.deps = deps;
    this.listener = listener;
    this.id = deps.newId();
  }

  get tree(): TreeModel {
    return this.open().tree;
  }

  get recorder(): ActivityRecorder | null {
    return this.open().recorder;
  }

  get approvals(): InlineApprovalAdapter {
    return this.open().approvals;
  }

  get nodeId(): string {
    return this.answerNode() ?? '';
  }

  get answer(): string {
    const live = this.chat?.live;
    return live ? textOf(live.progress.answer.segments) : this.text;
  }

  /** Asks and waits for the whole answer; returns an error if there is none. */
  async ask(question: TaskQuestion, model: LanguageModel | ToolError): Promise<EventError | undefined> {
    const chat = this.open();
    this.prompt = question.prompt;
    this.text = '';
    this.putToolsAway(chat.executor);
    const node = this.answerNode();
    await (question.again && node !== undefined
      ? chat.rerun(node, model)
      : chat.ask(question.text, { contexts: question.contexts }, model));
    const payload = chat.tree.payload(this.nodeId);
    this.text = payload.message.content;
    return payload.error;
  }

  /** The executor with the tools that the settings allow, and a command's own; they always ask here, whatever the settings say. */
  withTools(own: readonly string[]): ToolExecutor {
    const { executor } = this.open();
    for (const group of [...this.groups, ...own]) executor.toggleGroupEnabled(group, true);
    for (const tool of ['edit_block', 'insert_blocks', 'rewrite_doc', 'flashcards'])
      executor.setPermission(tool, { executionPolicy: 'ask-always' });
    return executor;
  }

  async stop(): Promise<void> {
    await this.chat?.stop();
  }

  /** From now on the chat is in the store. */
  async keep(): Promise<void> {
    this.kept = true;
    await this.chat?.save();
  }

  async forget(): Promise<void> {
    if (!this.kept) return;
    this.kept = false;
    // A chat that could not be removed stays in the list, where it can be removed by hand.
    await this.deps.store.remove(this.id).catch(() => undefined);
  }

  dispose(): void {
    this.chat?.dispose();
  }

  private answerNode(): string | undefined {
    return this.chat?.tree.thread().findLast((node) => node.role === 'assistant')?.id;
  }

  private open(): ChatSession {
    if (this.chat) return this.chat;
    const { listener } = this;
    // The task has read the settings already, before the notes.
    const { readSettings: _read, ...deps } = this.deps;
    const head = emptySession({ id: this.id, title: listener.title(), created: deps.clock.now() });
    const saved: Session = { ...head, origin: 'suggestion' };
    // A chat that cannot be saved reports it when it is opened; the card is about the note.
    const chatListener = { onChange: listener.onChange, onNotice: () => undefined };
    this.chat = new ChatSession(
      { ...deps, store: this.heldStore(deps.store), settings: () => ({ ...deps.settings(), systemPrompt: this.prompt }) },
      chatListener,
      saved,
    );
    return this.chat;
  }

  private putToolsAway(executor: ToolExecutor): void {
    this.groups = [...new Set([...this.groups, ...executor.groups().flatMap(({ name, enabled }) => (enabled ? [name] : []))])];
    for (const group of this.groups) executor.toggleGroupEnabled(group, false);
  }

  private heldStore(store: SessionStore): SessionStore {
    const nothing = (): Promise<void> => Promise.resolve();
    return {
      save: (session) => (this.kept ? store.save(session) : Promise.resolve({ session, merged: false, repaired: false })),
      refresh: (session) => store.refresh(session),
      // Nothing of an unsaved chat may be found after a crash.
      turnLog: () => ({ add: nothing, place: () => nothing, stream: nothing, covered: () => nothing }),
    };
  }
}
