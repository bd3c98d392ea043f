import type { PlanNotice } from '../../tools/contract/plans.ts';
import { allBlocks, type BlockElement, blockId, blockType, parseBlock } from '../blocks/block-dom.ts';
import type { KernelRoutes } from '../kernel/kernel-routes.ts';
import { batchesOf, quotedList } from '../sql/sql-text.ts';
import type { ReadableBlocks } from './readable-blocks.ts';

/** Attributes that people or plugins set on a block; those that SiYuan and this plugin set are excluded. */
const OWN_ATTRIBUTE = /^(custom-(?!marginalia-|avs$|riff-decks$|sy-).+|name|alias|memo|bookmark)$/;

const blocksIn = (doms: readonly string[]): BlockElement[] =>
  doms.flatMap((dom) => {
    const block = parseBlock(dom);
    return block ? allBlocks(block) : [];
  });

const hasRows = (block: BlockElement): boolean => (block.attribs['custom-avs'] ?? '') !== '';
const hasCards = (block: BlockElement): boolean => (block.attribs['custom-riff-decks'] ?? '') !== '';

/** True for blocks that the kernel does not restore fully: databases, and blocks bound to databases or flashcards. */
export const isBound = (dom: string): boolean =>
  blocksIn([dom]).some((block) => hasRows(block) || hasCards(block) || blockType(block) === 'av');

export interface LossDeps {
  readonly routes: Pick<KernelRoutes, 'sql' | 'flushIndex'>;
  readonly access: Pick<ReadableBlocks, 'look'>;
}

/** Notices about blocks elsewhere that refer to what is deleted. Those hidden from the model are shown to the person only. */
export async function referenceNotices(
  { routes, access }: LossDeps,
  /** Each selects `block_id` of references. */
  stmts: readonly string[],
  gone: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<readonly PlanNotice[]> {
  if (stmts.length === 0) return [];
  await routes.flushIndex(signal);
  const referring = new Set<string>();
  for (const stmt of stmts) for (const row of await routes.sql(stmt, signal)) referring.add(String(row.block_id));
  const places = [...(await access.look([...referring], signal, 'flushed')).values()].filter(({ id }) => !gone.has(id));
  const readable = places.filter((place) => place.readable).length;
  const notices: PlanNotice[] = [
    { code: 'references-lost', count: readable },
    { code: 'hidden-references-lost', count: places.length - readable, personOnly: true },
  ];
  return notices.filter((notice) => notice.count > 0);
}

/** The losses with these blocks: each kind with its count, without kinds whose count is 0. */
export async function lossNotices(deps: LossDeps, doms: readonly string[], signal: AbortSignal): Promise<readonly PlanNotice[]> {
  const blocks = blocksIn(doms);
  const ids = blocks.map(blockId);
  const stmts = batchesOf(ids).map(
    (batch) => `SELECT DISTINCT block_id FROM refs WHERE def_block_id IN (${quotedList(batch)}) LIMIT 1000000`,
  );
  const counts: PlanNotice[] = [
    {
      code: 'attributes-lost',
      count: blocks.flatMap((block) => Object.keys(block.attribs).filter((name) => OWN_ATTRIBUTE.test(name))).length,
    },
    { code: 'rows-lost', count: blocks.filter(hasRows).length },
    { code: 'flashcards-lost', count: blocks.filter(hasCards).length },
  ];
  const references = await referenceNotices(deps, stmts, new Set(ids), signal);
  return [...references, ...counts.filter((notice) => notice.count > 0)];
}
