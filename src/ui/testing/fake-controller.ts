import type { AttachTo, ChatController, NewAttachment } from '../../chat/controller/controller-port.ts';
import { withOwnIds } from '../../chat/session/contexts.ts';
import { ownSettings } from '../../chat/session/own-settings.ts';
import type { ChatContext, OwnSettingsPatch } from '../../chat/session/types.ts';
import type { AnswerSegment, ChatView, MessageView } from '../../chat/view/view.ts';
import type { PreparedRequest } from '../../model/language-model.ts';
import type { ModelRef } from '../../model/providers.ts';
import { type EventError, ToolError } from '../../tools/contract/errors.ts';
import type { PlanOperation } from '../../tools/contract/plans.ts';
import type { ApprovalDecision, ToolArguments } from '../../tools/contract/types.ts';
import { FakeLibrary, type Note } from './fake-library.ts';
import { FakeMessages } from './fake-messages.ts';

let counter = 0;
const next = (): string => {
  counter += 1;
  return `node-${counter}`;
};

export const emptyView: ChatView = {
  sessionId: 'session-1',
  title: '',
  messages: [],
  running: false,
  queued: null,
  approvals: [],
  questions: [],
  allowances: [],
  notebooks: [
    { id: 'nb-research', name: 'Research', open: true, right: 'read' },
    { id: 'nb-projects', name: 'Projects', open: true, right: 'write' },
    { id: 'nb-diary', name: 'Diary', open: true, right: 'read' },
  ],
  model: { label: 'gpt-4.1-mini', kind: 'ready' },
  own: {},
  contexts: [],
  attachments: [],
};

export function userMessage(text: string, extra: Partial<MessageView> = {}): MessageView {
  return answer([{ kind: 'text', text }], { role: 'user', author: 'user', ...extra });
}

export function answer(segments: readonly AnswerSegment[], extra: Partial<MessageView> = {}): MessageView {
  return {
    nodeId: next(),
    role: 'assistant',
    segments,
    hint: '',
    contexts: [],
    attachments: [],
    status: 'done',
    citations: [],
    author: 'gpt-4.1-mini',
    created: Date.now(),
    ...extra,
  };
}

