import { SvelteSet } from 'svelte/reactivity';
import { allows, type NotebookRight } from '../../tools/contract/notebook-right.ts';
import { type ChangePlan, type PlanOperation, withoutNewCells } from '../../tools/contract/plans.ts';
import type { ApprovalDecision, ApprovalRequest, ToolArguments } from '../../tools/contract/types.ts';
import { isRecord } from '../../tools/util/plain-value.ts';
import { ApprovalSight } from './approval-sight.svelte.ts';

/**
 * Operations that would run if `left` are left out: those that require a left-out one are left out too (like approvePlan), and a new
 * option with all the cells that need it.
 */
function acceptedOperations(operations: readonly PlanOperation[], left: ReadonlySet<string>): string[] {
  const accepted = new Set(operations.filter((operation) => !left.has(operation.id)).map((operation) => operation.id));
  for (const operation of operations) if (operation.requires.some((id) => !accepted.has(id))) accepted.delete(operation.id);
  for (const { id, action } of operations) {
    const users = action === 'add-option' ? operations.filter(({ requires }) => requires.includes(id)) : [];
    if (users.length > 0 && !users.some((each) => accepted.has(each.id))) accepted.delete(id);
  }
  return [...accepted];
}

function reaches(right: NotebookRight | undefined, needed: NotebookRight): boolean {
  return right !== undefined && allows(right, needed);
}

/** One of several changes that a call makes to one block: a person may leave it out alone. */
export interface CallPart {
  /** Of an attribute. */
  readonly name: string;
  readonly before: string;
  readonly after: string;
}

/** The parts of a call by its arguments: what is replaced, the attributes that are set, the steps of a list. */
function partsOf({ tool, args: { edits, attrs, steps } }: ApprovalRequest): readonly CallPart[] {
  if (Array.isArray(steps)) return steps.map((step) => ({ name: '', before: '', after: String(step) }));
  if (tool === 'edit_block' && Array.isArray(edits)) {
    const records: readonly unknown[] = edits;
    return records.filter(isRecord).map((edit) => ({ name: '', before: String(edit.old), after: String(edit.new) }));
  }
  if (tool !== 'attributes' || !isRecord(attrs)) return [];
  return Object.entries(attrs).map(([name, value]) => ({ name, before: '', after: String(value) }));
}

/** Tells if these are what was not left out; otherwise a person wrote them. */
function isPart(parts: readonly CallPart[], { whole, leftParts }: Pick<ApprovalChoice, 'whole' | 'leftParts'>): boolean {
  const left = partsOf(whole).filter((_part, index) => !leftParts.has(index));
  return parts.length > 0 && JSON.stringify(parts) === JSON.stringify(left);
}

function argumentsWith(args: ToolArguments, isIn: (index: number) => boolean): ToolArguments {
  const { edits, attrs, steps } = args;
  if (Array.isArray(steps)) return { ...args, steps: steps.filter((_step, index) => isIn(index)) };
  if (Array.isArray(edits)) return { ...args, edits: edits.filter((_edit, index) => isIn(index)) };
  const entries = Object.entries(isRecord(attrs) ? attrs : {}).filter((_entry, index) => isIn(index));
  return { ...args, attrs: Object.fromEntries(entries) };
}

export type Grant = 'once' | 'always';

interface MissingRight {
  readonly notebook: string;
  readonly right: NotebookRight;
}

/** The missing rights by notebook id, each with the highest right that is needed there. */
export function missingRights(choices: readonly ApprovalChoice[]): ReadonlyMap<string, MissingRight> {
  const found = new Map<string, MissingRight>();
  for (const { right, request } of choices) {
    const notebook = request.plan?.notebook;
    if (!right || !notebook || reaches(found.get(notebook.id)?.right, right)) continue;
    found.set(notebook.id, { notebook: notebook.name, right });
  }
  return found;
}

/** What the user has chosen so far on one approval. */
export class ApprovalChoice {
  readonly request: ApprovalRequest;
  readonly left = new SvelteSet<string>();
  reason = $state('');
  /** How a missing right is given: for this change only, or by raising the notebook's right. */
  grant: Grant = $state('once');
  /** What of it was in view. A change that is planned again has a choice, and a sight, of its own. */
  readonly sight: ApprovalSight;
  /** The person's own text while it is being edited; until the change is planned again, nothing can be approved. */
  draft: string | undefined = $state();
  /** The call before anything of it was left out. */
  readonly whole: ApprovalRequest;
  /** Its parts; none where it has fewer than two. */
  readonly parts: readonly CallPart[];
  readonly leftParts = new SvelteSet<number>();
  /** The change is planned again: nothing can be approved until it is. */
  redrawing = $state(false);
  readonly accepted: readonly string[] = $derived.by(() => acceptedOperations(this.operations, this.left));
  readonly #rightOf: (notebook: string) => NotebookRight | undefined;

