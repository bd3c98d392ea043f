import type { AssetStore } from '../../chat/ports/assets.ts';
import type { AssetFile, AssetPage, AssetPlace, AssetQueries, AssetReading, UnusedAssets } from '../../tools/contract/assets.ts';
import { ToolError } from '../../tools/contract/errors.ts';
import { assetPath, requireAssetPath } from '../../tools/file-text/asset-path.ts';
import { percentDecoded } from '../../tools/safe-content/normal-text.ts';
import type { Access } from '../access/access.ts';
import { titleIn } from '../access/readable-blocks.ts';
import { MOST_UNUSED } from '../kernel/asset-routes.ts';
import { KernelRefusal } from '../kernel/kernel-client.ts';
import type { KernelRoutes } from '../kernel/kernel-routes.ts';
import { quoted } from '../sql/sql-text.ts';

export interface NoteAssetsDeps {
  readonly routes: KernelRoutes;
  readonly access: Access;
  readonly assets: Pick<AssetStore, 'read'>;
}

/** Bytes of a file that is read: a page holds it in memory several times. */
const MAX_BYTES = 25 * 1024 * 1024;
const MOST_USES = 100_000;

type Entries = NonNullable<Awaited<ReturnType<KernelRoutes['readDir']>>>;

interface Use {
  readonly path: string;
  readonly block: string;
}

/** The folder of a file: the common one, or the notebook's own. */
interface StoredAsset {
  /** Its folder in the workspace, above `assets`. */
  readonly folder: string;
  readonly address: string;
  readonly size: number;
}

/** A condition on a row's block: the block itself and those in it. */
const inBlock = (id: string): string =>
  `block_id IN (WITH RECURSIVE below(id) AS (VALUES (${quoted(id)}) ` +
  'UNION SELECT blocks.id FROM blocks JOIN below ON blocks.parent_id = below.id) SELECT id FROM below)';

/** Uses of files in text, title pictures, marks of PDFs and plugins' attributes; files in cells are read by the databases tools. */
const usesWhere = (condition: string, ofPath = '1'): string =>
  `SELECT block, path FROM (SELECT block_id AS block, path FROM assets WHERE ${condition} ` +
  `UNION SELECT block_id, file_path FROM file_annotation_refs WHERE ${condition} ` +
  `UNION SELECT block_id, value FROM attributes WHERE substr(name, 1, 18) = 'custom-data-assets' AND ${condition}) ` +
  `WHERE ${ofPath} LIMIT ${MOST_USES}`;

/** With or without what follows `?`, such as the page of a PDF. */
const hasPath = (path: string): string => `(trim(path) = ${quoted(path)} OR instr(trim(path), ${quoted(`${path}?`)}) = 1)`;

/** Models also write the address as a link needs it. */
function spellings(path: string): readonly string[] {
  const decoded = percentDecoded(path);
  return decoded === path || assetPath(decoded) === undefined ? [path] : [path, decoded];
}

/** From `assets/` on, also of a file in a notebook's own folder. */
const commonPath = (path: string): string => path.slice(Math.max(0, path.indexOf('assets/')));

function addressIn(path: string): string {
  const at = path.indexOf('/assets/');
  return at > 0 ? `${path.slice(at + 1)}?box=${path.slice(0, path.indexOf('/'))}` : path;
}

/** Files that readable notes use. What only hidden notes use gets the same answers as what does not exist. */
export class NoteAssets implements AssetQueries {
  private readonly deps: NoteAssetsDeps;
  private readonly folders = new Map<string, Promise<Entries>>();

  constructor(deps: NoteAssetsDeps) {
    this.deps = deps;
  }

  async assets({ in: scope, page, pageSize }: Parameters<AssetQueries['assets']>[0], signal: AbortSignal): Promise<AssetPage> {
    const condition = await this.scopeOf(scope, signal);
    const byPath = await this.readableUses(await this.uses(usesWhere(condition), signal), signal);
    const start = (page - 1) * pageSize;
    const paths = [...byPath.keys()].sort();
    const items = await Promise.all(
      paths.slice(start, start + pageSize).map(async (path): Promise<AssetReading> => {
        const places = byPath.get(path) ?? [];
        return { path, places, size: (await this.stored(path, places, signal))?.size ?? null };
      }),
    );
    return { items, total: paths.length, nextPage: start + pageSize < paths.length ? page + 1 : null };
  }

  async unusedAssets({ page, pageSize }: { page: number; pageSize: number }, signal: AbortSignal): Promise<UnusedAssets> {
    const { routes, access } = this.deps;
    if (await access.hidesAnything(signal))
      throw new ToolError(
        'no_right',
        'unused files are not listed while a notebook is hidden from the model, closed or encrypted, or a document or block is hidden',
        'tell the user that SiYuan itself lists them: Settings, Assets, unreferenced',
      );
    const all = await routes.unusedAssets(signal);
    const files = all.filter((path) => assetPath(commonPath(path)) !== undefined);
    const start = (page - 1) * pageSize;
    const items = await Promise.all(
      files.slice(start, start + pageSize).map(async (path) => ({ path, size: await routes.assetSize(addressIn(path), signal) })),
    );
    const nextPage = start + pageSize < files.length ? page + 1 : null;
    return { items, total: files.length, isCut: all.length >= MOST_UNUSED, nextPage };
  }

