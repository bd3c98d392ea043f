import { ToolError } from '../../tools/contract/errors.ts';
import type { Clock } from '../../tools/contract/ports.ts';
import { freshId, parseBlock, type Random, serializeBlock, timestamp } from '../blocks/block-dom.ts';
import { hashOfBlock } from '../blocks/block-hash.ts';
import { emptiedContainer, emptyParagraph } from '../blocks/emptied-container.ts';
import type { ListKind } from '../blocks/list-numbers.ts';
import type { KernelOperation } from '../kernel/kernel-routes.ts';
import type { BlockPosition, BlockTree, InsertionPoint } from '../tree/block-tree.ts';
import { asWritable, type BlockWrite } from './block-writer.ts';
import { deleteWrites, insertWrites } from './card-writes.ts';
import { assertNoFoldInside, assertNoneBuried, settleFolds } from './fold-state.ts';
import { assertNoneLetOut } from './guarded-sections.ts';
import { foldedPlace, intoItself, kernelPlace } from './kernel-place.ts';
import { NO_LISTS, type OrderedLists, renumbered, withNumber } from './list-order.ts';
import { referencesLast } from './lost-references.ts';
import type { PreparedOperation, PreparedPosition } from './prepared-plan.ts';
import type { WriteStep } from './write-step.ts';

/** An operation to be written, stamped with source and time. */
export type StampedOperation = Omit<PreparedOperation, 'id'>;

export interface StepRequest {
  /** The current documents; the steps are simulated on them, so afterwards the tree is in the final state. */
  readonly tree: BlockTree;
  readonly operations: readonly StampedOperation[];
  /** Where operations without a position of their own begin; null if there are none. */
  readonly start: InsertionPoint | null;
  readonly trash: string | null;
  /** DOM of the containers that may become empty. */
  readonly containers: Readonly<Record<string, string>>;
  readonly lists?: OrderedLists;
  readonly clock: Clock;
  readonly random: Random;
}

class StepBuilder {
  private readonly request: StepRequest;
  private readonly tree: BlockTree;
  private readonly origins = new Map<string, BlockPosition>();
  /** The kinds of the lists that the blocks were in, except task lists. */
  private readonly kinds = new Map<string, ListKind>();
  private readonly left = new Set<string>();
  private chain: InsertionPoint | null;
  private readonly leftOut: ReadonlySet<string>;
  private readonly joins: boolean;
  private readonly existingIds: ReadonlySet<string>;

  constructor(request: StepRequest, leftOut: ReadonlySet<string>, joins: boolean) {
    this.request = request;
    this.tree = request.tree;
    this.chain = request.start;
    this.leftOut = leftOut;
    this.joins = joins;
    this.existingIds = request.tree.ids();
    for (const { blockId } of request.operations) this.remember(blockId);
    for (const id of Object.keys(request.containers)) this.remember(id);
  }

  build(): WriteStep[] {
    const steps = this.request.operations.map((operation) => this.step(operation));
    for (const id of Object.keys(this.request.containers)) {
      if (this.tree.has(id) && this.tree.childrenOf(id).length === 0) steps.push(this.dropContainer(id));
    }
    this.refillDocuments(steps);
    const numbered = this.numberItems(steps);
    const settled = numbered.map((step) => {
      const to = step.action === 'insert' || step.action === 'move' ? this.tree.positionOf(step.blockId) : undefined;
      const listKind = this.kindLost(step.from?.parentId ?? '');
      return settleFolds({ ...step, ...(to ? { to } : {}), ...(listKind ? { listKind } : {}) }, this.tree, this.joins);
    });
    return referencesLast(settled, this.existingIds);
  }

  private remember(id: string): void {
    const position = this.tree.positionOf(id);
    if (!position) return;
    this.origins.set(id, position);
    const kind = this.tree.subtypeOf(position.parentId);
    if (kind === 'u' || kind === 'o') this.kinds.set(position.parentId, kind);
  }

  /** The former kind of a list that now begins with a task. */
  private kindLost(list: string): ListKind | undefined {
    const [first] = this.kinds.has(list) && this.tree.has(list) ? this.tree.childrenOf(list) : [];
    return first !== undefined && this.tree.subtypeOf(first) === 't' ? this.kinds.get(list) : undefined;
  }

  private step(operation: StampedOperation): WriteStep {
    switch (operation.action) {
      case 'update':
        return this.update(operation);
      case 'delete':
        return this.remove(operation);
      case 'insert':
        return this.insert(operation);
      case 'move':
        return this.move(operation);
    }
  }

  private facts(operation: StampedOperation): Pick<WriteStep, 'action' | 'blockId' | 'dom' | 'before' | 'existing' | 'from'> {
    const { action, blockId, dom, before, existing } = operation;
    const from = this.origins.get(blockId);
    return { action, blockId, dom, before, existing, from };
  }

