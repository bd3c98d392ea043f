import type { UndoReason } from '../../tools/contract/undo-reasons.ts';
import { allBlocks, type BlockElement, blockId, blockType, parseBlock, serializeBlock } from '../blocks/block-dom.ts';
import { hashOfBlock, KEPT_ATTRIBUTE } from '../blocks/block-hash.ts';
import { idsIn } from '../blocks/emptied-container.ts';
import { numberOf } from '../blocks/list-numbers.ts';
import type { JournalOperation } from '../journal/write-journal.ts';
import { isSameBlock } from '../transactions/block-writer.ts';
import { withNumber } from '../transactions/list-order.ts';
import { refersToAny } from '../transactions/lost-references.ts';
import type { BlockPosition, BlockTree } from '../tree/block-tree.ts';

type BlockAttributes = ReadonlyMap<string, Readonly<Record<string, string>>>;

/** Attributes that people set on a block, without folding and our own. */
const isTheirs = (name: string): boolean =>
  KEPT_ATTRIBUTE.test(name) && !/^(fold|heading-fold|parent-fold|av-names|custom-marginalia-.*)$/.test(name);

function blocksOf(dom: string): ReadonlyMap<string, BlockElement> {
  const root = parseBlock(dom);
  return new Map(root ? allBlocks(root).map((block) => [blockId(block), block]) : []);
}

/** Attributes of existing blocks that only `source` has: Markdown does not show them, so nobody chose to drop them. */
export function attributesBeyond(source: string, written: string, current: string): BlockAttributes {
  const [ours, now] = [blocksOf(written), blocksOf(current)];
  const found = new Map<string, Readonly<Record<string, string>>>();
  for (const [id, block] of blocksOf(source)) {
    const there = now.get(id);
    if (!there) continue;
    const isBeyond = (name: string): boolean => isTheirs(name) && !ours.get(id)?.attribs[name] && !there.attribs[name];
    const entries = Object.entries(block.attribs).filter(([name, value]) => value !== '' && isBeyond(name));
    if (entries.length > 0) found.set(id, Object.fromEntries(entries));
  }
  return found;
}

export function withAttributes(dom: string, attributes: BlockAttributes): string {
  const root = parseBlock(dom);
  if (!root || attributes.size === 0) return dom;
  for (const block of allBlocks(root)) Object.assign(block.attribs, attributes.get(blockId(block)));
  return serializeBlock(root);
}

export type UndoTask =
  | { readonly kind: 'update' | 'restore' | 'move-back'; readonly operation: JournalOperation; readonly now: string }
  | { readonly kind: 'remove'; readonly operation: JournalOperation; readonly now: string }
  /** The placeholder of a container that was restored without its blocks. */
  | { readonly kind: 'clear'; readonly operation: JournalOperation; readonly blockId: string; readonly now: string };

/** A block that undo leaves alone; `now` and `before` are block DOM, '' for gone, absent if there is nothing to choose. */
export interface BlockConflict {
  readonly blockId: string;
  readonly reasons: readonly UndoReason[];
  readonly now?: string;
  readonly before?: string;
  /** Added anyway: an attribute of somebody must not be lost because the write replaced it. */
  readonly attributes?: BlockAttributes;
}

const CHANGED: readonly UndoReason[] = [{ code: 'changed' }];
const GONE: readonly UndoReason[] = [{ code: 'removed' }];
const MOVED: readonly UndoReason[] = [{ code: 'moved' }];
const BACK: readonly UndoReason[] = [{ code: 'otherwise' }];
const ELSEWHERE: readonly UndoReason[] = [{ code: 'elsewhere' }];
const REFERENCE_LOST: readonly UndoReason[] = [{ code: 'reference-lost' }];
const HOMELESS: readonly UndoReason[] = [{ code: 'homeless' }];

/** A block that was never read back is compared with its sent form; the kernel may render it slightly differently. */
export const isOurWriting = (operation: JournalOperation, now: string): boolean =>
  operation.result === 'unknown'
    ? isSameBlock(operation.after.dom, now)
    : operation.result === 'applied' && hashOfBlock(now) === operation.after.hash;

/** Ids that restoring a block would add to those that it contains now. */
export function idsBrought(operation: JournalOperation, now: string): string[] {
  if (!operation.before || operation.action === 'insert' || operation.action === 'move') return [];
  const existing = new Set(now === '' ? [operation.blockId] : idsIn(now));
  return idsIn(operation.before.dom).filter((id) => !existing.has(id) && id !== operation.shell);
}

export interface UndoSnapshot {
  readonly tree: BlockTree;
  /** DOM by id; '' or missing for gone. */
  readonly doms: Readonly<Record<string, string>>;
  /** Of the ids that would be added, those that already exist somewhere. */
  readonly existing: ReadonlySet<string>;
  /** Ids that SiYuan does not know and nothing here restores: blocks that refer to them would lose the reference when restored. */
  readonly unknown: ReadonlySet<string>;
  /** Position in the transaction log before all this was read. */
  readonly position: number;
  /** DOM of containers that are removed once they are empty. */
  readonly containers?: Readonly<Record<string, string>>;
}

