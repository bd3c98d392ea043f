import { isContainer, LEAF_KINDS } from '../../tools/contract/block-kinds.ts';
import { maskReferences } from '../access/dynamic-references.ts';
import { IS_GUARD, type ReadableBlocks } from '../access/readable-blocks.ts';
import { type BlockElement, blockType } from '../blocks/block-dom.ts';
import { referencesIn } from '../blocks/block-references.ts';
import { dropAddedBlanks, mayHaveAddedBlanks } from '../blocks/inline-marks.ts';
import type { KernelRoutes } from '../kernel/kernel-routes.ts';
import { quoted, quotedList } from '../sql/sql-text.ts';
import type { BlockViewer } from './block-view.ts';

/** A block's Markdown in the index: without ids and attributes, references written as `((id "words"))`. */
export interface TextRow {
  readonly id: string;
  readonly type: string;
  readonly markdown: string;
  /** It is in a container; for leaves only. */
  readonly held: boolean;
}

export interface TextPage {
  readonly rows: readonly TextRow[];
  readonly total: number;
}

export interface DocumentTextsDeps {
  readonly routes: KernelRoutes;
  readonly access: ReadableBlocks;
  readonly viewer: BlockViewer;
}

const PAGE = 10_000;
/** Types whose Markdown in the index has a different layout than in readings. */
const WRITTEN_ANEW = new Set(['t', 's', 'callout']);
/** Types whose Markdown in the index is their own. For any other type it is SiYuan's internal form: such blocks are read as DOM. */
const READ_BY_INDEX = quotedList(['d', 'h', 'p', 'l', 'i', 'c', 't', 'm', 'b', 's', 'callout', 'tb']);
const LEAF_TYPES = quotedList(LEAF_KINDS.filter((type) => type !== 'd'));
/** A reference that shows the words of its target, or whose id SiYuan removed. */
const SHOWS_ANOTHER = /\(\(\d{14}-[0-9a-z]{7} '|\(\( ['"]/;

/** References whose id SiYuan removed: in Markdown they cannot be distinguished from words. */
export const NAMELESS_REFERENCE = /\(\( ['"]/;

const WRITTEN_REFERENCE = /\(\((\d{14}-[0-9a-z]{7}) ['"]/g;

/** True if Markdown was parsed as one block with all references: words that break one would become unmasked text. */
export function isReadAsWritten(blocks: readonly BlockElement[], { type, markdown }: Pick<TextRow, 'type' | 'markdown'>): boolean {
  const [block, ...others] = blocks;
  if (!block || others.length > 0 || blockType(block) !== type) return false;
  const written = [...markdown.matchAll(WRITTEN_REFERENCE)].map(([, id]) => id);
  const read = referencesIn(block).map(({ id }) => id);
  return written.length === read.length && written.every((id, index) => id === read[index]);
}

/** Thrown if a text cannot be shown by its Markdown alone; its block must be read. */
class UnreadableText extends Error {}

/** Top-level blocks of a document: directly below it, or below headings that are. */
const topOf = (root: string): string =>
  `WITH RECURSIVE headings(id) AS (SELECT ${root} ` +
  "UNION SELECT blocks.id FROM blocks JOIN headings ON blocks.parent_id = headings.id WHERE blocks.type = 'h') " +
  'SELECT rowid AS place, id, type, markdown FROM blocks ' +
  `WHERE root_id = ${root} AND type <> 'd' AND parent_id IN (SELECT id FROM headings)`;

/** `held`: in a container, or below a heading in one. */
const leavesOf = (root: string): string =>
  `WITH RECURSIVE holders(id) AS (SELECT id FROM blocks WHERE root_id = ${root} AND type <> 'd' AND type NOT IN (${LEAF_TYPES}) ` +
  "UNION SELECT blocks.id FROM blocks JOIN holders ON blocks.parent_id = holders.id WHERE blocks.type = 'h') " +
  'SELECT rowid AS place, id, type, markdown, parent_id IN (SELECT id FROM holders) AS held ' +
  `FROM blocks WHERE root_id = ${root} AND type IN (${LEAF_TYPES})`;

/** Texts of a whole document from the index: a page costs one statement, whereas routes by id walk through the document for each id. */
export class DocumentTexts {
  private readonly deps: DocumentTextsDeps;

  constructor(deps: DocumentTextsDeps) {
    this.deps = deps;
  }

  top(documentId: string, signal: AbortSignal): AsyncGenerator<TextPage> {
    return this.pages(topOf(quoted(documentId)), signal);
  }

  /** Blocks that contain no blocks; `condition` is SQL over `markdown`. */
  leaves(documentId: string, condition: string, signal: AbortSignal): AsyncGenerator<TextPage> {
    return this.pages(`${leavesOf(quoted(documentId))} AND (${condition})`, signal);
  }

  /** Blocks that must be read as DOM: those that contain guarded blocks, and types whose Markdown in the index is not their own. */
  async exceptions(documentId: string, signal: AbortSignal): Promise<ReadonlySet<string>> {
    const root = quoted(documentId);
    const rows = await this.deps.routes.sql(
      `WITH RECURSIVE up(id) AS (SELECT block_id FROM attributes WHERE root_id = ${root} AND ${IS_GUARD} ` +
        `UNION SELECT id FROM blocks WHERE root_id = ${root} AND (type NOT IN (${READ_BY_INDEX}) OR markdown LIKE '%(( %') ` +
        'UNION SELECT blocks.parent_id FROM up JOIN blocks ON blocks.id = up.id) ' +
        `SELECT up.id FROM up JOIN blocks ON blocks.id = up.id WHERE blocks.type NOT IN ('d', 'h') OR blocks.markdown LIKE '%(( %' LIMIT 1000000`,
      signal,
    );
    return new Set(rows.map((row) => String(row.id)));
  }

  /** The blocks of a row whose Markdown must be parsed to be shown; undefined if it is shown as it is. Throws UnreadableText. */
  parsed({ type, markdown }: TextRow, unwrap: boolean): readonly BlockElement[] | undefined {
    if (type === 'c') return undefined;
    const padded = mayHaveAddedBlanks(markdown);
    if (!padded && !WRITTEN_ANEW.has(type) && !(unwrap ? markdown.includes('((') : SHOWS_ANOTHER.test(markdown))) return undefined;
    const blocks = NAMELESS_REFERENCE.test(markdown) ? undefined : this.deps.viewer.parse(markdown);
    if (!blocks || !isReadAsWritten(blocks, { type, markdown })) throw new UnreadableText('a block must be read to be shown');
    if (padded) for (const block of blocks) dropAddedBlanks(block);
    return blocks;
  }

  /** Replaces the words of hidden blocks in references, in place. */
  async mask(blocks: readonly BlockElement[], signal: AbortSignal): Promise<void> {
    const referring = blocks.filter((block) => referencesIn(block).length > 0);
    if (referring.length > 0) await maskReferences(referring, this.deps.access, signal);
  }

  private async *pages(select: string, signal: AbortSignal): AsyncGenerator<TextPage> {
    // During a re-index the kernel may have a document twice.
    const seen = new Set<string>();
    let total: number | undefined;
    for (let last = 0; ; ) {
      const rows = await this.deps.routes.sql(`${select} AND rowid > ${last} ORDER BY rowid LIMIT ${PAGE}`, signal);
      const fresh = rows.filter(({ id }) => !seen.has(String(id)));
      for (const { id } of fresh) seen.add(String(id));
      total ??= rows.length < PAGE ? rows.length : await this.count(select, signal);
      const texts = fresh.map(({ id, type, markdown, held }) => {
        return { id: String(id), type: String(type), markdown: String(markdown), held: held === 1 };
      });
      yield { rows: texts, total };
      last = Number(rows.at(-1)?.place);
      if (rows.length < PAGE) return;
    }
  }
  private async count(select: string, signal: AbortSignal): Promise<number> {
    const [row] = await this.deps.routes.sql(`SELECT count(*) AS n FROM (${select}) LIMIT 1`, signal);
    return Number(row?.n ?? 0);
  }
}

/** The number of blocks kept back in a document; blocks inside one that is kept back are not counted. */
export async function countKeptBack(routes: Pick<KernelRoutes, 'sql'>, documentId: string, signal: AbortSignal): Promise<number> {
  const root = quoted(documentId);
  const rows = await routes.sql(
    `WITH RECURSIVE guarded(id) AS (SELECT block_id FROM attributes WHERE ${IS_GUARD} AND root_id = ${root} ` +
      'UNION SELECT blocks.id FROM blocks JOIN guarded ON blocks.parent_id = guarded.id) ' +
      'SELECT DISTINCT blocks.id, blocks.parent_id, blocks.type FROM blocks JOIN guarded ON blocks.id = guarded.id LIMIT 1000000',
    signal,
  );
  const guarded = new Map(rows.map((row) => [String(row.id), row] as const));
  const holderOf = (id: string): string => {
    const parent = String(guarded.get(id)?.parent_id ?? '');
    return guarded.get(parent)?.type === 'h' ? holderOf(parent) : parent;
  };
  return [...guarded.keys()].filter((id) => {
    const holder = guarded.get(holderOf(id));
    return holder === undefined || !isContainer(String(holder.type));
  }).length;
}

/** Undefined if a text must be read as a block. */
export async function unlessUnreadable<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof UnreadableText) return undefined;
    throw error;
  }
}
