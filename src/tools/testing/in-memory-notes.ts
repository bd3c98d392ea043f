import { ToolError } from '../contract/errors.ts';
import type { BacklinkPage, BlockInfo, BlockNeighbourhood, DocumentMatches, FailedId, SqlTable } from '../contract/note-queries.ts';
import type {
  DailyNote,
  DocumentAddress,
  DocumentListing,
  DocumentReading,
  ReadItem,
  ReadRange,
  SavedSearchMatches,
  SearchPage,
  SearchQuery,
} from '../contract/note-readings.ts';
import { type ApprovedPlan, type ChangePlan, deletes, isApprovedPlan, type PlanOperation } from '../contract/plans.ts';
import type {
  NotebookInfo,
  NotebookRight,
  NotesPort,
  UndoReport,
  UndoState,
  WriteHistory,
  WriteOrigin,
  WriteReport,
} from '../contract/ports.ts';
import { draftAttributes } from './in-memory-attribute-plans.ts';
import { draftDelete, draftEdit, draftInsert, draftMove } from './in-memory-block-plans.ts';
import { type Draft, notice, requireUnchanged } from './in-memory-drafts.ts';
import { InMemoryHistory, stateOf } from './in-memory-history.ts';
import { hashOf } from './in-memory-markdown.ts';
import {
  countTags,
  exportStored,
  findBacklinks,
  grepStored,
  infoOf,
  neighbourhood,
  placeOf,
  recentStored,
  shownAttributes,
} from './in-memory-queries.ts';
import {
  type DailyQuery,
  findDailyNotes,
  findDocument,
  type ListingQuery,
  listDocuments,
  readStored,
  relatedStored,
  searchStored,
} from './in-memory-reading.ts';
import { selectStored } from './in-memory-sql.ts';
import { InMemoryStore, type NotebookSeed } from './in-memory-store.ts';
import { draftCreate, draftDaily, draftDeleteDocuments, draftNotebook, draftOrganize } from './in-memory-structure-plans.ts';
import { draftRewrite, draftTag } from './in-memory-text-plans.ts';

export interface InMemoryNotesOptions {
  readonly notebooks: readonly NotebookSeed[];
  /** Runs before every method, with its name: for faults, delays and logs of a test. */
  readonly before?: (method: string, signal: AbortSignal) => void | Promise<void>;
  /** The local day, YYYY-MM-DD; that of `testClock` where none is given. */
  readonly today?: string;
}

/** The request of a method that plans. */
type RequestOf<Name extends Extract<keyof NotesPort, `plan${string}`>> = Parameters<NotesPort[Name]>[0];

const needOf = ({ operations, need = 'write' }: Draft): 'read' | 'write' | 'delete' => (deletes(operations) ? 'delete' : need);

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);

const RANK: Readonly<Record<NotebookRight, number>> = { none: 0, read: 1, write: 2, delete: 3 };

/** A NotesPort without a host, for tests of tools, chat and panel: rights, plans, stale hashes and undo behave as the port says. */
export class InMemoryNotes implements NotesPort, WriteHistory {
  readonly store: InMemoryStore;
  /** Names of the methods that were called. */
  readonly calls: string[] = [];
  /** Changes of the text, e.g. `apply`: 0 as long as nothing was written. */
  writes = 0;
  /** SiYuan in read-only mode: plans can be made, nothing is written. */
  readOnly = false;
  private readonly before: NonNullable<InMemoryNotesOptions['before']>;
  private readonly drafts = new WeakMap<ChangePlan, Draft>();
  private readonly history: InMemoryHistory;
  private planCount = 0;

  constructor(options: InMemoryNotesOptions) {
    this.store = new InMemoryStore(options.notebooks, options.today ?? '2026-01-15');
    this.history = new InMemoryHistory(this.store);
    this.before = options.before ?? (() => undefined);
  }

  async meaningServer(signal: AbortSignal): Promise<string | undefined> {
    return this.run('meaningServer', signal, () => 'https://meaning.example/v1');
  }

  async notebooks(signal: AbortSignal): Promise<readonly NotebookInfo[]> {
    const visible = () => this.store.notebooks.filter(({ right }) => right !== 'none');
    return this.run('notebooks', signal, () => visible().map(({ id, name, open, right }) => ({ id, name, open, right })));
  }

  async documents(query: ListingQuery, signal: AbortSignal): Promise<DocumentListing> {
    return this.run('documents', signal, () => listDocuments(this.store, query));
  }

  async readings(items: readonly ReadItem[], signal: AbortSignal): Promise<readonly (DocumentReading | ToolError)[]> {
    const readings: (DocumentReading | ToolError)[] = [];
    for (const { address, range } of items) {
      try {
        readings.push({ ...(await this.document(address, range, signal)), outline: [] });
      } catch (error) {
        if (!(error instanceof ToolError) || error.code === 'aborted') throw error;
        readings.push(error);
      }
    }
    return readings;
  }

