import { ToolError } from '../tools/errors.ts';
import type { SearchHit, SearchQuery } from '../tools/note-readings.ts';
import type { Access } from './access-policy.ts';
import { allBlocks, attributeValues, type BlockElement, blockType, plainText } from './block-dom.ts';
import type { BlockViewer } from './block-view.ts';
import type { DocumentBlocks } from './document-blocks.ts';
import type { KernelHit, KernelRoutes } from './kernel-routes.ts';
import { linearPattern } from './linear-pattern.ts';
import { batchesOf, type IndexedBlock, quotedList } from './readable-blocks.ts';
import { findTerm, snippetAt, snippetOfMarked } from './snippet.ts';

export interface SearchHitsDeps {
  readonly routes: KernelRoutes;
  readonly access: Access;
  readonly viewer: BlockViewer;
  readonly blocks: DocumentBlocks;
}

export interface FoundHit {
  readonly hit: KernelHit;
  readonly place: IndexedBlock;
}

/** Words and phrases of a query that a hit may show; those after NOT are none. */
function termsOf({ query, mode }: SearchQuery): readonly string[] {
  if (mode === 'keyword') return query.trim().split(/\s+/);
  if (mode !== 'syntax') return [];
  const pieces = [...query.matchAll(/"((?:[^"]|"")*)"|[^\s()"]+/g)].map(([whole, phrase]) => phrase?.replaceAll('""', '"') ?? whole);
  return pieces.filter((piece, index) => !/^(?:AND|OR|NOT|NEAR)$/.test(piece) && pieces[index - 1] !== 'NOT');
}

type Place = { readonly start: number; readonly end: number };

/** Where the query stands in a text; undefined where the text alone would not have been found. */
function placeOf(text: string, query: SearchQuery): Place | undefined {
  if (query.mode === 'semantic') return { start: 0, end: 0 };
  if (query.mode === 'regex') return regexPlace(text, query.query);
  const terms = termsOf(query);
  if (query.mode === 'keyword' && terms.some((term) => !findTerm(text, [term]))) return undefined;
  return findTerm(text, terms);
}

function regexPlace(text: string, pattern: string): Place | undefined {
  try {
    return linearPattern(pattern)(text) ?? undefined;
  } catch (error) {
    // A pattern of the kernel's own kind that we cannot read: then nothing proves that the text was found.
    if (error instanceof ToolError) return undefined;
    throw error;
  }
}

/** What a block shows, its addresses, names and queries too. */
function searchedText(element: BlockElement): string {
  const attributes = ['name', 'alias', 'memo', 'data-content', 'data-href'].flatMap((name) => [...attributeValues(element, name)]);
  return [plainText(element), ...attributes].filter((part) => part !== '').join(' ');
}

/** The kernel's hits as the model may see them. */
export class SearchHits {
  private readonly deps: SearchHitsDeps;

  constructor(deps: SearchHitsDeps) {
    this.deps = deps;
  }

  /**
   * In the order given; undefined for a hit that only hidden text explains. The kernel's text of a list holds its guarded items, of
   * a block the text of the blocks that it refers to, of an embed its result: such hits are read again, without what is hidden.
   */
  async show(found: readonly FoundHit[], query: SearchQuery, signal: AbortSignal): Promise<readonly (SearchHit | undefined)[]> {
    const doubtful = await this.doubtfulDocuments(found, signal);
    const again = found.filter(({ hit, place }) => hit.id !== place.documentId && doubtful.has(place.documentId));
    const doms = await this.deps.routes.doms(
      again.map(({ hit }) => hit.id),
      signal,
    );
    const views = await this.deps.viewer.view(
      again.map(({ hit }) => doms[hit.id] ?? ''),
      signal,
    );
    const viewOf = new Map(again.map(({ hit }, index) => [hit.id, views[index]] as const));
    const shown: (SearchHit | undefined)[] = [];
    for (const each of found) {
      const { hit, place } = each;
      if (!doubtful.has(place.documentId)) shown.push(toHit(each, snippetOfMarked(hit.content)));
      else if (hit.id === place.documentId)
        shown.push((await this.isFoundIn(place, query, signal)) ? toHit(each, titleOf(place)) : undefined);
      else {
        const view = viewOf.get(hit.id);
        shown.push(view && this.shownAgain(each, view.element, view.changed, query));
      }
    }
    return shown;
  }

  private shownAgain(each: FoundHit, element: BlockElement, changed: boolean, query: SearchQuery): SearchHit | undefined {
    const embeds = allBlocks(element).some((block) => blockType(block) === 'query_embed');
    if (!changed && !embeds) return toHit(each, snippetOfMarked(each.hit.content));
    const text = searchedText(element);
    const place = query.query.trim() === each.hit.id ? { start: 0, end: 0 } : placeOf(text, query);
    return place && toHit(each, snippetAt(text, place.start, place.end));
  }

  /** A document is found by the words of all its blocks together, hidden ones too. */
  private async isFoundIn(place: IndexedBlock, query: SearchQuery, signal: AbortSignal): Promise<boolean> {
    if (query.query.trim() === place.id || placeOf(titleOf(place), query)) return true;
    const document = await this.deps.blocks.open(place.documentId, signal);
    const { views } = await this.deps.blocks.views(document, 0, document.children.length, signal);
    const own = await this.deps.routes.attributes(place.documentId, signal);
    const attributes = [own.name, own.alias, own.memo, own.tags].filter((value) => value !== undefined);
    const text = [titleOf(place), ...attributes, ...views.map(({ view }) => searchedText(view.element))].join(' ');
    return placeOf(text, query) !== undefined;
  }

  /** Documents with guarded blocks, references to blocks that may not be read, or embeds: their texts in the index say too much. */
  private async doubtfulDocuments(found: readonly FoundHit[], signal: AbortSignal): Promise<ReadonlySet<string>> {
    const { routes, access } = this.deps;
    const documents = [...new Set(found.map(({ place }) => place.documentId))];
    const closed = (await access.notebooks(signal)).some((book) => !book.open || book.right === 'none');
    const nothingHidden = !closed && !(await access.hasGuards(signal, 'flushed'));
    const doubtful = new Set(nothingHidden ? [] : await access.documentsWithGuards(documents, signal));
    for (const batch of batchesOf(documents)) {
      const embeds = await routes.sql(
        `SELECT DISTINCT root_id FROM blocks WHERE type = 'query_embed' AND root_id IN (${quotedList(batch)}) LIMIT ${batch.length}`,
        signal,
      );
      for (const row of embeds) doubtful.add(String(row.root_id));
      if (nothingHidden) continue;
      const refs = await routes.sql(
        `SELECT DISTINCT root_id, def_block_id FROM refs WHERE root_id IN (${quotedList(batch)}) LIMIT 1000000`,
        signal,
      );
      const targets = await access.look(
        refs.map((row) => String(row.def_block_id)),
        signal,
        'flushed',
      );
      for (const row of refs) if (!targets.get(String(row.def_block_id))?.readable) doubtful.add(String(row.root_id));
    }
    return doubtful;
  }
}

const titleOf = (place: IndexedBlock): string => place.wordPath.slice(place.wordPath.lastIndexOf('/') + 1);

function toHit({ hit, place }: FoundHit, snippet: string): SearchHit {
  return {
    id: hit.id,
    documentId: place.documentId,
    documentTitle: titleOf(place),
    path: place.wordPath,
    notebook: place.notebook,
    type: place.type,
    snippet,
  };
}
