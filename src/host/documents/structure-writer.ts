import { ToolError, toToolError } from '../../tools/contract/errors.ts';
import type { ApprovedPlan, Progress } from '../../tools/contract/plans.ts';
import type { Clock, EditingProbe, WriteOrigin, WriteReport } from '../../tools/contract/ports.ts';
import { NEVER } from '../../tools/util/abort.ts';
import { preview } from '../../tools/util/graphemes.ts';
import { grantOf } from '../access/access.ts';
import { isOnBlock, type StructureStep, shownId, touchedId } from '../journal/structure-journal.ts';
import { finishedState, type JournalEntry, type WriteJournal } from '../journal/write-journal.ts';
import { KernelRefusal } from '../kernel/kernel-client.ts';
import { readableHash } from '../reading/block-view.ts';
import type { ApprovedWrite, PreparedStructure } from '../transactions/prepared-plan.ts';
import { GONE, type Observation, type StepDeps } from './structure-kind.ts';
import type { StepKinds } from './structure-steps.ts';

export interface StructureWriterDeps extends StepDeps {
  readonly kinds: StepKinds;
  readonly journal: WriteJournal;
  readonly probe: EditingProbe;
  readonly clock: Clock;
  /** Receives failures that did not affect the write itself. */
  readonly onProblem?: (error: ToolError) => void;
}

interface StructureJob {
  readonly origin: WriteOrigin;
  readonly signal: AbortSignal;
  readonly progress?: Progress | undefined;
}

export interface StructureWriter {
  /** The caller holds the lock of all writes and has checked that the plan is approved. */
  open(approved: ApprovedPlan, prepared: PreparedStructure, job: StructureJob): ApprovedWrite;
}

interface Outcome {
  readonly steps: readonly StructureStep[];
  readonly error: ToolError | null;
}

const NOW_CHARS = 400;

const RESULTS: Readonly<Record<Observation['at'], StructureStep['result']>> = {
  before: 'absent',
  after: 'applied',
  partly: 'partly',
  other: 'different',
  gone: 'different',
};

/** Documents whose text an open editor would go on writing after they were moved or removed. */
const movedDocuments = (step: StructureStep): readonly string[] => {
  if (step.kind === 'delete') return step.documents.map((each) => each.id);
  return step.kind === 'move' ? [step.documentId] : [];
};

class KernelStructureWriter implements StructureWriter {
  private readonly deps: StructureWriterDeps;

  constructor(deps: StructureWriterDeps) {
    this.deps = deps;
  }

  open(approved: ApprovedPlan, prepared: PreparedStructure, job: StructureJob): ApprovedWrite {
    const steps = prepared.steps.filter(({ id }) => approved.accepted.has(id)).map(({ step }) => step);
    if (steps.length === 0)
      throw new ToolError('not_approved', 'no operation of the plan was accepted', 'ask the user what to write instead');
    return { busyBlocks: () => this.busyBlocks(steps, job.signal), run: () => this.apply(approved, steps, job) };
  }

  private async apply(
    approved: ApprovedPlan,
    steps: readonly StructureStep[],
    { origin, signal, progress }: StructureJob,
  ): Promise<WriteReport> {
    const batches = this.deps.kinds.batches(steps);
    for (const batch of batches) {
      await this.deps.kinds.joined.allow(batch, signal, grantOf(approved));
      progress?.(0, steps.length);
    }
    for (const batch of batches) {
      const seen = await this.deps.kinds.joined.observe(batch, signal);
      for (const [index, step] of batch.entries()) assertFresh(step, seen[index]);
      progress?.(0, steps.length);
    }
    if (signal.aborted) throw new ToolError('aborted', 'the call was stopped', 'ask the user whether to go on; nothing was written');
    const { plan } = approved;
    const entry: JournalEntry = {
      schema: 1,
      ...origin,
      tool: plan.tool,
      time: this.deps.clock.now(),
      state: 'intent',
      notebook: plan.notebook.id,
      document: { id: plan.document.id ?? '', path: plan.document.path, created: null },
      operations: [],
      undoKind: plan.undo.kind,
      structure: { steps: [...steps] },
    };
    const record = await this.deps.journal.begin(entry);
    const outcome = await this.run(batches, signal, progress);
    const state = finishedState(outcome.steps, outcome.error);
    const closed: JournalEntry = { ...entry, state, structure: { steps: [...outcome.steps] } };
    try {
      await this.deps.journal.update(record, closed).catch(() => this.deps.journal.update(record, closed));
    } catch (error) {
      // The change was made and checked, and the intent is enough for undo: the write must not be reported as failed.
      this.deps.onProblem?.(toToolError(error));
    }
    if (outcome.error) throw outcome.error;
    return this.report(approved, outcome.steps);
  }

