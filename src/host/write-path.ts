import { ToolError, toToolError } from '../tools/errors.ts';
import { type ApprovedPlan, type ChangePlan, isApprovedPlan } from '../tools/plans.ts';
import type { Clock, EditingProbe, WriteOrigin, WriteReport } from '../tools/ports.ts';
import type { Access } from './access-policy.ts';
import { parseBlock, serializeBlock, timestamp } from './block-dom.ts';
import { hashOfBlock, shortHash } from './block-hash.ts';
import { asWritable, type BlockWriter } from './block-writer.ts';
import { type CreatedDocument, type DocumentMaker, prepareDocument } from './document-target.ts';
import type { KernelRoutes } from './kernel-routes.ts';
import type { MarkdownEngine } from './markdown-engine.ts';
import type { NotesReader } from './notes-reader.ts';
import { resolveAnchor } from './plan-anchor.ts';
import type { Anchor, PlanStore, PreparedOperation, PreparedPlan } from './prepared-plan.ts';
import type { PushLog } from './push-log.ts';
import { awaitCaret } from './typing-guard.ts';
import type { JournalEntry, JournalRecord, WriteJournal } from './write-journal.ts';
import { type RunOutcome, runWrites, type WriteStep } from './write-run.ts';

export interface WritePathDeps {
  readonly routes: KernelRoutes;
  readonly access: Access;
  readonly engine: MarkdownEngine;
  readonly reader: NotesReader;
  readonly writer: BlockWriter;
  readonly journal: WriteJournal;
  readonly plans: PlanStore;
  readonly pushes: PushLog;
  readonly probe: EditingProbe;
  readonly clock: Clock;
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
  readonly prepared: PreparedPlan;
  readonly operations: readonly PreparedOperation[];
  readonly origin: WriteOrigin;
  readonly signal: AbortSignal;
}

const stale = (what: string): ToolError => new ToolError('stale', what, 'read it again and plan the change anew; nothing was written');

/** Inserts of an edit follow the block that is edited, whether or not its own change was accepted. */
function defaultAnchor(prepared: PreparedPlan, documentId: string | null): Anchor | null {
  const first = prepared.operations[0];
  if (first?.action === 'update') return { kind: 'after', id: first.blockId };
  return documentId === null ? null : { kind: 'last', parent: documentId };
}

function reportOf(job: Job, documentId: string, outcome: RunOutcome): WriteReport {
  const hashes: Record<string, string> = {};
  for (const operation of job.operations) hashes[operation.blockId] = shortHash(outcome.states.get(operation.blockId)?.hash ?? '');
  return { documentId, blockIds: job.operations.map((operation) => operation.blockId), undo: job.plan.undo.kind, hashes };
}

class CheckedWritePath implements WritePath {
  private readonly deps: WritePathDeps;

  constructor(deps: WritePathDeps) {
    this.deps = deps;
  }

  apply(approved: ApprovedPlan, origin: WriteOrigin, signal: AbortSignal): Promise<WriteReport> {
    return this.deps.lock(async () => this.run(this.open(approved, origin, signal)));
  }

  private open(approved: ApprovedPlan, origin: WriteOrigin, signal: AbortSignal): Job {
    const prepared = isApprovedPlan(approved) ? this.deps.plans.take(approved.plan) : undefined;
    if (!prepared) throw new ToolError('not_approved', 'this plan was not approved, or was applied already', 'plan the change again');
    const operations = prepared.operations.filter((operation) => approved.accepted.has(operation.id));
    const { target } = prepared;
    const wanted = target.kind === 'existing' ? operations.length > 0 : approved.accepted.has(target.operationId);
    if (!wanted) throw new ToolError('not_approved', 'no operation of the plan was accepted', 'ask the user what to write instead');
    return { plan: approved.plan, prepared, operations, origin, signal };
  }

