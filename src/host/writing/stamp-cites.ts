import type { Clock } from '../../tools/contract/ports.ts';
import { type CitedSource, citedIn, citesOf, MOST_CITED, writeCites } from '../answers/cited-sources.ts';
import { citedSource, readSources, type SourceDeps } from '../answers/source-states.ts';
import { allBlocks, type BlockElement, blockId, parseBlock } from '../blocks/block-dom.ts';
import type { PreparedOperation } from '../transactions/prepared-plan.ts';

/** The values of `CITES_ATTRIBUTE` by block id: '' for a block that cites nothing. */
export type CitesByBlock = ReadonlyMap<string, string>;

interface Citing {
  readonly blockId: string;
  /** Kept as they are: the block's text about them was not made again. */
  readonly kept: readonly CitedSource[];
  readonly fresh: readonly string[];
}

/** A model cites what it refers to; a reference that was in the block before may be a person's. */
function citingOf({ blockId: id, dom, before }: PreparedOperation): Citing | undefined {
  const block = parseBlock(dom);
  if (!block) return undefined;
  const inside = new Set(allBlocks(block).map(blockId));
  const now = citedIn(block).filter((each) => !inside.has(each));
  const old: BlockElement | undefined = before ? parseBlock(before.dom) : undefined;
  const kept = old ? citesOf(old).filter((cite) => now.includes(cite.id)) : [];
  const known = new Set(old ? citedIn(old) : []);
  return { blockId: id, kept, fresh: now.filter((each) => !known.has(each)).slice(0, MOST_CITED - kept.length) };
}

/** The current citations of the written blocks, without unreadable ones: no words of those get into a note. */
export async function citesOfOperations(
  deps: SourceDeps & { readonly clock: Clock },
  operations: readonly PreparedOperation[],
  signal: AbortSignal,
): Promise<CitesByBlock> {
  const citing = operations.flatMap((operation) =>
    operation.action === 'insert' || operation.action === 'update' ? (citingOf(operation) ?? []) : [],
  );
  const ids = [...new Set(citing.flatMap(({ fresh }) => fresh))];
  const { states } = await readSources(deps, ids, signal);
  return new Map(
    citing.map(({ blockId: id, kept, fresh }) => {
      const added = fresh.flatMap((each) => {
        const state = states.get(each);
        return state ? [citedSource(each, state, deps.clock)] : [];
      });
      return [id, writeCites([...kept, ...added])];
    }),
  );
}
