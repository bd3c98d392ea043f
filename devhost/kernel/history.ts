import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix, relative, resolve } from 'node:path';
import { readJson, writeFileAtomic } from './store/atomic-file.ts';
import { idOfPath } from './store/documents.ts';
import type { KernelNode } from './tree/node.ts';
import { timestamp, unixSeconds } from './tree/time.ts';

export type HistoryOperation = 'update' | 'delete' | 'outline';

export interface HistoryItem {
  /** Absolute path of the copy; the key for reading it and rolling back. */
  readonly path: string;
  readonly title: string;
  readonly notebook: string;
  readonly op: string;
  readonly created: number;
  /** Path inside the notebook. */
  readonly documentPath: string;
}

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

  /** All copies, the newest first. A folder of another shape is passed over. */
  items(): HistoryItem[] {
    const items: HistoryItem[] = [];
    for (const stamp of readdirSync(this.folder)) {
      const parts = /^(\d{4})-(\d\d)-(\d\d)-(\d{6})-(\w+)$/.exec(stamp);
      if (!parts) continue;
      const [, year, month, day, time, op] = parts;
      const created = unixSeconds(`${year}${month}${day}${time}`);
      for (const file of readdirSync(join(this.folder, stamp), { recursive: true, encoding: 'utf8' })) {
        if (!file.endsWith('.sy')) continue;
        const [notebook = '', ...rest] = file.split(/[\\/]/);
        const path = join(this.folder, stamp, file);
        const root = readJson<KernelNode>(path, { Type: 'NodeDocument' });
        const title = root.Properties?.title ?? idOfPath(file);
        items.push({ path, title, notebook, op: op ?? '', created, documentPath: posix.join('/', ...rest) });
      }
    }
    return items.sort((a, b) => b.created - a.created || a.path.localeCompare(b.path));
  }

  /** The item of a path that a client named, if it is one of ours. */
  find(path: string): HistoryItem | undefined {
    const wanted = resolve(dirname(this.folder), path);
    if (relative(this.folder, wanted).startsWith('..')) return undefined;
    return this.items().find((item) => item.path === wanted);
  }

  root(item: HistoryItem): KernelNode {
    return readJson<KernelNode>(item.path, { Type: 'NodeDocument' });
  }
}
