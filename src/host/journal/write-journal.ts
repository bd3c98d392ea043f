import * as v from 'valibot';
import type { ToolError } from '../../tools/contract/errors.ts';
import { UNDO_REASONS } from '../../tools/contract/undo-reasons.ts';
import { compareTexts } from '../../tools/util/plain-value.ts';
import type { PluginStorage } from '../kernel/storage.ts';
import { removedDocumentSchema, structureSchema } from './structure-journal.ts';

/** One file per write (docs/formats.md, `writes/<session>/<device>-<page>-<seq>.json`), of block DOM: kramdown is not lossless. */
const stateSchema = v.object({ dom: v.string(), hash: v.string() });
const positionSchema = v.object({
  documentId: v.string(),
  parentId: v.string(),
  previousId: v.nullable(v.string()),
  nextId: v.nullable(v.string()),
});
const operationSchema = v.object({
  action: v.picklist(['insert', 'update', 'delete', 'move']),
  blockId: v.string(),
  before: v.nullable(stateSchema),
  /** In an intent: the DOM to write. In a done entry: the DOM read back. Empty for a deletion. */
  after: stateSchema,
  /** `unknown` until it was read back. */
  result: v.picklist(['unknown', 'applied', 'different', 'absent']),
  /** Its position before and after the whole write; absent in entries of versions that only inserted and updated. */
  from: v.optional(positionSchema),
  to: v.optional(positionSchema),
  /** Hidden blocks that moved together with a folded heading. */
  along: v.optional(v.array(v.string())),
  /** For a removed emptied container: the placeholder in `before`, to be removed again. */
  shell: v.optional(v.string()),
  /** The kind of its former list, if a task came to the front of that list: SiYuan turns it into a task list. */
  listKind: v.optional(v.picklist(['u', 'o'])),
  /** When the write was sent, the block held text that nobody had seen in an approval: `before` is that text. */
  overwrote: v.optional(v.literal(true)),
});
const createdSchema = v.object({
  /** Parent documents that had to be created too, outermost first. */
  parents: v.array(v.string()),
  /** The content from the notebook's template: we may remove the document only while that is unchanged. */
  baseline: v.array(v.object({ id: v.string(), hash: v.string() })),
});
const conflictSchema = v.object({
  blockId: v.string(),
  reasons: v.pipe(
    v.array(
      v.object({
        /** Codes of a newer version stay readable. */
        code: v.fallback(v.picklist(UNDO_REASONS), 'other'),
        title: v.optional(v.string()),
        detail: v.optional(v.string()),
      }),
    ),
    v.readonly(),
  ),
  /** The text that was shown for the choice; absent if there is nothing to choose. */
  now: v.optional(v.nullable(v.string())),
  before: v.optional(v.nullable(v.string())),
  words: v.optional(v.string()),
});
/** The user's text that an undo overwrote: nothing is lost for good. */
const overwrittenSchema = v.array(v.object({ blockId: v.string(), dom: v.string(), time: v.number() }));
const undoSchema = v.object({
  state: v.picklist(['intent', 'done']),
  time: v.number(),
  restored: v.array(v.string()),
  conflicts: v.array(conflictSchema),
  kept: v.optional(v.array(v.string())),
  overwritten: v.optional(overwrittenSchema),
  /** Documents that the write had created and Undo removed, parents before children; empty if they were already gone. */
  removed: v.optional(v.array(removedDocumentSchema)),
  /** By block: its position when it was removed or moved back, if that differs from where it had been written. */
  stood: v.optional(v.record(v.string(), positionSchema)),
});
const redoSchema = v.object({
  /** `intent`: begun; `undo` still lists what is to be written. `done`: written again; `undo` is absent until the next Undo. */
  state: v.picklist(['intent', 'done']),
  time: v.number(),
  /** Ids left alone because they had changed: no longer part of the write. */
  left: v.array(v.string()),
  /** From earlier undos. */
  overwritten: v.optional(overwrittenSchema),
});
const entrySchema = v.object({
  schema: v.literal(1),
  sessionId: v.string(),
  nodeId: v.string(),
  callId: v.string(),
  tool: v.string(),
  time: v.number(),
  state: v.picklist(['intent', 'done', 'failed']),
  notebook: v.string(),
  document: v.object({ id: v.nullable(v.string()), path: v.string(), created: v.nullable(createdSchema) }),
  operations: v.array(operationSchema),
  /** The kind of undo that the approval announced; 'exact' if absent. */
  undoKind: v.optional(v.picklist(['exact', 'partial', 'none'])),
  /** For a write that does not use block transactions; `operations` is then empty. */
  structure: v.optional(structureSchema),
  undo: v.optional(undoSchema),
  redo: v.optional(redoSchema),
});

