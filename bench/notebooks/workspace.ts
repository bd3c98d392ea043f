import type { BenchKernel } from './bench-kernel.ts';
import { loadPieces, type Pieces } from './texts.ts';

/** Notes of the workspace that the cases name. */
export interface BenchWorkspace {
  readonly source: string;
  readonly notebook: string;
  readonly blocks: number;
  /** Notes by how many blocks they have; sizes as they were asked for. */
  readonly sized: ReadonlyMap<number, string>;
  /** Short notes, twenty of them and more. */
  readonly short: readonly string[];
  /** A block that many refer to. */
  readonly hub: string;
}

const SHORT_BLOCKS = 100;
const NOTES_ON_SHELF = 16;
const MANY = 1_000_000;

class Builder {
  private readonly kernel: BenchKernel;
  private readonly pieces: Pieces;
  readonly notebook: string;

  constructor(kernel: BenchKernel, pieces: Pieces, notebook: string) {
    this.kernel = kernel;
    this.pieces = pieces;
    this.notebook = notebook;
  }

  document(path: string, markdown: string): Promise<string> {
    return this.kernel.api('/api/filetree/createDocWithMd', { notebook: this.notebook, path, markdown });
  }

  async count(): Promise<number> {
    await this.kernel.api('/api/sqlite/flushTransaction', {});
    const stmt = `SELECT count(*) AS n FROM blocks WHERE box = '${this.notebook}' LIMIT 1`;
    const rows = await this.kernel.api<{ n: number }[]>('/api/query/sql', { stmt, mode: 'readonly' });
    return rows[0]?.n ?? 0;
  }

  /** Short notes until the notebook has so many blocks. */
  async fill(blocks: number, hub: string | undefined, from: number): Promise<string[]> {
    const ids: string[] = [];
    for (let count = await this.count(); count < blocks; count = await this.count()) {
      const missing = Math.max(1, Math.round((blocks - count) / SHORT_BLOCKS));
      for (let each = 0; each < missing; each += 1) {
        const seed = 1000 + from + ids.length;
        ids.push(
          await this.document(
            `/Shelf ${Math.floor((seed % 1000) / NOTES_ON_SHELF)}/Note ${seed}`,
            this.pieces.note(SHORT_BLOCKS, seed, hub),
          ),
        );
      }
    }
    return ids;
  }
}

/** The notebook of an earlier run, where a kernel that outlives us still has it. */
async function standing(kernel: BenchKernel, name: string): Promise<{ readonly id: string; readonly closed: boolean } | undefined> {
  const { notebooks } = await kernel.api<{ notebooks: { id: string; name: string; closed: boolean }[] }>('/api/notebook/lsNotebooks', {});
  return notebooks.find((each) => each.name === name);
}

async function found(kernel: BenchKernel, notebook: string, sizes: readonly number[], source: string): Promise<BenchWorkspace> {
  const at = async (path: string): Promise<string> =>
    (await kernel.api<string[]>('/api/filetree/getIDsByHPath', { notebook, path }))[0] ?? '';
  const sized = new Map<number, string>();
  for (const size of sizes) sized.set(size, await at(`/Long/${size}`));
  const stmt = `SELECT id FROM blocks WHERE box = '${notebook}' AND type = 'd' AND hpath LIKE '/Shelf %/Note %' ORDER BY hpath LIMIT ${MANY}`;
  const rows = await kernel.api<{ id: string }[]>('/api/query/sql', { stmt, mode: 'readonly' });
  const [hub] = await kernel.api<{ id: string }[]>('/api/block/getChildBlocks', { id: await at('/Hub') });
  const blocks = await new Builder(kernel, loadPieces(), notebook).count();
  return { source, notebook, blocks, sized, short: rows.map(({ id }) => id), hub: hub?.id ?? '' };
}

