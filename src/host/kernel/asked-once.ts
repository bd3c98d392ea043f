import { Turns } from '../../tools/util/turns.ts';
import type { Attributes, KernelRoutes } from './kernel-routes.ts';

/** Answers of one kind, by question; a failed question is asked again. */
class Remembered<T> {
  private readonly answers = new Map<string, Promise<T>>();

  get(key: string, ask: () => Promise<T>): Promise<T> {
    const known = this.answers.get(key);
    if (known !== undefined) return known;
    const asked = ask();
    this.answers.set(key, asked);
    asked.catch(() => this.answers.delete(key));
    return asked;
  }
}

/** Requests the ids that nobody asked about yet in one request, together with those that will be needed (`likely`). */
function rememberedAttributes(routes: Pick<KernelRoutes, 'attributesOf'>, likely: Set<string>): KernelRoutes['attributesOf'] {
  const answers = new Map<string, Promise<Readonly<Record<string, Attributes>>>>();
  return async (ids, signal) => {
    const isFresh = (id: string): boolean => !answers.has(id);
    if (ids.some(isFresh)) {
      const fresh = [...new Set([...ids, ...likely])].filter(isFresh);
      const answer = routes.attributesOf(fresh, signal);
      for (const id of fresh) answers.set(id, answer);
      answer.catch(() => {
        for (const id of fresh) answers.delete(id);
      });
    }
    const found: Record<string, Attributes> = {};
    for (const id of ids) {
      const attributes = (await answers.get(id))?.[id];
      if (attributes) found[id] = attributes;
    }
    return found;
  };
}

/** The maximum number of concurrent requests of one reading. */
const SIDE_BY_SIDE = 6;

type Notebooks = Awaited<ReturnType<KernelRoutes['notebooks']>>;

/** Keeps the list of notebooks from the rights check before a call until the first reading in it; both have its signal. */
export interface ListBeforeCall {
  keep(signal: AbortSignal, list: Notebooks): void;
  /** Only once: later reads of the call check again. */
  take(signal: AbortSignal): Notebooks | undefined;
}

export function listBeforeCall(): ListBeforeCall {
  const kept = new WeakMap<AbortSignal, Notebooks>();
  return {
    keep: (signal, list) => void kept.set(signal, list),
    take: (signal) => {
      const list = kept.get(signal);
      kept.delete(signal);
      return list;
    },
  };
}

/** The kernel for one reading, asked once for rights and locations; the next reading creates a new one, so changes take effect. */
export function askedOnce(routes: KernelRoutes, listed?: Notebooks): KernelRoutes {
  const notebooks = new Remembered<Notebooks>();
  const flushes = new Remembered<void>();
  const rows = new Remembered<Awaited<ReturnType<KernelRoutes['sql']>>>();
  const infos = new Remembered<Awaited<ReturnType<KernelRoutes['blockInfo']>>>();
  const paths = new Remembered<string>();
  /** Documents above a block that was looked up: the rights check asks for them next. */
  const likely = new Set<string>();
  const turns = new Turns(SIDE_BY_SIDE);
  const blockInfo: KernelRoutes['blockInfo'] = async (id, signal) => {
    const info = await routes.blockInfo(id, signal);
    for (const each of [id, ...info.path.replace(/\.sy$/, '').split('/')]) if (each !== '') likely.add(each);
    return info;
  };
  return {
    ...routes,
    notebooks: (signal) => notebooks.get('', async () => listed ?? routes.notebooks(signal)),
    flushIndex: (signal) => flushes.get('', () => routes.flushIndex(signal)),
    sql: (stmt, signal) => rows.get(stmt, () => routes.sql(stmt, signal)),
    blockInfo: (id, signal) => infos.get(id, () => blockInfo(id, signal)),
    pathOf: (id, signal) => paths.get(id, () => routes.pathOf(id, signal)),
    // Called for many documents at once.
    documentsAt: (notebook, path, signal) => turns.take(() => routes.documentsAt(notebook, path, signal)),
    documentWindow: (id, index, size, signal) => turns.take(() => routes.documentWindow(id, index, size, signal)),
    outline: (id, signal) => turns.take(() => routes.outline(id, signal)),
    attributesOf: rememberedAttributes(routes, likely),
  };
}
