import { ToolError } from '../tools/errors.ts';
import type { Clock } from '../tools/ports.ts';
import { freshId, parseBlock, type Random, timestamp } from './block-dom.ts';
import type { BlockForest, Place, Spot } from './block-forest.ts';
import { hashOfBlock } from './block-hash.ts';
import { asWritable, type BlockWrite } from './block-writer.ts';
import { emptyParagraph, shellOf } from './container-shell.ts';
import type { KernelOperation } from './kernel-routes.ts';
import type { PreparedOperation, PreparedPlace } from './prepared-plan.ts';

/** An operation as it is written. The first part is what the journal keeps of it. */
export interface WriteStep {
  readonly action: PreparedOperation['action'];
  readonly blockId: string;
  /** What shall stand; '' for a delete. */
  readonly dom: string;
  readonly before: PreparedOperation['before'];
  /** Where it stood before the whole write, and will stand after it. */
  readonly from?: Spot;
  readonly to?: Spot;
  /** Hidden blocks that the kernel moves along with a folded heading. */
  readonly along?: readonly string[];
  /** Of an emptied container that goes: `before` is its shell with this placeholder in it. */
  readonly shell?: string;
  /** One operation; two to get a block right behind a folded heading, none where it stands there already. */
  readonly writes: readonly BlockWrite[];
  /** What the editor's Ctrl+Z has to do after all else. */
  readonly undoTail?: KernelOperation;
  /** Documents that the operation touches: one transaction keeps to the same ones. */
  readonly documents: readonly string[];
}

/** An operation that is to be written, stamped with source and time. */
export type StampedOperation = Omit<PreparedOperation, 'id' | 'needs'>;

export interface StepRequest {
  /** The documents as they stand now; the steps are played through on it, so afterwards it stands as they will. */
  readonly forest: BlockForest;
  readonly operations: readonly StampedOperation[];
  /** Where the chain of operations without a place of their own begins; null where there is none. */
  readonly start: Place | null;
  readonly trash: string | null;
  /** DOM of the containers that may be left empty. */
  readonly containers: Readonly<Record<string, string>>;
  readonly clock: Clock;
  readonly random: Random;
}

/** How the kernel is told to put a block at a place; null where one operation cannot: a move right behind a folded heading. */
function kernelPlace(
  forest: BlockForest,
  action: 'insert' | 'move',
  place: Place,
): Pick<KernelOperation, 'previousID' | 'parentID' | 'nextID'> | null {
  const { parentId, previousId } = place;
  if (previousId === null) return { parentID: parentId };
  if (forest.landing(previousId, action) === previousId) return { previousID: previousId };
  const siblings = forest.childrenOf(parentId);
  const next = siblings[siblings.indexOf(previousId) + 1];
  return action === 'insert' && next !== undefined ? { nextID: next } : null;
}

/** Containers that stand empty once these blocks have left, inner ones first. */
export function emptiedBy(forest: BlockForest, ids: Iterable<string>): string[] {
  const gone = new Set<string>();
  for (const id of ids) for (const each of [id, ...forest.hiddenBelow(id)]) gone.add(each);
  const emptied: string[] = [];
  for (const id of gone) {
    const parent = forest.parentOf(id);
    if (parent === '' || forest.hasDocument(parent) || gone.has(parent)) continue;
    if (!forest.childrenOf(parent).every((child) => gone.has(child))) continue;
    emptied.push(parent);
    // A set that grows while it is walked: the parent is looked at in its turn.
    gone.add(parent);
  }
  return emptied;
}

class StepBuilder {
  private readonly request: StepRequest;
  private readonly forest: BlockForest;
  private readonly origins = new Map<string, Spot>();
  private readonly left = new Set<string>();
  private chain: Place | null;
  private readonly leftOut: ReadonlySet<string>;

  constructor(request: StepRequest, leftOut: ReadonlySet<string>) {
    this.request = request;
    this.forest = request.forest;
    this.chain = request.start;
    this.leftOut = leftOut;
    for (const { blockId } of request.operations) this.remember(blockId);
    for (const id of Object.keys(request.containers)) this.remember(id);
  }