  /** Blocks that must not hold the caret: those that get attributes, or the whole document if it moves or is deleted. */
  private async busyBlocks(steps: readonly StructureStep[], signal: AbortSignal): Promise<readonly string[]> {
    const caret = this.deps.probe.caretBlocks();
    const [innermost] = caret;
    if (innermost === undefined) return [];
    const attributed = steps.flatMap((step) => (isOnBlock(step) ? [step.blockId] : []));
    const documents = new Set(steps.flatMap(movedDocuments));
    if (documents.size === 0) return attributed;
    try {
      const { path } = await this.deps.routes.blockInfo(innermost, signal);
      const around = path.split('/').map((part) => part.replace(/\.sy$/, ''));
      return around.some((id) => documents.has(id)) ? [...attributed, ...caret] : attributed;
    } catch (error) {
      // A block that the kernel does not know is in no document that could be moved.
      if (error instanceof KernelRefusal) return attributed;
      throw error;
    }
  }

  /** One batch after another, each observed before the next. Never throws for a kernel failure: the journal needs to know how far it got. */
  private async run(batches: readonly (readonly StructureStep[])[], signal: AbortSignal, progress?: Progress): Promise<Outcome> {
    const steps = batches.flat();
    const done: StructureStep[] = [];
    for (const batch of batches) {
      if (done.length > 0 && signal.aborted) {
        const error = new ToolError('aborted', `the call was stopped after ${done.length} of ${steps.length} changes`, 'Undo reverts them');
        return { steps: [...done, ...absent(steps.slice(done.length))], error };
      }
      const { steps: seen, error } = await this.runBatch(batch);
      done.push(...seen);
      progress?.(done.length, steps.length);
      if (error) return { steps: [...done, ...absent(steps.slice(done.length))], error };
    }
    return { steps: done, error: null };
  }

  private async runBatch(batch: readonly StructureStep[]): Promise<Outcome> {
    const { joined } = this.deps.kinds;
    let carried = batch;
    let sending: ToolError | null = null;
    try {
      carried = await joined.run(batch);
    } catch (error) {
      if (!(error instanceof ToolError)) throw error;
      sending = error;
    }
    let seen: readonly Observation[];
    try {
      // One lost answer must not make an outcome unknown: observing twice is harmless.
      seen = await joined.observe(carried, NEVER).catch(() => joined.observe(carried, NEVER));
    } catch (error) {
      const what = 'SiYuan stopped answering during the change; it is not known whether it was made';
      return {
        steps: carried,
        error: new ToolError('outcome_unknown', what, 'check the note before trying again, or use Undo', toToolError(error).message),
      };
    }
    const found = carried.map((step, index) => ({ ...step, result: RESULTS[(seen[index] ?? GONE).at] }));
    const errors = carried.map((step, index) => stepFailure(step, seen[index] ?? GONE, sending));
    return { steps: found, error: errors.find((each) => each !== null) ?? null };
  }

  private async report(approved: ApprovedPlan, steps: readonly StructureStep[]): Promise<WriteReport> {
    const ids = [...new Set(steps.map(shownId))];
    const attributed = steps.flatMap((step) => (isOnBlock(step) && step.blockId !== step.documentId ? [step.blockId] : []));
    return {
      documentId: approved.plan.document.id ?? ids[0] ?? '',
      blockIds: ids,
      undo: approved.plan.undo.kind,
      hashes: await this.hashes(attributed),
    };
  }

  /** Attributes are part of a block's hash, and the next edit needs the new hash. Without it the model only reads the block again. */
  private async hashes(ids: readonly string[]): Promise<Readonly<Record<string, string>>> {
    try {
      const doms = await this.deps.routes.doms(ids, NEVER);
      return Object.fromEntries(ids.map((id) => [id, readableHash(doms[id] ?? '')]));
    } catch (error) {
      this.deps.onProblem?.(toToolError(error));
      return {};
    }
  }
}

function assertFresh(step: StructureStep, { at, now }: Observation = GONE): void {
  if (at === 'before') return;
  const gone = at === 'gone' || now === null;
  throw new ToolError(
    'stale',
    `${touchedId(step)} has changed since the plan was made${gone ? '; it is no longer there' : ''}`,
    'look again and plan the change again; nothing was written',
    undefined,
    gone ? undefined : preview(now, NOW_CHARS),
  );
}

const absent = (steps: readonly StructureStep[]): StructureStep[] => steps.map((step) => ({ ...step, result: 'absent' }));

function stepFailure(step: StructureStep, seen: Observation, sending: ToolError | null): ToolError | null {
  if (seen.at === 'after') return null;
  if (seen.at === 'before') {
    if (sending) return new ToolError(sending.code, `${sending.message}; this was not done`, sending.next);
    return new ToolError('kernel_refused', 'SiYuan did not carry out the change', 'read it and plan the change again, or tell the user');
  }
  if (seen.at === 'partly') {
    return new ToolError(sending?.code ?? 'kernel_refused', `it was done only in part: ${seen.now}`, 'Undo restores what is gone');
  }
  const stands = seen.now === null ? 'it is gone' : 'it is not as intended';
  const now = seen.now === null ? undefined : preview(seen.now, NOW_CHARS);
  return new ToolError('raced', `${touchedId(step)}: ${stands}`, 'look at it again and ask the user', undefined, now);
}

export function createStructureWriter(deps: StructureWriterDeps): StructureWriter {
  return new KernelStructureWriter(deps);
}
