// Random edits of a model and of a person, of which each block's words show who wrote it.
import { Hand, type Leaf } from './hand-program.ts';
import { origin, signal, type TestBench } from './support.ts';

export const MODEL = 'mechanic';
export const HER = 'handmade';
let count = 0;
function next(): number {
  count += 1;
  return count;
}
/** Three words, of which one looks like no other. */
export const words = (whose: string): string => Array.from({ length: 3 }, () => `${whose}${next()}`).join(' ');
export const source = (nodeId: string): string => `${origin.sessionId}/${nodeId}/${origin.callId}`;

export async function modelAdds(bench: TestBench, anchor: string, text: string, nodeId: string): Promise<string> {
  const plan = await bench.host.notes.planInsert({ anchor, position: 'after', markdown: text }, 'insert_blocks', signal);
  return (await bench.apply(plan, undefined, { ...origin, nodeId })).blockIds[0] ?? '';
}

export async function modelEdits(bench: TestBench, id: string, before: string, after: string, nodeId: string): Promise<void> {
  const { hash } = await bench.host.readBlock(id, signal);
  const plan = await bench.host.notes.planEdit({ id, expectHash: hash, edits: [{ old: before, new: after }] }, 'edit_block', signal);
  await bench.apply(plan, undefined, { ...origin, nodeId });
}

export const KINDS = [
  ...(['add', 'addList', 'edit', 'undoWrite', 'type', 'rewrite', 'split', 'merge', 'copy', 'cut', 'cutText'] as const),
  ...(['heading', 'list', 'drag', 'undo', 'redo'] as const),
];

/** Random edits of a model and of a person in two notes. What a block says shows who wrote it: a model's words begin like no other. */
export class Program {
  private readonly bench: TestBench;
  private readonly hand: Hand;
  private readonly docs: readonly string[];
  private last = '';

  constructor(bench: TestBench, docs: readonly string[]) {
    this.bench = bench;
    this.hand = new Hand(bench);
    this.docs = docs;
  }

  async leaves(): Promise<readonly Leaf[]> {
    return (await Promise.all(this.docs.map((doc) => this.hand.leaves(doc)))).flat();
  }

  /** False where there is nothing to do it with. */
  async take(kind: (typeof KINDS)[number], at: number, to: number): Promise<boolean> {
    const present = await this.leaves();
    const [one, other] = [present[at % present.length], present[to % present.length]];
    const isDone = one && other && ((await this.byModel(kind, one)) || (await this.byHand(kind, one, other, to)));
    await this.hand.heard(this.docs[0] ?? '');
    return isDone === true;
  }

  private async byModel(kind: string, one: Leaf): Promise<boolean> {
    const nodeId = `any-${next()}`;
    const [first = ''] = one.text.split(' ');
    if (kind === 'add') await modelAdds(this.bench, one.id, words(MODEL), nodeId);
    else if (kind === 'addList') await modelAdds(this.bench, one.id, `- ${words(MODEL)}\n- ${words(MODEL)}`, nodeId);
    else if (kind === 'edit' && first !== '' && one.text.split(first).length === 2)
      await modelEdits(this.bench, one.id, first, words(MODEL), nodeId);
    else if (kind === 'undoWrite' && this.last !== '') await this.bench.host.history.undo(origin.sessionId, this.last, signal);
    else return false;
    this.last = kind === 'undoWrite' ? '' : nodeId;
    return true;
  }

  private async byHand(kind: string, one: Leaf, other: Leaf, to: number): Promise<boolean> {
    const { hand } = this;
    const cutAt = one.text.indexOf(' ', to) + 1;
    const isOther = one.id !== other.id;
    if (kind === 'type') await hand.type(one.id, `${one.text} ${words(HER)}`.trim());
    else if (kind === 'rewrite') await hand.type(one.id, words(HER));
    else if (kind === 'split' && cutAt > 0) await hand.split(one.id, cutAt);
    else if (kind === 'merge' && isOther) await hand.merge(one, other.id);
    else if (kind === 'copy' && one.source === one.ownSource) await hand.copyBlock(one.id, other.id);
    else if (kind === 'cut' && isOther) await hand.cutBlock(one, other.id);
    else if (kind === 'cutText' && cutAt > 0 && one.text.length - cutAt >= 20) await hand.cutText(one.id, cutAt, other.id);
    else if (kind === 'heading' && !one.isHeading) await hand.turnIntoHeading(one.id);
    else if (kind === 'list' && !one.isHeading) await hand.turnIntoList(one.id);
    else if (kind === 'drag' && isOther) await hand.drag(one, other.id);
    else if (kind === 'undo' || kind === 'redo')
      await hand.replay(kind, this.docs.includes(one.parent) ? one.parent : (this.docs[0] ?? ''));
    else return false;
    return true;
  }
}