  private update(operation: StampedOperation): WriteStep {
    const { blockId, dom, before } = operation;
    assertNoFoldInside(before?.dom ?? '', dom);
    const element = parseBlock(dom);
    if (element) this.tree.update(element);
    const write: BlockWrite = {
      operation: { action: 'update', id: blockId, data: dom },
      inverse: { action: 'update', id: blockId, data: asWritable(before?.dom ?? '') },
    };
    return { ...this.facts(operation), writes: [write], documents: [this.tree.documentOf(blockId)] };
  }

  private remove(operation: StampedOperation): WriteStep {
    const { blockId, before } = operation;
    const documents = [this.tree.documentOf(blockId)];
    const writes = deleteWrites(blockId, before?.dom ?? '', this.back(blockId, 'insert'));
    this.left.add(this.tree.parentOf(blockId));
    this.tree.remove(blockId);
    return { ...this.facts(operation), writes, documents };
  }

  private insert(operation: StampedOperation): WriteStep {
    const { blockId, dom } = operation;
    const place = this.placeOf(operation);
    const where = kernelPlace(this.tree, 'insert', place);
    const element = parseBlock(dom);
    if (!where || !element) throw new Error('a plan holds an insert without a block or a place');
    this.tree.insert(element, place);
    return { ...this.facts(operation), writes: insertWrites(blockId, dom, where), documents: [this.tree.documentOf(blockId)] };
  }

  private move(operation: StampedOperation): WriteStep {
    const { blockId } = operation;
    const place = this.placeOf(operation);
    const along = this.tree.hiddenBelow(blockId);
    const isOwn = (each: string): boolean => each === place.parentId || this.tree.isInside(place.parentId, each);
    if ([blockId, ...along].some(isOwn) || along.includes(place.previousId ?? '')) throw intoItself(blockId);
    const source = this.tree.documentOf(blockId);
    this.left.add(this.tree.parentOf(blockId));
    const where = kernelPlace(this.tree, 'move', place);
    const writes = where ? [this.moveTo(blockId, place, where)] : this.moveBehindFold(blockId, place);
    const documents = [...new Set([source, this.tree.documentOf(blockId)])];
    return { ...this.facts(operation), along: along.length > 0 ? along : undefined, writes, documents };
  }

  private moveTo(id: string, place: InsertionPoint, where: Pick<KernelOperation, 'previousID' | 'parentID'>): BlockWrite {
    const inverse: KernelOperation = { action: 'move', id, ...this.back(id, 'move') };
    this.tree.move(id, place);
    return { operation: { action: 'move', id, ...where }, inverse };
  }

  /** For the kernel "after a folded heading" is after its section: the block goes after the section's first block, then they swap. */
  private moveBehindFold(id: string, { parentId, previousId }: InsertionPoint): BlockWrite[] {
    const siblings = this.tree.childrenOf(parentId);
    const next = siblings[siblings.indexOf(previousId ?? '') + 1] ?? '';
    if (next === id) return [];
    const landing = this.tree.landing(next, 'move');
    if (next === '' || landing === id) throw foldedPlace();
    const first = this.moveTo(id, { parentId, previousId: landing }, { previousID: landing });
    return [first, this.moveTo(next, { parentId, previousId: id }, { previousID: id })];
  }

  /** Where the editor's Ctrl+Z puts a block back. */
  private back(id: string, action: 'insert' | 'move'): Pick<KernelOperation, 'previousID' | 'parentID' | 'nextID'> {
    const position = this.tree.positionOf(id);
    if (!position) return {};
    return (
      kernelPlace(this.tree, action, position) ??
      (position.previousId === null ? { parentID: position.parentId } : { previousID: position.previousId })
    );
  }

  private placeOf(operation: StampedOperation): InsertionPoint {
    const { place, blockId } = operation;
    if (place === 'trash') {
      const parentId = this.request.trash ?? '';
      return { parentId, previousId: this.tree.childrenOf(parentId).at(-1) ?? null };
    }
    if (place) return this.nearest(place, blockId);
    if (!this.chain) throw new Error('a plan holds a block without a place');
    const at = this.chain;
    const last = operation.action === 'move' ? (this.tree.hiddenBelow(blockId).at(-1) ?? blockId) : blockId;
    this.chain = { parentId: at.parentId, previousId: last };
    return at;
  }

  /** Blocks that were expected before it, but were left out or are gone, are not neighbours. */
  private nearest(place: PreparedPosition, id: string): InsertionPoint {
    const siblings = this.tree.childrenOf(place.parentId);
    const { parentId } = place;
    const previousId = place.after.find((each) => each !== id && this.tree.has(each) && siblings.includes(each) && !this.leftOut.has(each));
    if (previousId !== undefined) return { parentId, previousId };
    if (place.before === undefined || place.after.length === 0) return { parentId, previousId: null };
    const others = siblings.filter((each) => each !== id);
    const next = place.before !== null && this.tree.has(place.before) ? others.indexOf(place.before) : -1;
    return { parentId, previousId: (next < 0 ? others.at(-1) : others[next - 1]) ?? null };
  }

