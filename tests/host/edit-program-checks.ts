// What must hold whatever a program does: nothing lost, nothing twice, no attribute gone, and undo as promised.

import type { ChildNode } from 'domhandler';
import { parseDocument } from 'htmlparser2';
import type { ChangePlan } from '../../src/tools/plans.ts';
import type { UndoReport } from '../../src/tools/ports.ts';
import type { Program } from './edit-program.ts';
import { steady, type TestBench } from './support.ts';

interface PicturedBlock {
  readonly id: string;
  readonly type: string;
  readonly parent: string;
  /** What people put on it. */
  readonly attributes: string;
  readonly text: string;
  readonly folded: boolean;
  readonly hidden: boolean;
}

/** Documents as they stand: every block with its place and attributes, and the DOM for exact comparison. */
export interface Picture {
  readonly doms: readonly string[];
  readonly blocks: ReadonlyMap<string, PicturedBlock>;
  /** Ids that stand more than once. */
  readonly twice: readonly string[];
  /** Blocks that are hidden although no folded heading stands above them: nobody would see them again. */
  readonly buried: readonly string[];
}

const OWN = /^(custom-(?!marginalia).+|name|alias|memo|bookmark)$/;

function visit(node: ChildNode, parent: string, found: PicturedBlock[]): void {
  if (!('attribs' in node)) return;
  const id = node.attribs['data-node-id'];
  const isBlock = id !== undefined && (node.attribs['data-type'] ?? '').startsWith('Node');
  if (isBlock) {
    const own = Object.entries(node.attribs).filter(([name]) => OWN.test(name));
    const attributes = JSON.stringify(own.sort());
    const [folded, hidden] = [node.attribs.fold === '1', node.attribs['heading-fold'] === '1'];
    found.push({ id, type: node.attribs['data-type'] ?? '', parent, attributes, text: textOf(node), folded, hidden });
  }
  for (const child of node.children) visit(child, isBlock ? id : parent, found);
}

const textOf = (node: ChildNode): string =>
  'data' in node && typeof node.data === 'string' ? node.data : 'children' in node ? node.children.map(textOf).join('') : '';

export async function pictureOf(bench: TestBench, documents: readonly string[]): Promise<Picture> {
  const doms: string[] = [];
  const found: PicturedBlock[] = [];
  for (const id of documents) {
    const dom = await bench.dom(id);
    doms.push(steady(dom));
    for (const node of parseDocument(dom).children) visit(node, id, found);
  }
  const blocks = new Map(found.map((block) => [block.id, block]));
  const twice = found.map((block) => block.id).filter((id, index, all) => all.indexOf(id) !== index);
  const isUnder = (block: PicturedBlock, index: number): boolean =>
    found.slice(0, index).some((each) => each.parent === block.parent && each.folded && each.type === 'NodeHeading');
  const buried = found.flatMap((block, index) =>
    block.hidden && documents.includes(block.parent) && !isUnder(block, index) ? [block.id] : [],
  );
  return { doms, blocks, twice, buried };
}

/** The code of an expected failure; anything else is a fault of ours. */
export function allowed(error: unknown, codes: RegExp, what: string): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (codes.test(code)) return code;
  throw new Error(`${what} failed with ${error instanceof Error ? (error.stack ?? String(error)) : String(error)}`);
}

export interface Typed {
  readonly kind: 'update' | 'insert';
  readonly id: string;
  readonly text: string;
}

export interface Failure {
  failed: string | undefined;
  readonly typed: Typed[];
}

interface WrittenCheck {
  readonly plan: ChangePlan;
  readonly accepted: ReadonlySet<string>;
  readonly before: Picture;
  readonly after: Picture;
  readonly code: string;
  readonly failure: Failure;
}

export class Checks {
  private readonly program: Program;
  /** The last that a person wrote in each block. */
  private readonly texts = new Map<string, string>();
  private readonly conflicts: string[] = [];

  constructor(program: Program) {
    this.program = program;
  }

  typed(typed: readonly Typed[]): void {
    for (const { id, text } of typed) this.texts.set(id, text);
  }

  same(now: Picture, before: Picture, what: string): void {
    if (now.doms.join('\n') !== before.doms.join('\n')) this.fail(`${what} changed the documents`, before.doms, now.doms);
  }

