// Random edit programs for the property test: what the assistant plans and writes, what a person types meanwhile, and what fails.

import type { ChangePlan, PlanOperation } from '../../src/tools/contract/plans.ts';
import type { UndoConflict } from '../../src/tools/contract/ports.ts';
import { type PlannedCall, ToolCaller } from './edit-program-calls.ts';
import type { AttributeNames, Failure } from './edit-program-checks.ts';
import { allowed, Checks, type Picture, parentsIn, pictureOf } from './edit-program-checks.ts';
import { Choices, makeDocuments, type ProgramDocuments, testId } from './edit-program-documents.ts';
import { type PersonScene, personActs } from './edit-program-person.ts';
import { type RequestKind, Requests, type ToolRequest } from './edit-program-requests.ts';
import { signal, type TestBench } from './support.ts';

export interface ProgramStep {
  readonly kind: RequestKind;
  readonly seed: number;
  /** Written, written in part, turned down, or approved when the next one has been written. */
  readonly answer: 'all' | 'part' | 'reject' | 'later';
  /** The request that fails, and whether the kernel had carried it out; 0 for none. */
  readonly failAt: number;
  readonly failWhen: 'before' | 'after';
  /** What a person does meanwhile, at this request; 0 for nothing. */
  readonly typeAt: number;
  /** What the person presses when it is written and they typed nothing: Ctrl+Z, and Ctrl+Y then. */
  readonly keys: '' | 'undo' | 'redo';
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
  /** The person undid it by key. */
  readonly unwritten: boolean;
  readonly touched: ReadonlySet<string>;
  /** Names of the attributes that it set. */
  readonly names: AttributeNames;
}

interface Held {
  readonly step: ProgramStep;
  readonly call: PlannedCall;
  readonly nodeId: string;
  readonly choices: Choices;
}

interface Conflict {
  readonly nodeId: string;
  readonly conflict: UndoConflict;
}

/** Daily notes: they are made elsewhere, and stay for the next program where a person wrote in them. */
const dailyNotes = new Set<string>();

class ProgramRun {
  private readonly bench: TestBench;
  private readonly program: Program;
  private readonly checks: Checks;
  private documents: string[] = [];
  private home: ProgramDocuments | undefined;
  private readonly caller: ToolCaller;
  private readonly written: Written[] = [];
  private readonly held: Held[] = [];
  private readonly session: string;

  constructor(bench: TestBench, program: Program) {
    this.bench = bench;
    this.program = program;
    this.session = `program-${testId()}`;
    this.checks = new Checks(program);
    this.caller = new ToolCaller(bench);
  }

  async run(): Promise<void> {
    // Of one whose answer was lost no write tells.
    const today = new Date().toLocaleDateString('sv-SE');
    const path = `/daily note/${today.slice(0, 4)}/${today.slice(5, 7)}/${today}`;
    const { notebook } = this.bench;
    for (const id of await this.bench.api<string[]>('/api/filetree/getIDsByHPath', { notebook, path })) dailyNotes.add(id);
    this.home = await makeDocuments(this.bench, new Choices(this.program.seed), this.program.text);
    const first = await this.picture();
    for (const step of this.program.steps) await this.step(step);
    await this.undoAll(first);
    await this.bench.api('/api/filetree/removeDocByID', { id: this.home.folder });
  }

  private async picture(): Promise<Picture> {
    const exists = (id: string): Promise<boolean> => this.bench.api('/api/block/checkBlockExist', { id });
    const others: string[] = [];
    for (const id of dailyNotes) if (await exists(id)) others.push(id);
    // A daily note may have been moved below the program's own.
    this.documents = [...new Set([...((await this.home?.list()) ?? []), ...others])];
    return pictureOf(this.bench, this.documents);
  }

  private async step(step: ProgramStep): Promise<void> {
    const choices = new Choices(step.seed);
    const before = await this.picture();
    const print = this.bench.fingerprint();
    const nodeId = `n-${testId()}`;
    let call: PlannedCall;
    try {
      const request = await this.request(step.kind, before, choices);
      if (!request) return;
      call = await this.caller.plan(request, { sessionId: this.session, nodeId });
    } catch (error) {
      // Random requests are often senseless; then they are refused by a code, and nothing is written.
      tally(`${step.kind} refused: ${allowed(error, PLAN_CODES, `plan of ${step.kind}`)}`);
      this.checks.same(await this.picture(), before, `a refused ${step.kind}`);
      return;
    }
    if (this.bench.fingerprint() !== print) this.checks.same(await this.picture(), before, `the plan of ${step.kind}`);
    if (step.answer === 'reject') {
      await call.decide(undefined).catch((error: unknown) => allowed(error, /^not_approved$/, 'a rejected call'));
      this.checks.same(await this.picture(), before, `a rejected ${step.kind}`);
      return;
    }
    if (step.answer === 'later') {
      this.held.push({ step, call, nodeId, choices });
      return;
    }
    await this.write({ step, call, nodeId, choices }, before, false);
    for (const held of this.held.splice(0)) await this.write(held, await this.picture(), true);
  }

