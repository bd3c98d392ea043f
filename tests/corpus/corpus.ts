// The 105 documents of SiYuan's own user guide, as the tests beside this file import and question them.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { BlockReading, DocumentReading } from '../../src/tools/contract/note-readings.ts';
import { signal, type TestBench } from '../host/support.ts';

const root = dirname(dirname(import.meta.dirname));
const file = join(root, '..', 'shared', 'corpus', 'user-guide-en.jsonl');

/** One line of the file. The export repeats 32 documents, so ids and paths are not unique in it. */
interface CorpusLine {
  readonly id: string;
  readonly hpath: string;
  readonly title: string;
  readonly markdown: string;
}

/** A line with the document that it became. */
export interface ImportedDocument extends CorpusLine {
  /** The kernel's id; the line's own id is used twice. */
  readonly documentId: string;
}

export const corpusExists = existsSync(file);

export function loadCorpus(): CorpusLine[] {
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines.filter((line) => line.trim() !== '').map((line) => JSON.parse(line) as CorpusLine);
}

/** Creates every document as an import would: a path that is taken gets a second document beside the first. */
export async function importCorpus(bench: TestBench): Promise<ImportedDocument[]> {
  const documents: ImportedDocument[] = [];
  for (const line of loadCorpus()) documents.push({ ...line, documentId: await bench.document(line.hpath, line.markdown) });
  await bench.api('/api/sqlite/flushTransaction', {});
  return documents;
}

/** Reads a document by pages, at least two of them where it has two blocks, as a model that asks for more would. */
export async function readByPages(bench: TestBench, id: string, totalBlocks: number): Promise<DocumentReading[]> {
  const size = Math.max(1, Math.min(totalBlocks - 1, totalBlocks > 400 ? Math.ceil(totalBlocks / 2) : 50));
  const pages: DocumentReading[] = [];
  for (let start = 0; start < totalBlocks; start += size)
    pages.push(await bench.host.notes.document({ id }, { start, blocks: size }, signal));
  return pages;
}

/** Block references as their anchor text, which is what an export keeps of them. */
export const withoutReferences = (markdown: string): string => markdown.replace(/\(\(\d{14}-[0-9a-z]{7} (['"])(.*?)\1\)\)/g, '$2');

/** Without references whose text SiYuan makes from their target, and without that text. */
export const withoutDynamicReferences = (markdown: string): string => markdown.replace(/\(\(\d{14}-[0-9a-z]{7} '.*?'\)\)/g, '');

/** References keep their texts. */
export const withoutReferenceIds = (markdown: string): string => markdown.replace(/\(\(\d{14}-[0-9a-z]{7}(?= ['"])/g, '((');

/** Words without regard to case: what a conversion must keep whatever it does to spaces and markup. */
export const wordsOf = (text: string): Set<string> => new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []);

/** Words that `text` has and `whole` lacks. */
export function wordsMissing(text: string, whole: ReadonlySet<string>): string[] {
  return [...wordsOf(text)].filter((word) => !whole.has(word));
}

export interface Paragraph {
  readonly id: string;
  readonly root_id: string;
  readonly content: string;
}

/** All paragraphs of the notebook by their document, those inside lists and quotes too. */
export async function paragraphsByDocument(bench: TestBench): Promise<Map<string, Paragraph[]>> {
  const stmt = `SELECT id, root_id, content FROM blocks WHERE box = '${bench.notebook}' AND type = 'p' AND length(content) > 20 LIMIT 1000000`;
  const rows = await bench.api<Paragraph[]>('/api/query/sql', { stmt, mode: 'readonly' });
  return Map.groupBy(rows, (row) => row.root_id);
}

/** Counts the documents that hold a paragraph with this text. */
export function documentFrequency(paragraphs: ReadonlyMap<string, readonly Paragraph[]>): Map<string, number> {
  const counts = new Map<string, number>();
  for (const rows of paragraphs.values()) {
    for (const content of new Set(rows.map((row) => row.content))) counts.set(content, (counts.get(content) ?? 0) + 1);
  }
  return counts;
}

/** Four words from the middle of a text. */
export function phraseOf(content: string): string {
  const words = content.trim().split(/\s+/);
  const start = Math.max(0, Math.floor(words.length / 2) - 2);
  return words.slice(start, start + 4).join(' ');
}

/** A word that stands once in the block's Markdown, so that an edit can name it. None with images: their addresses are not text. */
export function uniqueWord(block: BlockReading): string | undefined {
  if (block.markdown.includes('![')) return undefined;
  const words = block.markdown.match(/[\p{L}\p{N}]{3,}/gu) ?? [];
  return words.find((word) => block.markdown.split(word).length === 2);
}

/** `count` of the items, evenly spread. */
export function spread<T>(items: readonly T[], count: number): T[] {
  const wanted = Math.min(count, items.length);
  return Array.from({ length: wanted }, (_, index) => items[Math.floor(((index + 0.5) * items.length) / wanted)]).filter(
    (item) => item !== undefined,
  );
}
