import { ToolError } from '../../tools/contract/errors.ts';
import { NEVER } from '../../tools/util/abort.ts';
import { allBlocks, type BlockElement, blockId, blockType, parseBlock, serializeBlock } from '../blocks/block-dom.ts';
import type { KernelOperation } from '../kernel/kernel-routes.ts';
import { type BlockTree, loadTree } from '../tree/block-tree.ts';
import { plainAmong } from '../tree/near-tree.ts';
import { type BlockWrite, MAX_OPERATIONS } from './block-writer.ts';
import { withInserted } from './card-writes.ts';
import type { SendDeps } from './send-steps.ts';
import type { WriteStep } from './write-step.ts';

/** Unhides blocks without a folded heading above them, after an insert or a fold in between. A folded one above hides the rest. */
export async function showHiddenByFolds({ routes, writer }: SendDeps, documentIds: readonly string[]): Promise<void> {
  const plain = await plainAmong(routes, documentIds, NEVER);
  const tree = await loadTree(
    routes,
    documentIds.filter((id) => !plain.has(id)),
    NEVER,
  );
  const buried = tree.buried();
  if (buried.length === 0) return;
  const headings = new Set(buried.flatMap((id) => tree.headingAbove(id) ?? []));
  const doms = await routes.doms(
    buried.filter((id) => tree.headingAbove(id) === undefined),
    NEVER,
  );
  await writer.amend([
    ...[...headings].map((id): KernelOperation => ({ action: 'unfoldHeading', id })),
    ...Object.entries(doms).flatMap(([id, dom]) => unhiding(dom, tree.hiddenBelow(id).length > 0)),
  ]);
}

/** SiYuan's marks on every block of a section when its heading is folded; the heading itself has `fold` only. */
const MARKS = ['fold', 'heading-fold'] as const;

const isHidden = (block: BlockElement): boolean => block.attribs['heading-fold'] === '1';

function changed(dom: string, change: (block: BlockElement, root: BlockElement) => boolean): string {
  const root = parseBlock(dom);
  if (!root) return dom;
  const touched = allBlocks(root).filter((block) => change(block, root));
  return touched.length > 0 ? serializeBlock(root) : dom;
}

function unfolded(dom: string, keepsFold: boolean): string {
  const outside = parseBlock(dom);
  if (!outside || !isHidden(outside)) return dom;
  return changed(dom, (block, root) => {
    if (!isHidden(block)) return false;
    delete block.attribs['heading-fold'];
    if (block !== root || !keepsFold) delete block.attribs.fold;
    return true;
  });
}

/** The block as it is inside a folded section. A heading is not folded itself: blocks may still be inserted directly after it. */
function hidden(dom: string): string {
  return changed(dom, (block) => {
    if (isHidden(block)) return false;
    for (const name of MARKS) if (name !== 'fold' || blockType(block) !== 'h') block.attribs[name] = '1';
    return true;
  });
}

/** The block with its parts that are also in `like` hidden or visible as they are there. */
export function foldedLike(dom: string, like: string): string {
  const old = parseBlock(like);
  const known = new Map(old ? allBlocks(old).map((block) => [blockId(block), block]) : []);
  return changed(dom, (block) => {
    const before = known.get(blockId(block));
    if (!before || isHidden(before) === isHidden(block)) return false;
    for (const name of MARKS) {
      delete block.attribs[name];
      if (before.attribs[name] !== undefined) block.attribs[name] = before.attribs[name];
    }
    return true;
  });
}

/** Changes only the marks, so that what somebody types in the block meanwhile stays. */
function markWrites(from: string, to: string): BlockWrite[] {
  const [old, fresh] = [parseBlock(from), parseBlock(to)];
  if (!old || !fresh || from === to) return [];
  const oldBlocks = new Map(allBlocks(old).map((block) => [blockId(block), block]));
  return allBlocks(fresh).flatMap((block) => {
    const id = blockId(block);
    const names = MARKS.filter((name) => (oldBlocks.get(id)?.attribs[name] ?? '') !== (block.attribs[name] ?? ''));
    if (names.length === 0) return [];
    const marks = (source: BlockElement | undefined): string =>
      JSON.stringify(Object.fromEntries(names.map((name) => [name, source?.attribs[name] ?? ''])));
    const operation = { action: 'setAttrs' as const, id, data: marks(block) };
    return [{ operation, inverse: { action: 'setAttrs' as const, id, data: marks(oldBlocks.get(id)) } }];
  });
}

const unhiding = (dom: string, keepsFold: boolean): KernelOperation[] =>
  markWrites(dom, unfolded(dom, keepsFold)).map(({ operation }) => operation);

/** Unhides blocks that left a folded section of `tree`. `joins`: hides entering ones, which the kernel would else leave behind. */
export function settleFolds(step: WriteStep, tree: BlockTree, joins: boolean): WriteStep {
  if (step.action !== 'insert' && step.action !== 'move') return step;
  const { blockId: id } = step;
  let { dom } = step;
  const isCovered = tree.isCovered(id);
  if (!isCovered) {
    dom = unfolded(dom, tree.hiddenBelow(id).length > 0);
    tree.uncover(id);
  } else if (joins) dom = hidden(dom);
  if (step.action === 'insert') {
    if (dom === step.dom) return step;
    return withInserted(step, dom);
  }
  const marks = markWrites(step.before?.dom ?? '', dom);
  if (step.writes.length + marks.length > MAX_OPERATIONS) {
    if (isCovered) return step;
    throw tooLarge(id);
  }
  return { ...step, dom, writes: [...step.writes, ...marks] };
}

const tooLarge = (id: string): ToolError =>
  new ToolError(
    'bad_target',
    `block ${id} is hidden under a folded heading and contains too many blocks to be moved out of it`,
    'ask the user to unfold the heading first',
  );

/** No block may keep the marks of a folded section without a folded heading above it. */
export function assertNoneBuried(tree: BlockTree, buriedBefore: ReadonlySet<string>): void {
  const buried = tree.buried().filter((id) => !buriedBefore.has(id));
  if (buried.length === 0) return;
  const named = buried.filter((id) => !tree.isGuarded(id)).slice(0, 50);
  throw new ToolError(
    'bad_target',
    'blocks are hidden by a folded heading that would no longer be above them',
    `ask the user to unfold the heading first${named.length > 0 ? `; they are: ${named.join(', ')}` : ''}`,
  );
}

const foldedInside = (root: BlockElement): BlockElement[] =>
  allBlocks(root)
    .slice(1)
    .filter((block) => blockType(block) === 'h' && block.attribs.fold === '1');

export function hasFoldInside(dom: string): boolean {
  const root = parseBlock(dom);
  return root !== undefined && foldedInside(root).length > 0;
}

/** When a container is updated, SiYuan itself adds the blocks of a folded heading inside it: they would appear twice. */
export function assertNoFoldInside(before: string, after: string): void {
  const [old, fresh] = [parseBlock(before), parseBlock(after)];
  if (!old || !fresh) return;
  const oldFolds = new Set(foldedInside(old).map(blockId));
  const heading = foldedInside(fresh).find((block) => oldFolds.has(blockId(block)));
  if (!heading) return;
  throw new ToolError(
    'bad_target',
    `heading ${blockId(heading)} in this block is folded, and SiYuan would write the blocks that it hides twice`,
    'ask the user to unfold it first, or edit the blocks inside by their own ids',
  );
}
