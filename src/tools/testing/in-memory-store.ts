import { encryptedNotebook, ToolError } from '../contract/errors.ts';
import type { BlockReading } from '../contract/note-readings.ts';
import { isSeen, type NotebookRight } from '../contract/notebook-right.ts';
import { hashOf, itemsOf, parseMarkdown, type StoredBlock, sectionOf, withItems, withItemsBelow } from './in-memory-markdown.ts';

export interface StoredDocument {
  readonly id: string;
  notebook: string;
  title: string;
  path: string;
  /** Set on daily notes: YYYY-MM-DD. */
  readonly day?: string;
  blocks: readonly StoredBlock[];
  /** YYYY-MM-DD HH:MM. */
  updated: string;
}

export interface StoredNotebook {
  readonly id: string;
  name: string;
  open: boolean;
  right: NotebookRight;
  readonly encrypted: boolean;
}

/** What a test gives: documents as Markdown, by path. */
export interface NotebookSeed {
  readonly name: string;
  readonly id?: string;
  readonly open?: boolean;
  readonly encrypted?: boolean;
  readonly right?: NotebookRight;
  readonly documents?: Readonly<Record<string, string>>;
  /** Daily notes by day, as Markdown. */
  readonly daily?: Readonly<Record<string, string>>;
  /** Names of databases by the path of the note that they stand at the end of; a double without SiYuan has none. */
  readonly databases?: Readonly<Record<string, string>>;
  /** Texts of files, by their paths below `data`; a double without SiYuan has none. */
  readonly files?: Readonly<Record<string, string>>;
}

const ID = /^\d{14}-[0-9a-z]{7}$/u;
const MAX_CHARACTERS = 400_000;

/** The data behind InMemoryNotes and who may see it. Ids grow, so that a test can name them. */
export class InMemoryStore {
  readonly notebooks: StoredNotebook[] = [];
  readonly documents: StoredDocument[] = [];
  /** By id of block or document; `custom-ai-access` = `none` hides it and what is under it. */
  readonly attributes = new Map<string, Readonly<Record<string, string>>>();
  /** The local day, YYYY-MM-DD. */
  readonly today: string;
  private count = 0;

  constructor(seeds: readonly NotebookSeed[], today: string) {
    this.today = today;
    for (const seed of seeds) {
      const notebook = this.addNotebook(seed.name, seed);
      for (const [path, markdown] of Object.entries(seed.documents ?? {})) this.addDocument(notebook.id, path, this.parse(markdown));
      for (const [day, markdown] of Object.entries(seed.daily ?? {})) {
        this.addDocument(notebook.id, dailyPath(day), this.parse(markdown), { day });
      }
    }
  }

  /** 20260101000000-0000001, -0000002, … */
  newId(): string {
    return `20260101000000-${(++this.count).toString(36).padStart(7, '0')}`;
  }

  parse(markdown: string): readonly StoredBlock[] {
    return parseMarkdown(markdown).map((block) => ({ ...block, id: this.newId(), ...this.itemsIn(block) }));
  }

  /** Fresh ids for the items of a list; nothing for other blocks. */
  itemsIn({ type, markdown }: Pick<StoredBlock, 'type' | 'markdown'>): Pick<StoredBlock, 'items'> {
    return type === 'l' ? { items: itemsOf(markdown, () => this.newId()) } : {};
  }

  /** What the model wrote: throws `empty_text` or `too_large`. */
  parseGiven(markdown: string): readonly StoredBlock[] {
    if (markdown.length > MAX_CHARACTERS) {
      throw new ToolError('too_large', `${markdown.length} characters are too many`, `write at most ${MAX_CHARACTERS} at a time`);
    }
    const blocks = this.parse(markdown);
    if (blocks.length === 0) throw new ToolError('empty_text', 'the markdown is empty', 'call again with the text');
    return blocks;
  }

  addNotebook(name: string, extras: Omit<NotebookSeed, 'name'> = {}): StoredNotebook {
    const { id = this.newId(), open = true, right = 'write', encrypted = false } = extras;
    const notebook: StoredNotebook = { id, name, open, right: encrypted ? 'none' : right, encrypted };
    this.notebooks.push(notebook);
    return notebook;
  }

  addDocument(
    notebook: string,
    path: string,
    blocks: readonly StoredBlock[],
    extras: { readonly id?: string; readonly day?: string } = {},
  ): StoredDocument {
    const title = path.split('/').at(-1) ?? path;
    const day = extras.day === undefined ? {} : { day: extras.day };
    const document = { id: extras.id ?? this.newId(), notebook, title, path, blocks, updated: '2026-01-01 00:00', ...day };
    this.documents.push(document);
    return document;
  }

  removeDocument(id: string): void {
    const index = this.documents.findIndex((document) => document.id === id);
    if (index >= 0) this.documents.splice(index, 1);
  }

  /** Throws `not_found`, as the real port does. */
  requireDocument(id: string): StoredDocument {
    const document = this.documents.find((entry) => entry.id === id);
    if (document === undefined) throw new ToolError('not_found', `there is no document ${id}`, 'find it with search_notes or list_docs');
    return document;
  }

  /** A notebook that may be seen, open or not. */
  visibleNotebook(id: string): StoredNotebook {
    const notebook = this.notebooks.find((entry) => entry.id === id);
    if (notebook?.encrypted === true) throw encryptedNotebook(notebook.name);
    if (notebook === undefined || !isSeen(notebook.right)) {
      throw new ToolError('not_found', `there is no notebook ${id}`, 'call list_notebooks');
    }
    return notebook;
  }