  private async request(kind: RequestKind, before: Picture, choices: Choices): Promise<ToolRequest | undefined> {
    if (!this.home) throw new Error('there are no documents');
    const { documents, home, bench } = this;
    return new Requests({ notes: bench.host.notes, notebook: bench.notebook, home, documents }).make(kind, before, choices);
  }

  private async write({ step, call, nodeId, choices }: Held, before: Picture, late: boolean): Promise<void> {
    const { plan } = call;
    const chosen = plan.operations.filter(() => step.answer !== 'part' || choices.chance(60)).map((operation) => operation.id);
    const stays = ({ id, requires }: PlanOperation): boolean => [id, ...requires].every((each) => chosen.includes(each));
    const accepted = plan.operations.filter(stays).map((operation) => operation.id);
    const touched = new Set(plan.operations.map((operation) => operation.blockId));
    const failure = this.arm(step, { before, touched, choices });
    let code = 'no error';
    try {
      const { written } = await call.decide(accepted);
      if (step.kind === 'daily' && written) dailyNotes.add(written.documentId);
    } catch (error) {
      code = allowed(error, APPLY_CODES, `write of ${step.kind}`);
    }
    this.bench.hooks = {};
    await failure.acting;
    tally(`${step.kind} ${code}`);
    const after = await this.picture();
    const pressed = code === 'no error' && failure.typed.length === 0 ? step.keys : '';
    // Of a document that was to be made when the answer was lost nothing is known.
    const isLost = failure.failed !== undefined && (step.kind === 'create' || step.kind === 'daily' || step.kind === 'organize');
    this.written.push({
      nodeId,
      before,
      exact: plan.undo.kind === 'exact' && !isLost,
      unwritten: pressed === 'undo',
      touched,
      names: new Map(plan.operations.map(({ blockId, attributes = [] }) => [blockId, attributes.map(({ name }) => name)])),
    });
    this.checks.written({ plan, accepted: new Set(accepted), before, after, code, failure, late });
    const isWhole = accepted.length === plan.operations.length && failure.typed.length === 0 && !late;
    if (code === 'no error' && isWhole) this.checks.reads(plan, await this.read(plan, after), after);
    if (pressed !== '') await this.press(pressed, touched, after);
  }

  /** The blocks of the documents that were written in, as a model reads them, by id. */
  private async read({ operations }: ChangePlan, now: Picture): Promise<ReadonlyMap<string, string>> {
    const read = new Map<string, string>();
    const written = new Set(operations.flatMap(({ blockId }) => parentsIn(now, blockId)));
    for (const id of this.documents.filter((each) => written.has(each))) {
      const { blocks } = await this.bench.host.notes.document({ id }, { start: 0, blocks: 999 }, signal);
      for (const block of blocks) read.set(block.id, block.markdown);
    }
    return read;
  }

  /** The editor's own undo of what was written last in a document, and its redo. */
  private async press(keys: 'undo' | 'redo', touched: ReadonlySet<string>, after: Picture): Promise<void> {
    const rootID = this.documents.find((id) => [...touched].some((each) => parentsIn(after, each).includes(id)));
    if (rootID === undefined) return;
    await this.bench.api('/api/transactions/undo', { rootID, session: 'editor-1' });
    if (keys === 'redo') await this.bench.api('/api/transactions/redo', { rootID, session: 'editor-1' });
    tally(`pressed ${keys}`);
    const now = await this.picture();
    this.checks.noneTwice(now);
    if (keys === 'redo') this.checks.same(now, after, 'undo and redo of the editor');
  }

  /** Failures and typing, at the nth request of the host. */
  private arm(step: Pick<ProgramStep, 'failAt' | 'failWhen' | 'typeAt'>, scene: PersonScene): Failure {
    let count = 0;
    let acted = false;
    const { choices } = scene;
    const failure: Failure = { failed: undefined, typed: [], acting: Promise.resolve() };
    // A third of the time at the worst moment: when the request is on its way.
    const atRequest = choices.chance(35);
    const act = (when: 'before' | 'after') => async (path: string) => {
      if (when === 'before') count += 1;
      const isMoment = atRequest ? path === '/api/transactions' : step.typeAt === count;
      if (this.program.typing && isMoment && when === step.failWhen && !acted) {
        acted = true;
        // Requests run side by side: the other one may fail while the person is still at it.
        failure.acting = this.type(scene, failure);
        await failure.acting;
        // Somebody who writes goes on writing, now and then.
        acted = failure.typed.length > 0 && (failure.typed.length > 1 || choices.chance(70));
      }
      if (step.failAt !== 0 && step.failAt === count && when === step.failWhen && failure.failed === undefined) {
        failure.failed = path;
        throw new TypeError('connection reset');
      }
    };
    this.bench.hooks = { before: act('before'), after: act('after') };
    return failure;
  }

