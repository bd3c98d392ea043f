import * as v from 'valibot';
import type { ToolError } from '../../tools/contract/errors.ts';
import { UNDO_REASONS } from '../../tools/contract/undo-reasons.ts';
import { compareTexts } from '../../tools/util/plain-value.ts';
import type { PluginStorage } from '../kernel/storage.ts';
import { removedDocumentSchema, structureSchema } from './structure-journal.ts';

/**
 * The write journal (docs/formats.md, `writes/<session>/<device>-<page>-<seq>.json`): one file per write, `intent` before the
 * transaction, `done` after it.
 * It holds block DOM, never kramdown, which is not lossless.
 */
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
  /** In an intent: what was to be written. In a done entry: what was read back. Empty for what is to be gone. */
  after: stateSchema,
  /** `unknown` until it was read back. */
  result: v.picklist(['unknown', 'applied', 'different', 'absent']),
  /** Its position before and after the whole write; absent in entries of versions that only inserted and updated. */
  from: v.optional(positionSchema),
  to: v.optional(positionSchema),
  /** Hidden blocks that moved along with a folded heading. */
  along: v.optional(v.array(v.string())),
  /** Of an emptied container that went: the placeholder in `before`, to be taken out again. */
  shell: v.optional(v.string()),
  /** The kind of the list that it was in, where a task came to the front of that: SiYuan makes it a task list. */
  listKind: v.optional(v.picklist(['u', 'o'])),
  /** Somebody's text, which nobody had seen in an approval, was there when it was sent: `before` is that text. */
  overwrote: v.optional(v.literal(true)),
});
const createdSchema = v.object({
  /** Documents above it that had to be made too, outermost first. */
  parents: v.array(v.string()),
  /** What the notebook's template put there: the document is ours to remove only while that is unchanged. */
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
  /** What was shown to choose by; absent where nothing can be chosen. */
  now: v.optional(v.nullable(v.string())),
  before: v.optional(v.nullable(v.string())),
});
/** What the user had written and an undo wrote over: nothing is lost for good. */
const overwrittenSchema = v.array(v.object({ blockId: v.string(), dom: v.string(), time: v.number() }));
const undoSchema = v.object({
  state: v.picklist(['intent', 'done']),
  time: v.number(),
  restored: v.array(v.string()),
  /** Those that nobody has decided about. */
  conflicts: v.array(conflictSchema),
  /** Blocks that the user chose to keep as they stand. */
  kept: v.optional(v.array(v.string())),
  overwritten: v.optional(overwrittenSchema),
  /** Documents that the write had created and that were removed, parents before children; none if they were gone already. */
  removed: v.optional(v.array(removedDocumentSchema)),
  /** By block: its position when it was removed or moved back, if that was not where it had been written to. */
  stood: v.optional(v.record(v.string(), positionSchema)),
});
const redoSchema = v.object({
  /** `intent`: begun, and `undo` still says what is to be written. `done`: written again, and `undo` is absent until the next Undo. */
  state: v.picklist(['intent', 'done']),
  time: v.number(),
  /** Ids of what was left because it had been changed since: no longer part of the write. */
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
  /** What was said of undo before consent; 'exact' when absent. */
  undoKind: v.optional(v.picklist(['exact', 'partial', 'none'])),
  /** Of a write that went past block transactions; `operations` are none then. */
  structure: v.optional(structureSchema),
  undo: v.optional(undoSchema),
  redo: v.optional(redoSchema),
});

export type JournalEntry = v.InferOutput<typeof entrySchema>;
export type JournalOperation = JournalEntry['operations'][number];

/** Of an entry whose write ended: what could not be read back keeps it an intent, and undo then compares with what it finds. */
export function finishedState(
  results: readonly { readonly result?: string | undefined }[],
  error: ToolError | null,
): JournalEntry['state'] {
  if (!error) return 'done';
  return results.every(({ result }) => result !== 'unknown') ? 'failed' : 'intent';
}

/**
 * Null for an entry of a newer version on another device: it is left alone, since rewriting it would lose what this version
 * cannot read.
 */
function readEntry(value: unknown): JournalEntry | null {
  const { schema } = v.parse(v.looseObject({ schema: v.number() }), value);
  return schema > 1 ? null : v.parse(entrySchema, value);
}

/** An entry and the file that holds it. */
export interface JournalRecord {
  readonly path: string;
  readonly entry: JournalEntry;
}

export interface WriteJournal {
  /** Writes a new entry; what it describes may only begin when this has resolved. */
  begin(entry: JournalEntry): Promise<JournalRecord>;
  update(record: JournalRecord, entry: JournalEntry): Promise<JournalRecord>;
  /** Entries of one message, oldest first. */
  ofMessage(sessionId: string, nodeId: string): Promise<readonly JournalRecord[]>;
  /** Entries of a whole chat, oldest first. */
  ofSession(sessionId: string): Promise<readonly JournalRecord[]>;
  /** Other programs may have written into these chats; null: into any. What they noted is read before the next answer. */
  outdate(sessionIds: readonly string[] | null): void;
  /** Removes everything of a chat that was deleted. */
  forget(sessionId: string): Promise<void>;
}

/** Session and device names come from outside; as file names they keep to a safe alphabet. */
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
    // A broken file was copied aside; what it said cannot be undone, the rest can.
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
  /** Looks at what others wrote that are under way: whoever asks meanwhile waits for them. */
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
    // A look at what others wrote may have found it already.
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

  /** What other programs added, and what became of entries: another window may have undone what this one wrote. */
  private async lookAgain(sessionId: string): Promise<void> {
    const known = await this.records(sessionId);
    const before = new Set(known);
    try {
      const read = new Map((await readAll(this.storage, sessionId)).records.map((record) => [record.path, record]));
      const isOwn = ({ path }: JournalRecord): boolean => path.startsWith(`${folderOf(sessionId)}/${this.prefix}`);
      // What this page noted meanwhile is newer than what was read; an own file that cannot be read takes nothing away.
      for (const record of known) if (!before.has(record) || (isOwn(record) && !read.has(record.path))) read.set(record.path, record);
      known.splice(0, known.length, ...[...read.values()].sort(byTime));
    } catch (error) {
      this.outdated.add(sessionId);
      throw error;
    }
  }
}

const newPage = (): string => (crypto.getRandomValues(new Uint32Array(1))[0] ?? 0).toString(36);

/** `page`: no other journal of the device has it, since two windows may write into one chat. */
export const createWriteJournal = (storage: PluginStorage, device: string, page = newPage()): WriteJournal =>
  new StoredJournal(storage, device, page);
