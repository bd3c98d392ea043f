import { answeringModel, type ChatModel } from '../../chat/controller/controller-deps.ts';
import { readContexts } from '../../chat/controller/traced-contexts.ts';
import type { KeptBack } from '../../chat/ports/kept-back.ts';
import type { TreeModel } from '../../chat/session/tree-model.ts';
import { thrownError } from '../../chat/turn/notices.ts';
import { TurnProgress } from '../../chat/turn/turn-progress.ts';
import { failureOf, isUnchanged, startUserCall, type TaskCall, type WantedCall } from '../../chat/turn/user-calls.ts';
import { ViewAnnouncer } from '../../chat/view/view-announcer.ts';
import { createEventEmitter } from '../../tools/chain/event-stream.ts';
import { type EventError, ToolError } from '../../tools/contract/errors.ts';
import type { Clock } from '../../tools/contract/ports.ts';
import { NO_NOTES } from '../../tools/contract/provenance.ts';
import type { ApprovalDecision, ToolExecuteResult } from '../../tools/contract/types.ts';
import { argumentsPreview, resultPreview } from '../../tools/executor/call-preview.ts';
import type { ToolExecutor } from '../../tools/executor/executor.ts';
import { besideCall, insertCall, readableAnswer, wantedCalls } from './editor-task-calls.ts';
import { shapeOf, targetLanguage, taskPrompt } from './editor-task-instructions.ts';
import { readSource, type TaskSource } from './editor-task-reading.ts';
import { type TaskQuestion, TaskSession } from './editor-task-session.ts';
import type { EditorTask, EditorTaskDeps, EditorTaskRequest, EditorTaskView } from './editor-task-types.ts';

interface FinishedCall {
  readonly call: TaskCall;
  readonly result: ToolExecuteResult;
  readonly endTime: number;
}

interface RecordOptions {
  readonly tree: TreeModel;
  readonly nodeId: string;
  readonly sessionId: string;
  readonly clock: Clock;
  /** The model's answer, without the record of earlier calls. */
  readonly answer: string;
}

/** Records the task's calls on its message, as in a turn with tools: so the panel shows them, with Undo. */
function recordCalls({ tree, nodeId, sessionId, clock, answer }: RecordOptions, finished: readonly FinishedCall[]): void {
  const progress = new TurnProgress(finished[0]?.call.startTime ?? clock.now());
  const emitter = createEventEmitter({ sessionId, turnId: nodeId, clock, onEvent: (event, detail) => progress.take(event, detail) });
  emitter.emit({ type: 'turn-start' });
  for (const { call, result, endTime } of finished) {
    emitter.emit({ type: 'tool-start', callId: call.callId, tool: call.tool, arguments: call.received });
    const { error, rejectReason: reason } = result;
    const end = {
      type: 'tool-end',
      callId: call.callId,
      status: result.status,
      durationMs: Math.max(0, endTime - call.startTime),
      preview: resultPreview(result),
      ...(error === undefined ? {} : { error }),
      ...(reason === undefined ? {} : { reason }),
    } as const;
    emitter.emit(end, { result, argsPreview: argumentsPreview(call.received) });
  }
  // After the calls: the last text is the answer, text before calls only leads to it.
  emitter.delta('text', answer);
  emitter.closeAll();
  const { content, hintSize, toolChainResult } = progress.snapshot();
  const { message } = tree.payload(nodeId);
  tree.openVersion(nodeId);
  tree.updatePayload(nodeId, {
    message: { ...message, content },
    userPromptSlice: [hintSize, content.length],
    toolChainResult: { ...toolChainResult, status: 'completed' },
    writes: finished.flatMap(({ result }) => result.written?.blockIds ?? []),
  });
  tree.closeVersion(nodeId);
}

type Shown = Pick<EditorTaskView, 'status' | 'phase'> & Partial<Pick<EditorTaskView, 'error' | 'keptBack' | 'note' | 'undone' | 'redone'>>;

/** An action from the editor as a run of its own. Framework-free: the card is a view of it. */
export function createEditorTask(deps: EditorTaskDeps, request: EditorTaskRequest): EditorTask {
  return new Task(deps, request);
}

