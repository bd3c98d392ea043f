import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { BlockReading, SearchMatch, SearchQuery } from '../../src/tools/contract/note-readings.ts';
import { codeOf, signal, startBench, type TestBench } from '../host/support.ts';
import {
  corpusExists,
  documentFrequency,
  type ImportedDocument,
  importCorpus,
  type Paragraph,
  paragraphsByDocument,
  phraseOf,
  readByPages,
  spread,
  uniqueWord,
  withoutDynamicReferences,
  withoutReferenceIds,
  withoutReferences,
  wordsMissing,
  wordsOf,
} from './corpus.ts';

const SLOW = 300_000;
const DOCUMENTS = 105;
const PLANS_PER_DOCUMENT = 2;
/** An attribute list or one of its usual members. Text that shows the syntax inside code is the author's. */
const ATTRIBUTE_LIST = /\{:\s|(?<![-\w])(?:updated|id)="\d{14}/;
const withoutCode = (markdown: string): string => markdown.replace(/```[\s\S]*?```|`[^`\n]*`/g, '');
const squeezed = (text: string): string => text.replace(/\s+/g, ' ').trim();

if (!corpusExists) console.log('tests/corpus is skipped: there is no ../shared/corpus/user-guide-en.jsonl beside the repository');

describe.skipIf(!corpusExists)('the 105 documents of the user guide', () => {
  let bench: TestBench;
  let documents: ImportedDocument[] = [];
  const readings = new Map<string, BlockReading[]>();
  /** What a look at all documents found wrong, one line each. */
  let problems: string[] = [];

  beforeAll(async () => {
    bench = await startBench();
    bench.policy.setRight(bench.notebook, 'write');
    documents = await importCorpus(bench);
  }, SLOW);
  afterAll(() => bench?.close());

  /** Looks at every document and expects nothing to be wrong with any. */
  async function everyDocument(look: (document: ImportedDocument) => Promise<void>): Promise<void> {
    problems = [];
    for (const document of documents) await look(document);
    expect(problems).toEqual([]);
  }

  function demand(condition: boolean, document: ImportedDocument, what: string): void {
    if (!condition) problems.push(`${document.hpath}: ${what}`);
  }

  async function allMatches(query: Omit<SearchQuery, 'page' | 'pageSize'>): Promise<SearchMatch[]> {
    const matches: SearchMatch[] = [];
    for (let page: number | null = 1; page !== null; ) {
      const answer = await bench.host.notes.search({ ...query, page, pageSize: 40 }, signal);
      matches.push(...answer.matches);
      page = answer.nextPage;
    }
    return matches;
  }

  it('are all there, each with an id of its own', () => {
    expect(documents).toHaveLength(DOCUMENTS);
    expect(new Set(documents.map((document) => document.documentId)).size).toBe(DOCUMENTS);
  });

  it(
    'are read whole by pages: every block once, in order, without attribute lists or zero-width spaces',
    async () => {
      let [blockCount, pageCount] = [0, 0];
      await everyDocument(async (document) => {
        const { documentId: id, hpath: path, title } = document;
        const children = await bench.api<{ id: string; type: string }[]>('/api/block/getChildBlocks', { id });
        const pages = await readByPages(bench, id, children.length);
        const blocks = pages.flatMap((page) => page.blocks);
        readings.set(id, blocks);
        [blockCount, pageCount] = [blockCount + blocks.length, pageCount + pages.length];
        demand(
          blocks.map((block) => block.id).join() === children.map((child) => child.id).join(),
          document,
          'other blocks than the kernel',
        );
        for (const page of pages) {
          const { totalBlocks, hidden } = page;
          demand(totalBlocks === children.length && hidden === 0, document, `says ${totalBlocks} blocks, ${hidden} hidden`);
          demand(page.title === title && page.path === path, document, `is called ${page.title} at ${page.path}`);
        }
        for (const block of blocks) {
          demand(!block.markdown.includes('\u200b'), document, `zero-width space in ${block.id}`);
          demand(!ATTRIBUTE_LIST.test(withoutCode(block.markdown)), document, `attribute list in ${block.id}`);
        }
        const whole = wordsOf(blocks.map((block) => block.markdown).join('\n'));
        // Entities become characters and image sizes are attributes: neither is text of the note.
        // A reference to a block that is not there says "unavailable" instead of a text that nobody may vouch for.
        const kept = whole.has('unavailable') ? withoutDynamicReferences(document.markdown) : document.markdown;
        // SiYuan takes the id from references to what is not there yet: documents come in one by one.
        const lost = wordsMissing(withoutReferenceIds(kept), whole).filter((word) => word !== 'apos' && !/^\d+px$/.test(word));
        demand(lost.length === 0, document, `words lost: ${lost.slice(0, 10).join(' ')}`);
      });
      console.log(`corpus: read ${blockCount} blocks of ${documents.length} documents in ${pageCount} pages`);
    },
    SLOW,
  );

  it(
    'are read by path, or all named where two share it',
    async () => {
      await everyDocument(async (document) => {
        const range = { start: 0, blocks: 1 };
        const reading = bench.host.notes.document({ path: document.hpath }, range, signal);
        if (documents.filter((other) => other.hpath === document.hpath).length > 1) {
          demand((await codeOf(reading)) === 'ambiguous_path', document, 'one of two documents was taken');
        } else demand((await reading).id === document.documentId, document, 'another document');
      });
    },
    SLOW,
  );

  it(
    'are found by a phrase of their own text',
    async () => {
      const paragraphs = await paragraphsByDocument(bench);
      const frequency = documentFrequency(paragraphs);
      const seldom = (one: Paragraph, other: Paragraph): number =>
        (frequency.get(one.content) ?? 0) - (frequency.get(other.content) ?? 0) || other.content.length - one.content.length;
      await everyDocument(async (document) => {
        const paragraph = (paragraphs.get(document.documentId) ?? []).toSorted(seldom)[0];
        if (!paragraph) return demand(false, document, 'no paragraph');
        const query = phraseOf(paragraph.content);
        const match = (await allMatches({ query, mode: 'keyword' })).find((found) => found.id === paragraph.id);
        if (!match) return demand(false, document, `"${query}" does not find ${paragraph.id}`);
        const named = match.documentId === document.documentId && match.documentTitle === document.title && match.path === document.hpath;
        demand(named, document, `its match says "${match.documentTitle}" at ${match.path}`);
        const shown = squeezed(match.snippet.replace(/^(…|\.\.\.)|(…|\.\.\.)$/g, ''));
        demand(squeezed(paragraph.content).includes(shown), document, `snippet is not its text: ${match.snippet.slice(0, 80)}`);
      });
    },
    SLOW,
  );

  it(
    'are found by their title',
    async () => {
      await everyDocument(async (document) => {
        const match = (await allMatches({ query: document.title, mode: 'keyword', types: ['d'] })).find(
          (found) => found.id === document.documentId,
        );
        demand(match !== undefined, document, 'not found');
        if (match)
          demand(
            match.documentTitle === document.title && match.path === document.hpath,
            document,
            `"${match.documentTitle}" at ${match.path}`,
          );
      });
    },
    SLOW,
  );

  it(
    'are exported with all the words that were read',
    async () => {
      let characters = 0;
      await everyDocument(async (document) => {
        const exported = await bench.api<{ hPath: string; content: string }>('/api/export/exportMdContent', { id: document.documentId });
        characters += exported.content.length;
        demand(exported.hPath === document.hpath && exported.content.trim() !== '', document, `exported as ${exported.hPath}`);
        const text = (readings.get(document.documentId) ?? []).map((block) => block.markdown).join('\n');
        const missing = wordsMissing(withoutReferences(text), wordsOf(exported.content)).filter((word) => word !== 'unavailable');
        demand(text !== '' && missing.length === 0, document, `export lacks ${missing.slice(0, 10).join(' ')}`);
      });
      console.log(`corpus: exported ${characters} characters`);
    },
    SLOW,
  );

  it(
    'can be edited: plans say what would change and change no file',
    async () => {
      const kinds = new Map<string, number>();
      const before = bench.fingerprint();
      await everyDocument(async (document) => {
        const able = (readings.get(document.documentId) ?? []).filter((block) => uniqueWord(block) !== undefined);
        demand(able.length > 0, document, 'no block to edit');
        for (const block of spread(able, PLANS_PER_DOCUMENT)) {
          const word = uniqueWord(block) ?? '';
          const request = { id: block.id, expectHash: block.hash, edits: [{ old: word, new: `${word}EDITED` }] };
          const [operation, ...more] = (await bench.host.notes.planEdit(request, 'edit_block', signal)).operations;
          kinds.set(block.type, (kinds.get(block.type) ?? 0) + 1);
          const action = operation?.action;
          const [old, after] = [operation?.before ?? '', operation?.after ?? ''];
          // Lute pads the columns of a table again, so spaces and dashes are not compared.
          const bare = (text: string): string => text.replace(/[\s-]+/g, '');
          const right = action === 'update' && more.length === 0 && after.includes(`${word}EDITED`);
          demand(
            right && bare(after.replace('EDITED', '')) === bare(old),
            document,
            `${block.type} ${block.id} becomes ${after.slice(0, 80)}`,
          );
        }
        const insert = { anchor: document.documentId, position: 'append', markdown: 'One more paragraph.' } as const;
        const { operations } = await bench.host.notes.planInsert(insert, 'insert_blocks', signal);
        demand(operations.length === 1 && operations[0]?.after === 'One more paragraph.', document, 'append plans something else');
      });
      console.log(`corpus: planned edits of ${[...kinds].map(([kind, count]) => `${count} ${kind}`).join(', ')}`);
      expect(bench.fingerprint()).toBe(before);
    },
    SLOW,
  );
});
