// What must hold whatever a program does: nothing lost, nothing twice, no attribute gone, and undo as promised.

import type { ChildNode } from 'domhandler';
import { parseDocument } from 'htmlparser2';
import type { ChangePlan } from '../../src/tools/contract/plans.ts';
import type { UndoConflict } from '../../src/tools/contract/ports.ts';
import type { Program } from './edit-program.ts';
import { steady, type TestBench } from './support.ts';

interface PicturedBlock {
  readonly id: string;
  readonly type: string;
  readonly parent: string;
  /** What people put on it, each as name=value. */
  readonly attributes: readonly string[];
  readonly text: string;
  readonly folded: boolean;
  readonly hidden: boolean;
  /** 1–6 of headings, else 7. */
  readonly level: number;
}

/** Documents as they stand: every block with its place and attributes, and the DOM for exact comparison. */
export interface Picture {
  readonly doms: readonly string[];
  readonly blocks: ReadonlyMap<string, PicturedBlock>;
  /** Ids that stand more than once. */
  readonly twice: readonly string[];
  /** Blocks that are marked as hidden although they are in no folded heading's section. */
  readonly buried: readonly string[];
}

const OWN = /^(custom-(?!marginalia).+|name|alias|memo|bookmark)$/;

function visit(node: ChildNode, parent: string, found: PicturedBlock[]): void {
  if (!('attribs' in node)) return;
  const id = node.attribs['data-node-id'];
  const isBlock = id !== undefined && (node.attribs['data-type'] ?? '').startsWith('Node');
  if (isBlock) {
    const own = Object.entries(node.attribs).filter(([name]) => OWN.test(name));
    const attributes = own.map(([name, value]) => `${name}=${value}`);
    const [folded, hidden] = [node.attribs.fold === '1', node.attribs['heading-fold'] === '1'];
    const type = node.attribs['data-type'] ?? '';
    const level = type === 'NodeHeading' ? Number(node.attribs['data-subtype']?.slice(1)) : 7;
    found.push({ id, type, parent, attributes, text: textOf(node), folded, hidden, level });
  }
  for (const child of node.children) visit(child, isBlock ? id : parent, found);
}

const textOf = (node: ChildNode): string =>
  'data' in node && typeof node.data === 'string' ? node.data : 'children' in node ? node.children.map(textOf).join('') : '';

/** An empty paragraph that SiYuan draws into a task with none, under a new id each time it is asked: no block, and nowhere kept. */
const DRAWN =
  /(<div[^>]*data-type="NodeListItem"[^>]*><div class="protyle-action protyle-action--task"[^>]*>.*?<\/div>)<div [^>]*data-type="NodeParagraph"[^>]*><div [^>]*><\/div><div class="protyle-attr" [^>]*>\u200b?<\/div><\/div>(?=<div class="protyle-attr")/g;

/** The text of a dynamic reference follows what it refers to, whenever SiYuan gets to it. */
const withoutFollowing = (dom: string): string => dom.replace(/(<span [^>]*data-subtype="d"[^>]*data-type="block-ref"[^>]*>)[^<]*/g, '$1');

async function stateOf(bench: TestBench, id: string): Promise<{ readonly dom: string; readonly compared: string }> {
  const [drawn, facts] = await Promise.all([bench.dom(id), factsOf(bench, id)]);
  // What has another id at each reading is drawn.
  const isDrawn = drawn.replace(DRAWN, '$1') !== drawn && steady(drawn) !== steady(await bench.dom(id));
  const dom = isDrawn ? drawn.replace(DRAWN, '$1') : drawn;
  // Zero-width spaces that were stored with a text are dropped when SiYuan reads the document from its file again, which it does at times.
  return { dom, compared: `${facts} ${withoutFollowing(steady(dom)).replaceAll('\u200b', '')}` };
}

export async function pictureOf(bench: TestBench, documents: readonly string[]): Promise<Picture> {
  const states = await Promise.all(documents.map(async (id) => ({ id, ...(await stateOf(bench, id)) })));
  const doms = states.map(({ compared }) => compared);
  const found: PicturedBlock[] = [];
  for (const { id, dom } of states) for (const node of parseDocument(dom).children) visit(node, id, found);
  const blocks = new Map(found.map((block) => [block.id, block]));
  const twice = found.map((block) => block.id).filter((id, index, all) => all.indexOf(id) !== index);
  const buried = found.filter((block) => block.hidden && !isUnderFold(block, found, blocks)).map((block) => block.id);
  return { doms, blocks, twice, buried };
}

