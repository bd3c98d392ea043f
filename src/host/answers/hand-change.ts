import { allBlocks, type BlockElement, blockId, childBlocks, parseBlocks, textNodes } from '../blocks/block-dom.ts';
import { CITES_ATTRIBUTE, READ_ATTRIBUTE, SOURCE_ATTRIBUTE } from '../blocks/source-attributes.ts';
import type { PushedOperation, TransactionsPush } from '../kernel/transaction-log.ts';
import { type CitedSource, citedIn, readCites } from './cited-sources.ts';
import { evenly, gainOf, saysSomething } from './moved-text.ts';

/** The block's mark: a model wrote it. */
export interface Mark {
  readonly source: string;
  /** When somebody marked it as read; '' if nobody did. */
  readonly read: string;
  readonly cites: readonly CitedSource[];
}

/** Text of one block before a step or after it. */
interface Leaf {
  readonly id: string;
  readonly text: string;
  /** Its own, or that of a container which the step wrote with it. */
  readonly mark: Mark | undefined;
  /** A block whose containers may be a model's, if nothing here is. */
  readonly near: string;
  readonly isMarkedItself: boolean;
  readonly refersTo: readonly string[];
}

export interface Lost {
  readonly id: string;
  readonly text: string;
  readonly mark: Mark | undefined;
  readonly near: string;
}

export interface Gained {
  readonly id: string;
  /** Its whole text now. */
  readonly whole: string;
  readonly text: string;
  readonly near: string;
  readonly refersTo: readonly string[];
  /** The block's own mark. */
  readonly mark: Mark | undefined;
  /** Its own text before the step, with a mark that the step took off. */
  readonly own: Lost | undefined;
}

interface Moved {
  readonly id: string;
  /** As `Leaf.near`; of a container that went with it, its place. */
  readonly from: string;
  readonly mark: Mark | undefined;
  readonly to: string;
}

/** The parts of an editor's step that matter for who wrote what. */
export interface HandChange {
  readonly lost: readonly Lost[];
  readonly gained: readonly Gained[];
  readonly moved: readonly Moved[];
  /** Marked blocks with another text now. */
  readonly edited: readonly { readonly id: string; readonly mark: Mark; readonly text: string }[];
}

export function markOf(attributes: Readonly<Record<string, string | undefined>>): Mark | undefined {
  const source = attributes[SOURCE_ATTRIBUTE];
  if (!source) return undefined;
  return { source, read: attributes[READ_ATTRIBUTE] ?? '', cites: readCites(attributes[CITES_ATTRIBUTE]) };
}

const ownText = (block: BlockElement): string =>
  evenly(
    textNodes(block)
      .map(({ data }) => data)
      .join(''),
  );

function leavesIn(block: BlockElement, above: Mark | undefined, near: string): Leaf[] {
  const own = markOf(block.attribs);
  const mark = own ?? above;
  const inside = childBlocks(block);
  if (inside.length > 0) return inside.flatMap((child) => leavesIn(child, mark, near));
  const [id, text] = [blockId(block), ownText(block)];
  return [{ id, text, mark, near: mark ? '' : near, isMarkedItself: own !== undefined, refersTo: citedIn(block) }];
}

/** Before an id: its containers are meant, not the block itself. */
export const BESIDE = '^';

/** A place whose containers are meant: the parent, or `^` and a block beside it. */
const placeOf = ({ parentID, previousID }: PushedOperation): string => parentID || (previousID && BESIDE + previousID);

/** By block: its text after the operations. */
function leavesOf(operations: readonly PushedOperation[]): ReadonlyMap<string, Leaf> {
  const leaves = new Map<string, Leaf>();
  for (const operation of operations) {
    const { action, id, data } = operation;
    if (action !== 'insert' && action !== 'update') continue;
    const near = action === 'insert' ? placeOf(operation) : id;
    for (const block of parseBlocks(data)) for (const leaf of leavesIn(block, undefined, near)) leaves.set(leaf.id, leaf);
  }
  return leaves;
}

/** The containers and place of a block that the step took away. */
function takenAway(inverse: readonly PushedOperation[]): ReadonlyMap<string, Pick<Moved, 'from' | 'mark'>> {
  const taken = new Map<string, Pick<Moved, 'from' | 'mark'>>();
  const take = (block: BlockElement, from: string, above: Mark | undefined): void => {
    const mark = markOf(block.attribs) ?? above;
    taken.set(blockId(block), { from, mark });
    for (const child of childBlocks(block)) take(child, from, mark);
  };
  for (const operation of inverse)
    if (operation.action === 'insert') for (const block of parseBlocks(operation.data)) take(block, placeOf(operation), undefined);
  return taken;
}

function movesIn({ operations = [], inverse = [] }: TransactionsPush): readonly Moved[] {
  const moves = operations.filter(({ action }) => action === 'move');
  // An editor takes a container away that nothing is left in: the index may not know it any more.
  const taken = moves.length > 0 ? takenAway(inverse) : undefined;
  return moves.flatMap((operation) => {
    const back = inverse.find(({ action, id }) => action === 'move' && id === operation.id);
    if (!back) return [];
    const from = placeOf(back);
    return [{ id: operation.id, mark: undefined, from, ...taken?.get(from), to: placeOf(operation) }];
  });
}

function gainedBy(leaf: Leaf, before: Leaf | undefined): Gained[] {
  const own = before?.mark && !leaf.mark ? { id: before.id, text: before.text, mark: before.mark, near: '' } : undefined;
  const text = own ? leaf.text : gainOf(before?.text ?? '', leaf.text).trim();
  const { id, near, refersTo, mark } = leaf;
  return saysSomething(text) ? [{ id, text, whole: leaf.text, near, refersTo, own, mark }] : [];
}

export function readHandChange(push: TransactionsPush): HandChange {
  const before = leavesOf(push.inverse ?? []);
  const after = leavesOf(push.operations ?? []);
  const lost = [...before.values()].flatMap(({ id, text, mark, near }): Lost[] => {
    const missing = gainOf(after.get(id)?.text ?? '', text).trim();
    return saysSomething(missing) ? [{ id, text: missing, mark, near }] : [];
  });
  const gained = [...after.values()].flatMap((leaf) => (leaf.mark && !leaf.isMarkedItself ? [] : gainedBy(leaf, before.get(leaf.id))));
  const edited = [...after.values()].flatMap(({ id, text, mark, isMarkedItself }) => {
    const was = before.get(id);
    return mark && isMarkedItself && was && was.text !== text && saysSomething(text) ? [{ id, mark, text }] : [];
  });
  return { lost, gained, moved: movesIn(push), edited };
}

/** Text of everything in a block, as it is compared. */
export const textIn = (dom: string): string => parseBlocks(dom).flatMap(allBlocks).map(ownText).filter(saysSomething).join(' ');
