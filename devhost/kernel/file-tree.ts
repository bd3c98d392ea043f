import { join, posix } from 'node:path';
import { ApiError } from './api-error.ts';
import type { History } from './history.ts';
import type { IndexQueue } from './index-queue.ts';
import { escapeAttribute } from './lute.ts';
import type { PushHub } from './push.ts';
import type { DocumentEntry, DocumentStore } from './store/documents.ts';
import type { Notebooks } from './store/notebooks.ts';
import type { TransactionEngine } from './transactions/engine.ts';
import { blankUnknownReferences } from './transactions/references.ts';
import { applyAttributes } from './tree/attributes.ts';
import type { KernelDocument, KernelNode } from './tree/node.ts';
import { nodesOfDom } from './tree/render.ts';
import { setAttribute } from './tree/structure.ts';
import { createdOf, newId, timestamp } from './tree/time.ts';

export interface FileTreeHost {
  readonly notebooks: Notebooks;
  readonly documents: DocumentStore;
  readonly indexQueue: IndexQueue;
  readonly pushes: PushHub;
  readonly transactions: TransactionEngine;
  readonly history: History;
}

export interface NewDocument {
  readonly notebook: string;
  /** Readable path, `/Projects/Apollo`; parents that are missing are made. */
  readonly hpath: string;
  readonly dom: string;
  readonly id?: string | undefined;
  readonly parentId?: string | undefined;
  readonly tags?: string | undefined;
}

/** `.sy` format of 3.7.3. */
const SPEC = '2';
const MAX_DEPTH = 7;

const MAX_TITLE = 512;