class Task implements EditorTask {
  private readonly deps: EditorTaskDeps;
  private readonly request: EditorTaskRequest;
  private readonly announcer = new ViewAnnouncer<EditorTaskView>(() => this.buildView());
  private readonly closing = new AbortController();
  private session: TaskSession;
  private source: TaskSource | null = null;
  private shown: Shown = { status: 'working', phase: 'reading' };
  private calls: readonly TaskCall[] = [];
  private finished: readonly FinishedCall[] = [];
  /** Something was written, or may have been: its blocks link to the chat, so it stays. */
  private wrote = false;
  /** The running step; steps are serialized, and closing waits for them. */
  private current: Promise<void> = Promise.resolve();

  constructor(deps: EditorTaskDeps, request: EditorTaskRequest) {
    this.deps = deps;
    this.request = request;
    this.session = this.makeSession();
  }

  get sessionId(): string {
    return this.session.id;
  }

  view(): EditorTaskView {
    return this.announcer.value();
  }

  subscribe(listener: () => void): () => void {
    return this.announcer.subscribe(listener);
  }

  run(): Promise<void> {
    return this.step(() => this.answer());
  }

  again(): Promise<void> {
    if (this.shown.status === 'working') return this.current;
    return this.step(async () => {
      await this.dropCalls();
      await this.answer();
    });
  }

  adjust(instruction: string): Promise<void> {
    const { status } = this.shown;
    if (status === 'working' || status === 'done' || !this.source || instruction.trim() === '') return this.current;
    return this.step(async () => {
      await this.dropCalls();
      await this.ask(instruction.trim());
    });
  }

  accept(decisions?: ReadonlyMap<string, ApprovalDecision>): Promise<void> {
    if (this.shown.status !== 'proposal' || this.calls.length === 0) return this.current;
    return this.step(() => this.write(decisions));
  }

  insertBelow({ ask = false } = {}): Promise<void> {
    const { source } = this;
    if (this.shown.status === 'working' || !source || this.answerText() === '') return this.current;
    return this.step(async () => {
      await this.dropCalls();
      await this.propose([insertCall(source, this.session.answer)]);
      const plans = this.calls.flatMap((call) => call.approval?.plan ?? []);
      // The text was read and requested; only new information and a missing right need another approval.
      const silent = !ask && plans.length > 0 && plans.every(({ notices, needsRight }) => notices.length === 0 && !needsRight);
      if (silent && this.shown.status === 'proposal') await this.write();
    });
  }

  undo(): Promise<void> {
    if (this.shown.status === 'working' || !this.undoable()) return this.current;
    return this.step(async () => {
      this.show({ status: 'working', phase: 'undoing' });
      const undone = await this.deps.history.undo(this.session.id, this.session.nodeId, this.closing.signal);
      this.show({ status: 'done', phase: 'undoing', undone });
    });
  }

  redo(): Promise<void> {
    if (this.shown.status === 'working' || !this.redoable()) return this.current;
    return this.step(async () => {
      this.show({ status: 'working', phase: 'redoing' });
      const redone = await this.deps.history.redo(this.session.id, this.session.nodeId, this.closing.signal);
      this.show({ status: 'done', phase: 'redoing', redone });
    });
  }

  async reject(): Promise<void> {
    await this.end();
    if (!this.wrote) await this.session.forget();
  }

  async keep(): Promise<void> {
    await this.end();
    await this.session.keep();
  }

  private async end(): Promise<void> {
    this.closing.abort();
    this.announcer.clear();
    await this.session.stop();
    await this.dropCalls();
    await this.current;
    this.session.dispose();
  }

  /** Runs one step after the other; a failure is shown, unless the task was ended meanwhile. */
  private step(work: () => Promise<void>): Promise<void> {
    const guarded = async (): Promise<void> => {
      if (this.closing.signal.aborted) return;
      try {
        await work();
      } catch (error) {
        if (!this.closing.signal.aborted) await this.fail(thrownError(error));
      }
    };
    this.current = this.current.then(guarded);
    return this.current;
  }

