import { ToolError, toToolError } from '../../tools/contract/errors.ts';
import type { NotebookRight } from '../../tools/contract/notebook-right.ts';
import { type ApprovedPlan, type ChangePlan, deletes, isApprovedPlan, type Progress } from '../../tools/contract/plans.ts';
import type { EditingProbe, WriteOrigin, WriteReport } from '../../tools/contract/ports.ts';
import { Turns } from '../../tools/util/turns.ts';
import { type Access, grantOf, type OneTimeGrant } from '../access/access.ts';
import { shortHash } from '../blocks/block-hash.ts';
import { idsIn } from '../blocks/emptied-container.ts';
import type { MarkdownEngine } from '../blocks/markdown-engine.ts';
import { type CreatedDocument, type DocumentMaker, prepareDocument } from '../documents/document-target.ts';
import type { StructureWriter } from '../documents/structure-writer.ts';
import type { JournalEntry, JournalOperation, JournalRecord, WriteJournal } from '../journal/write-journal.ts';
import { askedOnce } from '../kernel/asked-once.ts';
import type { KernelRoutes } from '../kernel/kernel-routes.ts';
import { noSuchBlock } from '../kernel/not-found.ts';
import type { NotesReader } from '../reading/notes-reader.ts';
import type { BlockWriter } from '../transactions/block-writer.ts';
import { showHiddenByFolds } from '../transactions/fold-state.ts';
import { assertInSight, placesOf } from '../transactions/plan-places.ts';
import { chainSteps } from '../transactions/plan-steps.ts';
import {
  type ApprovedWrite,
  type FileCopy,
  isUnseen,
  type PlanStore,
  type PreparedPlan,
  type PreparedStructure,
} from '../transactions/prepared-plan.ts';
import { awaitCaret } from '../transactions/typing-guard.ts';
import { vanishingBlocks } from '../transactions/vanishing.ts';
import { stale, touchedIds } from '../transactions/write-check.ts';
import { type RunOutcome, runWrites } from '../transactions/write-run.ts';
import { citesOfOperations } from './stamp-cites.ts';
import { closedEntry, intentEntry, journaled } from './write-entry.ts';
import { documentsOf, type StepDeps, type StepJob, stamp, stepsNow } from './write-steps.ts';

export interface WritePathDeps extends StepDeps {
  readonly accessOver: (routes: KernelRoutes) => Access;
  readonly engine: MarkdownEngine;
  readonly reader: NotesReader;
  readonly writer: BlockWriter;
  readonly structure: StructureWriter;
  readonly journal: WriteJournal;
  readonly plans: PlanStore;
  readonly probe: EditingProbe;
  readonly copyFile: (copy: FileCopy, signal: AbortSignal) => Promise<void>;
  /** One write at a time, undo included. */
  readonly lock: <T>(run: () => Promise<T>) => Promise<T>;
  /** Receives failures that did not affect the write itself. */
  readonly onProblem?: (error: ToolError) => void;
}

export interface WritePath {
  write(approved: ApprovedPlan, origin: WriteOrigin, signal: AbortSignal, progress?: Progress): Promise<WriteReport>;
}

/** Writes are serialized: two plans of one batch must not resolve the same anchor at the same time. */
export function createLock(): WritePathDeps['lock'] {
  const turns = new Turns(1);
  return (run) => turns.take(run);
}

/** The kernel and the rights at the time when one write is checked. */
type Checks = Pick<WritePathDeps, 'routes' | 'access'>;

interface Job extends StepJob {
  readonly grant: OneTimeGrant | undefined;
  readonly progress: Progress | undefined;
}

function reportOf(job: Job, documentId: string, outcome: RunOutcome): WriteReport {
  const hashes: Record<string, string> = {};
  for (const { action, blockId } of job.operations) {
    if (action !== 'delete') hashes[blockId] = shortHash(outcome.states.get(blockId)?.hash ?? '');
  }
  return { documentId, blockIds: job.operations.map((operation) => operation.blockId), undo: job.plan.undo.kind, hashes };
}

function neededFor({ plan, prepared, operations }: Omit<Job, 'cites'>): NotebookRight {
  if (isUnseen(prepared.target)) return 'create';
  const accepted = new Set(operations.map(({ id }) => id));
  const asPlanned = deletes(plan.operations.filter(({ id }) => accepted.has(id)));
  return asPlanned || (operations.length < prepared.operations.length && vanishingBlocks(operations).size > 0) ? 'delete' : 'write';
}

