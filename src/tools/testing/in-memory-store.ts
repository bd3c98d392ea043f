import { ToolError } from '../errors.ts';
import type { BlockReading, NotebookRight } from '../ports.ts';

export interface StoredBlock {
  readonly id: string;
  readonly type: string;
  readonly subtype: string;
  readonly markdown: string;
}

export interface StoredDocument {
  readonly id: string;
  readonly notebook: string;
  readonly title: string;
  readonly path: string;
  /** Set on daily notes: YYYY-MM-DD. */
  readonly day?: string;
  blocks: readonly StoredBlock[];
}

export interface StoredNotebook {
  readonly id: string;
  readonly name: string;
  readonly open: boolean;
  right: NotebookRight;
}

/** What a test gives: documents as Markdown, by path. */
export interface NotebookSeed {
  readonly name: string;
  readonly id?: string;
  readonly open?: boolean;
  readonly right?: NotebookRight;
  readonly documents?: Readonly<Record<string, string>>;
  /** Daily notes by day, as Markdown. */
  readonly daily?: Readonly<Record<string, string>>;
}

/** The data behind InMemoryNotes: no rights, no plans. Ids grow, so that a test can name them. */
export class InMemoryStore {
  readonly notebooks: StoredNotebook[] = [];
  readonly documents: StoredDocument[] = [];
  private count = 0;

  constructor(seeds: readonly NotebookSeed[]) {
    for (const seed of seeds) {
      const notebook: StoredNotebook = {
        id: seed.id ?? this.newId(),
        name: seed.name,
        open: seed.open ?? true,
        right: seed.right ?? 'write',
      };
      this.notebooks.push(notebook);
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
    const parts = markdown.split(/\n{2,}/u).map((part) => part.trim());
    return parts.filter((part) => part !== '').map((part) => ({ id: this.newId(), ...typeOf(part), markdown: part }));
  }

  addDocument(
    notebook: string,
    path: string,
    blocks: readonly StoredBlock[],
    extras: { readonly id?: string; readonly day?: string } = {},
  ): StoredDocument {
    const title = path.split('/').at(-1) ?? path;
    const day = extras.day === undefined ? {} : { day: extras.day };
    const document: StoredDocument = { id: extras.id ?? this.newId(), notebook, title, path, blocks, ...day };
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

  requireNotebook(id: string): StoredNotebook {
    const notebook = this.notebooks.find((entry) => entry.id === id);
    if (notebook === undefined || notebook.right === 'none') {
      throw new ToolError('not_found', `there is no notebook ${id}`, 'call list_notebooks');
    }
    if (!notebook.open) throw new ToolError('closed_notebook', `${notebook.name} is closed`, 'ask the user to open it');
    return notebook;
  }

  /** The document that holds a block, or is it. */
  documentOf(id: string): StoredDocument {
    const holder = this.documents.find((document) => document.id === id || document.blocks.some((block) => block.id === id));
    if (holder === undefined) throw new ToolError('not_found', `there is no block ${id}`, 'read the document again for its ids');
    return holder;
  }
}

export function dailyPath(day: string): string {
  const [year, month] = day.split('-');
  return `/daily note/${year}/${month}/${day}`;
}

function typeOf(markdown: string): { readonly type: string; readonly subtype: string } {
  const heading = /^(#{1,6}) /u.exec(markdown)?.[1];
  if (heading !== undefined) return { type: 'h', subtype: `h${heading.length}` };
  if (markdown.startsWith('```')) return { type: 'c', subtype: '' };
  if (markdown.startsWith('|')) return { type: 't', subtype: '' };
  if (markdown.startsWith('> ')) return { type: 'b', subtype: '' };
  if (/^[-*] /u.test(markdown)) return { type: 'l', subtype: 'u' };
  return /^\d+\. /u.test(markdown) ? { type: 'l', subtype: 'o' } : { type: 'p', subtype: '' };
}

/** Eight hexadecimal digits; any change of the text changes it (FNV-1a). */
export function hashOf(markdown: string): string {
  let hash = 0x811c9dc5;
  for (const character of markdown) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193);
  return (hash >>> 0).toString(16).padStart(8, '0');
}

export function toReading(block: StoredBlock): BlockReading {
  return { ...block, hash: hashOf(block.markdown) };
}