  async document(address: DocumentAddress, range: ReadRange, signal: AbortSignal): Promise<DocumentReading> {
    return this.run('document', signal, () => readStored(this.store, address, range));
  }

  async search(query: SearchQuery, signal: AbortSignal): Promise<SearchPage> {
    return this.run('search', signal, () => searchStored(this.store, query));
  }

  async dailyNotes(query: DailyQuery, signal: AbortSignal): Promise<readonly DailyNote[]> {
    return this.run('dailyNotes', signal, () => findDailyNotes(this.store, query));
  }

  async blocks(query: Parameters<NotesPort['blocks']>[0], signal: AbortSignal): Promise<BlockNeighbourhood> {
    return this.run('blocks', signal, () => neighbourhood(this.store, query));
  }

  async blockInfo(ids: readonly string[], signal: AbortSignal): Promise<readonly (BlockInfo | FailedId)[]> {
    return this.run('blockInfo', signal, () => ids.map((id) => infoOf(this.store, id)));
  }

  async grep(query: Parameters<NotesPort['grep']>[0], signal: AbortSignal): Promise<DocumentMatches> {
    return this.run('grep', signal, () => grepStored(this.store, query));
  }

  async backlinks(query: Parameters<NotesPort['backlinks']>[0], signal: AbortSignal): Promise<BacklinkPage> {
    return this.run('backlinks', signal, () => findBacklinks(this.store, query));
  }

  async sql(query: { stmt: string; maxRows: number }, signal: AbortSignal): Promise<SqlTable> {
    return this.run('sql', signal, () => selectStored(this.store, query));
  }

  async recentDocuments(query: { days: number; limit: number }, signal: AbortSignal) {
    return this.run('recentDocuments', signal, () => recentStored(this.store, query));
  }

  async related(query: { id: string; limit: number }, signal: AbortSignal) {
    return this.run('related', signal, () => relatedStored(this.store, query));
  }

  async languages(signal: AbortSignal): Promise<readonly string[]> {
    return this.run('languages', signal, () => ['English']);
  }

  async attributes(id: string, signal: AbortSignal) {
    return this.run('attributes', signal, () => {
      const { document } = this.store.locate(id);
      return { ...placeOf(this.store, document), attributes: shownAttributes(this.store, id) };
    });
  }

  async tags(query: { filter?: string; limit: number }, signal: AbortSignal) {
    return this.run('tags', signal, () => countTags(this.store, query));
  }

  /** It has no saved searches: only a person's own SiYuan has. */
  async savedSearches(signal: AbortSignal): Promise<readonly string[]> {
    return this.run('savedSearches', signal, () => []);
  }

  async findSaved({ name }: { name: string }, signal: AbortSignal): Promise<SavedSearchMatches> {
    return this.run('findSaved', signal, () => {
      throw new ToolError('not_found', `there is no saved search "${name}"`, 'choose one that is listed');
    });
  }

  async exportMarkdown(address: DocumentAddress, signal: AbortSignal) {
    return this.run('exportMarkdown', signal, () => exportStored(this.store, findDocument(this.store, address)));
  }

  planCreateDocument(request: RequestOf<'planCreateDocument'>, tool: string, signal: AbortSignal): Promise<ChangePlan> {
    return this.run('planCreateDocument', signal, () => this.plan(tool, draftCreate(this.store, request)));
  }

  planInsert(request: RequestOf<'planInsert'>, tool: string, signal: AbortSignal): Promise<ChangePlan> {
    return this.run('planInsert', signal, () => this.plan(tool, draftInsert(this.store, request)));
  }

  planEdit(request: RequestOf<'planEdit'>, tool: string, signal: AbortSignal): Promise<ChangePlan> {
    return this.run('planEdit', signal, () => this.plan(tool, draftEdit(this.store, request)));
  }

  planDailyAppend(request: RequestOf<'planDailyAppend'>, tool: string, signal: AbortSignal): Promise<ChangePlan> {
    return this.run('planDailyAppend', signal, () => this.plan(tool, draftDaily(this.store, request)));
  }

  planMoveBlocks(request: RequestOf<'planMoveBlocks'>, tool: string, signal: AbortSignal): Promise<ChangePlan> {
    return this.run('planMoveBlocks', signal, () => this.plan(tool, draftMove(this.store, request)));
  }

  planDeleteBlocks(request: RequestOf<'planDeleteBlocks'>, tool: string, signal: AbortSignal): Promise<ChangePlan> {
    return this.run('planDeleteBlocks', signal, () => this.plan(tool, draftDelete(this.store, request)));
  }

  planRewrite(request: RequestOf<'planRewrite'>, tool: string, signal: AbortSignal): Promise<ChangePlan> {
    return this.run('planRewrite', signal, () => this.plan(tool, draftRewrite(this.store, request)));
  }