  build(): WriteStep[] {
    const steps = this.request.operations.map((operation) => this.step(operation));
    for (const id of Object.keys(this.request.containers)) {
      if (this.forest.has(id) && this.forest.childrenOf(id).length === 0) steps.push(this.dropContainer(id));
    }
    this.refillDocuments(steps);
    return steps.map((step) => {
      const to = step.action === 'insert' || step.action === 'move' ? this.forest.spotOf(step.blockId) : undefined;
      return to ? { ...step, to } : step;
    });
  }

  private remember(id: string): void {
    const spot = this.forest.spotOf(id);
    if (spot) this.origins.set(id, spot);
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

  private facts(operation: StampedOperation): Pick<WriteStep, 'action' | 'blockId' | 'dom' | 'before' | 'from'> {
    const { action, blockId, dom, before } = operation;
    const from = this.origins.get(blockId);
    return { action, blockId, dom, before, ...(from ? { from } : {}) };
  }

  private update(operation: StampedOperation): WriteStep {
    const { blockId, dom, before } = operation;
    const write: BlockWrite = {
      operation: { action: 'update', id: blockId, data: dom },
      inverse: { action: 'update', id: blockId, data: asWritable(before?.dom ?? '') },
    };
    return { ...this.facts(operation), writes: [write], documents: [this.forest.documentOf(blockId)] };
  }

  private remove(operation: StampedOperation): WriteStep {
    const { blockId, before } = operation;
    const documents = [this.forest.documentOf(blockId)];
    const inverse: KernelOperation = {
      action: 'insert',
      id: blockId,
      data: asWritable(before?.dom ?? ''),
      ...this.back(blockId, 'insert'),
    };
    this.left.add(this.forest.parentOf(blockId));
    this.forest.remove(blockId);
    return { ...this.facts(operation), writes: [{ operation: { action: 'delete', id: blockId }, inverse }], documents };
  }

  private insert(operation: StampedOperation): WriteStep {
    const { blockId, dom } = operation;
    const place = this.placeOf(operation);
    const where = kernelPlace(this.forest, 'insert', place);
    const element = parseBlock(dom);
    if (!where || !element) throw new Error('a plan holds an insert without a block or a place');
    this.forest.insert(element, place);
    const write: BlockWrite = {
      operation: { action: 'insert', id: blockId, data: dom, ...where },
      inverse: { action: 'delete', id: blockId },
    };
    return { ...this.facts(operation), writes: [write], documents: [this.forest.documentOf(blockId)] };
  }

  private move(operation: StampedOperation): WriteStep {
    const { blockId } = operation;
    const place = this.placeOf(operation);
    const along = this.forest.hiddenBelow(blockId);
    const source = this.forest.documentOf(blockId);
    this.left.add(this.forest.parentOf(blockId));
    const where = kernelPlace(this.forest, 'move', place);
    const writes = where ? [this.moveTo(blockId, place, where)] : this.moveBehindFold(blockId, place);
    const documents = [...new Set([source, this.forest.documentOf(blockId)])];
    return { ...this.facts(operation), ...(along.length > 0 ? { along } : {}), writes, documents };
  }

  private moveTo(id: string, place: Place, where: Pick<KernelOperation, 'previousID' | 'parentID'>): BlockWrite {
    const inverse: KernelOperation = { action: 'move', id, ...this.back(id, 'move') };
    this.forest.move(id, place);
    return { operation: { action: 'move', id, ...where }, inverse };
  }

  /** The kernel takes "after a folded heading" for "after its section": so behind the first block of it, which then changes places. */
  private moveBehindFold(id: string, { parentId, previousId }: Place): BlockWrite[] {
    const siblings = this.forest.childrenOf(parentId);
    const next = siblings[siblings.indexOf(previousId ?? '') + 1] ?? '';
    if (next === id) return [];
    const landing = this.forest.landing(next, 'move');
    if (next === '' || landing === id) throw foldedPlace();
    const first = this.moveTo(id, { parentId, previousId: landing }, { previousID: landing });
    return [first, this.moveTo(next, { parentId, previousId: id }, { previousID: id })];
  }

  /** Where the editor's Ctrl+Z puts a block back. */
  private back(id: string, action: 'insert' | 'move'): Pick<KernelOperation, 'previousID' | 'parentID' | 'nextID'> {
    const spot = this.forest.spotOf(id);
    if (!spot) return {};
    return (
      kernelPlace(this.forest, action, spot) ?? (spot.previousId === null ? { parentID: spot.parentId } : { previousID: spot.previousId })
    );
  }

  private placeOf(operation: StampedOperation): Place {
    const { place, blockId } = operation;
    if (place === 'trash') {
      const parentId = this.request.trash ?? '';
      return { parentId, previousId: this.forest.childrenOf(parentId).at(-1) ?? null };
    }
    if (place) return this.nearest(place, blockId);
    if (!this.chain) throw new Error('a plan holds a block without a place');
    const at = this.chain;
    const last = operation.action === 'move' ? (this.forest.hiddenBelow(blockId).at(-1) ?? blockId) : blockId;
    this.chain = { parentId: at.parentId, previousId: last };
    return at;
  }

  /** Blocks that were to come before, but were left out or are gone, are no neighbours. */
  private nearest(place: PreparedPlace, id: string): Place {
    const siblings = this.forest.childrenOf(place.parentId);
    const { parentId } = place;
    const previousId = place.after.find((each) => each !== id && siblings.includes(each) && !this.leftOut.has(each));
    if (previousId !== undefined) return { parentId, previousId };
    if (place.before === undefined || place.after.length === 0) return { parentId, previousId: null };
    const others = siblings.filter((each) => each !== id);
    const next = place.before === null ? -1 : others.indexOf(place.before);
    return { parentId, previousId: (next < 0 ? others.at(-1) : others[next - 1]) ?? null };
  }

  /** A container that lost all its blocks goes too; the kernel takes away an empty list by itself. */
  private dropContainer(id: string): WriteStep {
    const { clock, random, containers } = this.request;
    const { dom, placeholder } = shellOf(containers[id] ?? '', clock, random);
    const step = this.remove({ action: 'delete', blockId: id, dom: '', before: { dom, hash: hashOfBlock(dom) } });
    return { ...step, shell: placeholder, undoTail: { action: 'delete', id: placeholder } };
  }

  /** SiYuan puts a paragraph of its own into a document that has no block left; ours is known, so that undo can take it away. */
  private refillDocuments(steps: WriteStep[]): void {
    for (const id of this.left) {
      if (!this.forest.hasDocument(id) || this.forest.childrenOf(id).length > 0) continue;
      const { clock, random } = this.request;
      const blockId = freshId(clock, random);
      const operation: StampedOperation = {
        action: 'insert',
        blockId,
        dom: emptyParagraph(blockId, timestamp(clock)),
        before: null,
        place: { parentId: id, after: [] },
      };
      const last = steps.findLastIndex((step) => step.documents.includes(id));
      // Before the last block leaves: so no transaction ends with an empty document.
      steps.splice(last, 0, this.insert(operation));
    }
  }
}

const foldedPlace = (): ToolError =>
  new ToolError(
    'bad_target',
    'the place is hidden under a folded heading, where SiYuan cannot move a block',
    'ask the user to unfold the heading, or choose another place',
  );

/**
 * Plays the operations through and gives the kernel's operations with their inverses. `leftOut` are blocks of the plan whose operations were
 * not accepted: they do not stand where the plan meant them to. Rejects with `bad_target` where SiYuan cannot do it.
 */
export function buildSteps(request: StepRequest, leftOut: ReadonlySet<string> = new Set()): WriteStep[] {
  return new StepBuilder(request, leftOut).build();
}

/** Steps of inserts into a document that was just made: nothing to play through. */
export function chainSteps(
  operations: readonly StampedOperation[],
  documentId: string,
  start: { readonly previousID: string } | { readonly parentID: string },
): WriteStep[] {
  let place = start;
  return operations.map(({ action, blockId, dom, before }) => {
    const write: BlockWrite = {
      operation: { action: 'insert', id: blockId, data: dom, ...place },
      inverse: { action: 'delete', id: blockId },
    };
    place = { previousID: blockId };
    return { action, blockId, dom, before, writes: [write], documents: [documentId] };
  });
}
