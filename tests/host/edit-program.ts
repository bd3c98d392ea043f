// Random edit programs for the property test: what the assistant plans and writes, what a person types meanwhile, and what fails.

import type { BlockTarget } from '../../src/tools/note-planner.ts';
import { approvePlan, type ChangePlan } from '../../src/tools/plans.ts';
import type { NotesPort, UndoConflict } from '../../src/tools/ports.ts';
import { paragraph } from './block-support.ts';
import type { Failure } from './edit-program-checks.ts';
import { allowed, Checks, type Picture, parentsIn, pictureOf } from './edit-program-checks.ts';
import { Choices, makeDocuments, randomMarkdown, randomText, testId } from './edit-program-documents.ts';
import { signal, type TestBench } from './support.ts';

export interface ProgramStep {
  readonly kind: 'insert' | 'edit' | 'move' | 'delete' | 'rewrite';
  readonly seed: number;
  /** Written, written in part, or turned down. */
  readonly answer: 'all' | 'part' | 'reject';
  /** The request that fails, and whether the kernel had carried it out; 0 for none. */
  readonly failAt: number;
  readonly failWhen: 'before' | 'after';
  /** What a person does meanwhile, at this request; 0 for nothing. */
  readonly typeAt: number;
}

export interface Program {
  readonly seed: number;
  readonly steps: readonly ProgramStep[];
  /** With a person typing; without, undo must bring everything back exactly. */
  readonly typing: boolean;
  readonly text?: string;
}

interface Written {
  readonly nodeId: string;
  readonly before: Picture;
  readonly exact: boolean;
}

class ProgramRun {
  private readonly bench: TestBench;
  private readonly program: Program;
  private readonly checks: Checks;
  private documents: string[] = [];
  private readonly written: Written[] = [];
  private readonly session: string;

  constructor(bench: TestBench, program: Program) {
    this.bench = bench;
    this.program = program;
    this.session = `program-${testId()}`;
    this.checks = new Checks(program);
  }

  async run(): Promise<void> {
    this.documents = await makeDocuments(this.bench, new Choices(this.program.seed), this.program.text);
    for (const step of this.program.steps) await this.step(step);
    await this.undoAll();
  }

  private async picture(): Promise<Picture> {
    return pictureOf(this.bench, this.documents);
  }

  private async step(step: ProgramStep): Promise<void> {
    const choices = new Choices(step.seed);
    const { notes } = this.bench.host;
    const before = await this.picture();
    const print = this.bench.fingerprint();
    let plan: ChangePlan;
    try {
      plan = await this.plan(notes, step, before, choices);
    } catch (error) {
      // Random requests are often senseless; then they are refused by a code, and nothing is written.
      tally(`${step.kind} refused: ${allowed(error, PLAN_CODES, `plan of ${step.kind}`)}`);
      this.checks.same(await this.picture(), before, `a refused ${step.kind}`);
      return;
    }
    if (this.bench.fingerprint() !== print) this.checks.same(await this.picture(), before, `the plan of ${step.kind}`);
    if (step.answer === 'reject') {
      this.checks.same(await this.picture(), before, `a rejected ${step.kind}`);
      return;
    }
    await this.write(step, plan, before, choices);
  }

  private async write(step: ProgramStep, plan: ChangePlan, before: Picture, choices: Choices): Promise<void> {
    const accepted = plan.operations.filter(() => step.answer === 'all' || choices.chance(60)).map((operation) => operation.id);
    const nodeId = `n-${testId()}`;
    const failure = this.arm(step, plan, before, choices);
    let code = 'no error';
    try {
      await this.bench.host.notes.apply(approvePlan(plan, accepted), { sessionId: this.session, nodeId, callId: 'c' }, signal);
    } catch (error) {
      code = allowed(error, APPLY_CODES, `write of ${step.kind}`);
    }
    this.bench.hooks = {};
    tally(`${step.kind} ${code}`);
    const after = await this.picture();
    this.written.push({ nodeId, before, exact: plan.undo.kind === 'exact' });
    this.checks.written({ plan, accepted: new Set(accepted), before, after, code, failure });
  }

