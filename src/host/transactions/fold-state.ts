import { ToolError } from '../../tools/contract/errors.ts';
import { allBlocks, type BlockElement, blockId, blockType, parseBlock, serializeBlock } from '../blocks/block-dom.ts';
import type { KernelOperation } from '../kernel/kernel-routes.ts';
import type { BlockTree } from '../tree/block-tree.ts';
import { type BlockWrite, MAX_OPERATIONS } from './block-writer.ts';
import type { WriteStep } from './write-step.ts';

/** What SiYuan puts on every block of a section when its heading is folded; the heading itself carries `fold` alone. */
const MARKS = ['fold', 'heading-fold'] as const;

const isHidden = (block: BlockElement): boolean => block.attribs['heading-fold'] === '1';

function changed(dom: string, change: (block: BlockElement, root: BlockElement) => boolean): string {
  const root = parseBlock(dom);
  if (!root) return dom;
  const touched = allBlocks(root).filter((block) => change(block, root));
  return touched.length > 0 ? serializeBlock(root) : dom;
}

/**
 * The block as it stands where nothing folded is above it. A heading that hides blocks of its own stays folded, and so does one inside a
 * block that was not hidden itself.
 */
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

/** The block as it stands in a section that is folded. A heading is not folded itself: what is yet to be put right after it goes there. */
function hidden(dom: string): string {
  return changed(dom, (block) => {
    if (isHidden(block)) return false;
    for (const name of MARKS) if (name !== 'fold' || blockType(block) !== 'h') block.attribs[name] = '1';
    return true;
  });
}

/** The block with those of its parts that stand in `like` too hidden or seen as they are there. */
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

/** Changes nothing but the marks, so that what somebody types into the block meanwhile stands. */
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

/** What takes the marks of a folded section from a block and from all in it. */
export const unhiding = (dom: string, keepsFold: boolean): KernelOperation[] =>
  markWrites(dom, unfolded(dom, keepsFold)).map(({ operation }) => operation);

/**
 * A block that has left a folded section is hidden no more. `tree` stands as it will. With `joins`, one that comes into such a section is
 * hidden like the rest of it: the kernel would leave it behind when the heading moves, and the order of the section would be lost.
 */
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
    return { ...step, dom, writes: step.writes.map((write) => ({ ...write, operation: { ...write.operation, data: dom } })) };
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
    `block ${id} is hidden under a folded heading and contains too many blocks to be moved out of there`,
    'ask the user to unfold the heading first',
  );

/** Blocks that would keep the marks of a folded section with no folded heading above them are not to come about. */
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

/** Folded headings inside of a block. */
const foldedInside = (root: BlockElement): BlockElement[] =>
  allBlocks(root)
    .slice(1)
    .filter((block) => blockType(block) === 'h' && block.attribs.fold === '1');

export function hasFoldInside(dom: string): boolean {
  const root = parseBlock(dom);
  return root !== undefined && foldedInside(root).length > 0;
}

/**
 * SiYuan puts what a folded heading inside of a container hides into the new version of the container by itself: what the new version
 * holds of it would stand twice.
 */
export function assertNoFoldInside(before: string, after: string): void {
  const [old, fresh] = [parseBlock(before), parseBlock(after)];
  if (!old || !fresh) return;
  const oldFolds = new Set(foldedInside(old).map(blockId));
  const heading = foldedInside(fresh).find((block) => oldFolds.has(blockId(block)));
  if (!heading) return;
  throw new ToolError(
    'bad_target',
    `heading ${blockId(heading)} in this block is folded, and SiYuan would write what it hides twice`,
    'ask the user to unfold it first, or edit the blocks inside by their own ids',
  );
}