/** What is known of a document as a whole: its path, and what people put on it. */
async function factsOf(bench: TestBench, id: string): Promise<string> {
  const path = bench.api<string>('/api/filetree/getHPathByID', { id });
  const attributes = await bench.api<Record<string, string>>('/api/attr/getBlockAttrs', { id });
  // SiYuan remembers an old title here.
  const own = Object.entries(attributes).filter(([name]) => !/^(updated|title|custom-delivered)/.test(name));
  return JSON.stringify([id, await path, own.sort()]);
}

/** True in the section of a folded heading, or in a block that is. */
function isUnderFold(block: PicturedBlock, all: readonly PicturedBlock[], blocks: Picture['blocks']): boolean {
  let { level } = block;
  for (const above of all.slice(0, all.indexOf(block)).reverse()) {
    if (above.parent !== block.parent || above.level >= level) continue;
    if (above.folded) return true;
    level = above.level;
  }
  const parent = blocks.get(block.parent);
  return parent !== undefined && isUnderFold(parent, all, blocks);
}

/** The code of an expected failure, marked where a part was written; anything else is a fault of ours. */
export function allowed(error: unknown, codes: RegExp, what: string): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (codes.test(code)) return `${code}${/had been written/.test(String(error)) ? ', in part' : ''}`;
  throw new Error(`${what} failed with ${error instanceof Error ? (error.stack ?? String(error)) : String(error)}`);
}

export interface Typed {
  readonly kind: 'update' | 'insert' | 'attribute' | 'delete' | 'move' | 'fold';
  readonly id: string;
  readonly text: string;
}

export interface Failure {
  failed: string | undefined;
  readonly typed: Typed[];
  /** What the person is doing at this moment. */
  acting: Promise<void>;
}

interface WrittenCheck {
  readonly plan: ChangePlan;
  readonly accepted: ReadonlySet<string>;
  readonly before: Picture;
  readonly after: Picture;
  readonly code: string;
  readonly failure: Failure;
  /** Planned before the last write. */
  readonly late: boolean;
}

interface UndoneCheck {
  readonly now: Picture;
  /** Right before this undo. */
  readonly last: Picture;
  /** Before the write. */
  readonly before: Picture;
  readonly exact: boolean;
  readonly conflicts: readonly UndoConflict[];
  /** Names of the attributes that the write set, by block id. */
  readonly names: AttributeNames;
}

/** Names of attributes by block id. */
export type AttributeNames = ReadonlyMap<string, readonly string[]>;

export class Checks {
  private readonly program: Program;
  /** The last that a person wrote in each block, or put on it. */
  private readonly texts = new Map<string, string>();
  private readonly conflicts: string[] = [];
  private readonly settled = new Set<string>();
  /** What a person deleted or took away, and the containers that may have gone with it. */
  private readonly taken = new Set<string>();
  /** What the undo of a write of attributes took off again: an id and `name=value`. Newer writes do not bring it back. */
  private readonly takenOff = new Set<string>();

  constructor(program: Program) {
    this.program = program;
  }

  typed(typed: readonly Typed[], before: Picture): void {
    for (const { kind, id, text } of typed) {
      const name = kind === 'attribute' ? `${id} (its attribute)` : id;
      if (text !== '') this.texts.set(name, text);
      if (kind !== 'delete' && kind !== 'move') continue;
      const around = parentsIn(before, id).filter((each) => before.blocks.get(each)?.type !== 'NodeDocument');
      for (const each of kind === 'delete' ? [id, ...around] : around) this.taken.add(each);
      if (kind === 'delete') for (const each of [id, `${id} (its attribute)`]) this.texts.delete(each);
    }
  }

  same(now: Picture, before: Picture, what: string): void {
    if (now.doms.join('\n') !== before.doms.join('\n')) this.fail(`${what} changed the documents`, before.doms, now.doms);
  }

