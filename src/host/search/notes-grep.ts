import { ToolError } from '../../tools/contract/errors.ts';
import type { DocumentMatches, NoteQueries, TextMatch } from '../../tools/contract/note-queries.ts';
import type { Progress } from '../../tools/contract/plans.ts';
import { UNAVAILABLE } from '../access/dynamic-references.ts';
import { allBlocks, type BlockElement, blockId, blockType, childBlocks, parseBlocks } from '../blocks/block-dom.ts';
import type { OpenDocument } from '../reading/document-blocks.ts';
import { containersOf, guardedAmong } from '../reading/document-facts.ts';
import { countKeptBack, type TextRow, unlessUnreadable } from '../reading/document-texts.ts';
import type { NotesExportDeps } from '../reading/notes-export.ts';
import { snippetAt } from '../reading/snippet.ts';
import { type ReadingSteps, readingSteps } from '../reading/yield-to-window.ts';
import { quoted } from '../sql/sql-text.ts';
import { mayBeWritten, writtenForms } from '../sql/written-forms.ts';
import { type FindInLine, goPattern, plainPattern } from './go-pattern.ts';

const LINE_CHARS = 300;
/** A longer line is split into pieces of this length, so that a match takes no noticeable time. */
const PIECE_CHARS = 20_000;
const TIME_LIMIT_MS = 10_000;
const ALL = 1_000_000;
/** The maximum number of top-level blocks that are read to determine the order of their lines. */
const MAX_INSPECTED = 6;

export type NotesGrepDeps = Omit<NotesExportDeps, 'access' | 'reader'>;

interface GrepQuery {
  readonly id: string;
  readonly pattern: string;
  readonly regex: boolean;
  readonly limit: number;
}

interface GrepWork {
  readonly find: FindInLine;
  readonly steps: ReadingSteps;
}

interface MatchPage {
  readonly total: number;
  readonly matches: readonly TextMatch[];
  readonly hidden: number;
}

interface MatchingLeaf {
  readonly id: string;
  readonly type: string;
  readonly held: boolean;
  readonly lines: readonly MatchingLine[];
}

type MatchingLine = Pick<TextMatch, 'line' | 'matched'>;

/** Blocks without nested blocks, each with the block that an edit addresses: a list item is edited whole. */
function leavesOf(block: BlockElement, editedBy = block): { readonly leaf: BlockElement; readonly editedBy: BlockElement }[] {
  const children = childBlocks(block);
  if (children.length === 0) return [{ leaf: block, editedBy }];
  const own = (child: BlockElement): BlockElement => (blockType(block) === 'i' && blockType(child) === 'p' ? block : child);
  return children.flatMap((child) => leavesOf(child, own(child)));
}

function* piecesOf(line: string): Generator<string> {
  for (let start = 0; start === 0 || start < line.length; start += PIECE_CHARS) yield line.slice(start, start + PIECE_CHARS);
}

function linesWith(markdown: string, find: FindInLine): MatchingLine[] {
  const found: MatchingLine[] = [];
  for (const line of markdown.split('\n')) {
    for (const piece of piecesOf(line)) {
      const match = find(piece);
      if (match) found.push({ line: snippetAt(piece, match.start, match.end, LINE_CHARS), matched: piece.slice(match.start, match.end) });
    }
  }
  return found;
}

const hasCase = (text: string): boolean => text.toLowerCase() !== text.toUpperCase();

/** A prefilter over `markdown` in SQL: it ignores case for ASCII only, and cannot judge tables and masked references. */
function conditionOf({ pattern, regex }: GrepQuery): string {
  const others = [...pattern].filter((letter) => letter > '\u007f').join('');
  if (regex || hasCase(others) || /[|]|\s\s|^\s|\s$/.test(pattern)) return 'true';
  const forms = writtenForms(pattern).map((form) => `instr(lower(markdown), lower(${quoted(form)})) > 0`);
  const contains = [...forms, mayBeWritten('markdown')].join(' OR ');
  const masked = UNAVAILABLE.includes(pattern.toLowerCase()) ? " OR instr(markdown, '((') > 0" : '';
  return `${contains}${masked}`;
}

export class NotesGrep implements Pick<NoteQueries, 'grep'> {
  private readonly deps: NotesGrepDeps;

  constructor(deps: NotesGrepDeps) {
    this.deps = deps;
  }

  /** Searches the Markdown of readings line by line; plain text ignores case, a pattern decides for itself. */
  async grep(query: GrepQuery, signal: AbortSignal, progress?: Progress): Promise<DocumentMatches> {
    const find = this.inTime(query.regex ? (await goPattern(query.pattern)).find : plainPattern(query.pattern));
    const steps = readingSteps(signal, progress, this.deps.now);
    const document = await this.deps.blocks.open(query.id, signal);
    const { total, matches, hidden } =
      (await unlessUnreadable(this.byTexts(document, query, { find, steps }, signal))) ?? (await this.byBlocks(document, find, signal));
    const { place, path } = document;
    return {
      document: { id: place.documentId, title: place.documentTitle, path },
      notebook: place.notebook,
      matches: matches.slice(0, Math.max(1, query.limit)),
      total,
      hidden,
    };
  }

  private inTime(find: FindInLine): FindInLine {
    let end: number | undefined;
    return (line) => {
      end ??= this.deps.now() + TIME_LIMIT_MS;
      if (this.deps.now() > end) throw new ToolError('bad_pattern', 'the pattern takes too long', 'give a simpler pattern');
      return find(line);
    };
  }

