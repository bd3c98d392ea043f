import { ToolError } from '../contract/errors.ts';
import type {
  DailyNote,
  DocumentAddress,
  DocumentListing,
  DocumentReading,
  ReadItem,
  ReadRange,
  SearchPage,
  SearchQuery,
} from '../contract/note-readings.ts';
import { allows, isListed } from '../contract/notebook-right.ts';
import { type ApprovedPlan, type ChangePlan, deletes, isApprovedPlan } from '../contract/plans.ts';
import type { NotebookInfo, NotesPort, UndoReport, UndoState, WriteHistory, WriteOrigin, WriteReport } from '../contract/ports.ts';
import { draftDelete, draftEdit, draftInsert } from './in-memory-block-plans.ts';
import { type Draft, notice, requireUnchanged } from './in-memory-drafts.ts';
import { InMemoryHistory, stateOf } from './in-memory-history.ts';
import { hashOf } from './in-memory-markdown.ts';
import { type DailyQuery, findDailyNotes, type ListingQuery, listDocuments, readStored, searchStored } from './in-memory-reading.ts';
import { InMemoryStore, type NotebookSeed } from './in-memory-store.ts';
import { draftCreate, draftDaily } from './in-memory-structure-plans.ts';

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

/** What the notes in memory cannot do. */
const absent = (method: string) => (): Promise<never> => {
  throw new Error(`the notes in memory have no ${method}: take those of tests/host/open-notes.ts`);
};

/** A NotesPort without a host, for tests of chat, chain and properties: reading, searching, plans of new text and Undo, with rights and stale hashes. */
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
  readonly blocks = absent('blocks');
  readonly blockInfo = absent('blockInfo');
  readonly grep = absent('grep');
  readonly backlinks = absent('backlinks');
  readonly sql = absent('sql');
  readonly recentDocuments = absent('recentDocuments');
  readonly changeMark = absent('changeMark');
  readonly notesBelow = absent('notesBelow');
  readonly related = absent('related');
  readonly attributes = absent('attributes');
  readonly tags = absent('tags');
  readonly savedSearches = absent('savedSearches');
  readonly findSaved = absent('findSaved');
  readonly exportMarkdown = absent('exportMarkdown');
  readonly planMoveBlocks = absent('planMoveBlocks');
  readonly planRewrite = absent('planRewrite');
  readonly planAttributes = absent('planAttributes');
  readonly planFlashcards = absent('planFlashcards');
  readonly planNewCards = absent('planNewCards');
  readonly flashcards = absent('flashcards');
  readonly contents = absent('contents');
  readonly assets = absent('assets');
  readonly assetFile = absent('assetFile');
  readonly unusedAssets = absent('unusedAssets');
  readonly databases = absent('databases');
  readonly database = absent('database');
  readonly planDatabaseChange = absent('planDatabaseChange');
  readonly planDatabase = absent('planDatabase');
  readonly planOrganize = absent('planOrganize');
  readonly planDeleteDocuments = absent('planDeleteDocuments');
  readonly planNotebook = absent('planNotebook');
  readonly planAssetRename = absent('planAssetRename');
  readonly planTag = absent('planTag');
  readonly redo = absent('redo');
  readonly resolve = absent('resolve');
  readonly changes = absent('changes');

  constructor(options: InMemoryNotesOptions) {
    this.store = new InMemoryStore(options.notebooks, options.today ?? '2026-01-15');
    this.history = new InMemoryHistory(this.store);
    this.before = options.before ?? (() => undefined);
  }

  async meaningServer(signal: AbortSignal): Promise<string | undefined> {
    return this.run('meaningServer', signal, () => 'https://meaning.example/v1');
  }

  async notebooks(signal: AbortSignal): Promise<readonly NotebookInfo[]> {
    return this.run('notebooks', signal, () =>
      this.store.notebooks.flatMap(({ id, name, open, right, encrypted }) => {
        if (encrypted) return { id, name, open, right, encrypted: 'named' };
        return isListed(right) ? { id, name, open, right } : [];
      }),
    );
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

  async languages(signal: AbortSignal): Promise<readonly string[]> {
    return this.run('languages', signal, () => ['English']);
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

  planDeleteBlocks(request: RequestOf<'planDeleteBlocks'>, tool: string, signal: AbortSignal): Promise<ChangePlan> {
    return this.run('planDeleteBlocks', signal, () => this.plan(tool, draftDelete(this.store, request)));
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

  private async run<Result>(method: string, signal: AbortSignal, work: () => Result): Promise<Result> {
    this.calls.push(method);
    await this.before(method, signal);
    if (signal.aborted) throw new ToolError('aborted', 'the call was stopped', 'ask the user whether to go on');
    return work();
  }

  private lacks(draft: Draft): boolean {
    return draft.notebook !== null && !allows(this.store.visibleNotebook(draft.notebook).right, needOf(draft));
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
