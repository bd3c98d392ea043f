import type { Clock } from '../../tools/contract/ports.ts';
import { plainWords } from '../../tools/util/plain-words.ts';
import { type IndexState, type ReadableBlocks, titleIn } from '../access/readable-blocks.ts';
import { serializeBlock, timestamp } from '../blocks/block-dom.ts';
import { hashOfContent, hashText, shortHash } from '../blocks/block-hash.ts';
import type { MarkdownEngine } from '../blocks/markdown-engine.ts';
import type { KernelRoutes } from '../kernel/kernel-routes.ts';
import { createBlockViewer } from '../reading/block-view.ts';
import { batchesOf } from '../sql/sql-text.ts';
import type { CitedSource } from './cited-sources.ts';

export interface SourceState extends Omit<CitedSource, 'id'> {
  readonly hides: boolean;
}

export interface SourceDeps {
  readonly routes: KernelRoutes;
  readonly access: ReadableBlocks;
  readonly engine: MarkdownEngine;
}

/** SiYuan counts in seconds: a block that changes again in this time has the same time of change. */
const SAME_TIME_MS = 2000;

export function citedSource(id: string, state: SourceState, clock: Clock): CitedSource {
  const { hash, updated, documentId, notebook, words } = state;
  const recent = timestamp({ ...clock, now: () => clock.now() - SAME_TIME_MS });
  return { id, hash, updated: updated >= recent ? '' : updated, documentId, notebook, words };
}

const DOMS_PER_REQUEST = 1000;

const wordsOf = (markdown: string): string => plainWords(markdown).replace(/\s+/g, ' ');

/** Those that may be read. Ids that are missing in it are in `absent`, if the index does not know them, or may not be read. */
export async function readSources(
  { routes, access, engine }: SourceDeps,
  ids: readonly string[],
  signal: AbortSignal,
  index: IndexState = 'lagging',
): Promise<{ readonly states: ReadonlyMap<string, SourceState>; readonly absent: ReadonlySet<string> }> {
  const states = new Map<string, SourceState>();
  if (ids.length === 0) return { states, absent: new Set() };
  const places = await access.look(ids, signal, index);
  const absent = new Set(ids.filter((id) => !places.has(id)));
  const readable = [...places.values()].filter((place) => place.readable);
  for (const { id, type, wordPath, updated, notebook } of readable)
    if (type === 'd') {
      const title = titleIn(wordPath);
      states.set(id, { hash: shortHash(hashText(title)), words: wordsOf(title), updated, documentId: id, notebook, hides: false });
    }
  const viewer = createBlockViewer({ engine, readable: access });
  for (const batch of batchesOf(
    readable.filter(({ type }) => type !== 'd'),
    DOMS_PER_REQUEST,
  )) {
    const doms = await routes.doms(
      batch.map(({ id }) => id),
      signal,
    );
    const views = await viewer.view(
      batch.map(({ id }) => doms[id] ?? ''),
      signal,
    );
    for (const [at, view] of views.entries()) {
      const place = batch[at];
      if (!place) continue;
      const { id, updated, documentId, notebook } = place;
      if ((doms[id] ?? '') === '') absent.add(id);
      if (!view) continue;
      const hash = shortHash(hashOfContent(serializeBlock(view.element)));
      states.set(id, { hash, words: wordsOf(viewer.markdown(view.element)), updated, documentId, notebook, hides: view.changed });
    }
  }
  return { states, absent };
}