  /** Failures and typing, at the nth request of the host. */
  private arm(step: ProgramStep, plan: ChangePlan, before: Picture, choices: Choices): Failure {
    let count = 0;
    let acted = false;
    const failure: Failure = { failed: undefined, typed: [] };
    // A third of the time at the worst moment: when the request is on its way.
    const atRequest = choices.chance(35);
    const act = (when: 'before' | 'after') => async (path: string) => {
      if (when === 'before') count += 1;
      const isMoment = atRequest ? path === '/api/transactions' : step.typeAt === count;
      if (this.program.typing && isMoment && when === step.failWhen && !acted) {
        acted = true;
        await this.type(plan, before, choices, failure);
        acted = failure.typed.length > 0;
      }
      if (step.failAt !== 0 && step.failAt === count && when === step.failWhen && failure.failed === undefined) {
        failure.failed = path;
        throw new TypeError('connection reset');
      }
    };
    this.bench.hooks = { before: act('before'), after: act('after') };
    return failure;
  }

  /** A person in another window changes a paragraph, adds one, or puts an attribute on a block; in containers too. */
  private async type(plan: ChangePlan, before: Picture, choices: Choices, failure: Failure): Promise<void> {
    const touched = new Set(plan.operations.map((operation) => operation.blockId));
    const isTouched = (id: string): boolean => [id, ...parentsIn(before, id)].some((each) => touched.has(each));
    const leaves = [...before.blocks.values()].filter((block) => block.type === 'NodeParagraph');
    const near = leaves.filter((block) => isTouched(block.id));
    const leaf = choices.pick(near.length > 0 && choices.chance(70) ? near : leaves);
    const mark = `typed${testId().slice(15)}`;
    // It may be another kind of block by now.
    if (!leaf || !/^<div[^>]*data-type="NodeParagraph"/.test(await this.bench.dom(leaf.id))) return;
    const how = choices.below(10);
    if (how < 2) {
      const all = [...before.blocks.values()].filter((block) => isTouched(block.id) && block.type !== 'NodeDocument');
      const id = choices.pick(all)?.id ?? leaf.id;
      if (!(await this.bench.dom(id))) return;
      await this.bench.api('/api/attr/setBlockAttrs', { id, attrs: { [`custom-${mark}`]: mark } });
      failure.typed.push({ kind: 'attribute', id, text: mark });
    } else if (how < 6) {
      const dom = (await this.bench.dom(leaf.id)).replace(/(<div contenteditable="true"[^>]*>)[\s\S]*?(<\/div>)/, `$1${mark}$2`);
      await this.bench.transact([{ action: 'update', id: leaf.id, data: dom }]);
      failure.typed.push({ kind: 'update', id: leaf.id, text: mark });
    } else {
      const id = testId();
      await this.bench.transact([{ action: 'insert', id, data: paragraph(id, mark), previousID: leaf.id }]);
      if (await this.bench.dom(id)) failure.typed.push({ kind: 'insert', id, text: mark });
    }
    this.checks.typed(failure.typed);
  }

  private async plan(notes: NotesPort, step: ProgramStep, now: Picture, choices: Choices): Promise<ChangePlan> {
    const ids = [...now.blocks.keys()].filter((id) => !this.documents.includes(id));
    const document = choices.pick(this.documents) ?? '';
    const any = (): string => (choices.chance(20) ? document : (choices.pick(ids) ?? document));
    switch (step.kind) {
      case 'insert': {
        const position = choices.pick(['before', 'after', 'prepend', 'append'] as const) ?? 'append';
        return notes.planInsert({ anchor: any(), position, markdown: randomText(choices, choices.chance(10) ? 40 : 3) }, 't', signal);
      }
      case 'edit':
        return this.planEdit(notes, choices);
      case 'move': {
        const moved = this.group(now, ids, choices);
        return notes.planMoveBlocks({ ids: moved, target: this.target(now, moved, ids, choices) }, 't', signal);
      }
      case 'delete':
        return notes.planDeleteBlocks({ ids: this.group(now, ids, choices) }, 't', signal);
      case 'rewrite':
        return this.planRewrite(notes, document, choices);
    }
  }

  /** Blocks that a request names: any, some of one parent, or all of one parent, which is left empty then. */
  private group(now: Picture, ids: readonly string[], choices: Choices): string[] {
    const parent = now.blocks.get(choices.pick(ids) ?? '')?.parent;
    const siblings = ids.filter((id) => now.blocks.get(id)?.parent === parent);
    const how = choices.below(10);
    if (how < 3) return siblings;
    return choices.some(how < 7 ? siblings : ids, 4);
  }