  planAttributes(request: RequestOf<'planAttributes'>, tool: string, signal: AbortSignal): Promise<ChangePlan> {
    return this.run('planAttributes', signal, () => this.plan(tool, draftAttributes(this.store, request)));
  }

  planOrganize(request: RequestOf<'planOrganize'>, tool: string, signal: AbortSignal): Promise<ChangePlan> {
    return this.run('planOrganize', signal, () => this.plan(tool, draftOrganize(this.store, request)));
  }

  planDeleteDocuments(request: RequestOf<'planDeleteDocuments'>, tool: string, signal: AbortSignal): Promise<ChangePlan> {
    return this.run('planDeleteDocuments', signal, () => this.plan(tool, draftDeleteDocuments(this.store, request)));
  }

  planNotebook(request: RequestOf<'planNotebook'>, tool: string, signal: AbortSignal): Promise<ChangePlan> {
    return this.run('planNotebook', signal, () => this.plan(tool, draftNotebook(this.store, request)));
  }

  planTag(request: RequestOf<'planTag'>, tool: string, signal: AbortSignal): Promise<ChangePlan> {
    return this.run('planTag', signal, () => this.plan(tool, draftTag(this.store, request)));
  }

  apply(approved: ApprovedPlan, origin: WriteOrigin, signal: AbortSignal): Promise<WriteReport> {
    return this.run('apply', signal, () => {
      const draft = isApprovedPlan(approved) && approved.accepted.size > 0 ? this.drafts.get(approved.plan) : undefined;
      if (draft === undefined)
        throw new ToolError('not_approved', 'the plan was not approved, or was already applied', 'ask the user first');
      this.drafts.delete(approved.plan);
      if (this.readOnly) throw new ToolError('read_only', 'SiYuan is in read-only mode', 'tell the user that nothing can be written');
      requireUnchanged(this.store, draft, approved.accepted);
      if (approved.grantedRight !== needOf(draft)) this.requireRight(draft);
      const before = stateOf(this.store);
      const { documentId, blockIds } = draft.run(approved.accepted);
      this.writes++;
      for (const document of this.store.documents) {
        if (before.documents.get(document)?.blocks !== document.blocks) document.updated = `${this.store.today} 12:00`;
      }
      if (approved.plan.undo.kind !== 'none') this.history.record(origin, before, blockIds);
      const texts = blockIds.flatMap((id) => {
        const text = this.store.textOf(id);
        return text === undefined ? [] : [[id, hashOf(text)] as const];
      });
      const hashes = Object.fromEntries(texts);
      return { documentId, blockIds, undo: approved.plan.undo.kind, hashes };
    });
  }

  async state(sessionId: string, nodeId: string): Promise<UndoState> {
    return this.history.state(sessionId, nodeId);
  }

  undo(sessionId: string, nodeId: string, signal: AbortSignal, callId?: string): Promise<UndoReport> {
    return this.run('undo', signal, () => this.history.undo(sessionId, nodeId, callId));
  }

  redo(): Promise<UndoReport> {
    throw new Error('the in-memory notes cannot redo: take the development host');
  }

  changes(): Promise<readonly PlanOperation[]> {
    throw new Error('the in-memory notes do not know changes: take the development host');
  }

  resolve(): Promise<UndoReport> {
    throw new Error('the in-memory notes cannot settle conflicts: take the development host');
  }

  private async run<Result>(method: string, signal: AbortSignal, work: () => Result): Promise<Result> {
    this.calls.push(method);
    await this.before(method, signal);
    if (signal.aborted) throw new ToolError('aborted', 'the call was stopped', 'ask the user whether to go on');
    return work();
  }

  private lacks(draft: Draft): boolean {
    return draft.notebook !== null && RANK[this.store.visibleNotebook(draft.notebook).right] < RANK[needOf(draft)];
  }

  private requireRight(draft: Draft): void {
    if (!this.lacks(draft)) return;
    const { name, right } = this.store.visibleNotebook(draft.notebook ?? '');
    throw new ToolError('no_right', `${name} is at ${right}`, `ask the user to allow ${needOf(draft)} there`);
  }

  private plan(tool: string, draft: Draft): ChangePlan {
    const { notebook, document, operations, undo = { kind: 'exact' }, notices = [] } = draft;
    const need = needOf(draft);
    const place = notebook === null ? { id: '', name: document.title } : this.store.visibleNotebook(notebook);
    const plan: ChangePlan = {
      id: `plan-${++this.planCount}`,
      tool,
      notebook: { id: place.id, name: place.name },
      document,
      operations,
      anchorId: null,
      undo,
      notices: [...notices, ...notice('blocks-removed', sum(operations.map(({ removes = 0 }) => removes)))],
      needsRight: this.lacks(draft) && need !== 'read' ? need : undefined,
    };
    this.drafts.set(plan, draft);
    return plan;
  }
}
