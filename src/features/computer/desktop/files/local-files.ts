import type { Dirent } from 'node:fs';
import { lstat, opendir } from 'node:fs/promises';
import { join } from 'node:path';
import { ToolError, toToolError } from '../../../../tools/contract/errors.ts';
import type { PlanOperation } from '../../../../tools/contract/plans.ts';
import type { UndoConflict, UndoReport, UndoState, WriteHistory, WriteOrigin } from '../../../../tools/contract/ports.ts';
import { NEVER } from '../../../../tools/util/abort.ts';
import { compareTexts } from '../../../../tools/util/plain-value.ts';
import { Turns } from '../../../../tools/util/turns.ts';
import type { FileEntry, FileListing, FilesPort, FileText, FileWrite, PlannedWrite } from '../../files/files-port.ts';
import { AllowedFolders, type FolderOptions, type FolderPath } from './allowed-folders.ts';
import { FileLog, type FileLogRecord, hashOf } from './file-log.ts';
import { isSecret } from './file-rules.ts';
import { matchesGlob } from './glob.ts';
import { fileError, holdFolder } from './safe-open.ts';
import { MAX_FILE, readText, readTextOrNone, replaceText } from './text-file.ts';

export interface LocalFilesOptions extends FolderOptions {
  /** Where earlier contents of files are saved; in no allowed folder. */
  readonly log: string;
  readonly now: () => number;
}

/** The maximum number of entries that one listing reads. */
const MAX_ENTRIES = 20_000;

/** Files on this machine, and Undo of what was written to them. */
export class LocalFiles implements FilesPort, WriteHistory {
  readonly folders: AllowedFolders;
  private readonly log: FileLog;
  private readonly now: () => number;
  /** Serializes writes and undos. */
  private readonly turns = new Turns(1);

  constructor(options: LocalFilesOptions) {
    this.folders = new AllowedFolders(options);
    this.log = new FileLog(options.log);
    this.now = options.now;
  }

  folderOf(path: string): string {
    return this.folders.folderOf(path);
  }

  async read(path: string, signal: AbortSignal): Promise<FileText> {
    const place = await this.folders.place(path);
    return { path: place.shown, text: await readText(place, signal) };
  }

  async list({ path, depth, pattern }: Parameters<FilesPort['list']>[0], signal: AbortSignal): Promise<FileListing> {
    const place = await this.folders.place(path);
    const walk: Walk = { place, pattern, entries: [], inspected: 0, hidden: 0, signal };
    try {
      await walkFolder(walk, { at: place.path, way: '', depth });
    } catch (error) {
      throw fileError(error, place.shown);
    }
    return { path: place.shown, entries: walk.entries, hidden: walk.hidden, cut: walk.inspected >= MAX_ENTRIES };
  }

  async plan({ path, content, mode }: FileWrite, signal: AbortSignal): Promise<PlannedWrite> {
    const place = await this.folders.place(path);
    const before = await readTextOrNone(place, signal);
    const after = mode === 'append' ? (before ?? '') + content : content;
    if (Buffer.byteLength(after) > MAX_FILE)
      throw new ToolError('too_large', `${place.shown} would have more than ${MAX_FILE} bytes`, 'write less, or to another file');
    return { path: place.shown, folder: place.folder, before, after };
  }

  write({ path, before, after }: PlannedWrite, origin: WriteOrigin, signal: AbortSignal): Promise<void> {
    return this.turns.take(async () => {
      const place = await this.folders.place(path);
      let record: FileLogRecord | undefined;
      await replaceText(place, { before, after }, signal, async () => {
        const time = this.now();
        record = await this.log.add({ schema: 1, ...origin, time, path: place.path, before, after: hashOf(after), state: 'intent' });
      });
      // It is written: if the log fails here, the hash identifies the write later.
      if (record) await this.log.update(record, 'done').catch(() => undefined);
    });
  }

  async state(sessionId: string, nodeId: string, callId?: string): Promise<UndoState> {
    const records = await this.writtenRecords(await this.ofCall(sessionId, nodeId, callId));
    const open = records.filter(({ entry }) => entry.state !== 'undone');
    const blocks = new Set(records.map(({ entry }) => entry.path)).size;
    const undone = records.length > 0 && open.length === 0;
    const redo = new Set(records.filter(isRedoable).map(({ entry }) => entry.path)).size;
    return { blocks, files: blocks, kind: records.length === 0 ? 'none' : 'exact', undone, redo: redo > 0 ? redo : undefined };
  }

  undo(sessionId: string, nodeId: string, signal: AbortSignal, callId?: string): Promise<UndoReport> {
    return this.turns.take(async () => {
      const open = (await this.ofCall(sessionId, nodeId, callId)).filter(({ entry }) => entry.state !== 'undone');
      const restored = new Set<string>();
      const conflicts: UndoConflict[] = [];
      for (const record of open.reverse()) {
        if (signal.aborted) throw toToolError(signal.reason);
        const conflict = await this.undoRecord(record, signal);
        if (conflict) conflicts.push(conflict);
        else restored.add(`file:${record.entry.path}`);
      }
      return { restored: [...restored], conflicts };
    });
  }

  redo(sessionId: string, nodeId: string, signal: AbortSignal, callId?: string): Promise<UndoReport> {
    return this.turns.take(async () => {
      const restored = new Set<string>();
      const conflicts: UndoConflict[] = [];
      for (const record of (await this.ofCall(sessionId, nodeId, callId)).filter(isRedoable)) {
        if (signal.aborted) throw toToolError(signal.reason);
        const conflict = await this.writeAgain(record, signal);
        if (conflict) conflicts.push(conflict);
        else restored.add(`file:${record.entry.path}`);
      }
      return { restored: [...restored], conflicts };
    });
  }