  /** Mostly a place where the blocks fit. */
  private target(now: Picture, moved: readonly string[], ids: readonly string[], choices: Choices): BlockTarget {
    const isItem = now.blocks.get(moved[0] ?? '')?.type === 'NodeListItem';
    const others = ids.filter((id) => !moved.includes(id));
    const items = others.filter((id) => now.blocks.get(id)?.type === 'NodeListItem');
    const outside = others.filter((id) => this.documents.includes(now.blocks.get(id)?.parent ?? ''));
    const after = choices.pick(choices.chance(80) ? (isItem ? items : outside) : others);
    if (after !== undefined && choices.chance(70)) return { after };
    const containers = others.filter((id) => /Item|quote|Heading|Super/.test(now.blocks.get(id)?.type ?? ''));
    return { parent: choices.pick(choices.chance(40) ? this.documents : containers) ?? '' };
  }

  private async planEdit(notes: NotesPort, choices: Choices): Promise<ChangePlan> {
    const reading = await notes.document({ id: choices.pick(this.documents) ?? '' }, { start: 0, blocks: 999 }, signal);
    const block = choices.pick(reading.blocks);
    const items = block?.items ?? [];
    const chosen = items.length > 0 && choices.chance(40) ? choices.pick(items) : block;
    if (!chosen) return notes.planEdit({ id: '', expectHash: '', markdown: '' }, 't', signal);
    const word = /[\p{L}\p{N}]{3,}/u.exec(chosen.markdown)?.[0];
    const edits = word ? [{ old: word, new: `edited${choices.below(99)}` }] : undefined;
    const change = edits && choices.chance(60) ? { edits } : { markdown: randomMarkdown(choices) };
    return notes.planEdit({ id: chosen.id, expectHash: chosen.hash, ...change }, 't', signal);
  }

  private async planRewrite(notes: NotesPort, document: string, choices: Choices): Promise<ChangePlan> {
    const { blocks } = await notes.document({ id: document }, { start: 0, blocks: 999 }, signal);
    const texts = blocks.map((block) => block.markdown).filter((text) => text !== '');
    for (let count = choices.chance(10) ? 0 : 1 + choices.below(4); count > 0; count -= 1) {
      const at = choices.below(texts.length + 1);
      const what = choices.below(4);
      if (what === 0) texts.splice(at, 0, randomMarkdown(choices));
      else if (what === 1) texts.splice(at, 1);
      else if (what === 2) texts.splice(at, 0, ...texts.splice(choices.below(texts.length), 1));
      else if (texts[at] !== undefined) texts[at] = `${texts[at]} more`;
    }
    return notes.planRewrite({ id: document, markdown: texts.join('\n\n') }, 't', signal);
  }

  /** Newest first, each in a program started anew; failures on the way are tried again. */
  private async undoAll(): Promise<void> {
    const choices = new Choices(this.program.seed + 1);
    let exact = true;
    for (const { nodeId, before, exact: own } of this.written.reverse()) {
      const host = this.bench.reopen();
      const conflicts: UndoConflict[] = [];
      if (choices.chance(30)) {
        const at = 1 + choices.below(12);
        let count = 0;
        const when = choices.chance(50) ? 'before' : 'after';
        this.bench.hooks = {
          [when]: () => {
            count += 1;
            if (count === at) throw new TypeError('connection reset');
          },
        };
        await host.history.undo(this.session, nodeId, signal).then(
          (report) => conflicts.push(...report.conflicts),
          (error: unknown) => allowed(error, APPLY_CODES, 'undo'),
        );
        this.bench.hooks = {};
      }
      conflicts.push(...(await this.bench.reopen().history.undo(this.session, nodeId, signal)).conflicts);
      exact &&= own;
      const now = await this.picture();
      this.checks.undone({ now, before, exact, conflicts });
    }
    this.checks.kept(await this.picture());
  }
}

/** What a plan may be refused with. */
const PLAN_CODES =
  /^(bad_id|bad_target|no_change|not_found|no_match|many_matches|empty_text|not_markdown_safe|unsafe_markdown|stale|too_large)$/;
const APPLY_CODES = /^(kernel_unreachable|outcome_unknown|raced|kernel_refused|stale|not_approved|bad_target)$/;

/** What came of the steps so far: a property that refuses everything proves nothing. */
export const outcomes = new Map<string, number>();
const tally = (what: string): void => {
  outcomes.set(what, (outcomes.get(what) ?? 0) + 1);
};

/** Runs one program; throws with what went wrong. The documents are new ones. */
export async function runProgram(bench: TestBench, program: Program): Promise<void> {
  await new ProgramRun(bench, program).run();
}
