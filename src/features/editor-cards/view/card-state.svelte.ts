import { type EventError, toToolError } from '../../../tools/contract/errors.ts';
import type { ApprovalDecision } from '../../../tools/contract/types.ts';
import { inBackground } from '../../../tools/util/notify.ts';
import type { ApprovalChoice, Grant } from '../../../ui/approval/approval-choice.svelte.ts';
import { ApprovalChoices } from '../../../ui/approval/approval-choices.svelte.ts';
import { ApprovalSight } from '../../../ui/approval/approval-sight.svelte.ts';
import type { PanelContext } from '../../../ui/state/context.ts';
import type { EditorTask, EditorTaskView } from '../editor-task-types.ts';

export interface CardDeps {
  readonly task: EditorTask;
  /** The title of the card: "Rewrite", or the name of the user's prompt. */
  readonly label: string;
  /** `data-action`: the action, or the id of the prompt. */
  readonly action: string;
  /** The keys that focus the card, for people; '' if none are bound. */
  readonly keys: string;
  /** A sheet at the lower edge of a phone instead of a card under the block. */
  readonly sheet: boolean;
  readonly context: PanelContext;
  /** The card is over and is removed; whether the focus should return to its place. */
  readonly onclose: () => void;
  /** Opens the kept chat in the panel. */
  readonly oncontinue: (sessionId: string) => void;
  /** Opens the settings at the model's rights in a notebook. */
  readonly onaccess: (notebook: string) => Promise<void>;
  /** There is a suggestion, an answer or a failure to be seen. */
  readonly onready: () => void;
  /** The write is done, so typing can continue. */
  readonly ondone: () => void;
}

/** One suggestion for its card: the task's view, the user's ticks, and the question whether to write now. */
export class CardState {
  readonly deps: CardDeps;
  view: EditorTaskView;
  /** The editor's caret is in a block that will be changed: the write waits. */
  waiting = $state(false);
  /** A failure outside the task. */
  problem: EventError | undefined = $state.raw();
  /** Blocks that a proposal of this card changes. */
  readonly #touched = new Set<string>();
  /** Of the suggestion or the answer that is shown: its parts are drawn as one. */
  sight = $state.raw(new ApprovalSight());
  readonly #choices: ApprovalChoices;
  readonly #decided = new Map<string, ApprovalDecision>();
  #answer: ((answer: 'write' | 'cancel') => void) | undefined;
  #closed = false;
  readonly #stop: () => void;

  constructor(deps: CardDeps) {
    this.deps = deps;
    this.view = $state.raw(deps.task.view());
    const { settings, chat } = deps.context;
    this.#choices = new ApprovalChoices({
      controller: { decide: (id, decision) => void this.#decided.set(id, decision) },
      rightOf: (notebook) => chat.view.notebooks.find(({ id }) => id === notebook)?.right,
      settings,
      sight: () => this.sight,
    });
    this.#stop = deps.task.subscribe(() => this.#take(deps.task.view()));
  }

  /** The user's choices on each change; ticks outlive a new view. */
  choices(): ApprovalChoice[] {
    return this.#choices.of(this.view.approvals);
  }

  setGrant(grant: Grant): void {
    this.#choices.setGrant(grant);
  }

  /** Writes what is not left out. What was not in view yet is shown instead. */
  async accept(choices: readonly ApprovalChoice[]): Promise<void> {
    if (!this.sight.check()) return this.sight.show();
    this.#decided.clear();
    this.#choices.reject(choices.filter(({ nothingLeft }) => nothingLeft));
    await this.#choices.approve(choices.filter(({ nothingLeft }) => !nothingLeft));
    if (choices.every(({ request }) => this.#decided.has(request.approvalId))) await this.deps.task.accept(this.#decided);
  }

  /** Writes the answer below; what was not in view yet is shown as a suggestion first. */
  insertBelow(): Promise<void> {
    return this.deps.task.insertBelow({ ask: !this.sight.check() });
  }

  isOf(blockId: string): boolean {
    return this.#touched.has(blockId);
  }

  /** Ends without a trace, or closes a finished one. */
  reject(): void {
    if (this.#closed) return;
    this.#close();
    inBackground(this.deps.task.reject());
  }

  async continueInPanel(): Promise<void> {
    const { task, oncontinue } = this.deps;
    if (this.#closed) return;
    this.#close();
    await task.keep();
    oncontinue(task.sessionId);
  }

  /** The write path's question while the user types in one of the card's blocks; undefined if it is not about this card. */
  askWhileTyping(blockIds: readonly string[], signal: AbortSignal): Promise<'write' | 'cancel'> | undefined {
    const busy = this.view.status === 'working' && (this.view.phase === 'writing' || this.view.phase === 'undoing');
    if (!busy || !blockIds.some((id) => this.#touched.has(id))) return undefined;
    this.waiting = true;
    return new Promise((resolve) => {
      const settle = (answer: 'write' | 'cancel'): void => {
        signal.removeEventListener('abort', cancel);
        this.#answer = undefined;
        this.waiting = false;
        resolve(answer);
      };
      const cancel = (): void => settle('cancel');
      this.#answer = settle;
      signal.addEventListener('abort', cancel, { once: true });
      if (signal.aborted) cancel();
    });
  }

  /** Runs what the user requested; a failure is shown, never a lost rejection. */
  run(work: Promise<void>): void {
    this.problem = undefined;
    work.catch((error: unknown) => {
      const { code, message, next } = toToolError(error);
      this.problem = { code, message, next };
    });
  }

  writeNow(): void {
    this.#answer?.('write');
  }

  destroy(): void {
    this.#stop();
    this.#answer?.('cancel');
  }

  #take(view: EditorTaskView): void {
    const { status: before, approvals } = this.view;
    this.view = view;
    if (view.status !== before || view.approvals.some((request, index) => request !== approvals[index])) this.sight = new ApprovalSight();
    for (const { plan } of view.approvals) for (const { blockId } of plan?.operations ?? []) this.#touched.add(blockId);
    if (view.status === before) return;
    if (view.status === 'done') this.deps.ondone();
    else if (view.status !== 'working') this.deps.onready();
  }

  #close(): void {
    this.#closed = true;
    this.deps.onclose();
  }
}
