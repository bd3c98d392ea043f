import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { full, runCount } from '../support/property-runs.ts';
import { HER, KINDS, MODEL, modelAdds, modelEdits, Program, source, words } from './hand-history.ts';
import { Hand } from './hand-program.ts';
import { signal, useBench } from './support.ts';

const bench = useBench('write');
describe('a block that a model wrote', () => {
  it('keeps being one in both halves when a person splits it, also after Ctrl+Z and Ctrl+Y; what is typed after it is hers', async () => {
    const hand = new Hand(bench);
    const doc = await bench.document('/Hands/Split', 'handmade0');
    const id = await modelAdds(bench, (await bench.blocks(doc))[0] ?? '', 'mechanic one mechanic two', 's1');
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
    const one = await modelAdds(bench, hers, 'mechanic first', 'j1');
    const two = await modelAdds(bench, one, 'machinery second', 'j2');
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
    const one = await modelAdds(bench, hers, 'mechanic first', 't1');
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
    await modelEdits(bench, id, 'begin', 'mechanics', 'p1');
    const right = await hand.split(id, 19);
    expect(await hand.leaves(doc)).toMatchObject([
      { id, source: source('p1') },
      { id: right, text: 'handmade end', source: '' },
    ]);
  });

  it('is not known again in words that another window or service of ours writes after it took the block back', async () => {
    const hand = new Hand(bench);
    const doc = await bench.document('/Hands/Ours', 'handmade');
    const [hers = ''] = await bench.blocks(doc);
    const id = await modelAdds(bench, hers, 'mechanic words that are long enough to be known', 'o1');
    const data = await bench.dom(id);
    const next = '20260211120000-samewor';
    const writes = async (doOperations: readonly object[], undoOperations: readonly object[]) => {
      const transactions = [{ doOperations, undoOperations }];
      await bench.api('/api/transactions', { app: 'marginalia', session: 'marginalia-service-1', reqId: 1, transactions });
      await hand.heard(doc);
    };
    await writes([{ action: 'delete', id }], [{ action: 'insert', id, data, previousID: hers }]);
    const same = data.replaceAll(id, next).replaceAll(/ custom-marginalia-[a-z]+="[^"]*"/gu, '');
    await writes([{ action: 'insert', id: next, data: same, previousID: hers }], [{ action: 'delete', id: next }]);
    expect(await hand.leaves(doc)).toMatchObject([{ id: hers }, { id: next, source: '' }]);
  });

  it('is known again in what was cut or copied from it, and counts as read where it was', async () => {
    const hand = new Hand(bench);
    const doc = await bench.document('/Hands/Cut', 'handmade');
    const [hers = ''] = await bench.blocks(doc);
    const id = await modelAdds(bench, hers, 'mechanic words that are long enough to be known', 'c1');
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
    await modelAdds(bench, hers, '- mechanic one\n- machinery two', 'l1');
    const [, first, second] = await hand.leaves(doc);
    if (!first || !second) throw new Error('no list of two');
    const asked: string[] = [];
    bench.hooks = { before: (path) => void asked.push(path) };
    await hand.drag(second, hers);
    // The index may not know yet what was written just now.
    expect(asked.slice(0, 2)).toEqual(['/api/sqlite/flushTransaction', '/api/query/sql']);
    await hand.merge(first, hers);
    const left = (await hand.leaves(doc)).filter(({ text }) => text !== '');
    expect(left).toMatchObject([
      { id: hers, source: source('l1') },
      { id: second.id, source: source('l1') },
    ]);
  });

  it('is known again in what was cut from the list that the model wrote, whose parts have no mark of their own', async () => {
    const hand = new Hand(bench);
    const doc = await bench.document('/Hands/CutList', 'handmade');
    const [hers = ''] = await bench.blocks(doc);
    await modelAdds(bench, hers, '- mechanic words that are long enough to be known\n- machinery two', 'l2');
    const item = (await hand.leaves(doc)).find(({ text }) => text.startsWith('mechanic'));
    expect(item).toMatchObject({ source: source('l2'), ownSource: '' });
    await hand.cutText(item?.id ?? '', 9, hers);
    const pasted = (await hand.leaves(doc)).find(({ text }) => text.startsWith('words that are'));
    expect(pasted?.ownSource).toBe(source('l2'));
  });

  it('is told from a person’s by any order of splits, joins, cuts, copies, turns, moves, typing, Undo of the editor and of Marginalia', async () => {
    const step = fc.record({ kind: fc.constantFrom(...KINDS), at: fc.nat(20), to: fc.nat(20) });
    const seen: Record<string, number> = {};
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 9 }), async (steps) => {
        const name = crypto.randomUUID();
        const [one, two] = [`${words(HER)}\n\n${words(HER)}`, words(HER)];
        const program = new Program(bench, [await bench.document(`/Hands/A ${name}`, one), await bench.document(`/Hands/B ${name}`, two)]);
        for (const { kind, at, to } of steps) {
          if (await program.take(kind, at, to)) seen[kind] = (seen[kind] ?? 0) + 1;
        }
        const found = (await program.leaves()).filter(({ text }) => text !== '');
        // What is hers in a model's list has no mark of its own: the list was changed by hand since.
        const said = found.map(({ text, source: all, ownSource }) => [text, (text.includes(MODEL) ? all : ownSource) !== '']);
        expect(said).toEqual(found.map(({ text }) => [text, text.includes(MODEL)]));
      }),
      { numRuns: runCount(12, 200) },
    );
    if (full) console.info('edits by hand:', JSON.stringify(seen));
    expect(Object.keys(seen).length).toBeGreaterThan(8);
  }, 1_200_000);
});