export type JournalEntry = v.InferOutput<typeof entrySchema>;
export type JournalOperation = JournalEntry['operations'][number];

/** The state of an entry after its write ended: what could not be read back stays an intent, and undo compares with the note. */
export function finishedState(
  results: readonly { readonly result?: string | undefined }[],
  error: ToolError | null,
): JournalEntry['state'] {
  if (!error) return 'done';
  return results.every(({ result }) => result !== 'unknown') ? 'failed' : 'intent';
}

/** Null for an entry of a newer version on another device: rewriting it would lose what this version cannot read. */
function readEntry(value: unknown): JournalEntry | null {
  const { schema } = v.parse(v.looseObject({ schema: v.number() }), value);
  return schema > 1 ? null : v.parse(entrySchema, value);
}

export interface JournalRecord {
  readonly path: string;
  readonly entry: JournalEntry;
}

export interface WriteJournal {
  /** Writes a new entry; the write itself may begin only when this has resolved. */
  begin(entry: JournalEntry): Promise<JournalRecord>;
  update(record: JournalRecord, entry: JournalEntry): Promise<JournalRecord>;
  ofMessage(sessionId: string, nodeId: string): Promise<readonly JournalRecord[]>;
  ofSession(sessionId: string): Promise<readonly JournalRecord[]>;
  /** Other programs may have written into these chats (null: into any). Their entries are read before the next answer. */
  outdate(sessionIds: readonly string[] | null): void;
  forget(sessionId: string): Promise<void>;
}

/** Session and device names come from outside; file names use a safe alphabet. */
const safe = (name: string): string => name.replace(/[^\w-]/g, (char) => `%${char.charCodeAt(0).toString(16)}`);
const folderOf = (sessionId: string): string => `writes/${safe(sessionId)}`;

const byTime = (one: JournalRecord, other: JournalRecord): number =>
  one.entry.time - other.entry.time || compareTexts(one.path, other.path);

/** All entries of a chat, oldest first, and the names of their files. */
async function readAll(storage: PluginStorage, sessionId: string) {
  const names = (await storage.list(folderOf(sessionId)))
    .filter((entry) => !entry.isDir && entry.name.endsWith('.json'))
    .map((entry) => entry.name);
  const records: JournalRecord[] = [];
  for (const name of names) {
    const path = `${folderOf(sessionId)}/${name}`;
    // A broken file was copied aside: its writes cannot be undone, the others can.
    const reading = await storage.readJson(path, readEntry);
    if (reading.status === 'ok' && reading.value) records.push({ path, entry: reading.value });
  }
  return { names, records: records.sort(byTime) };
}

class StoredJournal implements WriteJournal {
  private readonly storage: PluginStorage;
  private readonly prefix: string;
  private readonly sessions = new Map<string, Promise<JournalRecord[]>>();
  private readonly highest = new Map<string, number>();
  private readonly outdated = new Set<string>();
  /** Running reads of other programs' entries: later callers wait for them. */
  private readonly looks = new Map<string, Promise<void>>();

  constructor(storage: PluginStorage, device: string, page: string) {
    this.storage = storage;
    this.prefix = `${safe(device)}-${safe(page)}-`;
  }