  /** A container that lost all its blocks is removed too; the kernel itself removes an empty list. */
  private dropContainer(id: string): WriteStep {
    const { clock, random, containers } = this.request;
    const { dom, placeholder } = emptiedContainer(containers[id] ?? '', clock, random);
    const step = this.remove({ action: 'delete', blockId: id, dom: '', before: { dom, hash: hashOfBlock(dom) } });
    return { ...step, shell: placeholder, whole: containers[id] ?? '', undoTail: { action: 'delete', id: placeholder } };
  }

  /** Items that the steps write are written with their number; following items are renumbered after everything else. */
  private numberItems(steps: readonly WriteStep[]): WriteStep[] {
    const { lists = NO_LISTS } = this.request;
    const childrenOf = (list: string): readonly string[] => (this.tree.has(list) ? this.tree.childrenOf(list) : []);
    const written = new Map<string, number>();
    for (const [list, start] of lists.starts) for (const [index, id] of childrenOf(list).entries()) written.set(id, start + index);
    const own = new Set<string>();
    const result = steps.map((step): WriteStep => {
      const number = written.get(step.blockId);
      const dom = number !== undefined && (step.action === 'insert' || step.action === 'update') ? withNumber(step.dom, number) : undefined;
      if (step.action === 'update') own.add(step.blockId);
      return dom === undefined
        ? step
        : { ...step, dom, writes: step.writes.map((write) => ({ ...write, operation: { ...write.operation, data: dom } })) };
    });
    for (const [blockId, number] of renumbered(lists, childrenOf)) {
      const item = lists.items.get(blockId);
      const before = item ? serializeBlock(item) : '';
      const dom = own.has(blockId) || before === '' ? undefined : withNumber(asWritable(before), number);
      if (dom !== undefined)
        result.push(this.update({ action: 'update', blockId, dom, before: { dom: before, hash: hashOfBlock(before) } }));
    }
    return result;
  }

  /** SiYuan adds a paragraph to a document without blocks; we insert one of our own, so that undo can remove it. */
  private refillDocuments(steps: WriteStep[]): void {
    for (const id of this.left) {
      if (!this.tree.hasDocument(id) || this.tree.childrenOf(id).length > 0) continue;
      const { clock, random } = this.request;
      const blockId = freshId(clock, random);
      const operation: StampedOperation = {
        action: 'insert',
        blockId,
        dom: emptyParagraph(blockId, timestamp(clock)),
        before: null,
        place: { parentId: id, after: [] },
      };
      const first = steps.findIndex((step) => step.documents.includes(id));
      // Before anything leaves, so that no transaction ends with an empty document, or only with containers that SiYuan removes.
      steps.splice(first, 0, this.insert(operation));
    }
  }
}

/** Simulates the operations of an undo; returns the kernel's operations. Rejects with `bad_target` if SiYuan cannot carry them out. */
export const undoSteps = (request: StepRequest): WriteStep[] => new StepBuilder(request, new Set(), false).build();

/** The same for a plan; rejects too if blocks would stay hidden, or hidden ones show. `leftOut`: blocks of rejected operations. */
export function planSteps(request: StepRequest, leftOut: ReadonlySet<string> = new Set()): WriteStep[] {
  const buried = new Set(request.tree.buried());
  const guarded = request.tree.guardedIds();
  const steps = new StepBuilder(request, leftOut, true).build();
  assertNoneBuried(request.tree, buried);
  assertNoneLetOut(request.tree, guarded);
  for (const step of steps) assertInTheOpen(request.tree, step);
  return steps;
}

/** Nothing hidden moves along, and nothing is put where it would be hidden. */
function assertInTheOpen(tree: BlockTree, { action, blockId, along = [] }: WriteStep): void {
  if (along.some((id) => tree.isGuarded(id)))
    throw new ToolError('no_right', `a part of what is folded under heading ${blockId} is hidden from the model`, 'leave it where it is');
  if (action !== 'insert' && action !== 'move') return;
  const around = [blockId, ...tree.parentsOf(blockId)];
  if (around.slice(1).some((id) => tree.isGuarded(id)) || around.some((id) => tree.isUnderGuardedHeading(id)))
    throw new ToolError('bad_target', 'nothing can be put there', 'choose another place, such as after another block');
}

/** Steps of inserts into a new document: nothing to simulate. */
export function chainSteps(
  operations: readonly StampedOperation[],
  documentId: string,
  start: { readonly previousID: string } | { readonly parentID: string },
): WriteStep[] {
  let place = start;
  const steps = operations.map(({ action, blockId, dom, before, existing }): WriteStep => {
    const writes = insertWrites(blockId, dom, place);
    place = { previousID: blockId };
    return { action, blockId, dom, before, existing, writes, documents: [documentId] };
  });
  return referencesLast(steps, new Set());
}