type UndoDecision = UndoTask | BlockConflict | 'done';

function judgeInsert(operation: JournalOperation, now: string, { tree }: UndoSnapshot): UndoDecision {
  if (now === '') return 'done';
  // Whoever moved it to another document wants it there.
  const isAway = operation.to !== undefined && tree.positionOf(operation.blockId)?.documentId !== operation.to.documentId;
  if (isAway) return { blockId: operation.blockId, reasons: MOVED, now, before: '' };
  if (!isOurWriting(operation, now)) return { blockId: operation.blockId, reasons: CHANGED, now, before: '' };
  return { kind: 'remove', operation, now };
}

/** The former number of an item of which a write changed only the number; undefined for any other change. */
function numberBefore({ action, before, after }: JournalOperation): number | undefined {
  const [old, fresh] = [parseBlock(before?.dom ?? ''), parseBlock(after.dom)];
  const number = old && numberOf(old);
  if (action !== 'update' || number === undefined || !fresh || numberOf(fresh) === number) return undefined;
  return hashOfBlock(withNumber(after.dom, number) ?? '') === before?.hash ? number : undefined;
}

/** An item gets its number back, and keeps everything else that was written in it since. */
function judgeNumber(operation: JournalOperation, now: string, number: number): UndoDecision {
  const [written, found] = [parseBlock(operation.after.dom), parseBlock(now)];
  if (!written || !found || numberOf(found) !== numberOf(written)) return 'done';
  const dom = withNumber(now, number) ?? now;
  return { kind: 'update', operation: { ...operation, before: { dom, hash: hashOfBlock(dom) } }, now };
}

function judgeUpdate(operation: JournalOperation, now: string, snapshot: UndoSnapshot): UndoDecision {
  const { blockId, before } = operation;
  const old = before?.dom ?? '';
  const number = numberBefore(operation);
  if (number !== undefined) return judgeNumber(operation, now, number);
  if (now === '') return { blockId, reasons: GONE, now, before: old };
  if (hashOfBlock(now) === before?.hash) return 'done';
  const attributes = attributesBeyond(old, operation.after.dom, now);
  if (!isOurWriting(operation, now)) return { blockId, reasons: CHANGED, now, before: old, attributes };
  if (idsBrought(operation, now).some((id) => snapshot.existing.has(id))) return { blockId, reasons: ELSEWHERE, attributes };
  if (refersToAny(old, snapshot.unknown)) return { blockId, reasons: REFERENCE_LOST, now, before: old, attributes };
  return { kind: 'update', operation, now };
}

function placeholderOf(operation: JournalOperation): string {
  const container = parseBlock(operation.before?.dom ?? '');
  const block = container && allBlocks(container).find((each) => blockId(each) === operation.shell);
  return block ? serializeBlock(block) : '';
}

function judgeDelete(operation: JournalOperation, now: string, snapshot: UndoSnapshot): UndoDecision[] {
  const { blockId, before, from, shell } = operation;
  const clear = (id: string): UndoTask => ({ kind: 'clear', operation, blockId: id, now: placeholderOf(operation) });
  if (now !== '') {
    // Somebody's text in the placeholder stays.
    if (shell !== undefined) return snapshot.tree.has(shell) && snapshot.tree.textOf(shell) === '' ? [clear(shell)] : ['done'];
    if (hashOfBlock(now) === before?.hash) return ['done'];
    const old = before?.dom ?? '';
    return [{ blockId, reasons: BACK, now, before: old, attributes: attributesBeyond(old, '', now) }];
  }
  if (!from) return [{ blockId, reasons: HOMELESS }];
  if (idsBrought(operation, now).some((id) => snapshot.existing.has(id))) return [{ blockId, reasons: ELSEWHERE }];
  const old = before?.dom ?? '';
  if (refersToAny(old, snapshot.unknown)) return [{ blockId, reasons: REFERENCE_LOST, now, before: old }];
  const restore: UndoTask = { kind: 'restore', operation, now };
  return shell === undefined ? [restore] : [restore, clear(shell)];
}

function judgeMove(operation: JournalOperation, now: string, snapshot: UndoSnapshot): UndoDecision {
  const { blockId, from, to } = operation;
  if (now === '') return { blockId, reasons: GONE };
  const position = snapshot.tree.positionOf(blockId);
  if (!from || !position) return { blockId, reasons: MOVED };
  if (position.parentId !== to?.parentId && position.parentId !== from.parentId) return { blockId, reasons: MOVED };
  return { kind: 'move-back', operation, now };
}