  private async answer(): Promise<void> {
    const { deps, request, closing } = this;
    this.show({ status: 'working', phase: 'reading' });
    await deps.readSettings?.();
    const reading = { notes: deps.notes, readBlock: deps.readBlock, contextTokens: deps.settings().contextTokens };
    const before = this.source;
    const source = await readContexts(deps.rights ?? NO_NOTES, () => readSource(reading, request, closing.signal), closing.signal);
    this.source = source;
    if (closing.signal.aborted) return;
    const language = targetLanguage(source.contexts.at(-1)?.text ?? '', deps.translateTo(), deps.words.chinese);
    const same = before !== null && JSON.stringify(before.contexts) === JSON.stringify(source.contexts);
    // Notes that changed since are a different question; a chat that wrote nothing starts again with it.
    if (before !== null && !same && !this.wrote) await this.renewSession();
    await this.ask(request.question || deps.words.question(request.action, language), { contexts: source.contexts, again: same });
  }

  /** `contexts`: for the first question; later instructions are about the answer. */
  private async ask(text: string, { contexts = [], again = false }: Partial<Pick<TaskQuestion, 'contexts' | 'again'>> = {}): Promise<void> {
    const { deps, request, closing, source } = this;
    if (!source) return;
    this.finished = [];
    this.show({ status: 'working', phase: 'answering' });
    const prompt = taskPrompt({
      action: request.action,
      parts: source.document || source.selection !== undefined ? 1 : source.blocks.length,
      selected: source.selection !== undefined,
      language: targetLanguage(source.contexts.at(-1)?.text ?? '', deps.translateTo(), deps.words.chinese),
      userPrompt: deps.settings().systemPrompt,
    });
    const error = await this.session.ask({ text, contexts, prompt, again }, answeringModel(this.model()));
    if (closing.signal.aborted) return;
    if (error) return this.fail(error);
    if (this.answerText() === '') throw new ToolError('model_bad_answer', 'the model gave an empty answer', 'try again');
    await this.propose(wantedCalls(request, source, this.session.answer, this.tools()));
  }

  /** Plans the calls; ends with a proposal to accept, an answer to read, or a failure. */
  private async propose(wanted: readonly WantedCall[]): Promise<void> {
    const { source, closing, deps } = this;
    const cut = source?.document && source.incomplete ? ({ note: 'document-cut' } as const) : {};
    const unchanged = wanted.length === 0 && shapeOf(this.request.action) !== 'answer' ? ({ note: 'unchanged' } as const) : {};
    if (wanted.length === 0) return this.show({ status: 'proposal', phase: 'planning', ...cut, ...unchanged });
    this.show({ status: 'working', phase: 'planning' });
    const executor = this.tools();
    const { id: sessionId, nodeId, recorder } = this.session;
    const asked = { sessionId, nodeId, recorder, signal: closing.signal, clock: deps.clock };
    this.calls = wanted.map((call) => startUserCall(executor, call, { ...asked, callId: deps.newId() }));
    await Promise.all(this.calls.map((call) => call.asked));
    const failures = await this.failures();
    const [first] = failures;
    if (!first) return this.show({ status: 'proposal', phase: 'planning', ...cut });
    const waiting = this.calls.filter((call) => call.approval);
    if (failures.every(({ call, error }) => isUnchanged(error, call))) {
      this.calls = waiting;
      return this.show({ status: 'proposal', phase: 'planning', ...(waiting.length === 0 ? { note: 'unchanged' } : {}) });
    }
    await this.dropCalls();
    if (source && first.error.code === 'not_markdown_safe' && first.call.tool === 'edit_block') {
      await this.propose([besideCall(source, this.session.answer)]);
      if (this.shown.status === 'proposal') this.show({ ...this.shown, note: 'below-unsafe' });
      return;
    }
    await this.fail(first.error);
  }