  private async byBlocks(document: OpenDocument, find: FindInLine, signal: AbortSignal): Promise<MatchPage> {
    const { views, hidden } = await this.deps.blocks.window(document, 0, ALL, signal);
    const matches = views.flatMap(({ view, index }) =>
      leavesOf(view.element).flatMap(({ leaf, editedBy }) => {
        const place = { blockId: blockId(editedBy), type: blockType(editedBy), index };
        return linesWith(this.deps.viewer.markdown(leaf), find).map((line) => ({ ...place, ...line }));
      }),
    );
    return { total: matches.length, matches, hidden };
  }

  /** By the index: only matching blocks are read. Undefined if the index does not have the current document. */
  private async byTexts(document: OpenDocument, query: GrepQuery, work: GrepWork, signal: AbortSignal): Promise<MatchPage | undefined> {
    const { facts, place } = document;
    if (!facts) return undefined;
    const { routes, texts } = this.deps;
    const hidden = facts.guarded ? await countKeptBack(routes, place.documentId, signal) : 0;
    const leaves: MatchingLeaf[] = [];
    for await (const page of texts.leaves(place.documentId, conditionOf(query), signal)) {
      work.steps.page(page.total);
      leaves.push(...(await this.matching(document, page.rows, work, signal)));
    }
    const total = leaves.reduce((sum, { lines }) => sum + lines.length, 0);
    if (total === 0) return { total, matches: [], hidden };
    const indexes = await routes.blockIndexes(
      leaves.map(({ id }) => id),
      signal,
    );
    if (leaves.some(({ id }) => !indexes[id])) return undefined;
    const indexOf = ({ id }: MatchingLeaf): number => (indexes[id] ?? 0) - 1;
    const first = this.firstLines(
      leaves.sort((one, other) => indexOf(one) - indexOf(other)),
      query.limit,
      indexOf,
    );
    return { total, matches: await this.placed(document, first, indexOf, signal), hidden };
  }

  private async matching(
    { place, facts }: OpenDocument,
    rows: readonly TextRow[],
    { find, steps }: GrepWork,
    signal: AbortSignal,
  ): Promise<readonly MatchingLeaf[]> {
    const parsed = new Map<string, readonly BlockElement[]>();
    for (const row of rows) {
      await steps.step();
      const blocks = this.deps.texts.parsed(row, false);
      if (blocks) parsed.set(row.id, blocks);
    }
    await this.deps.texts.mask([...parsed.values()].flat(), signal);
    const leaves: MatchingLeaf[] = [];
    for (const { id, type, markdown, held } of rows) {
      await steps.step();
      const blocks = parsed.get(id);
      const lines = linesWith(blocks ? blocks.map((block) => this.deps.viewer.markdown(block)).join('\n') : markdown, find);
      if (lines.length > 0) leaves.push({ id, type, held, lines });
    }
    if (!facts?.guarded || leaves.length === 0) return leaves;
    const ids = leaves.map(({ id }) => id);
    const guarded = await guardedAmong(this.deps.routes, place.documentId, ids, signal);
    return leaves.filter(({ id }) => !guarded.has(id));
  }

  /** The leaves with the first `limit` lines, and all others of the top-level block in which they end. */
  private firstLines(sorted: readonly MatchingLeaf[], limit: number, indexOf: (leaf: MatchingLeaf) => number): readonly MatchingLeaf[] {
    let lines = 0;
    const end = sorted.findIndex((leaf, at) => {
      const before = sorted[at - 1];
      if (lines >= limit && before && indexOf(before) < indexOf(leaf)) return true;
      lines += leaf.lines.length;
      return false;
    });
    return end < 0 ? sorted : sorted.slice(0, end);
  }

  /** In document order, each with the block that an edit addresses. */
  private async placed(
    document: OpenDocument,
    leaves: readonly MatchingLeaf[],
    indexOf: (leaf: MatchingLeaf) => number,
    signal: AbortSignal,
  ): Promise<readonly TextMatch[]> {
    const { routes } = this.deps;
    const together = leaves.filter((leaf, at) => [leaves[at - 1], leaves[at + 1]].some((each) => each && indexOf(each) === indexOf(leaf)));
    const rank = await this.ranksIn(document, [...new Set(together.map(indexOf))].slice(0, MAX_INSPECTED), signal);
    const ordered = [...leaves].sort((one, other) => indexOf(one) - indexOf(other) || (rank.get(one.id) ?? 0) - (rank.get(other.id) ?? 0));
    const holders = await containersOf(
      routes,
      ordered.filter(({ type, held }) => held && type === 'p').map(({ id }) => id),
      signal,
    );
    return ordered.flatMap((leaf) => {
      const holder = holders.get(leaf.id);
      const edited = holder?.type === 'i' ? holder : leaf;
      return leaf.lines.map((line) => ({ blockId: edited.id, type: edited.type, index: indexOf(leaf), ...line }));
    });
  }

  /** The order of blocks inside these top-level blocks. */
  private async ranksIn({ place }: OpenDocument, indexes: readonly number[], signal: AbortSignal): Promise<ReadonlyMap<string, number>> {
    const windows = await Promise.all(indexes.map((index) => this.deps.routes.documentWindow(place.documentId, index + 1, 0, signal)));
    const blocks = windows.flatMap(({ content }) => parseBlocks(content).slice(0, 1).flatMap(allBlocks));
    return new Map(blocks.map((block, at) => [blockId(block), at] as const));
  }
}
