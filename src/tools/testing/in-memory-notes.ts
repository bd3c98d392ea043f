import { ToolError } from '../errors.ts';
import { type ApprovedPlan, type ChangePlan, isApprovedPlan, type PlanOperation } from '../plans.ts';
import type {
  DailyNote,
  DocumentAddress,
  DocumentListing,
  DocumentReading,
  InsertPosition,
  NotebookInfo,
  NotesPort,
  ReadRange,
  SearchPage,
  SearchQuery,
  UndoReport,
  UndoState,
  WriteHistory,
  WriteOrigin,
  WriteReport,
} from '../ports.ts';
import { type DailyQuery, findDailyNotes, type ListingQuery, listDocuments, readStored, searchStored } from './in-memory-reading.ts';
import { dailyPath, hashOf, InMemoryStore, type NotebookSeed, type StoredBlock, type StoredDocument } from './in-memory-store.ts';

export interface InMemoryNotesOptions {
  readonly notebooks: readonly NotebookSeed[];
  /** Runs before every method, with its name: for faults, delays and logs of a test. */
  readonly before?: (method: string, signal: AbortSignal) => void | Promise<void>;
}

interface Change {
  readonly apply: (accepted: ReadonlySet<string>) => { readonly document: StoredDocument; readonly blockIds: readonly string[] };
  readonly documentId: string | null;
}

interface Written {
  readonly origin: WriteOrigin;
  readonly document: StoredDocument;
  readonly before: readonly StoredBlock[] | null;
  readonly after: readonly StoredBlock[];
  readonly blockIds: readonly string[];
  undone: boolean;
}

/** A NotesPort without a host, for tests of tools, chat and panel: rights, plans, stale hashes and undo behave as the port says. */
export class InMemoryNotes implements NotesPort, WriteHistory {
  readonly store: InMemoryStore;
  /** Names of the methods that were called. */
  readonly calls: string[] = [];
  /** Changes of the text, e.g. `apply`: 0 as long as nothing was written. */
  writes = 0;
  private readonly before: NonNullable<InMemoryNotesOptions['before']>;
  private readonly changes = new WeakMap<ChangePlan, Change>();
  private readonly written: Written[] = [];
  private planCount = 0;

  constructor(options: InMemoryNotesOptions) {
    this.store = new InMemoryStore(options.notebooks);
    this.before = options.before ?? (() => undefined);
  }

  async notebooks(signal: AbortSignal): Promise<readonly NotebookInfo[]> {
    await this.enter('notebooks', signal);
    return this.store.notebooks.filter(({ right }) => right !== 'none').map((notebook) => ({ ...notebook }));
  }

  async documents(query: ListingQuery, signal: AbortSignal): Promise<DocumentListing> {
    await this.enter('documents', signal);
    return listDocuments(this.store, query);
  }

  async document(address: DocumentAddress, range: ReadRange, signal: AbortSignal): Promise<DocumentReading> {
    await this.enter('document', signal);
    return readStored(this.store, address, range);
  }

  async search(query: SearchQuery, signal: AbortSignal): Promise<SearchPage> {
    await this.enter('search', signal);
    return searchStored(this.store, query);
  }

  async dailyNotes(query: DailyQuery, signal: AbortSignal): Promise<readonly DailyNote[]> {
    await this.enter('dailyNotes', signal);
    return findDailyNotes(this.store, query);
  }

  async planCreateDocument(
    request: { notebook: string; path: string; markdown: string },
    tool: string,
    signal: AbortSignal,
  ): Promise<ChangePlan> {
    await this.enter('planCreateDocument', signal);
    const { notebook, path } = request;
    if (this.store.documents.some((document) => document.notebook === notebook && document.path === path)) {
      throw new ToolError('path_exists', `${path} exists already`, 'choose another path, or insert_blocks into it');
    }
    return this.planNew(tool, notebook, path, request.markdown, {});
  }

