import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { unescapeAttribute } from '../lute.ts';
import { isEmptied, mendTree } from '../tree/mend.ts';
import { ID_PATTERN, isBlock, type KernelDocument, type KernelNode, typeAbbreviation } from '../tree/node.ts';
import { newParagraph, setAttribute } from '../tree/structure.ts';
import { createdOf } from '../tree/time.ts';
import { isTemporary, writeFileAtomic } from './atomic-file.ts';
import type { Notebooks } from './notebooks.ts';

/** What is known of a document without reading its tree. `title` is plain text. */
export interface DocumentEntry {
  readonly id: string;
  readonly notebook: string;
  readonly path: string;
  readonly title: string;
  readonly attributes: Readonly<Record<string, string>>;
}

/** What is known of a block without reading its document (the kernel's block tree). */
export interface BlockEntry {
  readonly id: string;
  readonly rootId: string;
  readonly notebook: string;
  readonly path: string;
  /** Abbreviated, `p`, `h`, `d`, … */
  readonly type: string;
  readonly parentId: string;
}

interface Stored {
  entry: DocumentEntry;
  text: string;
  blocks: string[];
}

export const idOfPath = (path: string): string => posix.basename(path, '.sy');
const folderOf = (path: string): string => path.replace(/\.sy$/, '');

/** Trees that are kept for readers: requests come in runs about one document. */
const TREES_KEPT = 8;

/** Documents of the open notebooks: `.sy` files on disk, their texts and the block tree in memory. */
export class DocumentStore {
  private readonly notebooks: Notebooks;
  private readonly documents = new Map<string, Stored>();
  /** Ids of the documents that stand directly in a folder of a notebook, in the order of `documents`. */
  private readonly folders = new Map<string, Set<string>>();
  private readonly blocks = new Map<string, BlockEntry>();
  /** Containers that lost their last block: the kernel reads them no more, but goes on saying that they exist (recorded/emptied-containers). */
  private readonly ghosts = new Map<string, BlockEntry>();
  /** Texts of documents that went together with their parent, by id: what is equal to one is not written (recorded/document-restore-family). */
  private readonly unwritten = new Map<string, string>();
  /** By document, the one that was read last at the end. */
  private readonly trees = new Map<string, { readonly text: string; readonly root: KernelNode }>();

  constructor(notebooks: Notebooks) {
    this.notebooks = notebooks;
  }

  private file(notebook: string, path: string): string {
    return join(this.notebooks.folder(notebook), path);
  }

  /** Reads all documents of a notebook. A file that is no document is named in the log and left alone; torn writes are removed. */
  openNotebook(notebook: string): KernelDocument[] {
    const found: string[] = [];
    const visit = (folder: string): void => {
      for (const item of readdirSync(this.file(notebook, folder), { withFileTypes: true })) {
        const path = posix.join(folder, item.name);
        if (item.isDirectory() && ID_PATTERN.test(item.name)) visit(path);
        else if (item.isFile() && item.name.endsWith('.sy') && ID_PATTERN.test(idOfPath(path))) found.push(path);
        else if (isTemporary(item.name)) rmSync(this.file(notebook, path), { force: true });
      }
    };
    visit('/');
    for (const path of found) {
      try {
        this.adopt(notebook, path, readFileSync(this.file(notebook, path), 'utf8'));
      } catch (error) {
        console.error(`devhost: ${this.file(notebook, path)} is no document and was left out: ${String(error)} → repair or remove it`);
      }
    }
    return found.flatMap((path) => this.load(idOfPath(path)) ?? []);
  }

  closeNotebook(notebook: string): void {
    for (const { entry } of [...this.documents.values()]) if (entry.notebook === notebook) this.forget(entry.id);
    this.forgetGhosts((ghost) => ghost.notebook === notebook);
  }

  /** The document as it is on disk, as a tree of its own that the caller may change. */
  load(rootId: string): KernelDocument | undefined {
    const stored = this.documents.get(rootId);
    if (!stored) return undefined;
    const root = JSON.parse(stored.text) as KernelNode;
    mendTree(root);
    return { ...this.placeOf(stored.entry), root };
  }

  /** The document as it is on disk. Its tree is shared with other readers: who changes a tree takes `load`. */
  read(rootId: string): KernelDocument | undefined {
    const stored = this.documents.get(rootId);
    if (!stored) return undefined;
    const kept = this.trees.get(rootId);
    const document = kept?.text === stored.text ? { ...this.placeOf(stored.entry), root: kept.root } : this.load(rootId);
    if (!document) return undefined;
    this.trees.delete(rootId);
    this.trees.set(rootId, { text: stored.text, root: document.root });
    for (const oldest of this.trees.keys()) if (this.trees.size > TREES_KEPT) this.trees.delete(oldest);
    return document;
  }

  private placeOf(entry: DocumentEntry): Omit<KernelDocument, 'root'> {
    return { notebook: entry.notebook, path: entry.path, hpath: this.hpath(entry) };
  }

  /** The document that a block is in. */
  loadByBlock(blockId: string): KernelDocument | undefined {
    const block = this.blocks.get(blockId);
    return block && this.load(block.rootId);
  }

  entry(rootId: string): DocumentEntry | undefined {
    return this.documents.get(rootId)?.entry;
  }

  block(id: string): BlockEntry | undefined {
    return this.blocks.get(id) ?? this.ghosts.get(id);
  }

  hasFile(entry: DocumentEntry): boolean {
    return existsSync(this.file(entry.notebook, entry.path));
  }

  all(notebook?: string): DocumentEntry[] {
    const entries = [...this.documents.values()].map((s) => s.entry);
    return notebook === undefined ? entries : entries.filter((e) => e.notebook === notebook);
  }

