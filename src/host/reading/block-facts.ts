import { isContainer } from '../../tools/contract/block-kinds.ts';
import { toToolError } from '../../tools/contract/errors.ts';
import type { BlockInfo, FailedId, NoteQueries } from '../../tools/contract/note-queries.ts';
import type { Access } from '../access/access.ts';
import { isVisible } from '../access/notebook-list.ts';
import { GUARD_ROW, IS_GUARD } from '../access/readable-blocks.ts';
import { type BlockElement, blockType, childBlocks, plainText } from '../blocks/block-dom.ts';
import type { Attributes, KernelRoutes } from '../kernel/kernel-routes.ts';
import { noSuchBlock } from '../kernel/not-found.ts';
import { quoted } from '../sql/sql-text.ts';
import type { BlockViewer } from './block-view.ts';
import { requireReadable } from './readable-place.ts';
import { SNIPPET_CHARS, snippetAt } from './snippet.ts';

export interface BlockFactsDeps {
  readonly routes: KernelRoutes;
  readonly access: Access;
  readonly viewer: BlockViewer;
}

const CRUMB_CHARS = 80;
const MAX_BACKLINKS = 1_000_000;
/** Errors that fail the whole answer, not one id. */
const FOR_ALL = new Set(['aborted', 'kernel_unreachable', 'internal']);

/** Attributes without this plugin's own and the names of databases, which the kernel adds, hidden ones included. */
const shown = (attributes: Attributes): Attributes =>
  Object.fromEntries(Object.entries(attributes).filter(([name]) => !name.startsWith('custom-marginalia-') && name !== 'av-names'));

/** The text of a block's first line; for a container, of the first block in it that has one. */
function crumbText(element: BlockElement): string {
  const first = isContainer(blockType(element)) ? childBlocks(element)[0] : undefined;
  if (first) return crumbText(first);
  return snippetAt(plainText(element), 0, 0, isContainer(blockType(element)) ? SNIPPET_CHARS : CRUMB_CHARS);
}

export class BlockFacts implements Pick<NoteQueries, 'blockInfo' | 'attributes'> {
  private readonly deps: BlockFactsDeps;

  constructor(deps: BlockFactsDeps) {
    this.deps = deps;
  }

  async blockInfo(ids: readonly string[], signal: AbortSignal): Promise<readonly (BlockInfo | FailedId)[]> {
    const answers: (BlockInfo | FailedId)[] = [];
    for (const id of ids) {
      try {
        answers.push(await this.infoOf(id, signal));
      } catch (error) {
        const { code, message, next } = toToolError(error);
        if (FOR_ALL.has(code)) throw error;
        answers.push({ id, code, message, next });
      }
    }
    return answers;
  }

  async attributes(id: string, signal: AbortSignal) {
    const { access, routes } = this.deps;
    const place = await access.locate(id, 'read', signal);
    const known = await requireReadable(this.deps, place, signal);
    const path = known?.wordPath ?? (await routes.pathOf(place.documentId, signal));
    const attributes = (await routes.attributesOf([id], signal))[id] ?? (await routes.attributes(id, signal));
    return {
      document: { id: place.documentId, title: place.documentTitle, path },
      notebook: place.notebook,
      attributes: shown(attributes),
    };
  }

  private async infoOf(id: string, signal: AbortSignal): Promise<BlockInfo> {
    const { document, notebook, attributes } = await this.attributes(id, signal);
    const breadcrumb = await this.breadcrumbOf(id, document, signal);
    return {
      id,
      ...breadcrumb.own,
      document,
      notebook,
      breadcrumb: breadcrumb.crumbs,
      backlinks: await this.countBacklinks(id, signal),
      attributes,
      databases: (attributes['custom-avs'] ?? '').split(',').filter((each) => each !== ''),
    };
  }

  /** The kernel gives the ids; its texts would contain text of referenced blocks, so they are read again. */
  private async breadcrumbOf(id: string, document: { readonly id: string; readonly title: string }, signal: AbortSignal) {
    const ids = (await this.deps.routes.breadcrumb(id, signal)).map((crumb) => crumb.id).filter((each) => each !== document.id);
    const doms = await this.deps.routes.doms(ids, signal);
    const views = await this.deps.viewer.view(
      ids.map((each) => doms[each] ?? ''),
      signal,
    );
    const crumbs = ids.map((each, index) => ({ id: each, text: views[index] ? crumbText(views[index].element) : '' }));
    const own = views[ids.indexOf(id)];
    if (id !== document.id && !own) throw noSuchBlock(id);
    const { type, subtype } = own ? this.deps.viewer.reading(own) : { type: 'd', subtype: '' };
    return { own: { type, subtype }, crumbs: [{ id: document.id, text: document.title }, ...crumbs] };
  }

  /** The index was flushed when it was asked whether the block may be read. */
  private async countBacklinks(id: string, signal: AbortSignal): Promise<number> {
    const { routes, access } = this.deps;
    const readable = new Set((await access.notebooks(signal)).filter(isVisible).map((book) => book.id));
    const rows = await routes.sql(
      'SELECT blocks.box AS box, count(DISTINCT blocks.id) AS n FROM refs JOIN blocks ON blocks.id = refs.block_id ' +
        `WHERE refs.def_block_id = ${quoted(id)} AND refs.block_id <> ${quoted(id)} GROUP BY blocks.box ` +
        `UNION ALL SELECT '${GUARD_ROW}', count(*) FROM attributes WHERE ${IS_GUARD} LIMIT ${MAX_BACKLINKS}`,
      signal,
    );
    if (access.scope.isNarrow || rows.some((row) => row.box === GUARD_ROW && Number(row.n) > 0)) return this.countReadable(id, signal);
    return rows.filter((row) => readable.has(String(row.box))).reduce((sum, row) => sum + Number(row.n), 0);
  }

  private async countReadable(id: string, signal: AbortSignal): Promise<number> {
    const rows = await this.deps.routes.sql(
      `SELECT DISTINCT block_id FROM refs WHERE def_block_id = ${quoted(id)} AND block_id <> ${quoted(id)} LIMIT ${MAX_BACKLINKS}`,
      signal,
    );
    const places = await this.deps.access.look(
      rows.map((row) => String(row.block_id)),
      signal,
      'flushed',
    );
    return [...places.values()].filter((place) => place.readable).length;
  }
}