  async begin(entry: JournalEntry): Promise<JournalRecord> {
    const known = await this.records(entry.sessionId);
    const seq = (this.highest.get(entry.sessionId) ?? 0) + 1;
    this.highest.set(entry.sessionId, seq);
    const record = { path: `${folderOf(entry.sessionId)}/${this.prefix}${String(seq).padStart(6, '0')}.json`, entry };
    await this.storage.writeJson(record.path, entry);
    // A read of other programs' entries may have found it already.
    if (!known.some(({ path }) => path === record.path)) known.push(record);
    return record;
  }

  async update(record: JournalRecord, entry: JournalEntry): Promise<JournalRecord> {
    const next = { path: record.path, entry };
    await this.storage.writeJson(record.path, entry);
    const known = await this.records(entry.sessionId);
    const index = known.findIndex((each) => each.path === record.path);
    if (index >= 0) known[index] = next;
    return next;
  }

  async ofMessage(sessionId: string, nodeId: string): Promise<readonly JournalRecord[]> {
    return (await this.ofSession(sessionId)).filter((record) => record.entry.nodeId === nodeId);
  }

  async ofSession(sessionId: string): Promise<readonly JournalRecord[]> {
    await this.upToDate(sessionId);
    return this.records(sessionId);
  }

  outdate(sessionIds: readonly string[] | null): void {
    for (const id of sessionIds ?? this.sessions.keys()) if (this.sessions.has(id)) this.outdated.add(id);
  }

  async forget(sessionId: string): Promise<void> {
    this.sessions.delete(sessionId);
    await this.storage.remove(folderOf(sessionId));
  }

  private async load(sessionId: string): Promise<JournalRecord[]> {
    const { names, records } = await readAll(this.storage, sessionId);
    const own = names
      .filter((name) => name.startsWith(this.prefix))
      .map((name) => Number.parseInt(name.slice(this.prefix.length), 10) || 0);
    this.highest.set(sessionId, Math.max(0, ...own));
    return records;
  }

  private records(sessionId: string): Promise<JournalRecord[]> {
    const known = this.sessions.get(sessionId);
    if (known !== undefined) return known;
    const loading = this.load(sessionId);
    this.sessions.set(sessionId, loading);
    // A failed load is not remembered: the next call tries again.
    loading.catch(() => this.sessions.delete(sessionId));
    return loading;
  }

  private upToDate(sessionId: string): Promise<void> | undefined {
    if (!this.outdated.delete(sessionId)) return this.looks.get(sessionId);
    const earlier = this.looks.get(sessionId)?.catch(() => undefined);
    const look = Promise.resolve(earlier).then(() => this.lookAgain(sessionId));
    this.looks.set(sessionId, look);
    const end = (): void => {
      if (this.looks.get(sessionId) === look) this.looks.delete(sessionId);
    };
    look.then(end, end);
    return look;
  }

  /** Reads what other programs added or changed: another window may have undone what this one wrote. */
  private async lookAgain(sessionId: string): Promise<void> {
    const known = await this.records(sessionId);
    const before = new Set(known);
    try {
      const read = new Map((await readAll(this.storage, sessionId)).records.map((record) => [record.path, record]));
      const isOwn = ({ path }: JournalRecord): boolean => path.startsWith(`${folderOf(sessionId)}/${this.prefix}`);
      // What this page recorded meanwhile is newer than what was read; an unreadable file of our own removes nothing.
      for (const record of known) if (!before.has(record) || (isOwn(record) && !read.has(record.path))) read.set(record.path, record);
      known.splice(0, known.length, ...[...read.values()].sort(byTime));
    } catch (error) {
      this.outdated.add(sessionId);
      throw error;
    }
  }
}

const newPage = (): string => (crypto.getRandomValues(new Uint32Array(1))[0] ?? 0).toString(36);

/** `page`: unique among the journals of the device, since two windows may write into one chat. */
export const createWriteJournal = (storage: PluginStorage, device: string, page = newPage()): WriteJournal =>
  new StoredJournal(storage, device, page);