  /** Documents that stand directly below a path of a notebook (`/` or a document's path). */
  children(notebook: string, parentPath: string): DocumentEntry[] {
    const folder = parentPath === '/' ? '/' : folderOf(parentPath);
    return [...(this.folders.get(notebook + folder) ?? [])].flatMap((id) => this.entry(id) ?? []);
  }

  /** How many `children` there are: a listing asks this for each document in it. */
  childCount(notebook: string, parentPath: string): number {
    return this.folders.get(notebook + (parentPath === '/' ? '/' : folderOf(parentPath)))?.size ?? 0;
  }

  descendants(entry: DocumentEntry): DocumentEntry[] {
    return this.all(entry.notebook).filter((e) => e.path.startsWith(`${folderOf(entry.path)}/`));
  }

  hpath(entry: Pick<DocumentEntry, 'path' | 'title'>): string {
    const parents = posix.dirname(entry.path).split('/').filter(Boolean);
    const titles = parents.map((id) => this.documents.get(id)?.entry.title ?? 'Untitled');
    return `/${[...titles, entry.title].join('/')}`;
  }

  findByHpath(notebook: string, hpath: string): DocumentEntry[] {
    return this.all(notebook).filter((e) => this.hpath(e) === hpath);
  }

  fileSize(entry: DocumentEntry): { size: number; seconds: number } {
    const stat = statSync(this.file(entry.notebook, entry.path));
    return { size: stat.size, seconds: Math.floor(stat.mtimeMs / 1000) };
  }

  /** Puts a document on disk and takes over its blocks. Returns false when nothing changed. */
  write(document: KernelDocument): boolean {
    const { root, notebook, path } = document;
    if (!root.Children?.length) {
      const paragraph = newParagraph();
      root.Children = [paragraph];
      setAttribute(root, 'updated', createdOf(paragraph.ID ?? ''));
    }
    setAttribute(root, 'type', 'doc');
    const text = `${JSON.stringify(root, null, '\t')}\n`;
    const known = this.documents.get(idOfPath(path));
    if (known?.text === text && known.entry.path === path && known.entry.notebook === notebook) return false;
    if (this.unwritten.get(idOfPath(path)) !== text) {
      writeFileAtomic(this.file(notebook, path), text);
      this.unwritten.delete(idOfPath(path));
    }
    this.adopt(notebook, path, text);
    return true;
  }

  /** Removes a document and everything below it, from disk too. */
  remove(entry: DocumentEntry): string[] {
    const gone = [entry, ...this.descendants(entry)].map((e) => e.id);
    rmSync(this.file(entry.notebook, entry.path), { force: true });
    rmSync(this.file(entry.notebook, folderOf(entry.path)), { recursive: true, force: true });
    for (const id of gone) {
      if (id === entry.id) this.unwritten.delete(id);
      else this.unwritten.set(id, this.documents.get(id)?.text ?? '');
      this.forget(id);
    }
    this.forgetGhosts((ghost) => gone.includes(ghost.rootId));
    return gone;
  }

  /** Moves a document with everything below it under another path (`/` is the notebook itself). Returns all moved ids. */
  move(entry: DocumentEntry, toNotebook: string, toParentPath: string): string[] {
    const target = posix.join(toParentPath === '/' ? '/' : folderOf(toParentPath), `${entry.id}.sy`);
    if (target === entry.path && toNotebook === entry.notebook) return [];
    const moved = [entry, ...this.descendants(entry)];
    const [from, to] = [this.file(entry.notebook, entry.path), this.file(toNotebook, target)];
    mkdirSync(dirname(to), { recursive: true });
    renameSync(from, to);
    if (existsSync(folderOf(from))) renameSync(folderOf(from), folderOf(to));
    const texts = moved.map((e) => ({ id: e.id, path: e.path, text: this.documents.get(e.id)?.text ?? '' }));
    for (const e of moved) this.forget(e.id);
    for (const { path, text } of texts) this.adopt(toNotebook, path.replace(folderOf(entry.path), folderOf(target)), text);
    return moved.map((e) => e.id);
  }

  private adopt(notebook: string, path: string, text: string): void {
    const root = JSON.parse(text) as KernelNode;
    const id = idOfPath(path);
    const attributes = Object.fromEntries(Object.entries(root.Properties ?? {}).map(([k, v]) => [k, unescapeAttribute(v)]));
    this.forget(id);
    const blocks: string[] = [];
    const visit = (node: KernelNode, parentId: string): void => {
      if (isBlock(node) && node.ID) {
        blocks.push(node.ID);
        const block = { id: node.ID, rootId: id, notebook, path, type: typeAbbreviation(node.Type), parentId };
        (isEmptied(node) ? this.ghosts : this.blocks).set(node.ID, block);
      }
      for (const child of node.Children ?? []) visit(child, node.ID ?? parentId);
    };
    visit(root, '');
    this.documents.set(id, { entry: { id, notebook, path, title: attributes.title ?? 'Untitled', attributes }, text, blocks });
    const folder = notebook + posix.dirname(path);
    this.folders.set(folder, (this.folders.get(folder) ?? new Set()).add(id));
  }

  private forgetGhosts(which: (ghost: BlockEntry) => boolean): void {
    for (const [id, ghost] of this.ghosts) if (which(ghost)) this.ghosts.delete(id);
  }

  private forget(id: string): void {
    const stored = this.documents.get(id);
    if (!stored) return;
    for (const block of stored.blocks) if (this.blocks.get(block)?.rootId === id) this.blocks.delete(block);
    this.folders.get(stored.entry.notebook + posix.dirname(stored.entry.path))?.delete(id);
    this.documents.delete(id);
  }
}