  private async run(job: Job): Promise<WriteReport> {
    await this.deps.access.requireNotebook(job.plan.notebook.id, 'write', job.signal);
    const touched = job.operations.flatMap((operation) => (operation.before ? [operation.blockId] : []));
    await awaitCaret(this.deps.probe, touched, job.signal);
    const { documentId: known, maker, path } = await this.target(job);
    if (known !== null) await this.deps.access.locate(known, 'write', job.signal);
    if (known !== null) await this.checkFresh(job, known);
    const anchor = job.prepared.anchor ?? defaultAnchor(job.prepared, known);
    const place = known !== null && anchor ? await resolveAnchor(this.deps.routes, known, anchor, job.signal) : null;
    const steps: WriteStep[] = job.operations.map((operation) => ({ ...operation, dom: this.stamp(operation, job.origin) }));
    if (job.signal.aborted) throw new ToolError('aborted', 'the call was stopped', 'ask the user whether to go on; nothing was written');
    const position = this.deps.pushes.position();
    let record = await this.deps.journal.begin(this.intentOf(job, steps, known, path));
    let created: CreatedDocument | null = null;
    if (maker) ({ record, created } = await this.makeDocument(maker, record));
    const documentId = known ?? created?.id ?? '';
    const last = created?.emptyParagraph?.id ?? created?.baseline.at(-1)?.id;
    const start = place ?? (last === undefined ? { parentID: documentId } : { previousID: last });
    const outcome = await runWrites(this.deps, { steps, start, remove: created?.emptyParagraph ?? null, position, signal: job.signal });
    await this.close(record, outcome);
    if (outcome.error) throw outcome.error;
    return reportOf(job, documentId, outcome);
  }

  private async target(job: Job): Promise<{ documentId: string | null; maker: DocumentMaker | null; path: string }> {
    const planned = job.prepared.target;
    const path = job.plan.document.path;
    if (planned.kind === 'existing') return { documentId: planned.documentId, maker: null, path };
    const maker = await prepareDocument(this.deps, job.plan.notebook.id, planned, path, job.signal);
    return { documentId: maker.existing, maker: maker.existing === null ? maker : null, path };
  }

  /** Nothing may have changed between the plan and now: there is no compare-and-set in the kernel (TOOLS.md). */
  private async checkFresh(job: Job, documentId: string): Promise<void> {
    const ids = job.operations.map((operation) => operation.blockId);
    const foreign = this.deps.pushes.foreignSince(job.prepared.pushPosition, ids);
    if (foreign.length > 0) throw stale(`block ${foreign[0]} was changed by somebody else since it was read`);
    const doms = await this.deps.routes.doms(ids, job.signal);
    for (const operation of job.operations) {
      const now = doms[operation.blockId] ?? '';
      if (operation.before === null) {
        if (now !== '') throw stale(`the new block's id ${operation.blockId} is taken`);
        continue;
      }
      if (now === '') throw stale(`block ${operation.blockId} is not there any more`);
      if (hashOfBlock(now) !== operation.before.hash) {
        throw stale(`block ${operation.blockId} was changed since; now it is: ${this.deps.engine.toMarkdown(now).slice(0, 400)}`);
      }
      const place = await this.deps.access.locate(operation.blockId, 'write', job.signal);
      if (place.documentId !== documentId) throw stale(`block ${operation.blockId} was moved to another document`);
    }
  }

  private stamp(operation: PreparedOperation, origin: WriteOrigin): string {
    if (operation.action === 'update') return asWritable(operation.dom, timestamp(this.deps.clock));
    const block = parseBlock(operation.dom);
    if (!block) throw new Error('a plan holds something that is not one block');
    block.attribs[SOURCE_ATTRIBUTE] = `${origin.sessionId}/${origin.nodeId}/${origin.callId}`;
    block.attribs.updated = timestamp(this.deps.clock);
    return serializeBlock(block);
  }

  private intentOf(job: Job, steps: readonly WriteStep[], documentId: string | null, path: string): JournalEntry {
    return {
      schema: 1,
      ...job.origin,
      tool: job.plan.tool,
      time: this.deps.clock.now(),
      state: 'intent',
      notebook: job.plan.notebook.id,
      document: { id: documentId, path, created: null },
      operations: steps.map((step) => ({
        action: step.action,
        blockId: step.blockId,
        before: step.before,
        after: { dom: step.dom, hash: hashOfBlock(step.dom) },
        result: 'unknown',
      })),
    };
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
          'SiYuan went away while the document was made',
          'look whether it is there before trying again',
          error.message,
        );
      }
      throw error;
    }
  }

  /** The journal after the write; what could not be read back stays an intent, and undo then compares with what it finds. */
  private async close(record: JournalRecord, outcome: RunOutcome): Promise<void> {
    const operations = record.entry.operations.map((operation) => {
      const state = outcome.states.get(operation.blockId);
      if (!state) return operation;
      return { ...operation, result: state.result, ...(state.dom === '' ? {} : { after: { dom: state.dom, hash: state.hash } }) };
    });
    const known = operations.every((operation) => operation.result !== 'unknown');
    const state = outcome.error ? (known ? 'failed' : 'intent') : 'done';
    const entry: JournalEntry = { ...record.entry, state, operations };
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