  requireNotebook(id: string): StoredNotebook {
    const notebook = this.visibleNotebook(id);
    if (!notebook.open) throw new ToolError('closed_notebook', `${notebook.name} is closed`, 'ask the user to open it');
    return notebook;
  }

  /** The document that holds a block, or is it. No rights are asked. */
  documentOf(id: string): StoredDocument {
    const holds = ({ blocks }: StoredDocument) => blocks.some((block) => holdsId(block, id));
    const holder = this.documents.find((document) => document.id === id || holds(document));
    if (holder === undefined) throw noBlock(id);
    return holder;
  }

  /** As `documentOf`, after the rights of notebook, document and block: what is hidden is answered as what is not there. */
  locate(id: string): { readonly document: StoredDocument; readonly notebook: StoredNotebook; readonly block: StoredBlock | undefined } {
    if (!ID.test(id)) throw new ToolError('bad_id', `"${id}" is not a block id`, 'use an id that a read gave');
    const document = this.documentOf(id);
    const notebook = this.notebooks.find((entry) => entry.id === document.notebook);
    const block = document.blocks.find((entry) => holdsId(entry, id));
    if (notebook?.encrypted === true) this.visibleNotebook(notebook.id);
    if (notebook === undefined || !isReadable(notebook) || this.isGuarded(document) || this.hiddenIds(document).has(id)) throw noBlock(id);
    return { document, notebook, block };
  }

  /** Whether it carries the attribute itself. */
  isHidden({ id }: { readonly id: string }): boolean {
    return this.attributes.get(id)?.['custom-ai-access'] === 'none';
  }

  /** Blocks and items that are hidden from the model: what is hidden itself, the section of a heading, and what is below an item. */
  hiddenIds({ blocks }: StoredDocument): ReadonlySet<string> {
    const hidden = blocks.flatMap((block, index) => {
      if (this.isHidden(block)) return (block.type === 'h' ? [block, ...sectionOf(blocks, index)] : [block]).flatMap(idsIn);
      const items = block.items ?? [];
      return items.filter((item) => this.isHidden(item)).flatMap((item) => withItemsBelow(items, item).map(({ id }) => id));
    });
    return new Set(hidden);
  }

  /** The document itself or one above it is hidden. */
  isGuarded(document: StoredDocument): boolean {
    return this.documents.some(
      (entry) =>
        this.isHidden(entry) && entry.notebook === document.notebook && (entry === document || document.path.startsWith(`${entry.path}/`)),
    );
  }

  /** Without hidden items. */
  visibleBlocks(document: StoredDocument): readonly StoredBlock[] {
    const hidden = this.hiddenIds(document);
    if (hidden.size === 0) return document.blocks;
    return document.blocks
      .filter(({ id }) => !hidden.has(id))
      .map((block) => {
        const shown = block.items?.filter(({ id }) => !hidden.has(id)) ?? [];
        return shown.length === (block.items?.length ?? 0) ? block : withItems(block, shown);
      });
  }

  /** A block as it is read: what may be seen of it, with the hash of all of it. */
  toReading(document: StoredDocument, block: StoredBlock): BlockReading {
    const whole = document.blocks.find(({ id }) => id === block.id) ?? block;
    return { ...block, hash: hashOf(whole.markdown) };
  }

  /** The text of a block or item; undefined for documents, notebooks and what is gone. No rights are asked. */
  textOf(id: string): string | undefined {
    const all = this.documents.flatMap(({ blocks }) => blocks).flatMap((block) => [block, ...(block.items ?? [])]);
    return all.find((each) => each.id === id)?.markdown;
  }

  /** Places among the top-level blocks, or inside of those that may be seen, that rights hold back. */
  countHidden(document: StoredDocument, blocks = document.blocks): number {
    const hidden = this.hiddenIds(document);
    return blocks.filter(({ id, items = [] }) => hidden.has(id) || items.some((item) => hidden.has(item.id))).length;
  }

  /** In open notebooks that may be read, hidden ones left out. */
  readableDocuments(): readonly StoredDocument[] {
    return this.openDocuments().filter((document) => !this.isGuarded(document));
  }

  /** In open notebooks that may be read, hidden ones among them. */
  openDocuments(): readonly StoredDocument[] {
    const readable = new Set(this.notebooks.filter(isReadable).map(({ id }) => id));
    return this.documents.filter(({ notebook }) => readable.has(notebook));
  }

  /** Documents below one, nearest first. */
  below({ notebook, path }: StoredDocument): readonly StoredDocument[] {
    return this.documents.filter((entry) => entry.notebook === notebook && entry.path.startsWith(`${path}/`));
  }
}

const isReadable = ({ right, open, encrypted }: StoredNotebook): boolean => isSeen(right) && open && !encrypted;

const idsIn = ({ id, items = [] }: StoredBlock): readonly string[] => [id, ...items.map((item) => item.id)];

function noBlock(id: string): ToolError {
  return new ToolError('not_found', `there is no block ${id}`, 'read the document again for its ids');
}

function holdsId(block: StoredBlock, id: string): boolean {
  return block.id === id || block.items?.some((item) => item.id === id) === true;
}

export function dailyPath(day: string): string {
  const [year, month] = day.split('-');
  return `/daily note/${year}/${month}/${day}`;
}

export { hashOf } from './in-memory-markdown.ts';
