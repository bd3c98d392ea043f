import { createHash, randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fieldOf } from '../../../../tools/util/plain-value.ts';

/** A write of a file, one JSON file each: saved before the write, so that the old text is not lost (docs/formats.md). */
export interface FileLogEntry {
  readonly schema: 1;
  readonly sessionId: string;
  readonly nodeId: string;
  readonly callId: string;
  /** Milliseconds since the epoch. */
  readonly time: number;
  /** As it was given and shown: resolved again among the allowed folders when it is undone. */
  readonly path: string;
  /** The whole text; null: there was no such file. */
  readonly before: string | null;
  /** SHA-256 of the written bytes. */
  readonly after: string;
  /** `undone` once the earlier text is restored. */
  readonly state: 'intent' | 'done' | 'undone';
  /** The whole written text, once it is undone: Redo writes it again. */
  readonly text?: string;
}

export interface FileLogRecord {
  readonly file: string;
  readonly entry: FileLogEntry;
}

export const hashOf = (text: string | Uint8Array): string => createHash('sha256').update(text).digest('hex');

const isText = (value: unknown): value is string => typeof value === 'string';

function readEntry(text: string): FileLogEntry | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined; // Cut off by a crash, before its write began.
  }
  const [sessionId, nodeId, callId, path, after] = ['sessionId', 'nodeId', 'callId', 'path', 'after'].map((name) => fieldOf(value, name));
  const [before, time, state] = [fieldOf(value, 'before'), fieldOf(value, 'time'), fieldOf(value, 'state')];
  if (!isText(sessionId) || !isText(nodeId) || !isText(callId) || !isText(path) || !isText(after)) return undefined;
  if ((before !== null && !isText(before)) || typeof time !== 'number' || fieldOf(value, 'schema') !== 1) return undefined;
  if (state !== 'intent' && state !== 'done' && state !== 'undone') return undefined;
  const written = fieldOf(value, 'text');
  return { schema: 1, sessionId, nodeId, callId, path, after, before, time, state, text: isText(written) ? written : undefined };
}

/** Earlier contents of written files, in a folder of its own. */
export class FileLog {
  private readonly folder: string;
  private count = 0;

  constructor(folder: string) {
    this.folder = folder;
  }

  async add(entry: FileLogEntry): Promise<FileLogRecord> {
    const folder = this.folderOf(entry.sessionId);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    this.count += 1;
    const order = `${String(entry.time).padStart(14, '0')}-${String(this.count).padStart(6, '0')}`;
    const record = { file: join(folder, `${order}-${randomBytes(4).toString('hex')}.json`), entry };
    await this.write(record);
    return record;
  }

  /** `text`: what was written and is now undone. */
  async update({ file, entry }: FileLogRecord, state: FileLogEntry['state'], text?: string): Promise<void> {
    const { text: _before, ...rest } = entry;
    await this.write({ file, entry: { ...rest, state, text } });
  }

  /** The writes of a message, oldest first. */
  async ofMessage(sessionId: string, nodeId: string): Promise<readonly FileLogRecord[]> {
    const folder = this.folderOf(sessionId);
    const names = await readdir(folder).catch(() => []);
    const records: FileLogRecord[] = [];
    for (const name of names.filter((each) => each.endsWith('.json')).sort()) {
      const entry = readEntry(await readFile(join(folder, name), 'utf8'));
      if (entry?.nodeId === nodeId && entry.sessionId === sessionId) records.push({ file: join(folder, name), entry });
    }
    return records;
  }

  /** Ids of chats come from clients: they are not used as parts of a path. */
  private folderOf(sessionId: string): string {
    return join(this.folder, hashOf(sessionId).slice(0, 32));
  }

  private async write({ file, entry }: FileLogRecord): Promise<void> {
    const draft = `${file}.${randomBytes(4).toString('hex')}.tmp`;
    await writeFile(draft, JSON.stringify(entry), { mode: 0o600, flush: true });
    await rename(draft, file);
  }
}
