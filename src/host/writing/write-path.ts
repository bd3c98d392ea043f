import { ToolError, toToolError } from '../../tools/contract/errors.ts';
import { type ApprovedPlan, type ChangePlan, isApprovedPlan } from '../../tools/contract/plans.ts';
import type { Clock, EditingProbe, WriteOrigin, WriteReport } from '../../tools/contract/ports.ts';
import { type Access, grantOf, type OneTimeGrant } from '../access/access.ts';
import { parseBlock, type Random, serializeBlock, timestamp } from '../blocks/block-dom.ts';
import { shortHash } from '../blocks/block-hash.ts';
import { idsIn } from '../blocks/container-shell.ts';
import type { MarkdownEngine } from '../blocks/markdown-engine.ts';
import { type CreatedDocument, type DocumentMaker, prepareDocument } from '../documents/document-target.ts';
import type { StructureWriter } from '../documents/structure-writer.ts';
import { openTrash } from '../documents/trash-document.ts';
import type { JournalEntry, JournalOperation, JournalRecord, WriteJournal } from '../journal/write-journal.ts';
import type { KernelRoutes } from '../kernel/kernel-routes.ts';
import type { TransactionLog } from '../kernel/transaction-log.ts';
import type { NotesReader } from '../reading/notes-reader.ts';
import { asWritable, type BlockWriter } from '../transactions/block-writer.ts';
import { showBuried } from '../transactions/buried-blocks.ts';
import { newlyGuarded } from '../transactions/guarded-sections.ts';
import { emptiedBy, withHidden } from '../transactions/kernel-place.ts';
import { resolveAnchor } from '../transactions/plan-anchor.ts';
import { assertInSight, placesOf } from '../transactions/plan-places.ts';
import { chainSteps, planSteps, type StampedOperation } from '../transactions/plan-steps.ts';
import type {
  Anchor,
  ApprovedWrite,
  PlanStore,
  PreparedOperation,
  PreparedPlan,
  PreparedStructure,
} from '../transactions/prepared-plan.ts';
import { awaitCaret } from '../transactions/typing-guard.ts';
import { assertFresh, stale, touchedIds } from '../transactions/write-check.ts';
import { type RunOutcome, runWrites } from '../transactions/write-run.ts';
import type { WriteStep } from '../transactions/write-step.ts';
import { type BlockTree, loadTree } from '../tree/block-tree.ts';
import { closedEntry, intentEntry, journaled } from './write-entry.ts';

export interface WritePathDeps {
  readonly routes: KernelRoutes;
  readonly access: Access;
  readonly engine: MarkdownEngine;
  readonly reader: NotesReader;
  readonly writer: BlockWriter;
  readonly structure: StructureWriter;
  readonly journal: WriteJournal;
  readonly plans: PlanStore;
  readonly pushes: TransactionLog;
  readonly probe: EditingProbe;
  readonly clock: Clock;
  readonly random: Random;
  /** One write at a time, undo included. */
  readonly lock: <T>(run: () => Promise<T>) => Promise<T>;
  /** Hears of failures that did not hurt the write itself. */
  readonly onProblem?: (error: ToolError) => void;
}

export interface WritePath {
  apply(approved: ApprovedPlan, origin: WriteOrigin, signal: AbortSignal): Promise<WriteReport>;
}

const SOURCE_ATTRIBUTE = 'custom-marginalia-source';

/** Writes are serialised: two plans of one batch must not resolve the same anchor at the same time. */
export function createLock(): WritePathDeps['lock'] {
  let last: Promise<unknown> = Promise.resolve();
  return (run) => {
    const next = last.then(run, run);
    last = next.catch(() => undefined);
    return next;
  };
}

interface Job {
  readonly plan: ChangePlan;
  readonly grant: OneTimeGrant | undefined;
  readonly prepared: PreparedPlan;
  readonly operations: readonly PreparedOperation[];
  readonly origin: WriteOrigin;
  readonly signal: AbortSignal;
}

/** Inserts of an edit follow the block that is edited, whether or not its own change was accepted. */
function defaultAnchor(prepared: PreparedPlan, documentId: string | null): Anchor | null {
  const first = prepared.operations[0];
  if (first?.action === 'update') return { kind: 'after', id: first.blockId };
  return documentId === null ? null : { kind: 'last', parent: documentId };
}

const inChain = ({ action, place }: PreparedOperation): boolean => place === undefined && (action === 'insert' || action === 'move');

