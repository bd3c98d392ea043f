import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, posix, relative } from 'node:path';
import { readJson, writeFileAtomic } from './store/atomic-file.ts';
import { idOfPath } from './store/documents.ts';
import type { KernelNode } from './tree/node.ts';
import { timestamp, unixSeconds } from './tree/time.ts';

export type HistoryOperation = 'update' | 'delete' | 'outline';

export interface HistoryItem {
  /** Path of the copy from the workspace, `/history/…`; the key for reading it and rolling back. */
  readonly path: string;
  /** The same on disk. */
  readonly file: string;
  readonly title: string;
  readonly notebook: string;
  readonly op: string;
  readonly created: number;
  /** Path inside the notebook. */
  readonly documentPath: string;
}

const STAMP = /^(\d{4})-(\d\d)-(\d\d)-(\d{6})-(\w+)$/;

/** Copies of documents under `history/<yyyy-mm-dd-hhmmss>-<op>/<notebook>/…`, as the kernel lays them out. */
export class History {
  private readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
    mkdirSync(folder, { recursive: true });
  }

  private stampFolder(op: HistoryOperation): string {
    const t = timestamp();
    return join(this.folder, `${t.slice(0, 4)}-${t.slice(4, 6)}-${t.slice(6, 8)}-${t.slice(8)}-${op}`);
  }

  /** Keeps copies of documents as they stand on disk. */
  keep(op: HistoryOperation, files: readonly { readonly notebook: string; readonly path: string; readonly file: string }[]): void {
    const folder = this.stampFolder(op);
    for (const { notebook, path, file } of files) {
      if (existsSync(file)) writeFileAtomic(join(folder, notebook, path), readFileSync(file));
    }
  }

  /** Keeps a whole notebook as it is removed. */
  keepNotebook(notebook: string, folder: string): void {
    if (existsSync(folder)) cpSync(folder, join(this.stampFolder('delete'), notebook), { recursive: true });
  }

  /** All copies, the newest first. A folder of another shape is passed over. */
  items(): HistoryItem[] {
    const items = readdirSync(this.folder).flatMap((stamp) => {
      if (!STAMP.test(stamp)) return [];
      const files = readdirSync(join(this.folder, stamp), { recursive: true, encoding: 'utf8' });
      return files.flatMap((file) => this.item(stamp, file.split(/[\\/]/)) ?? []);
    });
    return items.sort((a, b) => b.created - a.created || a.path.localeCompare(b.path));
  }

  /** The item of a path that a client named, if it is one of ours. */
  find(path: string): HistoryItem | undefined {
    const [stamp = '', ...parts] = relative(this.folder, join(dirname(this.folder), path)).split(/[\\/]/);
    return existsSync(join(this.folder, stamp, ...parts)) ? this.item(stamp, parts) : undefined;
  }

  private item(stamp: string, parts: readonly string[]): HistoryItem | undefined {
    const [, year, month, day, time, op = ''] = STAMP.exec(stamp) ?? [];
    const [notebook = '', ...rest] = parts;
    if (time === undefined || !rest.at(-1)?.endsWith('.sy')) return undefined;
    const file = join(this.folder, stamp, ...parts);
    const documentPath = posix.join('/', ...rest);
    const title = readJson<KernelNode>(file, { Type: 'NodeDocument' }).Properties?.title ?? idOfPath(documentPath);
    const created = unixSeconds(`${year}${month}${day}${time}`);
    return { path: posix.join('/', basename(this.folder), stamp, ...parts), file, title, notebook, op, created, documentPath };
  }

  root(item: HistoryItem): KernelNode {
    return readJson<KernelNode>(item.file, { Type: 'NodeDocument' });
  }
}