/** Checks one document by itself, many at once; they were found readable just before. */
async function requireDocuments(
  access: Access,
  documentIds: readonly string[],
  need: NotebookRight,
  { signal, grant }: Job,
): Promise<void> {
  const [only] = documentIds;
  if (only !== undefined && documentIds.length === 1) {
    await access.locate(only, need, signal, grant);
    return;
  }
  const places = await access.look(documentIds, signal);
  const hidden = documentIds.find((id) => !places.get(id)?.readable);
  if (hidden !== undefined) throw noSuchBlock(hidden);
  const notebooks = new Set([...places.values()].map(({ notebook }) => notebook));
  for (const id of notebooks) await access.requireNotebook(id, need, signal, { grant });
}

/** The error for a document that was created for blocks of which none was written: the document stays. */
function madeBefore({ error, states }: RunOutcome, blocks: number): ToolError | null {
  const isEmpty = states.size === blocks && [...states.values()].every(({ result }) => result === 'absent');
  if (!error || !isEmpty) return error;
  const { code, message, detail, quoted } = error;
  return new ToolError(code, `${message}; the document itself had been written before, and is empty`, 'Undo removes it', detail, quoted);
}

class CheckedWritePath implements WritePath {
  private readonly deps: WritePathDeps;

  constructor(deps: WritePathDeps) {
    this.deps = deps;
  }

  write(approved: ApprovedPlan, origin: WriteOrigin, signal: AbortSignal, progress?: Progress): Promise<WriteReport> {
    return this.deps.lock(async () => {
      const prepared = isApprovedPlan(approved) ? this.deps.plans.take(approved.plan) : undefined;
      if (!prepared) throw new ToolError('not_approved', 'this plan was not approved, or was already applied', 'plan the change again');
      const checks = this.checks();
      const write =
        'steps' in prepared
          ? this.deps.structure.open(approved, prepared, { origin, signal, progress })
          : this.open(approved, prepared, { origin, signal, progress }, checks);
      await awaitCaret(this.deps.probe, await write.busyBlocks(), signal);
      await this.requireOpen(approved.plan, prepared, checks.access, signal);
      await assertInSight(checks.access, placesOf(prepared, approved.accepted), signal);
      return write.run();
    });
  }

  /** The rights are read once per write, when nothing is waited for any more. */
  private checks(): Checks {
    const routes = askedOnce(this.deps.routes);
    return { routes, access: this.deps.accessOver(routes) };
  }

  /** A closed notebook is reported as such: it is not hidden. */
  private async requireOpen(
    plan: ChangePlan,
    prepared: PreparedPlan | PreparedStructure,
    access: Access,
    signal: AbortSignal,
  ): Promise<void> {
    if ('steps' in prepared && prepared.steps.some(({ step }) => step.kind === 'notebook')) return;
    await access.requireNotebook(plan.notebook.id, 'target' in prepared && isUnseen(prepared.target) ? 'create' : 'read', signal);
  }

  private open(
    approved: ApprovedPlan,
    prepared: PreparedPlan,
    run: Pick<Job, 'origin' | 'signal' | 'progress'>,
    checks: Checks,
  ): ApprovedWrite {
    const operations = prepared.operations.filter((operation) => approved.accepted.has(operation.id));
    const { target } = prepared;
    const wanted = target.kind === 'existing' ? operations.length > 0 : approved.accepted.has(target.operationId);
    if (!wanted) throw new ToolError('not_approved', 'no operation of the plan was accepted', 'ask the user what to write instead');
    const job: Omit<Job, 'cites'> = { plan: approved.plan, grant: grantOf(approved), prepared, operations, ...run };
    const touched = operations.flatMap((operation) => (operation.before ? touchedIds(operation) : []));
    const busyBlocks = async (): Promise<readonly string[]> => {
      const lists = prepared.numbered ?? [];
      const doms = lists.length > 0 ? await checks.routes.doms(lists, run.signal) : {};
      return [...touched, ...Object.values(doms).flatMap(idsIn)];
    };
    return { busyBlocks, run: () => this.runJob(job, checks) };
  }

  private async runJob(asked: Omit<Job, 'cites'>, checks: Checks): Promise<WriteReport> {
    const need = neededFor(asked);
    await checks.access.requireNotebook(asked.plan.notebook.id, need, asked.signal, { grant: asked.grant });
    const job: Job = { ...asked, cites: await citesOfOperations({ ...this.deps, ...checks }, asked.operations, asked.signal) };
    const { documentId: known, maker, path } = await this.target(job);
    if (known === null) return this.writeNew(job, maker, path);
    await requireDocuments(checks.access, documentsOf(job.operations, known), need, job);
    const read = this.deps.pushes.position();
    const { steps, tree } = await stepsNow({ ...this.deps, ...checks }, job, known);
    // Consent and right were for a change that removes nothing.
    if (need !== 'delete' && steps.some((step) => step.shell !== undefined))
      throw stale('the blocks would leave a list or another container empty, which would be removed too');
    this.assertRunning(job);
    for (const copy of job.prepared.copies ?? []) await this.deps.copyFile(copy, job.signal);
    const position = this.deps.pushes.position();
    const record = await this.deps.journal.begin(this.intentOf(job, steps.filter((step) => !step.completes).map(journaled), known, path));
    const progress = job.progress ? { progress: job.progress } : {};
    const outcome = await runWrites(this.deps, { steps, planned: tree, remove: null, position, signal: job.signal, ...progress });
    const hidden = this.deps.pushes.othersSince(read) ? await this.showHiddenByFolds(tree.documentIds()) : null;
    return this.finish(job, record, known, { ...outcome, error: outcome.error ?? hidden });
  }

