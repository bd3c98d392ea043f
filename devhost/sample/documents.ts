import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

/** One Markdown file of `documents/`, ready for `createDocWithMd`. */
export interface SampleDocument {
  /** Folder name under `documents/`, which is also the notebook's name. */
  readonly notebook: string;
  /** Human path in the notebook, e.g. `/Spaced repetition/Vocabulary experiment`. */
  readonly path: string;
  readonly id: string;
  /** Body without the closing document IAL. */
  readonly markdown: string;
  /** Attributes of the document block: tags, icon, alias, memo, bookmark, custom-*. */
  readonly attributes: Readonly<Record<string, string>>;
  /** Ids of the blocks that the body defines. */
  readonly defines: readonly string[];
  /** Ids that the body refers to, without those it defines itself. */
  readonly refersTo: readonly string[];
}

const blockId = '\\d{14}-[0-9a-z]{7}';
const documentLine = /\n\{: ([^\n]*\btype="doc"[^\n]*)\}\s*$/;

function attributesOf(list: string): Record<string, string> {
  return Object.fromEntries([...list.matchAll(/([a-z][a-z0-9-]*)="([^"]*)"/g)].map((match) => [match[1] ?? '', match[2] ?? '']));
}

/**
 * Reads one file: kramdown whose last line is the IAL of the document, as the kernel's own kramdown ends.
 * Throws when that line or its id is missing, since nothing could refer to the document then.
 */
export function parseSampleDocument(notebook: string, path: string, text: string): SampleDocument {
  const source = text.replaceAll('\r\n', '\n');
  const last = documentLine.exec(source);
  const { id, type: _type, ...attributes } = attributesOf(last?.[1] ?? '');
  if (!last || id === undefined || !new RegExp(`^${blockId}$`).test(id)) {
    throw new Error(`sample_without_id: ${notebook}${path} has no document line → end the file with {: id="…" type="doc"}`);
  }
  const markdown = `${source.slice(0, last.index).trimEnd()}\n`;
  const defines = [...markdown.matchAll(new RegExp(`\\{: [^}\\n]*?id="(${blockId})"`, 'g'))].map((match) => match[1] ?? '');
  const own = new Set([id, ...defines]);
  const targets = [...markdown.matchAll(new RegExp(`\\(\\((${blockId}) `, 'g'))].map((match) => match[1] ?? '');
  const refersTo = [...new Set(targets)].filter((target) => !own.has(target));
  return { notebook, path, id, markdown, attributes, defines, refersTo };
}

const documentsFolder = join(dirname(fileURLToPath(import.meta.url)), 'documents');

/** All documents of the sample, in the order of {@link inCreationOrder}. */
export function loadSampleDocuments(folder: string = documentsFolder): SampleDocument[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .sort();
  const documents = files.map((name) => {
    const [notebook = '', ...rest] = name.slice(0, -'.md'.length).split(sep);
    return parseSampleDocument(notebook, `/${rest.join('/')}`, readFileSync(join(folder, name), 'utf8'));
  });
  return inCreationOrder(documents);
}

/**
 * Parents before children, and what is referred to before what refers: a kernel may blank a reference whose target is not
 * there yet (tests/contract/recorded/references.json). Throws on a cycle and on a reference to nothing.
 */
export function inCreationOrder(documents: readonly SampleDocument[]): SampleDocument[] {
  const home = new Map(documents.flatMap((document) => [document.id, ...document.defines].map((id) => [id, document] as const)));
  const byPath = new Map(documents.map((document) => [document.notebook + document.path, document]));
  const state = new Map<SampleDocument, 'open' | 'done'>();
  const ordered: SampleDocument[] = [];
  const visit = (document: SampleDocument): void => {
    if (state.get(document) === 'done') return;
    if (state.get(document) === 'open') {
      throw new Error(`sample_cycle: ${document.path} needs itself → let one of the documents not refer to the other`);
    }
    state.set(document, 'open');
    const parent = byPath.get(document.notebook + document.path.slice(0, document.path.lastIndexOf('/')));
    if (parent) visit(parent);
    for (const id of document.refersTo) {
      const target = home.get(id);
      if (!target) throw new Error(`sample_dangling: ${document.path} refers to ${id}, which no document defines → correct the id`);
      visit(target);
    }
    state.set(document, 'done');
    ordered.push(document);
  };
  for (const document of documents) visit(document);
  return ordered;
}
