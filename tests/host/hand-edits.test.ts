import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Hand, type Leaf } from './hand-program.ts';
import { origin, signal, useBench } from './support.ts';

const bench = useBench('write');
const MODEL = 'mechanic';
const HER = 'handmade';
let count = 0;
function next(): number {
  count += 1;
  return count;
}
/** Three words, of which one looks like no other. */
const words = (whose: string): string => Array.from({ length: 3 }, () => `${whose}${next()}`).join(' ');
const source = (nodeId: string): string => `${origin.sessionId}/${nodeId}/${origin.callId}`;

async function modelAdds(anchor: string, text: string, nodeId: string): Promise<string> {
  const plan = await bench.host.notes.planInsert({ anchor, position: 'after', markdown: text }, 'insert_blocks', signal);
  return (await bench.apply(plan, undefined, { ...origin, nodeId })).blockIds[0] ?? '';
}

async function modelEdits(id: string, before: string, after: string, nodeId: string): Promise<void> {
  const { hash } = await bench.host.readBlock(id, signal);
  const plan = await bench.host.notes.planEdit({ id, expectHash: hash, edits: [{ old: before, new: after }] }, 'edit_block', signal);
  await bench.apply(plan, undefined, { ...origin, nodeId });
}

const KINDS = [
  ...(['add', 'addList', 'edit', 'undoWrite', 'type', 'rewrite', 'split', 'merge', 'copy', 'cut', 'cutText'] as const),
  ...(['heading', 'list', 'drag', 'undo', 'redo'] as const),
];

/** Random edits of a model and of a person in two notes. What a block says shows who wrote it: a model's words begin like no other. */
class Program {
  private readonly hand = new Hand(bench);
  private readonly docs: readonly string[];
  private last = '';