  async assetFile(address: string, signal: AbortSignal): Promise<AssetFile> {
    const { path, places, stored } = await this.find(address, signal);
    return { path, places, size: stored.size, bytes: await this.deps.assets.read(stored.address, signal) };
  }

  /** A file that can be read, and where notes use it. Rejects like `assetFile`. */
  async find(address: string, signal: AbortSignal): Promise<Omit<AssetReading, 'size'> & { readonly stored: StoredAsset }> {
    const asked = requireAssetPath(address);
    const uses = await this.uses(usesWhere('1', spellings(asked).map(hasPath).join(' OR ')), signal);
    const [[path, places] = [asked, []]] = await this.readableUses(uses, signal);
    // A file that no readable block uses does not exist.
    const stored = places.length === 0 ? undefined : await this.stored(path, places, signal);
    if (!stored)
      throw new ToolError('not_found', `no note that may be read uses a file "${path}"`, 'call assets op=list for the files of a note');
    if (stored.size > MAX_BYTES)
      throw new ToolError(
        'too_large',
        `"${path}" has ${Math.round(stored.size / 2 ** 20)} MB`,
        'tell the user that files up to 25 MB are read',
      );
    return { path, places, stored };
  }

  /** Flushes the index: earlier writes count. */
  private async uses(stmt: string, signal: AbortSignal): Promise<readonly Use[]> {
    const { routes } = this.deps;
    await routes.flushIndex(signal);
    const rows = await routes.sql(stmt, signal);
    return rows.flatMap(({ block, path }) => {
      const plain = assetPath(String(path));
      return plain === undefined ? [] : [{ path: plain, block: String(block) }];
    });
  }

  /** An SQL condition on a row. Rejects like `locate`. */
  private async scopeOf(id: string | undefined, signal: AbortSignal): Promise<string> {
    const { access } = this.deps;
    if (id === undefined) return '1';
    const books = await access.notebooks(signal);
    if (books.some((book) => book.id === id)) return `box = ${quoted((await access.requireNotebook(id, 'read', signal)).id)}`;
    const { documentId } = await access.locateDocument(id, signal);
    return id === documentId ? `root_id = ${quoted(id)}` : inBlock(id);
  }

  private async readableUses(uses: readonly Use[], signal: AbortSignal): Promise<ReadonlyMap<string, readonly AssetPlace[]>> {
    const { access } = this.deps;
    const names = new Map((await access.notebooks(signal)).map(({ id, name }) => [id, name] as const));
    const blocks = await access.look(
      uses.map(({ block }) => block),
      signal,
      'flushed',
    );
    const byPath = new Map<string, AssetPlace[]>();
    for (const { path, block } of uses) {
      const place = blocks.get(block);
      if (!place?.readable) continue;
      const document = { id: place.documentId, title: titleIn(place.wordPath), path: place.wordPath };
      const known = byPath.get(path) ?? [];
      if (known.some(({ id }) => id === block)) continue;
      known.push({ id: block, document, notebook: { id: place.notebook, name: names.get(place.notebook) ?? '' } });
      byPath.set(path, known);
    }
    return byPath;
  }

  /** The file in the common folder, else in that of a notebook that uses it; the kernel's routes would also search hidden notebooks. */
  private async stored(path: string, places: readonly AssetPlace[], signal: AbortSignal): Promise<StoredAsset | undefined> {
    const { routes } = this.deps;
    const boxes = [...new Set(places.map(({ notebook }) => notebook.id))];
    const candidates = [
      { folder: '/data', address: path },
      ...boxes.map((box) => ({ folder: `/data/${box}`, address: `${path}?box=${box}` })),
    ];
    for (const { folder, address } of candidates) {
      if (!(await this.isFile(folder, path, signal))) continue;
      const size = await routes.assetSize(address, signal);
      if (size !== null) return { folder, address, size };
    }
    return undefined;
  }

  /** A symbolic link counts as nothing: it may lead anywhere. */
  private async isFile(root: string, path: string, signal: AbortSignal): Promise<boolean> {
    const parts = path.split('/');
    for (let length = 1; length < parts.length; length++) {
      const entries = await this.entriesIn([root, ...parts.slice(0, length)].join('/'), signal);
      const entry = entries.find(({ name }) => name === parts[length]);
      const isLast = length === parts.length - 1;
      if (!entry || entry.isSymlink || entry.isDir === isLast) return false;
    }
    return true;
  }

  private entriesIn(folder: string, signal: AbortSignal): Promise<Entries> {
    const listed = this.folders.get(folder) ?? listFolder(this.deps.routes, folder, signal);
    this.folders.set(folder, listed);
    return listed;
  }
}

async function listFolder(routes: KernelRoutes, folder: string, signal: AbortSignal): Promise<Entries> {
  try {
    return (await routes.readDir(folder, signal)) ?? [];
  } catch (error) {
    if (error instanceof KernelRefusal && error.kernelCode === 404) return [];
    throw error;
  }
}