function judge(operation: JournalOperation, snapshot: UndoSnapshot): UndoDecision[] {
  const now = snapshot.doms[operation.blockId] ?? '';
  switch (operation.action) {
    case 'insert':
      return [judgeInsert(operation, now, snapshot)];
    case 'update':
      return [judgeUpdate(operation, now, snapshot)];
    case 'delete':
      return judgeDelete(operation, now, snapshot);
    case 'move':
      return [judgeMove(operation, now, snapshot)];
  }
}

const isTask = (decision: UndoDecision): decision is UndoTask => decision !== 'done' && 'kind' in decision;

const isItem = ({ operation }: UndoTask): boolean => {
  const block = parseBlock(operation.before?.dom ?? '');
  return block !== undefined && blockType(block) === 'i';
};

/** Parents that neither exist nor are about to be restored. */
function homeless(task: UndoTask, tree: BlockTree, coming: ReadonlySet<string>): boolean {
  const { from } = task.operation;
  if (task.kind !== 'restore' && task.kind !== 'move-back') return false;
  if (!from) return true;
  if (tree.has(from.parentId) || coming.has(from.parentId)) return false;
  // Blocks go to the end of the document then; an item can only be in a list.
  return isItem(task) || !tree.hasDocument(from.documentId);
}

/** Orders restored blocks after their old neighbours, so that repeating changes nothing; leaves out those in place. */
function inOrder(tasks: readonly UndoTask[], tree: BlockTree): UndoTask[] {
  const pending = new Map<string, UndoTask>();
  for (const task of tasks) {
    if (task.kind !== 'restore' && task.kind !== 'move-back') continue;
    for (const id of [task.operation.blockId, ...(task.operation.along ?? [])]) pending.set(id, task);
  }
  const ordered: UndoTask[] = [];
  const waits = (task: UndoTask): boolean => {
    const { previousId, parentId } = task.operation.from ?? { previousId: null, parentId: '' };
    const before = previousId === null ? undefined : pending.get(previousId);
    return (before !== undefined && before !== task) || pending.has(parentId);
  };
  const moved = new Set<UndoTask>();
  while (pending.size > 0) {
    // Old positions cannot depend on each other in a circle; if a journal says so, its own order is used.
    const next = [...pending.values()].find((task) => !waits(task)) ?? [...pending.values()][0];
    if (!next) break;
    for (const [id, task] of pending) if (task === next) pending.delete(id);
    if (next.kind === 'move-back' && isHome(next.operation, tree, moved)) continue;
    moved.add(next);
    ordered.push(next);
  }
  return ordered;
}

function isHome(operation: JournalOperation, tree: BlockTree, moved: ReadonlySet<UndoTask>): boolean {
  const position: BlockPosition | undefined = tree.positionOf(operation.blockId);
  const { from } = operation;
  if (!position || !from || position.parentId !== from.parentId || position.previousId !== from.previousId) return false;
  return ![...moved].some(({ operation: other }) => other.blockId === from.previousId || other.along?.includes(from.previousId ?? ''));
}

/** An empty container keeps its placeholder: otherwise SiYuan would remove it, with the attributes that people set on it. */
function isFilled({ operation }: UndoTask, tasks: readonly UndoTask[], tree: BlockTree): boolean {
  const { blockId: id, shell } = operation;
  const leaving = new Set(tasks.flatMap((task) => (task.kind === 'remove' ? [task.operation.blockId] : [])));
  const comes = ({ kind, operation: { from } }: UndoTask): boolean => (kind === 'restore' || kind === 'move-back') && from?.parentId === id;
  return tasks.some(comes) || tree.childrenOf(id).some((child) => child !== shell && !leaving.has(child));
}

/** Tasks that undo these operations, in execution order, and blocks that stay as they are. */
export function undoTasks(
  operations: readonly JournalOperation[],
  snapshot: UndoSnapshot,
): { tasks: UndoTask[]; blocked: BlockConflict[] } {
  const decisions = operations.flatMap((operation) => judge(operation, snapshot));
  const blocked = decisions.filter((decision): decision is BlockConflict => decision !== 'done' && !isTask(decision));
  const coming = new Set(
    decisions
      .filter(isTask)
      .filter((task) => task.kind === 'restore')
      .map((task) => task.operation.blockId),
  );
  const tasks: UndoTask[] = [];
  for (const task of decisions.filter(isTask)) {
    if (homeless(task, snapshot.tree, coming)) blocked.push({ blockId: task.operation.blockId, reasons: HOMELESS });
    else tasks.push(task);
  }
  const only = (...kinds: UndoTask['kind'][]): UndoTask[] => tasks.filter((task) => kinds.includes(task.kind));
  const clear = only('clear').filter((task) => isFilled(task, tasks, snapshot.tree));
  return {
    tasks: [...only('update').reverse(), ...inOrder(tasks, snapshot.tree), ...only('remove').reverse(), ...clear],
    blocked,
  };
}