/** The plan's own document first. */
const documentsOf = (job: Job, documentId: string): readonly string[] => [
  ...new Set([documentId, ...job.operations.map((operation) => operation.documentId ?? documentId)]),
];

function reportOf(job: Job, documentId: string, outcome: RunOutcome): WriteReport {
  const hashes: Record<string, string> = {};
  for (const { action, blockId } of job.operations) {
    if (action !== 'delete') hashes[blockId] = shortHash(outcome.states.get(blockId)?.hash ?? '');
  }
  return { documentId, blockIds: job.operations.map((operation) => operation.blockId), undo: job.plan.undo.kind, hashes };
}

class CheckedWritePath implements WritePath {
  private readonly deps: WritePathDeps;

  constructor(deps: WritePathDeps) {
    this.deps = deps;
  }

  apply(approved: ApprovedPlan, origin: WriteOrigin, signal: AbortSignal): Promise<WriteReport> {
    return this.deps.lock(async () => {
      const prepared = isApprovedPlan(approved) ? this.deps.plans.take(approved.plan) : undefined;
      if (!prepared) throw new ToolError('not_approved', 'this plan was not approved, or was already applied', 'plan the change again');
      const write =
        'steps' in prepared ? this.deps.structure.open(approved, prepared, origin, signal) : this.open(approved, prepared, origin, signal);
      await awaitCaret(this.deps.probe, await write.busyBlocks(), signal);
      await this.requireOpen(approved.plan, prepared, signal);
      await assertInSight(this.deps.access, placesOf(prepared, approved.accepted), signal);
      return write.run();
    });
  }

  /** That a notebook was closed is told as such: it is in sight. */
  private async requireOpen(plan: ChangePlan, prepared: PreparedPlan | PreparedStructure, signal: AbortSignal): Promise<void> {
    if ('steps' in prepared && prepared.steps.some(({ step }) => step.kind === 'notebook')) return;
    await this.deps.access.requireNotebook(plan.notebook.id, 'read', signal);
  }

  private open(approved: ApprovedPlan, prepared: PreparedPlan, origin: WriteOrigin, signal: AbortSignal): ApprovedWrite {
    const operations = prepared.operations.filter((operation) => approved.accepted.has(operation.id));
    const { target } = prepared;
    const wanted = target.kind === 'existing' ? operations.length > 0 : approved.accepted.has(target.operationId);
    if (!wanted) throw new ToolError('not_approved', 'no operation of the plan was accepted', 'ask the user what to write instead');
    const job: Job = { plan: approved.plan, grant: grantOf(approved), prepared, operations, origin, signal };
    const touched = operations.flatMap((operation) => (operation.before ? touchedIds(operation) : []));
    return { busyBlocks: async () => touched, run: () => this.run(job) };
  }

  private async run(job: Job): Promise<WriteReport> {
    const need = job.operations.some((operation) => operation.needs === 'delete') ? 'delete' : 'write';
    const { grant } = job;
    await this.deps.access.requireNotebook(job.plan.notebook.id, need, job.signal, { grant });
    const { documentId: known, maker, path } = await this.target(job);
    if (known === null) return this.writeNew(job, maker, path);
    for (const id of documentsOf(job, known)) await this.deps.access.locate(id, need, job.signal, grant);
    const read = this.deps.pushes.position();
    const { steps, tree } = await this.stepsIn(job, known);
    this.assertRunning(job);
    const position = this.deps.pushes.position();
    const record = await this.deps.journal.begin(this.intentOf(job, steps.filter((step) => !step.completes).map(journaled), known, path));
    const outcome = await runWrites(this.deps, { steps, planned: tree, remove: null, position, signal: job.signal });
    const hidden = this.deps.pushes.othersSince(read) ? await this.showBuried(tree.documentIds()) : null;
    return this.finish(job, record, known, { ...outcome, error: outcome.error ?? hidden });
  }

  /** What was written stands whatever comes of this. */
  private async showBuried(documentIds: readonly string[]): Promise<ToolError | null> {
    try {
      await showBuried(this.deps, documentIds).catch(() => showBuried(this.deps, documentIds));
      return null;
    } catch (error) {
      const what =
        'somebody worked in the document meanwhile and SiYuan stopped answering; some blocks may have stayed hidden with no folded heading above';
      return new ToolError('raced', what, 'tell the user: Undo shows them again', toToolError(error).message);
    }
  }