  private async type(scene: PersonScene, failure: Failure): Promise<void> {
    const typed = await personActs(this.bench, scene);
    if (!typed) return;
    failure.typed.push(typed);
    this.checks.typed([typed], scene.before);
  }

  /** Mostly newest first, each in a program started again; failures on the way are tried again, and a person may go on typing. */
  private async undoAll(first: Picture): Promise<void> {
    const choices = new Choices(this.program.seed + 1);
    const inOrder = choices.chance(80);
    const writes = inOrder ? [...this.written].reverse() : choices.some(this.written, 999).concat(this.written);
    let exact = inOrder;
    const conflicts: Conflict[] = [];
    for (const written of writes) {
      const { nodeId, before, exact: own } = written;
      const stood = await this.picture();
      const found = await this.undo(written, choices);
      conflicts.push(...found.map((conflict) => ({ nodeId, conflict })));
      exact &&= own;
      this.checks.undone({ now: await this.picture(), last: stood, before, exact, conflicts: found, names: written.names });
      if (exact && !this.program.typing && !written.unwritten && choices.chance(50)) await this.redo(written, stood, choices);
    }
    const now = await this.picture();
    this.checks.kept(now);
    if (this.written.every((each) => each.exact)) this.checks.there(now, first);
    await this.settle(conflicts, choices);
  }

  private async undo({ nodeId, touched }: Written, choices: Choices): Promise<UndoConflict[]> {
    const host = this.bench.reopen();
    const conflicts: UndoConflict[] = [];
    const fails = choices.chance(30);
    if (fails || (this.program.typing && choices.chance(40))) {
      const at = 1 + choices.below(12);
      const when = choices.chance(50) ? 'before' : 'after';
      const step = { failAt: fails ? at : 0, failWhen: when, typeAt: 1 + choices.below(12) } as const;
      const armed = this.arm(step, { before: await this.picture(), touched, choices });
      await host.history.undo(this.session, nodeId, signal).then(
        (report) => conflicts.push(...report.conflicts),
        (error: unknown) => allowed(error, APPLY_CODES, 'undo'),
      );
      this.bench.hooks = {};
      await armed.acting;
    }
    conflicts.push(...(await this.bench.reopen().history.undo(this.session, nodeId, signal)).conflicts);
    return conflicts;
  }

  /** Written again, and undone again: exactly, though a request fails on the way. */
  private async redo({ nodeId, before }: Written, stood: Picture, choices: Choices): Promise<void> {
    if (choices.chance(30)) {
      const step = { failAt: 1 + choices.below(12), failWhen: choices.chance(50) ? 'before' : 'after', typeAt: 0 } as const;
      this.arm(step, { before, touched: new Set(), choices });
      await this.bench
        .reopen()
        .history.redo(this.session, nodeId, signal)
        .catch((error: unknown) => allowed(error, APPLY_CODES, 'redo'));
      this.bench.hooks = {};
    }
    const { conflicts } = await this.bench.reopen().history.redo(this.session, nodeId, signal);
    tally(`redo, ${conflicts.length} conflicts`);
    this.checks.redone(await this.picture(), stood, conflicts);
    await this.bench.reopen().history.undo(this.session, nodeId, signal);
    this.checks.same(await this.picture(), before, 'an undo of a redo');
  }

  /** What undo left alone is kept, or undone over what stands. */
  private async settle(conflicts: readonly Conflict[], choices: Choices): Promise<void> {
    for (const { nodeId, conflict } of conflicts) {
      const before = await this.picture();
      const choice = choices.chance(50) ? 'keep' : 'undo';
      const resolve = (shown?: string | null) =>
        this.bench.reopen().history.resolve(this.session, nodeId, conflict.blockId, choice, signal, shown);
      const [anew] = (await resolve(conflict.now)).conflicts;
      // What was settled before has changed it.
      if (anew?.now !== undefined) await resolve(anew.now);
      tally(`settled: ${choice}`);
      this.checks.resolved(await this.picture(), before, conflict.blockId, choice);
    }
  }
}

/** What a plan may be refused with. */
const PLAN_CODES =
  /^(bad_id|bad_target|bad_arguments|no_change|not_found|no_match|many_matches|empty_text|not_markdown_safe|unsafe_markdown|stale|too_large|path_exists|bad_path|protected_attribute|bad_attribute)$/;
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