  constructor(docs: readonly string[]) {
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
    if (kind === 'add') await modelAdds(one.id, words(MODEL), nodeId);
    else if (kind === 'addList') await modelAdds(one.id, `- ${words(MODEL)}\n- ${words(MODEL)}`, nodeId);
    else if (kind === 'edit' && first !== '' && one.text.split(first).length === 2) await modelEdits(one.id, first, words(MODEL), nodeId);
    else if (kind === 'undoWrite' && this.last !== '') await bench.host.history.undo(origin.sessionId, this.last, signal);
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

describe('a block that a model wrote', () => {
  it('keeps being one in both halves when a person splits it, also after Ctrl+Z and Ctrl+Y; what is typed after it is hers', async () => {
    const hand = new Hand(bench);
    const doc = await bench.document('/Hands/Split', 'handmade0');
    const id = await modelAdds((await bench.blocks(doc))[0] ?? '', 'mechanic one mechanic two', 's1');
    const second = await hand.split(id, 13);
    expect(await hand.leaves(doc)).toMatchObject([{ source: '' }, { source: source('s1') }, { id: second, source: source('s1') }]);
    await hand.replay('undo', doc);
    await hand.replay('redo', doc);
    expect((await hand.leaves(doc)).at(-1)).toMatchObject({ text: 'mechanic two', source: source('s1') });
    const typed = await hand.split(second, 100);
    await hand.type(typed, 'her own words');
    expect((await hand.leaves(doc)).at(-1)).toMatchObject({ text: 'her own words', source: '' });
  });

  it('makes the person’s block one that a model wrote in when they are joined, and names both models’ calls', async () => {
    const hand = new Hand(bench);
    const doc = await bench.document('/Hands/Join', 'handmade words');
    const [hers = ''] = await bench.blocks(doc);
    const one = await modelAdds(hers, 'mechanic first', 'j1');
    const two = await modelAdds(one, 'machinery second', 'j2');
    const inDoc = async (id: string) => (await hand.leaves(doc)).find((each) => each.id === id);
    for (const id of [one, two]) {
      const block = await inDoc(id);
      if (block) await hand.merge(block, hers);
    }
    expect(await hand.leaves(doc)).toMatchObject([{ id: hers, source: `${source('j1')} ${source('j2')}` }]);
    // One of the two is left, then none.
    await hand.type(hers, 'handmade words and machinery');
    expect(await hand.leaves(doc)).toMatchObject([{ source: `${source('j1')} ${source('j2')}` }]);
    await hand.type(hers, 'handmade words alone');
    expect(await hand.leaves(doc)).toMatchObject([{ source: '' }]);
    await hand.replay('undo', doc);
    expect(await hand.leaves(doc)).toMatchObject([{ source: `${source('j1')} ${source('j2')}` }]);
  });

  it('is marked again where an editor that was typing meanwhile wrote it once more without its mark', async () => {
    const hand = new Hand(bench);
    const doc = await bench.document('/Hands/Typing', 'handmade words');
    const [hers = ''] = await bench.blocks(doc);
    const one = await modelAdds(hers, 'mechanic first', 't1');
    const block = (await hand.leaves(doc)).find(({ id }) => id === one);
    if (!block) throw new Error('no block');
    const data = await bench.dom(hers);
    await hand.merge(block, hers);
    const late = data.replace('handmade words', 'handmade words mechanic first');
    const typed = { action: 'update', id: hers, data: late.replace('words', 'words typed') } as const;
    await hand.send([typed], [{ ...typed, data: late }], hers);
    expect(await hand.leaves(doc)).toMatchObject([{ text: 'handmade words typed mechanic first', source: source('t1') }]);
  });

  it('stays the person’s where only her part of it went: a model had changed the other', async () => {
    const hand = new Hand(bench);
    const doc = await bench.document('/Hands/Part', 'handmade begin handmade end');
    const [id = ''] = await bench.blocks(doc);
    await modelEdits(id, 'begin', 'mechanics', 'p1');
    const right = await hand.split(id, 19);
    expect(await hand.leaves(doc)).toMatchObject([
      { id, source: source('p1') },
      { id: right, text: 'handmade end', source: '' },
    ]);
  });

  it('is known again in what was cut or copied from it, and counts as read where it was', async () => {
    const hand = new Hand(bench);
    const doc = await bench.document('/Hands/Cut', 'handmade');
    const [hers = ''] = await bench.blocks(doc);
    const id = await modelAdds(hers, 'mechanic words that are long enough to be known', 'c1');
    await bench.host.routes.setAttributes(id, { 'custom-marginalia-read': '1' }, signal);
    await hand.cutText(id, 9, hers);
    expect(await hand.leaves(doc)).toMatchObject([{ id: hers, source: '' }, { source: source('c1'), isRead: true }, { id }]);
    bench.host.hands.copied({ 'custom-marginalia-source': source('c1') }, 'words that are long enough to be known');
    await hand.type(hers, 'handmade: words that are long enough to be known');
    expect((await hand.leaves(doc))[0]).toMatchObject({ id: hers, source: source('c1') });
  });

  it('is one still when it leaves the list that the model wrote, by dragging or by splitting', async () => {
    const hand = new Hand(bench);
    const doc = await bench.document('/Hands/List', 'handmade');
    const [hers = ''] = await bench.blocks(doc);
    await modelAdds(hers, '- mechanic one\n- machinery two', 'l1');
    const [, first, second] = await hand.leaves(doc);
    if (!first || !second) throw new Error('no list of two');
    await hand.drag(second, hers);
    await hand.merge(first, hers);
    const left = (await hand.leaves(doc)).filter(({ text }) => text !== '');
    expect(left).toMatchObject([
      { id: hers, source: source('l1') },
      { id: second.id, source: source('l1') },
    ]);
  });

  it('is told from a person’s by any order of splits, joins, cuts, copies, turns, moves, typing, Undo of the editor and of Marginalia', async () => {
    const step = fc.record({ kind: fc.constantFrom(...KINDS), at: fc.nat(20), to: fc.nat(20) });
    const seen: Record<string, number> = {};
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 9 }), async (steps) => {
        const name = crypto.randomUUID();
        const [one, two] = [`${words(HER)}\n\n${words(HER)}`, words(HER)];
        const program = new Program([await bench.document(`/Hands/A ${name}`, one), await bench.document(`/Hands/B ${name}`, two)]);
        for (const { kind, at, to } of steps) {
          if (await program.take(kind, at, to)) seen[kind] = (seen[kind] ?? 0) + 1;
        }
        const found = (await program.leaves()).filter(({ text }) => text !== '');
        // What is hers in a model's list has no mark of its own: the list was changed by hand since.
        const said = found.map(({ text, source: all, ownSource }) => [text, (text.includes(MODEL) ? all : ownSource) !== '']);
        expect(said).toEqual(found.map(({ text }) => [text, text.includes(MODEL)]));
      }),
      { numRuns: process.env.MARGINALIA_FUZZ === 'full' ? 200 : 12 },
    );
    if (process.env.MARGINALIA_FUZZ === 'full') console.info('edits by hand:', JSON.stringify(seen));
    expect(Object.keys(seen).length).toBeGreaterThan(8);
  });
});