  async planInsert(
    request: { anchor: string; position: InsertPosition; markdown: string },
    tool: string,
    signal: AbortSignal,
  ): Promise<ChangePlan> {
    await this.enter('planInsert', signal);
    const document = this.store.documentOf(request.anchor);
    const at = document.blocks.findIndex(({ id }) => id === request.anchor);
    const { position } = request;
    const index = at < 0 ? (position === 'prepend' ? 0 : document.blocks.length) : position === 'before' ? at : at + 1;
    return this.planInsertAt(tool, document, index, request.markdown);
  }

  async planEdit(
    request: { id: string; expectHash: string } & ({ edits: readonly { old: string; new: string }[] } | { markdown: string }),
    tool: string,
    signal: AbortSignal,
  ): Promise<ChangePlan> {
    await this.enter('planEdit', signal);
    const document = this.store.documentOf(request.id);
    const block = document.blocks.find(({ id }) => id === request.id);
    if (block === undefined) throw new ToolError('bad_id', `${request.id} is a document`, 'edit one of its blocks');
    requireFresh(block, request.expectHash);
    const after = 'markdown' in request ? request.markdown : request.edits.reduce(replaceOnce, block.markdown);
    const operation = this.operation('update', block.id, block.type, block.markdown, after);
    const operations = after === block.markdown ? [] : [operation];
    return this.plan(tool, document, operations, {
      documentId: document.id,
      apply: () => {
        const current = this.store.documentOf(block.id).blocks.find(({ id }) => id === block.id);
        if (current !== undefined) requireFresh(current, request.expectHash);
        document.blocks = document.blocks.map((entry) => (entry.id === block.id ? { ...entry, markdown: after } : entry));
        return { document, blockIds: [block.id] };
      },
    });
  }

  async planDailyAppend(
    request: { date: string; notebook?: string; markdown: string },
    tool: string,
    signal: AbortSignal,
  ): Promise<ChangePlan> {
    await this.enter('planDailyAppend', signal);
    const notebook = request.notebook ?? this.store.notebooks.find(({ open, right }) => open && right !== 'none')?.id ?? '';
    const existing = this.store.documents.find((document) => document.notebook === notebook && document.day === request.date);
    if (existing !== undefined) return this.planInsertAt(tool, existing, existing.blocks.length, request.markdown);
    return this.planNew(tool, notebook, dailyPath(request.date), request.markdown, { day: request.date });
  }

  async apply(approved: ApprovedPlan, origin: WriteOrigin, signal: AbortSignal): Promise<WriteReport> {
    await this.enter('apply', signal);
    const change = isApprovedPlan(approved) ? this.changes.get(approved.plan) : undefined;
    if (change === undefined) throw new ToolError('not_approved', 'the plan was not approved', 'ask the user first');
    this.requireWritable(approved.plan.notebook.id);
    const before = change.documentId === null ? null : this.store.requireDocument(change.documentId).blocks;
    const { document, blockIds } = change.apply(approved.accepted);
    this.writes++;
    this.written.push({ origin, document, before, after: document.blocks, blockIds, undone: false });
    const shown = document.blocks.filter(({ id }) => blockIds.includes(id));
    const hashes = Object.fromEntries(shown.map((block) => [block.id, hashOf(block.markdown)]));
    return { documentId: document.id, blockIds, undo: 'exact', hashes };
  }

  async state(sessionId: string, nodeId: string): Promise<UndoState> {
    const mine = this.writtenBy(sessionId, nodeId);
    const blocks = mine.reduce((sum, { blockIds }) => sum + blockIds.length, 0);
    return { blocks, kind: blocks === 0 ? 'none' : 'exact', undone: mine.length > 0 && mine.every(({ undone }) => undone) };
  }

  async undo(sessionId: string, nodeId: string, signal: AbortSignal): Promise<UndoReport> {
    await this.enter('undo', signal);
    const restored: string[] = [];
    const conflicts: { blockId: string; reason: string }[] = [];
    for (const entry of this.writtenBy(sessionId, nodeId).reverse()) {
      if (entry.undone) continue;
      if (entry.document.blocks !== entry.after) {
        conflicts.push(...entry.blockIds.map((blockId) => ({ blockId, reason: 'changed since' })));
        continue;
      }
      if (entry.before === null) this.store.removeDocument(entry.document.id);
      else entry.document.blocks = entry.before;
      entry.undone = true;
      restored.push(...entry.blockIds);
    }
    return { restored, conflicts };
  }

