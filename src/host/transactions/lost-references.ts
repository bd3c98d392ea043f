import { ToolError } from '../../tools/contract/errors.ts';
import { allBlocks, blockId, isBlockId, parseBlock, serializeBlock } from '../blocks/block-dom.ts';
import { hashOfBlock } from '../blocks/block-hash.ts';
import { referencesIn } from '../blocks/block-references.ts';
import { idsIn } from '../blocks/emptied-container.ts';
import type { KernelRoutes } from '../kernel/kernel-routes.ts';
import { batchesOf, quotedList } from '../sql/sql-text.ts';
import type { BlockWrite } from './block-writer.ts';
import { withInserted } from './card-writes.ts';
import type { WriteStep } from './write-step.ts';

// SiYuan drops unresolvable references of a written block (docs/kernel.md#references): refused beforehand, or written again later.

/** Ids that a block refers to, except blocks inside it, which are written with it. */
function referredIds(dom: string): ReadonlySet<string> {
  const block = parseBlock(dom);
  if (!block) return new Set();
  const own = new Set(allBlocks(block).map(blockId));
  return new Set(
    referencesIn(block)
      .map(({ id }) => id)
      .filter((id) => id !== '' && !own.has(id)),
  );
}

/** The block as SiYuan would store it if it knew none of these ids. */
export function withoutReferences(dom: string, ids: ReadonlySet<string>): string {
  const block = parseBlock(dom);
  if (!block) return dom;
  const lost = referencesIn(block).filter(({ id }) => ids.has(id));
  for (const { span } of lost) Object.assign(span.attribs, { 'data-id': '', 'data-subtype': '' });
  return lost.length > 0 ? serializeBlock(block) : dom;
}

/** Of the blocks that these refer to, those unknown to SiYuan now, except those that are `coming`. */
export async function unknownReferences(
  routes: Pick<KernelRoutes, 'sql' | 'exists' | 'flushIndex'>,
  doms: readonly string[],
  signal: AbortSignal,
  coming: ReadonlySet<string> = new Set(),
): Promise<ReadonlySet<string>> {
  const unknown = new Set(doms.flatMap((dom) => [...referredIds(dom)].filter((id) => !coming.has(id))));
  if (unknown.size === 0) return unknown;
  await routes.flushIndex(signal);
  for (const batch of batchesOf([...unknown].filter(isBlockId))) {
    const rows = await routes.sql(`SELECT id FROM blocks WHERE id IN (${quotedList(batch)}) LIMIT ${batch.length * 2}`, signal);
    for (const row of rows) unknown.delete(String(row.id));
  }
  // The index may lag behind the kernel.
  for (const id of unknown) if (isBlockId(id) && (await routes.exists(id, signal))) unknown.delete(id);
  return unknown;
}

/** True if writing the block would drop one of these references. */
export const refersToAny = (dom: string, ids: ReadonlySet<string>): boolean => [...referredIds(dom)].some((id) => ids.has(id));

const referenceWouldBeLost = (id: string): ToolError =>
  new ToolError(
    'bad_target',
    `block ${id} refers to a block that SiYuan cannot find now: if it were written, SiYuan would remove the reference from it for good`,
    'ask the user to open the notebook that the reference leads to, or, if its target was deleted, to remove the reference',
  );

const writesContent = ({ action }: Pick<WriteStep, 'action'>): boolean => action === 'insert' || action === 'update';

/** Rejects with `bad_target` if a step or operation would write a reference that SiYuan drops, or could not restore one. */
export async function assertReferencesStay(
  routes: Pick<KernelRoutes, 'sql' | 'exists' | 'flushIndex'>,
  steps: readonly Pick<WriteStep, 'action' | 'blockId' | 'dom' | 'before'>[],
  signal: AbortSignal,
): Promise<void> {
  const writing = steps.filter(writesContent);
  const coming = new Set(writing.flatMap((step) => idsIn(step.dom)));
  const doms = writing.flatMap((step) => [step.dom, step.before?.dom ?? '']);
  const unknown = await unknownReferences(routes, doms, signal, coming);
  const lost = writing.find((step) => refersToAny(step.dom, unknown) || refersToAny(step.before?.dom ?? '', unknown));
  if (lost) throw referenceWouldBeLost(lost.blockId);
}

/** Writes the full block again when all that it refers to exists. */
function completion(step: WriteStep, cut: string): WriteStep {
  const write: BlockWrite = {
    operation: { action: 'update', id: step.blockId, data: step.dom },
    inverse: { action: 'update', id: step.blockId, data: cut },
  };
  const { blockId, dom, existing, documents } = step;
  return {
    action: 'update',
    blockId,
    dom,
    before: { dom: cut, hash: hashOfBlock(cut) },
    existing,
    writes: [write],
    documents,
    completes: true,
  };
}

/** Writes blocks after those that they refer to; new ones first without references. `existingIds`: from before all steps. */
export function referencesLast(steps: readonly WriteStep[], existingIds: ReadonlySet<string>): WriteStep[] {
  const bringing = new Map<string, number>();
  for (const [index, step] of steps.entries()) {
    if (!writesContent(step)) continue;
    for (const id of idsIn(step.dom)) if (step.action === 'insert' || !existingIds.has(id)) bringing.set(id, index);
  }
  const [now, later]: [WriteStep[], WriteStep[]] = [[], []];
  for (const [index, step] of steps.entries()) {
    const early = writesContent(step) ? [...referredIds(step.dom)].filter((id) => (bringing.get(id) ?? -1) > index) : [];
    if (early.length === 0) now.push(step);
    else if (step.action === 'update') later.push(step);
    else {
      const dom = withoutReferences(step.dom, new Set(early));
      now.push(withInserted(step, dom));
      later.push(completion(step, dom));
    }
  }
  return [...now, ...later];
}