/** A notebook of `blocks` blocks with one long note of each size. Made once on a kernel that keeps it. */
export async function openWorkspace(kernel: BenchKernel, blocks: number, sizes: readonly number[]): Promise<BenchWorkspace> {
  const name = `Marginalia bench ${blocks}`;
  const pieces = loadPieces();
  const kept = await standing(kernel, name);
  if (kept !== undefined) return found(kernel, kept.id, sizes, pieces.source);
  const made = await kernel.api<{ notebook: { id: string } }>('/api/notebook/createNotebook', { name: `${name} (not finished)` });
  const builder = new Builder(kernel, pieces, made.notebook.id);
  const hubNote = await builder.document('/Hub', 'This is the hub of the bench.');
  const [hub] = await kernel.api<{ id: string }[]>('/api/block/getChildBlocks', { id: hubNote });
  for (const size of sizes) await builder.document(`/Long/${size}`, pieces.note(size, size, hub?.id));
  await builder.fill(blocks, hub?.id, 0);
  await kernel.api('/api/notebook/renameNotebook', { notebook: made.notebook.id, name });
  return found(kernel, made.notebook.id, sizes, pieces.source);
}

const EXTRAS = 'Marginalia bench extras';
const TREE_FOLDERS = 10;
const MENTIONS = 60;

/** A notebook of many folders, four levels deep, with a note that names the hub and does not refer to it; returns its id. Made once on a kernel that keeps it. */
export async function openExtras(kernel: BenchKernel): Promise<string> {
  const kept = await standing(kernel, EXTRAS);
  if (kept) return kept.id;
  const made = await kernel.api<{ notebook: { id: string } }>('/api/notebook/createNotebook', { name: `${EXTRAS} (not finished)` });
  const builder = new Builder(kernel, loadPieces(), made.notebook.id);
  for (let folder = 0; folder < TREE_FOLDERS; folder += 1) {
    for (const path of ['', '/A', '/A/Deep', '/A/Deep/Deeper', '/B', '/B/Deep', '/B/Deep/Deeper'])
      await builder.document(`/Folder ${folder}${path}`, 'A note in a tree.');
  }
  const mentions = Array.from({ length: MENTIONS }, (_one, index) => `Paragraph ${index} speaks of the hub.`);
  await builder.document('/Mentions', mentions.join('\n\n'));
  await builder.count();
  await kernel.api('/api/notebook/renameNotebook', { notebook: made.notebook.id, name: EXTRAS });
  return made.notebook.id;
}

/** An opened notebook is indexed in the background. It is only asked about: a flush meanwhile makes SiYuan hold rows twice. */
async function untilIndexed(kernel: BenchKernel, notebook: string, blocks: number): Promise<void> {
  const stmt = `SELECT count(*) AS n FROM blocks WHERE box = '${notebook}' LIMIT 1`;
  const rows = async () => (await kernel.api<{ n: number }[]>('/api/query/sql', { stmt, mode: 'readonly' }))[0]?.n ?? 0;
  for (let [before, now] = [-1, await rows()]; now < blocks || now !== before; [before, now] = [now, await rows()])
    await new Promise((resolve) => setTimeout(resolve, 3000));
}

/** Opens or closes a second notebook of so many blocks, which refers to nothing in the first. */
export async function openMore(kernel: BenchKernel, blocks: number, isOpen: boolean): Promise<void> {
  const name = `Marginalia bench more ${blocks}`;
  const kept = await standing(kernel, name);
  if (kept) {
    if (kept.closed === isOpen) await kernel.api(`/api/notebook/${isOpen ? 'open' : 'close'}Notebook`, { notebook: kept.id });
    if (isOpen) await untilIndexed(kernel, kept.id, blocks);
    return;
  }
  if (!isOpen) return;
  const made = await kernel.api<{ notebook: { id: string } }>('/api/notebook/createNotebook', { name: `${name} (not finished)` });
  await new Builder(kernel, loadPieces(), made.notebook.id).fill(blocks, undefined, 100_000);
  await kernel.api('/api/notebook/renameNotebook', { notebook: made.notebook.id, name });
}