  private async enter(method: string, signal: AbortSignal): Promise<void> {
    this.calls.push(method);
    await this.before(method, signal);
    if (signal.aborted) throw new ToolError('aborted', 'the call was stopped', 'ask the user whether to go on');
  }

  private writtenBy(sessionId: string, nodeId: string): Written[] {
    return this.written.filter(({ origin }) => origin.sessionId === sessionId && origin.nodeId === nodeId);
  }

  private requireWritable(notebookId: string): void {
    const { right, name } = this.store.requireNotebook(notebookId);
    if (right === 'read') throw new ToolError('no_right', `${name} may only be read`, 'ask the user to allow writing there');
  }

  private operation(
    action: PlanOperation['action'],
    blockId: string,
    blockType: string,
    before: string | null,
    after: string | null,
    requires: readonly string[] = [],
  ): PlanOperation {
    return { id: `${action}-${blockId}`, action, blockId, blockType, before, after, requires };
  }

  private planNew(tool: string, notebook: string, path: string, markdown: string, extras: { readonly day?: string }): ChangePlan {
    const blocks = this.parse(markdown);
    const id = this.store.newId();
    const create = this.operation('create-document', id, 'd', null, path);
    const inserts = blocks.map((block) => this.operation('insert', block.id, block.type, null, block.markdown, [create.id]));
    const target = { id: null, title: path.split('/').at(-1) ?? path, path, notebook };
    return this.plan(tool, target, [create, ...inserts], {
      documentId: null,
      apply: (accepted) => {
        const kept = blocks.filter((block) => accepted.has(`insert-${block.id}`));
        return {
          document: this.store.addDocument(notebook, path, kept, { id, ...extras }),
          blockIds: [id, ...kept.map((block) => block.id)],
        };
      },
    });
  }

  private planInsertAt(tool: string, document: StoredDocument, index: number, markdown: string): ChangePlan {
    const blocks = this.parse(markdown);
    const operations = blocks.map((block) => this.operation('insert', block.id, block.type, null, block.markdown));
    return this.plan(tool, document, operations, {
      documentId: document.id,
      apply: (accepted) => {
        const kept = blocks.filter((block) => accepted.has(`insert-${block.id}`));
        document.blocks = [...document.blocks.slice(0, index), ...kept, ...document.blocks.slice(index)];
        return { document, blockIds: kept.map(({ id }) => id) };
      },
    });
  }

  private parse(markdown: string): readonly StoredBlock[] {
    const blocks = this.store.parse(markdown);
    if (blocks.length === 0) throw new ToolError('empty_text', 'the markdown is empty', 'call again with the text');
    return blocks;
  }

  private plan(
    tool: string,
    document: { readonly id: string | null; readonly title: string; readonly path: string; readonly notebook: string },
    operations: readonly PlanOperation[],
    change: Change,
  ): ChangePlan {
    this.requireWritable(document.notebook);
    const { id, name } = this.store.requireNotebook(document.notebook);
    const plan: ChangePlan = {
      id: `plan-${++this.planCount}`,
      tool,
      notebook: { id, name },
      document: { id: document.id, title: document.title, path: document.path },
      operations,
      anchorId: null,
      undo: { kind: 'exact' },
      notices: [],
    };
    this.changes.set(plan, change);
    return plan;
  }
}

function requireFresh(block: StoredBlock, expectHash: string): void {
  if (hashOf(block.markdown) === expectHash) return;
  throw new ToolError('stale', `block ${block.id} has changed since it was read`, 'read the document again and use the new hash');
}

function replaceOnce(text: string, edit: { readonly old: string; readonly new: string }): string {
  const count = text.split(edit.old).length - 1;
  if (count === 1) return text.replace(edit.old, () => edit.new);
  if (count === 0) throw new ToolError('no_match', `"${edit.old.slice(0, 60)}" is not in the block`, 'copy old exactly from the text');
  throw new ToolError('many_matches', `"${edit.old.slice(0, 60)}" occurs ${count} times`, 'take more text into old');
}
