import type { NotebookInfo } from '../../tools/contract/ports.ts';
import type { KernelClient } from '../kernel/kernel-client.ts';
import type { KernelRoutes } from '../kernel/kernel-routes.ts';
import { isGuarded } from './access-attribute.ts';
import type { AccessPolicy } from './access-policy.ts';
import { type Guard, listGuards } from './readable-blocks.ts';

/** SiYuan computes no embeddings of what this file names: lines as in `.gitignore`, over `/<notebook>/<path of ids>.sy`. */
const FILE = '/data/.siyuan/embeddingignore';
const FIRST = '# Marginalia: notes that the assistant may not read';
const LAST = '# Marginalia: end';

export interface EmbeddingIgnoreDeps {
  readonly client: Pick<KernelClient, 'readFile' | 'writeFile'>;
  readonly routes: Pick<KernelRoutes, 'sql' | 'flushIndex' | 'attributesOf' | 'removeFile'>;
  readonly policy: Pick<AccessPolicy, 'right'>;
  readonly allNotebooks: (signal: AbortSignal) => Promise<readonly Pick<NotebookInfo, 'id'>[]>;
}

export interface EmbeddingIgnorePlan {
  /** What would be written, between lines of other hands; '' where nothing is kept private. */
  readonly text: string;
  /** What is written now; '' for nothing. */
  readonly written: string;
}

/**
 * A notebook by its folder. A document by its id, wherever it is moved, with what is below it; SiYuan leaves out whole documents only, so
 * that of a guarded block is left out too, alone.
 */
export function ignoreLines(notebooks: readonly string[], guards: readonly Guard[]): string {
  const closed = new Set([...notebooks, ...guards.flatMap(({ id, notebook }) => (id === notebook ? id : []))]);
  const inside = guards.filter(({ notebook }) => !closed.has(notebook));
  const lines = inside.flatMap(({ id, document }) => (id === document ? [`${document}.sy`, `${document}/`] : [`${document}.sy`]));
  const all = [...[...closed].map((id) => `/${id}/`), ...new Set(lines)].sort();
  return all.length === 0 ? '' : [FIRST, ...all, LAST].join('\n');
}

/** What stands before, in and behind our lines. */
function partsOf(file: string): readonly [before: string, ours: string, behind: string] {
  const lines = file.replaceAll('\r\n', '\n').split('\n');
  const first = lines.indexOf(FIRST);
  const last = lines.indexOf(LAST, first);
  if (first < 0 || last < 0) return [lines.join('\n'), '', ''];
  const join = (from: number, to?: number): string => lines.slice(from, to).join('\n');
  return [join(0, first), join(first, last + 1), join(last + 1)];
}

/** The file with these lines instead of ours; every other line stays as it is. */
export function withOurLines(file: string, text: string): string {
  const [before, , behind] = partsOf(file);
  const parts = [before.replace(/\n+$/, ''), text, behind.replace(/^\n+/, '').replace(/\n+$/, '')].filter((part) => part !== '');
  return parts.map((part) => `${part}\n`).join('');
}

/** What keeps notes that the assistant may not read from the service that computes the host's embeddings. Nothing is written unasked. */
export class EmbeddingIgnore {
  private readonly deps: EmbeddingIgnoreDeps;

  constructor(deps: EmbeddingIgnoreDeps) {
    this.deps = deps;
  }

  async plan(signal: AbortSignal): Promise<EmbeddingIgnorePlan> {
    const { routes, policy, allNotebooks } = this.deps;
    await routes.flushIndex(signal);
    const books = (await allNotebooks(signal)).map(({ id }) => id);
    const attributes = await routes.attributesOf(books, signal);
    const closed = books.filter((id) => policy.right(id) === 'none' || isGuarded(attributes[id]));
    return { text: ignoreLines(closed, await listGuards(routes, signal)), written: partsOf(await this.read(signal))[1] };
  }

  /** Writes exactly the text that was shown. */
  async write({ text }: Pick<EmbeddingIgnorePlan, 'text'>, signal: AbortSignal): Promise<void> {
    await this.put(withOurLines(await this.read(signal), text), signal);
  }

  async remove(signal: AbortSignal): Promise<void> {
    await this.put(withOurLines(await this.read(signal), ''), signal);
  }

  private async read(signal: AbortSignal): Promise<string> {
    return (await this.deps.client.readFile(FILE, signal)) ?? '';
  }

  private async put(file: string, signal: AbortSignal): Promise<void> {
    if (file.trim() === '') await this.deps.routes.removeFile(FILE, signal);
    else await this.deps.client.writeFile(FILE, file, signal);
  }
}