  /** After a write, whatever came of it. */
  written({ plan, accepted, before, after, code, failure }: WrittenCheck): void {
    this.noneTwice(after);
    const operations = plan.operations.filter((operation) => accepted.has(operation.id));
    const gone = goneBy(operations, before);
    for (const [id, block] of before.blocks) {
      const now = after.blocks.get(id);
      if (!now && !gone.has(id))
        this.fail(
          `block ${id} (${block.type}, “${block.text.slice(0, 40)}”) is lost by ${plan.operations.map((each) => each.action).join()} (${code})`,
          before.doms,
          after.doms,
        );
      if (now && now.attributes !== block.attributes)
        this.fail(`block ${id} lost attributes: ${block.attributes} → ${now.attributes}`, before.doms, after.doms);
    }
    const isQuiet = failure.failed === undefined && failure.typed.length === 0;
    if (isQuiet && code !== 'no error' && !(code === 'not_approved' && operations.length === 0))
      this.fail(`a quiet write failed with ${code}`);
    if (code === 'no error') {
      for (const operation of operations) {
        const stands = after.blocks.has(operation.blockId);
        if (operation.action === 'insert' && !stands) this.fail(`block ${operation.blockId} was reported written and is not there`);
        if (operation.action === 'delete' && stands) this.fail(`block ${operation.blockId} was reported deleted and stands`);
      }
    }
    if (['kernel_unreachable', 'not_approved', 'stale'].includes(code) && failure.typed.length === 0 && plan.operations.length <= 31) {
      this.same(after, before, `a write that was said to have failed (${code})`);
    }
  }

  undone({ now, before, exact, report }: { now: Picture; before: Picture; exact: boolean; report: UndoReport }): void {
    this.noneTwice(now);
    if (!this.program.typing && exact) {
      if (report.conflicts.length > 0) this.fail(`undo reports ${JSON.stringify(report.conflicts)}`, before.doms, now.doms);
      this.same(now, before, 'an undo');
    }
    const settled = new Set(report.conflicts.map((conflict) => conflict.blockId));
    for (const [id, block] of before.blocks) {
      const back = now.blocks.get(id);
      const inConflict = settled.has(id) || parentsIn(before, id).some((parent) => settled.has(parent));
      if (!back && exact && !inConflict && report.conflicts.length === 0)
        this.fail(`block ${id} (“${block.text.slice(0, 40)}”) did not come back`, before.doms, now.doms);
      if (back && back.attributes !== block.attributes)
        this.fail(`block ${id} came back without ${block.attributes}`, before.doms, now.doms);
    }
    for (const conflict of report.conflicts) this.conflicts.push(`${conflict.now}${conflict.before}`);
  }

  /** In the end what a person wrote stands, wherever, or is offered to be chosen. */
  kept(now: Picture): void {
    const all = [...now.doms, ...this.conflicts].join('\n');
    for (const [id, text] of this.texts) if (!all.includes(text)) this.fail(`what a person typed in ${id} is lost: ${text}`, [], now.doms);
  }

  private noneTwice(now: Picture): void {
    if (now.buried.length > 0) this.fail(`hidden for good: ${now.buried.join()}`, [], now.doms);
    if (now.twice.length > 0) this.fail(`blocks stand twice: ${now.twice.join()}`, [], now.doms);
  }

  /** Shows the documents that differ. */
  private fail(what: string, before: readonly string[] = [], now: readonly string[] = []): never {
    const differ = now.flatMap((dom, index) => (dom === before[index] ? [] : [`before: ${before[index] ?? ''}`, `now:    ${dom}`]));
    throw new Error([what, JSON.stringify(this.program), ...differ].join('\n'));
  }
}

/** Blocks and the document around a block, innermost first. */
export const parentsIn = (picture: Picture, id: string): string[] => {
  const parents: string[] = [];
  for (let at = picture.blocks.get(id)?.parent; at !== undefined; at = picture.blocks.get(at)?.parent) parents.push(at);
  return parents;
};

/** Blocks that a plan takes away by what it shows: deleted ones with what stands in them, emptied containers, and parts of changed ones. */
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