  /** The write is complete, whether this succeeds or not. */
  private async showHiddenByFolds(documentIds: readonly string[]): Promise<ToolError | null> {
    try {
      await showHiddenByFolds(this.deps, documentIds).catch(() => showHiddenByFolds(this.deps, documentIds));
      return null;
    } catch (error) {
      const what =
        'somebody worked in the document meanwhile and SiYuan stopped answering; some blocks may still be hidden without a folded heading above';
      return new ToolError('raced', what, 'tell the user: Undo shows them again', toToolError(error).message);
    }
  }

  /** Inserts into a document that does not exist yet. */
  private async writeNew(job: Job, maker: DocumentMaker | null, path: string): Promise<WriteReport> {
    if (!maker) throw new Error('there is neither a document nor a way to make it');
    const operations = job.operations.map((operation) => stamp(operation, job, this.deps.clock));
    this.assertRunning(job);
    const position = this.deps.pushes.position();
    const intent = this.intentOf(job, operations.map(journaled), null, path);
    const { record, created } = await this.makeDocument(maker, await this.deps.journal.begin(intent));
    const last = created.emptyParagraph?.id ?? created.baseline.at(-1)?.id;
    const steps = chainSteps(operations, created.id, last === undefined ? { parentID: created.id } : { previousID: last });
    const outcome = await runWrites(this.deps, { steps, planned: null, remove: created.emptyParagraph, position, signal: job.signal });
    return this.finish(job, record, created.id, { ...outcome, error: outcome.error && madeBefore(outcome, steps.length) });
  }

  private async finish(job: Job, record: JournalRecord, documentId: string, outcome: RunOutcome): Promise<WriteReport> {
    await this.close(record, outcome);
    if (outcome.error) throw outcome.error;
    return reportOf(job, documentId, outcome);
  }

  private assertRunning(job: Job): void {
    if (job.signal.aborted) throw new ToolError('aborted', 'the call was stopped', 'ask the user whether to go on; nothing was written');
  }

  private async target(job: Job): Promise<{ documentId: string | null; maker: DocumentMaker | null; path: string }> {
    const planned = job.prepared.target;
    const path = job.plan.document.path;
    if (planned.kind === 'existing') return { documentId: planned.documentId, maker: null, path };
    const maker = await prepareDocument(this.deps, job.plan.notebook.id, planned, path, job.signal);
    return { documentId: maker.existing, maker: maker.existing === null ? maker : null, path };
  }

  private intentOf(job: Job, operations: JournalOperation[], documentId: string | null, path: string): JournalEntry {
    const { origin, plan } = job;
    return intentEntry({ origin, plan, operations, documentId, path, time: this.deps.clock.now() });
  }

  private async makeDocument(maker: DocumentMaker, record: JournalRecord): Promise<{ record: JournalRecord; created: CreatedDocument }> {
    try {
      const created = await maker.create();
      const document = { id: created.id, path: maker.path, created: { parents: [...created.parents], baseline: [...created.baseline] } };
      return { record: await this.deps.journal.update(record, { ...record.entry, document }), created };
    } catch (error) {
      if (error instanceof ToolError && error.code === 'kernel_unreachable') {
        throw new ToolError(
          'outcome_unknown',
          'SiYuan stopped answering while the document was created',
          'check whether it is there before trying again',
          error.message,
        );
      }
      throw error;
    }
  }

  /** Closes the journal entry after the write; what could not be read back stays an intent, and undo then compares with the note. */
  private async close(record: JournalRecord, outcome: RunOutcome): Promise<void> {
    const entry = closedEntry(record.entry, outcome);
    try {
      await this.deps.journal.update(record, entry).catch(() => this.deps.journal.update(record, entry));
    } catch (error) {
      // The blocks were written and checked, and the intent is enough for undo: the write must not be reported as failed.
      this.deps.onProblem?.(toToolError(error));
    }
  }
}

export function createWritePath(deps: WritePathDeps): WritePath {
  return new CheckedWritePath(deps);
}