  async changes(sessionId: string, nodeId: string, callId: string): Promise<readonly PlanOperation[]> {
    const records = await this.ofCall(sessionId, nodeId, callId);
    const operations: PlanOperation[] = [];
    for (const { entry } of records) {
      const now = await this.current(entry.path).catch(() => null);
      // What was written is known as long as it is unchanged.
      if (now === null || hashOf(now) !== entry.after) continue;
      const shown = { before: entry.before, after: now, to: entry.path };
      operations.push({ id: entry.callId, action: 'write-file', blockId: '', blockType: '', requires: [], ...shown });
    }
    return operations;
  }

  /** A file that changed since stays as it is: there is nothing to choose. */
  async resolve(): Promise<UndoReport> {
    return { restored: [], conflicts: [] };
  }

  /** An intent whose text was never written leaves nothing to undo. */
  private async ofCall(sessionId: string, nodeId: string, callId?: string): Promise<FileLogRecord[]> {
    const records = await this.log.ofMessage(sessionId, nodeId);
    return records.filter(({ entry }) => callId === undefined || entry.callId === callId);
  }

  private async writtenRecords(records: readonly FileLogRecord[]): Promise<readonly FileLogRecord[]> {
    const written: FileLogRecord[] = [];
    for (const record of records) {
      const { state, path, before } = record.entry;
      const unwritten = state === 'intent' && (await this.current(path).catch(() => undefined)) === before;
      if (!unwritten) written.push(record);
    }
    return written;
  }

  private async current(path: string): Promise<string | null> {
    return readTextOrNone(await this.folders.place(path), NEVER);
  }

  private async undoRecord(record: FileLogRecord, signal: AbortSignal): Promise<UndoConflict | undefined> {
    const { path, before, after, text } = record.entry;
    let written = text;
    try {
      const place = await this.folders.place(path);
      const now = await readTextOrNone(place, signal);
      if (now !== before) {
        if (now === null || hashOf(now) !== after) return conflictOf('file-changed', path);
        written = now;
        await replaceText(place, { before: now, after: before }, signal);
      }
    } catch (error) {
      return conflictFrom(error, path);
    }
    await this.log.update(record, 'undone', written).catch(() => this.log.update(record, 'undone', written));
    return undefined;
  }

  private async writeAgain(record: FileLogRecord, signal: AbortSignal): Promise<UndoConflict | undefined> {
    const { path, before, text = '' } = record.entry;
    try {
      const place = await this.folders.place(path);
      const now = await readTextOrNone(place, signal);
      if (now !== text) {
        if (now !== before) return conflictOf('file-changed', path);
        await replaceText(place, { before, after: text }, signal);
      }
    } catch (error) {
      return conflictFrom(error, path);
    }
    await this.log.update(record, 'done').catch(() => this.log.update(record, 'done'));
    return undefined;
  }
}

const isRedoable = ({ entry }: FileLogRecord): boolean => entry.state === 'undone' && entry.text !== undefined;

/** Rejects with the error that stopped it. */
function conflictFrom(error: unknown, path: string): UndoConflict {
  const { code, message } = toToolError(error);
  if (code === 'aborted') throw error;
  return code === 'stale' || code === 'not_text' ? conflictOf('file-changed', path) : conflictOf('file-refused', path, message);
}

function conflictOf(code: 'file-changed' | 'file-refused', title: string, detail = ''): UndoConflict {
  return { blockId: '', reasons: [{ code, title, detail: detail === '' ? undefined : detail }] };
}

interface Walk {
  readonly place: FolderPath;
  readonly pattern: string | undefined;
  readonly entries: FileEntry[];
  inspected: number;
  hidden: number;
  readonly signal: AbortSignal;
}

type Step = { readonly at: string; readonly way: string; readonly depth: number };

function kindOf(entry: Dirent): FileEntry['kind'] {
  if (entry.isDirectory()) return 'folder';
  if (entry.isSymbolicLink()) return 'link';
  return entry.isFile() ? 'file' : 'other';
}

async function namesIn(walk: Walk, at: string): Promise<readonly FileEntry[]> {
  const held = await holdFolder(walk.place, at);
  const found: FileEntry[] = [];
  try {
    for await (const entry of await opendir(held.base)) {
      if (walk.signal.aborted) throw new ToolError('aborted', 'the call was stopped', 'ask the user whether to go on');
      if (walk.inspected >= MAX_ENTRIES) break;
      walk.inspected += 1;
      const kind = kindOf(entry);
      const size = kind === 'file' ? (await lstat(join(held.base, entry.name)).catch(() => undefined))?.size : undefined;
      found.push({ path: entry.name, kind, size });
    }
  } finally {
    await held.close();
  }
  return found.sort((left, right) => compareTexts(left.path, right.path));
}

async function walkFolder(walk: Walk, { at, way, depth }: Step): Promise<void> {
  for (const entry of await namesIn(walk, at)) {
    const path = way === '' ? entry.path : `${way}/${entry.path}`;
    const full = join(at, entry.path);
    if (isSecret(path) || walk.place.isClosed(full)) {
      walk.hidden += 1;
      continue;
    }
    if (walk.pattern === undefined || matchesGlob(walk.pattern, path)) walk.entries.push({ ...entry, path });
    if (entry.kind !== 'folder' || depth <= 1) continue;
    // One that may not be opened does not affect the others.
    await walkFolder(walk, { at: full, way: path, depth: depth - 1 }).catch((error: unknown) => {
      if (walk.signal.aborted) throw error;
    });
  }
}