  /** After a write, whatever came of it. */
  written({ plan, accepted, before, after, code, failure, late }: WrittenCheck): void {
    this.noneTwice(after);
    const operations = plan.operations.filter((operation) => accepted.has(operation.id));
    const gone = goneBy(operations, before);
    for (const [id, block] of before.blocks) {
      const now = after.blocks.get(id);
      if (!now && !gone.has(id) && !this.taken.has(id))
        this.fail(
          `block ${id} (${block.type}, “${block.text.slice(0, 40)}”) is lost by ${plan.operations.map((each) => each.action).join()} (${code})`,
          before.doms,
          after.doms,
        );
      const isSet = operations.some(({ action, blockId }) => action === 'set-attributes' && blockId === id);
      if (now && !isSet && lacks(now, block))
        this.fail(`block ${id} lost attributes: ${block.attributes} → ${now.attributes}`, before.doms, after.doms);
    }
    const isQuiet = failure.failed === undefined && failure.typed.length === 0;
    // What was accepted may not hold without the rest, where headings are folded.
    const folded = code === 'bad_target' && [...before.blocks.values()].some((block) => block.hidden);
    if (isQuiet && !late && code !== 'no error' && !folded && !(code === 'not_approved' && operations.length === 0))
      this.fail(`a quiet write failed with ${code}: ${JSON.stringify(operations)}`, before.doms, after.doms);
    if (code === 'no error') {
      for (const operation of operations) {
        const stands = after.blocks.has(operation.blockId);
        if (operation.action === 'insert' && !stands) this.fail(`block ${operation.blockId} was reported written and is not there`);
        if (operation.action === 'delete' && stands) this.fail(`block ${operation.blockId} was reported deleted and stands`);
      }
    }
    if (['kernel_unreachable', 'kernel_refused', 'not_approved', 'stale', 'bad_target'].includes(code) && failure.typed.length === 0) {
      this.same(after, before, `a write that was said to have failed (${code})`);
    }
  }

  /** What is read of blocks after a write, by id, against what its plan showed of them. */
  reads(plan: ChangePlan, read: ReadonlyMap<string, string>, now: Picture): void {
    for (const { action, blockId, after } of plan.operations) {
      const text = read.get(blockId);
      if ((action !== 'insert' && action !== 'update') || text === undefined || text === after) continue;
      this.fail(`block ${blockId} reads ${JSON.stringify(text)}, and was planned as ${JSON.stringify(after)}`, [], now.doms);
    }
  }

  undone({ now, last, before, exact, conflicts, names }: UndoneCheck): void {
    this.noneTwice(now);
    if (!this.program.typing && exact) {
      if (conflicts.length > 0) this.fail(`undo reports ${JSON.stringify(conflicts)}`, before.doms, now.doms);
      this.same(now, before, 'an undo');
    }
    // Blocks that an undo left alone stay as they are when older messages are undone.
    for (const conflict of conflicts) this.settled.add(conflict.blockId);
    for (const [id, block] of last.blocks) {
      for (const each of missing(now.blocks.get(id), block)) {
        if (!names.get(id)?.includes(nameOf(each))) this.fail(`undo took ${each} off block ${id}`, last.doms, now.doms);
        this.takenOff.add(`${id} ${each}`);
      }
    }
    for (const [id, block] of before.blocks) {
      const back = now.blocks.get(id);
      const inConflict = [id, ...parentsIn(before, id)].some((each) => this.settled.has(each));
      if (!back && exact && !inConflict && !this.taken.has(id))
        this.fail(`block ${id} (“${block.text.slice(0, 40)}”) did not come back`, before.doms, now.doms);
      // Those that the write set may have been written again by a message that still stands, those of an older message undone before this.
      const isExcused = (each: string): boolean =>
        !exact && (names.get(id)?.includes(nameOf(each)) === true || this.takenOff.has(`${id} ${each}`));
      const lost = missing(back, block).filter((each) => !isExcused(each));
      if (lost.length > 0) this.fail(`block ${id} came back without ${lost}`, before.doms, now.doms);
    }
    for (const conflict of conflicts) this.conflicts.push(`${conflict.now}${conflict.before}`);
  }

  redone(now: Picture, stood: Picture, conflicts: readonly UndoConflict[]): void {
    this.noneTwice(now);
    if (conflicts.length > 0) this.fail(`redo reports ${JSON.stringify(conflicts)}`, stood.doms, now.doms);
    this.same(now, stood, 'a redo');
  }