/** A chat that a test drives by hand: it answers nothing by itself and writes down what the panel asks of it. */
export class FakeController implements ChatController {
  readonly log: (readonly [string, ...unknown[]])[] = [];
  readonly messages: FakeMessages;
  readonly library: FakeLibrary;
  readonly typed = {
    forms: new Map<string, object>(),
    draft: '',
    keepDraft: (text: string) => void Object.assign(this.typed, { draft: text }),
    putBack: (text: string) => {
      for (const listener of this.#draftListeners) listener(text);
    },
    subscribe: (listener: (draft: string) => void) => {
      this.#draftListeners.add(listener);
      return () => this.#draftListeners.delete(listener);
    },
  };
  /** What went with questions besides what was attached. */
  readonly beside: string[] = [];
  /** Files with their bytes, as they were attached. */
  readonly attached: NewAttachment[] = [];
  variables: Readonly<Record<string, string>> = {};
  /** What the next call rejects with. */
  failure: Error | EventError | undefined;
  #view: ChatView;
  readonly #listeners = new Set<(view: ChatView) => void>();
  readonly #draftListeners = new Set<(draft: string) => void>();

  constructor(view: Partial<ChatView> = {}) {
    this.#view = { ...emptyView, ...view };
    const note: Note = (...entry) => this.note(...entry);
    this.library = new FakeLibrary(note, (id, title) => {
      if (id === this.#view.sessionId) this.set({ title });
    });
    this.messages = new FakeMessages(
      note,
      () => this.#view,
      (messages) => this.set({ messages }),
    );
  }

  view(): ChatView {
    return this.#view;
  }

  /** A note of another notebook than those that answers were written from. */
  foreignNote = '';

  set(patch: Partial<ChatView>): void {
    this.replace({ ...this.#view, ...patch });
  }

  replace(view: ChatView): void {
    this.#view = view;
    for (const listener of this.#listeners) listener(this.#view);
  }

  /** Changes the last message. */
  setLast(patch: Partial<MessageView>): void {
    const last = this.#view.messages.at(-1);
    if (last) this.set({ messages: [...this.#view.messages.slice(0, -1), { ...last, ...patch }] });
  }

  /** Text that streams into the last message. */
  stream(text: string): void {
    const segments = this.#view.messages.at(-1)?.segments ?? [];
    const tail = segments.at(-1);
    if (tail?.kind === 'text') this.setLast({ segments: [...segments.slice(0, -1), { kind: 'text', text: tail.text + text }] });
    else this.setLast({ segments: [...segments, { kind: 'text', text }] });
  }

  subscribe(listener: (view: ChatView) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  composer(): AttachTo {
    return this;
  }

  async attach(attached: NewAttachment): Promise<void> {
    const { bytes, ...file } = attached;
    this.note('attach', file.name);
    this.attached.push(attached);
    const made = { ...file, id: next(), size: bytes.length, asset: `assets/${file.name}` };
    this.set({ attachments: [...this.#view.attachments, made] });
  }

  removeAttachment(id: string): void {
    this.note('removeAttachment', id);
    this.set({ attachments: this.#view.attachments.filter((file) => file.id !== id) });
  }

  async preview(text: string): Promise<PreparedRequest> {
    const body = { model: 'gpt-4.1-mini', messages: [{ role: 'user', content: text }] };
    return { address: 'https://api.openai.com/v1/chat/completions', body: JSON.stringify(body) };
  }

  async send(text: string, beside?: Promise<readonly ChatContext[]>): Promise<void> {
    this.note('send', text);
    void beside?.then((contexts) => this.beside.push(...contexts.map(({ kind, title }) => `${kind}: ${title}`)));
    if (this.#view.running) this.set({ queued: text });
    else this.set({ messages: [...this.#view.messages, userMessage(text), answer([], { status: 'streaming' })], running: true });
  }

  stop(): void {
    this.note('stop');
    this.#unqueue();
    this.setLast({ status: 'stopped' });
    this.set({ running: false, approvals: [] });
  }

  editQueued(): void {
    this.note('editQueued');
    this.#unqueue();
  }

  dropQueued(): void {
    this.note('dropQueued');
    this.set({ queued: null });
  }

  #unqueue(): void {
    const { queued } = this.#view;
    if (queued === null) return;
    this.set({ queued: null });
    for (const listener of this.#draftListeners) listener([queued, this.typed.draft].filter(Boolean).join('\n\n'));
  }

  decide(approvalId: string, decision: ApprovalDecision): void {
    this.note('decide', approvalId, decision);
    this.set({ approvals: this.#view.approvals.filter((approval) => approval.approvalId !== approvalId) });
  }

  async revise(approvalId: string, args: ToolArguments): Promise<void> {
    this.note('revise', approvalId, args);
    const change = (operation: PlanOperation): PlanOperation => ({ ...operation, after: String(args.markdown), drawn: undefined });
    this.set({
      approvals: this.#view.approvals.map((each) =>
        each.approvalId === approvalId && each.plan
          ? { ...each, args, plan: { ...each.plan, operations: each.plan.operations.map(change) } }
          : each,
      ),
    });
  }

  revoke(tool: string, scope: string): void {
    this.note('revoke', tool, scope);
    this.set({ allowances: this.#view.allowances.filter((allowance) => allowance.tool !== tool || allowance.scope !== scope) });
  }

  async newChat(): Promise<void> {
    this.note('newChat');
    this.set({ sessionId: next(), title: '', messages: [], running: false, queued: null, approvals: [] });
  }

  async openChat(sessionId: string): Promise<void> {
    this.note('openChat', sessionId);
    this.set({ sessionId, title: this.library.summaries.find((summary) => summary.id === sessionId)?.title ?? '', messages: [] });
  }

  async rerun(nodeId: string, rest = false, model?: ModelRef): Promise<void> {
    this.note(rest ? 'continue' : 'rerun', nodeId, ...(model ? [model] : []));
  }

  async undo(nodeId: string): Promise<void> {
    this.note('undo', nodeId);
    const messages = this.#view.messages.map((message) =>
      message.nodeId === nodeId && message.undo
        ? {
            ...message,
            undo: { ...message.undo, undone: true, redo: message.undo.blocks },
            undoReport: { restored: ['20260101000000-aaaaaaa'], conflicts: [] },
          }
        : message,
    );
    this.set({ messages });
  }

  async redo(nodeId: string): Promise<void> {
    this.note('redo', nodeId);
    const messages = this.#view.messages.map(({ undoReport: _report, ...message }) =>
      message.nodeId === nodeId && message.undo ? { ...message, undo: { ...message.undo, undone: false } } : message,
    );
    this.set({ messages });
  }

  async resolveConflict(nodeId: string, blockId: string, choice: 'undo' | 'keep', shown?: string | null): Promise<void> {
    this.note('resolveConflict', nodeId, blockId, choice, shown);
    const messages = this.#view.messages.map((message) => {
      const report = message.nodeId === nodeId ? message.undoReport : undefined;
      if (!report) return message;
      const conflicts = report.conflicts.filter((conflict) => conflict.blockId !== blockId);
      const undoReport = { restored: choice === 'keep' ? report.restored : [...report.restored, blockId], conflicts };
      const kept = (message.undo?.kept ?? 0) + (choice === 'keep' ? 1 : 0);
      return { ...message, undoReport, ...(message.undo && kept > 0 ? { undo: { ...message.undo, kept } } : {}) };
    });
    this.set({ messages });
  }

  answer(callId: string, text: string | null): void {
    this.note('answer', callId, text);
    this.set({ questions: this.#view.questions.filter((question) => question.callId !== callId) });
  }

  addContext(context: ChatContext): void {
    this.set({ contexts: withOwnIds([...this.#view.contexts, context]) });
  }

  removeContext(contextId: string): void {
    this.note('removeContext', contextId);
    this.set({ contexts: this.#view.contexts.filter((context) => context.contextId !== contextId) });
  }

  variable(name: string): string | null {
    return this.variables[name] ?? null;
  }

  async work(): Promise<void> {
    // No feature works on a chat here.
  }

  async openFound(): Promise<void> {
    // As `work`.
  }

  async setOwn(patch: OwnSettingsPatch): Promise<void> {
    this.note('setOwn', patch);
    this.set({ own: ownSettings({ ...this.#view.own, ...patch }) });
  }

  dismissNotice(): void {
    this.note('dismissNotice');
    const { notice: _gone, ...rest } = this.#view;
    this.#view = rest;
    this.set({});
  }

  async dispose(): Promise<void> {
    this.#listeners.clear();
  }

  /** Writes down what is done. */
  note(...entry: readonly [string, ...unknown[]]): void {
    this.log.push(entry);
    const failure = this.failure;
    this.failure = undefined;
    if (failure) throw failure instanceof Error ? failure : new ToolError(failure.code, failure.message, failure.next);
  }
}
