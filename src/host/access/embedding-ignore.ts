import { isSeen } from '../../tools/contract/notebook-right.ts';
import type { NotebookInfo } from '../../tools/contract/ports.ts';
import type { KernelClient } from '../kernel/kernel-client.ts';
import type { KernelRoutes } from '../kernel/kernel-routes.ts';
import { isGuarded } from './access-attribute.ts';
import type { AccessPolicy } from './access-policy.ts';
import { type Guard, listGuards } from './readable-blocks.ts';

/** SiYuan computes no embeddings for what this file lists: lines as in `.gitignore`, over `/<notebook>/<path of ids>.sy`. */
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
  /** The new lines, between the lines of others; '' if nothing is private. */
  readonly text: string;
  /** The lines that the file has now; '' if none. */
  readonly written: string;
}

/** Notebooks by folder, documents by id, so that a moved one stays listed; of a guarded block the document without those below it. */
export function ignoreLines(notebooks: readonly string[], guards: readonly Guard[]): string {
  const closed = new Set([...notebooks, ...guards.flatMap(({ id, notebook }) => (id === notebook ? id : []))]);
  const inside = guards.filter(({ notebook }) => !closed.has(notebook));
  const lines = inside.flatMap(({ id, document }) => (id === document ? [`${document}.sy`, `${document}/`] : [`${document}.sy`]));
  const all = [...[...closed].map((id) => `/${id}/`), ...new Set(lines)].sort();
  return all.length === 0 ? '' : [FIRST, ...all, LAST].join('\n');
}

function partsOf(file: string): readonly [before: string, ours: string, behind: string] {
  const lines = file.replaceAll('\r\n', '\n').split('\n');
  const first = lines.indexOf(FIRST);
  const last = lines.indexOf(LAST, first);
  if (first < 0 || last < 0) return [lines.join('\n'), '', ''];
  const join = (from: number, to?: number): string => lines.slice(from, to).join('\n');
  return [join(0, first), join(first, last + 1), join(last + 1)];
}

export function withOurLines(file: string, text: string): string {
  const [before, , behind] = partsOf(file);
  const parts = [before.replace(/\n+$/, ''), text, behind.replace(/^\n+/, '').replace(/\n+$/, '')].filter((part) => part !== '');
  return parts.map((part) => `${part}\n`).join('');
}

/** Excludes notes that the assistant may not read from the host's embedding service. Writes only when the user asks for it. */
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
    const closed = books.filter((id) => !isSeen(policy.right(id)) || isGuarded(attributes[id]));
    return { text: ignoreLines(closed, await listGuards(routes, signal)), written: partsOf(await this.read(signal))[1] };
  }

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