  /** In the end every block stands, in whatever order undo was asked for. */
  there(now: Picture, first: Picture): void {
    for (const [id, block] of first.blocks) {
      const excused = [id, ...parentsIn(first, id)].some((each) => this.settled.has(each) || this.taken.has(each));
      if (!excused && !now.blocks.has(id)) this.fail(`block ${id} (“${block.text.slice(0, 40)}”) is lost`, first.doms, now.doms);
    }
  }

  /** A choice is about one block and what is in it; attributes are no part of it. */
  resolved(now: Picture, before: Picture, chosen: string, choice: string): void {
    this.noneTwice(now);
    if (choice === 'keep') this.same(now, before, 'keeping what stands');
    for (const [id, block] of before.blocks) {
      const there = now.blocks.get(id);
      const isPart = [id, ...parentsIn(before, id)].includes(chosen) || isLeftEmpty(before, id, chosen);
      if (!there && !isPart) this.fail(`block ${id} (“${block.text.slice(0, 40)}”) is lost by undoing ${chosen}`, before.doms, now.doms);
      if (there && lacks(there, block)) this.fail(`block ${id} was undone without ${block.attributes}`, before.doms, now.doms);
    }
  }

  /** In the end what a person wrote stands, wherever, or is offered to be chosen. */
  kept(now: Picture): void {
    const all = [...now.doms, ...this.conflicts].join('\n');
    for (const [id, text] of this.texts) if (!all.includes(text)) this.fail(`what a person typed in ${id} is lost: ${text}`, [], now.doms);
  }

  noneTwice(now: Picture): void {
    if (now.buried.length > 0) this.fail(`hidden for good: ${now.buried.join()}`, [], now.doms);
    if (now.twice.length > 0) this.fail(`blocks stand twice: ${now.twice.join()}`, [], now.doms);
  }

  /** Shows the documents that differ. */
  private fail(what: string, before: readonly string[] = [], now: readonly string[] = []): never {
    const differ = now.flatMap((dom, index) => (dom === before[index] ? [] : [`before: ${before[index] ?? ''}`, `now:    ${dom}`]));
    throw new Error([what, JSON.stringify(this.program), ...differ].join('\n'));
  }
}

/** Attributes that a block which still stands lost; somebody may have put more on it meanwhile. */
const missing = (now: PicturedBlock | undefined, before: PicturedBlock): readonly string[] =>
  now ? before.attributes.filter((each) => !now.attributes.includes(each)) : [];
const lacks = (now: PicturedBlock, before: PicturedBlock): boolean => missing(now, before).length > 0;
const nameOf = (attribute: string): string => attribute.slice(0, attribute.indexOf('='));

/** A container in which nothing stands but the chosen block goes with the move of that. */
function isLeftEmpty(before: Picture, id: string, chosen: string): boolean {
  const children = [...before.blocks.values()].filter((block) => block.parent === id);
  return children.length > 0 && children.every((child) => child.id === chosen || isLeftEmpty(before, child.id, chosen));
}

/** Blocks and the document around a block, innermost first. */
export const parentsIn = (picture: Picture, id: string): string[] => {
  const parents: string[] = [];
  for (let at = picture.blocks.get(id)?.parent; at !== undefined; at = picture.blocks.get(at)?.parent) parents.push(at);
  return parents;
};

/** Blocks that a plan takes away by what it shows: deleted ones with what is in them, emptied containers, and parts of changed ones. */
function goneBy(operations: ChangePlan['operations'], before: Picture): ReadonlySet<string> {
  const inside = (id: string): string[] => [...before.blocks.keys()].filter((each) => each === id || parentsIn(before, each).includes(id));
  const gone = new Set<string>();
  for (const operation of operations) {
    if (operation.action === 'delete') for (const id of inside(operation.blockId)) gone.add(id);
    if (operation.action === 'update') for (const id of inside(operation.blockId)) if (id !== operation.blockId) gone.add(id);
  }
  const moved = new Set(operations.filter((operation) => operation.action === 'move').map((operation) => operation.blockId));
  if (moved.size === 0) return gone;
  // A container whose blocks all left goes too.
  for (const id of [...before.blocks.keys()].reverse()) {
    const children = [...before.blocks.values()].filter((block) => block.parent === id);
    const isEmptied = children.length > 0 && children.every((child) => moved.has(child.id) || gone.has(child.id));
    if (isEmptied && before.blocks.get(id)?.type !== 'NodeDocument') gone.add(id);
  }
  return gone;
}