  /** What the operations come to in the documents as they stand now. */
  private async stepsIn(job: Job, documentId: string): Promise<{ steps: WriteStep[]; tree: BlockTree }> {
    const { prepared, operations, signal } = job;
    const { routes, clock, random } = this.deps;
    const documents = documentsOf(job, documentId);
    const trash = operations.some((operation) => operation.place === 'trash')
      ? await openTrash(this.deps, job.plan.notebook.id, signal)
      : null;
    const tree = await loadTree(routes, trash === null ? documents : [...documents, trash], signal);
    const { pushPosition } = prepared;
    await assertFresh(this.deps, tree, { operations, documentId, pushPosition }, signal);
    const moving = operations.filter((operation) => operation.action === 'move').map((operation) => operation.blockId);
    const leaving = operations.filter(({ action }) => action === 'move' || action === 'delete').map(({ blockId }) => blockId);
    const anchor = prepared.anchor ?? defaultAnchor(prepared, documentId);
    const accepted = new Set(operations);
    const guarded = tree.guardedIds();
    const leftOut = prepared.operations.filter((operation) => !accepted.has(operation) && operation.action === 'move');
    const steps = planSteps(
      {
        tree,
        operations: operations.map((operation) => this.stamp(operation, job.origin)),
        start: operations.some(inChain) && anchor ? resolveAnchor(tree, anchor, withHidden(tree, moving)) : null,
        trash,
        containers: await this.containerDoms(tree, emptiedBy(tree, leaving), signal),
        clock,
        random,
      },
      new Set(leftOut.map((operation) => operation.blockId)),
    );
    const announced = job.plan.notices.some(({ code }) => code === 'comes-under-guard');
    if (!announced && newlyGuarded(tree, guarded).length > 0)
      throw stale('blocks would come under a heading that the user keeps from the assistant, which the approval did not say');
    return { steps, tree };
  }

  /** In the order given, whatever order the kernel answers in. Rejects with `stale` where something has come into one by now. */
  private async containerDoms(tree: BlockTree, ids: readonly string[], signal: AbortSignal): Promise<Readonly<Record<string, string>>> {
    const doms = await this.deps.routes.doms(ids, signal);
    const filled = ids.find((id) => idsIn(doms[id] ?? '').some((each) => !tree.has(each)));
    if (filled !== undefined) throw stale(`somebody wrote in block ${filled}, which would have been left empty`);
    return Object.fromEntries(ids.map((id) => [id, doms[id] ?? '']));
  }

  /** Inserts into a document that does not exist yet. */
  private async writeNew(job: Job, maker: DocumentMaker | null, path: string): Promise<WriteReport> {
    if (!maker) throw new Error('there is neither a document nor a way to make it');
    const operations = job.operations.map((operation) => this.stamp(operation, job.origin));
    this.assertRunning(job);
    const position = this.deps.pushes.position();
    const intent = this.intentOf(job, operations.map(journaled), null, path);
    const { record, created } = await this.makeDocument(maker, await this.deps.journal.begin(intent));
    const last = created.emptyParagraph?.id ?? created.baseline.at(-1)?.id;
    const steps = chainSteps(operations, created.id, last === undefined ? { parentID: created.id } : { previousID: last });
    const outcome = await runWrites(this.deps, { steps, planned: null, remove: created.emptyParagraph, position, signal: job.signal });
    return this.finish(job, record, created.id, outcome);
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

  /** What is written leads back to the talk that wrote it, an edited block as well as a new one. */
  private stamp(operation: PreparedOperation, origin: WriteOrigin): StampedOperation {
    if (operation.action === 'delete' || operation.action === 'move') return operation;
    const updated = timestamp(this.deps.clock);
    const block = parseBlock(operation.action === 'update' ? asWritable(operation.dom, updated) : operation.dom);
    if (!block) throw new Error('a plan holds something that is not one block');
    block.attribs[SOURCE_ATTRIBUTE] = `${origin.sessionId}/${origin.nodeId}/${origin.callId}`;
    block.attribs.updated = updated;
    return { ...operation, dom: serializeBlock(block) };
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

  /** The journal after the write; what could not be read back stays an intent, and undo then compares with what it finds. */
  private async close(record: JournalRecord, outcome: RunOutcome): Promise<void> {
    const entry = closedEntry(record.entry, outcome);
    try {
      await this.deps.journal.update(record, entry).catch(() => this.deps.journal.update(record, entry));
    } catch (error) {
      // The blocks stand as they were checked, and the intent is enough for undo: the write is not to be called failed for this.
      this.deps.onProblem?.(toToolError(error));
    }
  }
}

export function createWritePath(deps: WritePathDeps): WritePath {
  return new CheckedWritePath(deps);
}