  private async failures(): Promise<readonly { readonly call: TaskCall; readonly error: EventError }[]> {
    const ended = this.calls.filter((call) => !call.approval);
    const results = await Promise.all(ended.map(async (call) => ({ call, error: failureOf(await call.result) })));
    return results.flatMap(({ call, error }) => (error ? [{ call, error }] : []));
  }

  private async write(decisions?: ReadonlyMap<string, ApprovalDecision>): Promise<void> {
    const { calls, session } = this;
    this.show({ status: 'working', phase: 'writing' });
    // The chat is saved before the note changes: a block's source must always exist.
    await session.keep();
    for (const { approval } of calls)
      if (approval) session.approvals.decide(approval.approvalId, decisions?.get(approval.approvalId) ?? { approved: !decisions });
    const finished = await Promise.all(
      calls.map(async (call): Promise<FinishedCall> => ({ call, result: await call.result, endTime: this.deps.clock.now() })),
    );
    this.calls = [];
    const ran = finished.filter(({ result }) => result.status !== 'execution_rejected');
    this.finished = [...this.finished, ...ran];
    this.wrote ||= ran.some(({ result }) => result.written !== undefined || result.status === 'unknown');
    recordCalls(
      { tree: session.tree, nodeId: session.nodeId, sessionId: session.id, clock: this.deps.clock, answer: session.answer },
      this.finished,
    );
    await session.keep();
    const failed = ran.flatMap(({ result }) => failureOf(result) ?? [])[0];
    if (failed) return this.fail(failed);
    this.show({ status: 'done', phase: 'writing' });
  }

  /** Rejects pending approvals. Called while no other step runs, or after an abort. */
  private async dropCalls(): Promise<void> {
    const { calls } = this;
    if (this.shown.phase === 'writing' && this.shown.status === 'working') return;
    this.calls = [];
    for (const { approval } of calls) if (approval) this.session.approvals.decide(approval.approvalId, { approved: false });
    await Promise.all(calls.map((call) => call.result));
  }

  /** An obstacle to an Undo that restored nothing may be gone by now. */
  private undoable(): boolean {
    const { undone } = this.shown;
    return this.wrote && (!undone || (undone.restored.length === 0 && undone.conflicts.length > 0));
  }

  private redoable(): boolean {
    return (this.shown.undone?.restored.length ?? 0) > 0;
  }

  private async fail(error: EventError): Promise<void> {
    const { phase } = this.shown;
    const keptBack = error.code === 'not_found' ? await this.whyKeptBack() : undefined;
    this.show({ status: 'error', phase, error, ...(keptBack ? { keptBack } : {}) });
  }

  private async whyKeptBack(): Promise<KeptBack | undefined> {
    const { target } = this.request;
    for (const id of target.kind === 'document' ? [target.id] : target.ids) {
      const found = await this.deps.whyKeptBack?.(id, this.closing.signal);
      if (found) return found;
    }
    return undefined;
  }

  private show(shown: Shown): void {
    this.shown = shown;
    this.announcer.changed();
  }

  private answerText(): string {
    return readableAnswer(this.session.answer, this.source);
  }

  private makeSession(): TaskSession {
    return new TaskSession(this.deps, {
      onChange: () => this.announcer.changed(),
      title: () => this.deps.words.title(this.request.action, this.source?.about ?? ''),
    });
  }

  private async renewSession(): Promise<void> {
    this.session.dispose();
    await this.session.forget();
    this.session = this.makeSession();
  }

  /** The group of flashcards is off until there are some; the command is the user's word that there shall be. */
  private tools(): ToolExecutor {
    return this.session.withTools(shapeOf(this.request.action) === 'cards' ? ['flashcards'] : []);
  }

  private model(): ChatModel {
    return this.deps.model({ sessionId: this.session.id, purpose: 'suggestion' });
  }

  private buildView(): EditorTaskView {
    const { shown } = this;
    const approvals = shown.status === 'proposal' ? this.calls.flatMap(({ approval }) => approval ?? []) : [];
    return {
      ...shown,
      text: this.answerText(),
      approvals,
      undoable: this.undoable(),
      redoable: this.redoable(),
      model: this.model().status,
    };
  }
}