  /**
   * @param rightOf The right that a notebook has now: another approval may have raised it meanwhile.
   * @param before The choice of the same call, before it was edited.
   * @param sight Of several that are drawn as one change.
   */
  constructor(
    request: ApprovalRequest,
    rightOf: (notebook: string) => NotebookRight | undefined,
    before?: ApprovalChoice,
    sight = new ApprovalSight(),
  ) {
    this.request = request;
    this.sight = sight;
    this.#rightOf = rightOf;
    // A text of the person's own has no parts any more.
    const isPartOf = before !== undefined && isPart(partsOf(request), before);
    this.whole = isPartOf ? before.whole : request;
    const parts = partsOf(this.whole);
    this.parts = parts.length > 1 ? parts : [];
    if (!before) return;
    if (isPartOf) for (const index of before.leftParts) this.leftParts.add(index);
    this.grant = before.grant;
    this.reason = before.reason;
  }

  get operations(): readonly PlanOperation[] {
    return this.request.plan?.operations ?? [];
  }

  get chosen(): readonly PlanOperation[] {
    const ids = new Set(this.accepted);
    return this.operations.filter(({ id }) => ids.has(id));
  }

  /** How many of how many would run, if only a part: of a table its rows, unless only cells are left out. */
  get part(): { readonly n: number; readonly total: number } | undefined {
    const { chosen, operations } = this;
    if (chosen.length === 0 || chosen.length === operations.length) return undefined;
    const [n, total] = [chosen, operations].map((each) => withoutNewCells(each).filter(({ action }) => action !== 'add-option').length);
    return n === undefined || total === undefined || n === total ? { n: chosen.length, total: operations.length } : { n, total };
  }

  get right(): ChangePlan['needsRight'] {
    const { plan } = this.request;
    if (!plan?.needsRight || reaches(this.#rightOf(plan.notebook.id), plan.needsRight)) return undefined;
    return plan.needsRight;
  }

  /** The text that a person may change before it is written: from the call, or the one block as it would become. */
  get editable(): string | undefined {
    return editableText(this.request);
  }

  get nothingLeft(): boolean {
    return this.request.plan !== undefined && this.accepted.length === 0;
  }

  /** There is something to approve, and nothing of it is being edited. */
  get isReady(): boolean {
    return !this.nothingLeft && this.draft === undefined && !this.redrawing;
  }

  /** `unseen`: the person says that it is to be approved although it was not in view. */
  canApprove(unseen = false): boolean {
    return this.isReady && (unseen || this.sight.check());
  }

  /** "Allow for this chat" is offered only if it has an effect: a plan that passes only once is asked about again anyway. */
  get canRemember(): boolean {
    return (
      this.request.scope !== undefined && !this.request.lasting && this.isReady && (this.right === undefined || this.grant === 'always')
    );
  }

  /** Leaves these operations out, or includes them again. */
  setAccepted(ids: readonly string[], on: boolean): void {
    for (const id of ids) {
      if (on) this.left.delete(id);
      else this.left.add(id);
    }
  }

  /** Leaves a part out, or takes it in again. `revise` plans the change again; where it rejects, all is as before. */
  async setPart(index: number, on: boolean, revise: (args: ToolArguments) => Promise<void>): Promise<void> {
    const turn = (isIn: boolean): void => void (isIn ? this.leftParts.delete(index) : this.leftParts.add(index));
    const all = this.operations.map(({ id }) => id);
    turn(on);
    if (this.leftParts.size === this.parts.length) return this.setAccepted(all, false);
    this.redrawing = true;
    try {
      await revise(argumentsWith(this.whole.args, (each) => !this.leftParts.has(each)));
      this.setAccepted(all, true);
    } catch (error) {
      turn(!on);
      throw error;
    } finally {
      this.redrawing = false;
    }
  }

  approval(remember: boolean): ApprovalDecision {
    return {
      approved: true,
      acceptedOperations: this.request.plan ? this.accepted : undefined,
      remember: remember || undefined,
      beyondRight: this.right && this.grant === 'once' ? true : undefined,
    };
  }

  rejection(): ApprovalDecision {
    const reason = this.reason.trim();
    return reason ? { approved: false, reason } : { approved: false };
  }
}

/** Text hidden from the model is in the block and in no argument: there, only the model's edits can be changed. */
const WHOLE_UNKNOWN = /^(hidden|unreadable)-/;

function editableText({ args, plan, tool }: ApprovalRequest): string | undefined {
  if (plan === undefined) return undefined;
  if (Array.isArray(args.steps)) return args.steps.join('\n');
  if (typeof args.markdown === 'string' && args.edits === undefined) return args.markdown;
  const [only, ...others] = plan.operations;
  if (tool !== 'edit_block' || only?.action !== 'update' || others.length > 0) return undefined;
  return plan.notices.some(({ code }) => WHOLE_UNKNOWN.test(code)) ? undefined : (only.after ?? undefined);
}

export function revisedArguments({ args }: ApprovalRequest, text: string): ToolArguments {
  if (Array.isArray(args.steps)) return { ...args, steps: text.split('\n').filter((line) => line.trim() !== '') };
  const { edits: _edits, ...rest } = args;
  return { ...rest, markdown: text };
}