const strip = (title: string): string =>
  title
    .replaceAll('\u00a0', ' ')
    .replace(/[^\p{L}\p{M}\p{N}\p{P}\p{S}\p{Zs}\u200d]|\//gu, '')
    .trim();

/** A title as it is kept (model/file.go): without slashes, control characters and zero-width spaces. `data` is that of the refusal. */
export function cleanTitle(title: string, data: unknown = null): string {
  const shown = strip(title);
  if ([...shown].length > MAX_TITLE) throw new ApiError(-1, 'Maximum length is limited to 512 characters', data);
  return shown;
}

/** Of a path in words, a title that is too long is cut (recorded/document-names). */
const cutTitle = (title: string): string => [...strip(title)].slice(0, MAX_TITLE).join('');

/** Makes, renames, moves and removes documents; every change is on disk when a method returns. */
export class FileTree {
  private readonly host: FileTreeHost;
  private readonly oldTitles = new Map<string, string>();

  constructor(host: FileTreeHost) {
    this.host = host;
  }

  /** What the attributes of a document say its title is: the one before, until the index is written (recorded/document-names). */
  oldTitle(id: string): string | undefined {
    return this.oldTitles.get(id);
  }

  forgetOldTitle(id: string): void {
    this.oldTitles.delete(id);
  }

  /** Makes a document, even where one of the same path stands, as SiYuan does. Returns its id. */
  create(document: NewDocument): string {
    this.host.notebooks.opened(document.notebook);
    const id = document.id ?? newId();
    const titles = document.hpath.replace(/\.sy$/, '').split('/').slice(1);
    const title = cutTitle(titles.pop() ?? '');
    let parent = this.preferredParent(document, titles);
    if (!parent) {
      for (const [i, name] of titles.entries()) parent = this.parentNamed(document.notebook, titles.slice(0, i + 1), name, parent);
    }
    const blocks = nodesOfDom(document.dom);
    blankUnknownReferences(blocks, { knows: (other) => other === id || this.host.documents.block(other) !== undefined });
    this.write(document.notebook, parent, id, title, blocks, document.tags);
    return id;
  }

  private preferredParent(document: NewDocument, titles: readonly string[]): DocumentEntry | undefined {
    const entry = document.parentId === undefined ? undefined : this.host.documents.entry(document.parentId);
    if (!entry || entry.notebook !== document.notebook) return undefined;
    return this.host.documents.hpath(entry) === `/${titles.join('/')}` ? entry : undefined;
  }

  private parentNamed(notebook: string, titles: readonly string[], name: string, above: DocumentEntry | undefined): DocumentEntry {
    const known = this.host.documents.findByHpath(notebook, `/${titles.join('/')}`)[0];
    if (known) return known;
    const made = this.write(notebook, above, newId(), cutTitle(name), [], undefined);
    return made;
  }

  private write(
    notebook: string,
    parent: DocumentEntry | undefined,
    id: string,
    title: string,
    blocks: KernelNode[],
    tags: string | undefined,
  ): DocumentEntry {
    const { documents, transactions } = this.host;
    const path = posix.join(parent ? parent.path.replace(/\.sy$/, '') : '/', `${id}.sy`);
    if (path.split('/').length - 1 > MAX_DEPTH)
      throw new ApiError(-1, 'Create doc failed: the depth of the doc tree is limited to 7 levels');
    if (documents.entry(id)) throw new ApiError(-1, `[${id}] already exists`);
    const shown = title === '' ? 'Untitled' : title;
    const root: KernelNode = {
      ID: id,
      Spec: SPEC,
      Type: 'NodeDocument',
      Properties: { id, title: escapeAttribute(shown), updated: createdOf(id) },
    };
    root.Children = blocks;
    if (title === '') setAttribute(root, 'custom-sy-title-empty', 'true');
    if (tags) applyAttributes(root, { tags });
    const hpath = posix.join(parent ? documents.hpath(parent) : '/', shown);
    this.placeLast(notebook, posix.dirname(path), id);
    transactions.commit([{ notebook, path, hpath, root }]);
    this.host.pushes.push({ cmd: 'create', data: { box: { id: notebook }, path, id } });
    const entry = documents.entry(id);
    if (!entry) throw new Error(`document ${id} was written and is not known`);
    return entry;
  }

  private placeLast(notebook: string, folder: string, id: string): void {
    const places = this.host.notebooks.sortFile(notebook);
    const siblings = this.host.documents.children(notebook, folder === '/' ? '/' : `${folder}.sy`).map((e) => places[e.id] ?? 0);
    this.host.notebooks.saveSort(notebook, { ...places, [id]: Math.max(0, ...siblings) + 1 });
  }

  /** A document keeps its number among its siblings wherever it goes. */
  private moveSort(ids: readonly string[], from: string, to: string): void {
    if (from === to) return;
    const old = this.host.notebooks.sortFile(from);
    const taken = Object.fromEntries(ids.map((id) => [id, old[id] ?? 0]));
    this.removeSort(from, ids);
    this.host.notebooks.saveSort(to, { ...this.host.notebooks.sortFile(to), ...taken });
  }

  private removeSort(notebook: string, ids: readonly string[]): void {
    const gone = new Set(ids);
    const kept = Object.entries(this.host.notebooks.sortFile(notebook)).filter(([id]) => !gone.has(id));
    this.host.notebooks.saveSort(notebook, Object.fromEntries(kept));
  }

  /** Documents below a path in the order that the user sees. */
  list(notebook: string, path: string): DocumentEntry[] {
    const places = this.host.notebooks.sortFile(notebook);
    const place = (e: DocumentEntry): number => places[e.id] ?? 0;
    return this.host.documents.children(notebook, path).sort((a, b) => place(a) - place(b) || a.id.localeCompare(b.id));
  }

  rename(entry: DocumentEntry, title: string): void {
    const document = this.host.documents.load(entry.id);
    if (!document) throw new ApiError(-1, 'tree not found');
    const empty = cleanTitle(title) === '';
    const shown = cleanTitle(title) || 'Untitled';
    applyAttributes(document.root, { title: shown, updated: timestamp(), 'custom-sy-title-empty': empty ? 'true' : '' });
    this.oldTitles.set(entry.id, this.oldTitle(entry.id) ?? entry.title);
    this.host.transactions.commit([document]);
    this.reindex(this.host.documents.descendants(entry).map((e) => e.id));
    this.host.indexQueue.add(() => this.forgetOldTitle(entry.id));
    const data = { box: entry.notebook, id: entry.id, path: entry.path, title: shown, empty, refText: shown };
    this.host.pushes.push({ cmd: 'rename', data });
  }

  /** Moves a document with all below it under another document, or to the top of a notebook (`undefined`). */
  move(entry: DocumentEntry, notebook: string, target: DocumentEntry | undefined): void {
    // Below itself: the kernel leaves it out and says nothing.
    if (target && (target.id === entry.id || target.path.startsWith(entry.path.replace(/\.sy$/, '/')))) return;
    const fromPath = entry.path;
    const moved = this.host.documents.move(entry, notebook, target?.path ?? '/');
    if (moved.length === 0) return;
    const newPath = this.host.documents.entry(entry.id)?.path ?? fromPath;
    this.moveSort(moved, entry.notebook, notebook);
    this.reindex(moved);
    const data = { fromNotebook: entry.notebook, fromPath, toNotebook: notebook, toPath: target?.path ?? '/', newPath };
    this.host.pushes.push({ cmd: 'moveDoc', data });
  }

  /** Removes a document with all below it, after a copy went to the history. */
  remove(entry: DocumentEntry): void {
    const doomed = [entry, ...this.host.documents.descendants(entry)];
    this.host.history.keep(
      'delete',
      doomed.map((e) => this.fileOf(e)),
    );
    const ids = this.host.documents.remove(entry);
    this.removeSort(entry.notebook, ids);
    this.host.indexQueue.add((index) => {
      for (const id of ids) index.removeDocument(id);
    });
    this.host.pushes.push({ cmd: 'removeDoc', data: { ids } });
  }

  /** Puts a document of the history back below its parent, wherever that is now; without one, at the top. */
  restore(notebook: string, path: string, root: KernelNode): KernelDocument {
    this.host.notebooks.opened(notebook);
    const parent = this.host.documents.entry(posix.basename(posix.dirname(path)));
    const folder = parent?.notebook === notebook ? parent.path.replace(/\.sy$/, '') : '/';
    const document = { notebook, path: posix.join(folder, posix.basename(path)), hpath: '', root };
    this.host.transactions.commit([document]);
    this.host.pushes.push({ cmd: 'reloadui' }, { type: 'main' });
    return document;
  }

  fileOf(entry: DocumentEntry): { notebook: string; path: string; file: string } {
    return { notebook: entry.notebook, path: entry.path, file: join(this.host.notebooks.folder(entry.notebook), entry.path) };
  }

  private reindex(ids: readonly string[]): void {
    this.host.indexQueue.add((index) => {
      for (const id of ids) {
        const document = this.host.documents.load(id);
        if (document) index.put(document);
      }
    });
  }
}
