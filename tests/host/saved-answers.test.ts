import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createAccess } from '../../src/host/access/access.ts';
import { readCites } from '../../src/host/answers/cited-sources.ts';
import { KernelSavedAnswers } from '../../src/host/answers/saved-answers.ts';
import { CITES_ATTRIBUTE } from '../../src/host/blocks/source-attributes.ts';
import type { PushSource, TransactionsPush } from '../../src/host/kernel/transaction-log.ts';
import { testEngine } from '../../src/host/testing/lute.ts';
import { full, runCount } from '../support/property-runs.ts';
import { origin, signal, useBench } from './support.ts';

const bench = useBench('write');
const paths: string[] = [];
let answers: KernelSavedAnswers;
/** Looks up what pushes announced, as the pause after them would. */
let due: (() => void)[] = [];
let heard = (_push: TransactionsPush): void => undefined;

const pushes: PushSource = {
  onTransactions(listener) {
    heard = listener;
    return () => undefined;
  },
  onCommand: () => () => undefined,
};

function make(): KernelSavedAnswers {
  const { routes } = bench.host;
  return new KernelSavedAnswers({
    ...{ routes, clock: bench.host.clock, engine: testEngine(), pushes, accessOver: (over) => createAccess(over, bench.policy) },
    onRights: () => () => undefined,
    later: (work) => void due.push(work),
  });
}

beforeEach(() => {
  due = [];
  answers = make();
  bench.hooks = { before: (path) => void paths.push(path) };
  paths.splice(0);
});
afterEach(() => {
  bench.hooks = {};
});

async function save(anchor: string, markdown: string): Promise<string> {
  const plan = await bench.host.notes.planInsert({ anchor, position: 'append', markdown }, 'insert_blocks', signal);
  const { blockIds } = await bench.apply(plan, undefined, origin);
  await bench.api('/api/sqlite/flushTransaction', {});
  return blockIds[0] ?? '';
}

const attribute = async (id: string): Promise<string> =>
  (await bench.api<Record<string, string>>('/api/attr/getBlockAttrs', { id }))[CITES_ATTRIBUTE] ?? '';

/** As an editor writes what a person types. */
async function hand(id: string, text: string): Promise<void> {
  const data = (await bench.dom(id)).replace(/(spellcheck="[^"]*">)[^<]*/, `$1${text}`);
  await bench.transact([{ action: 'update', id, data }]);
}

async function notes(name: string) {
  const sources = await bench.document(`/${name} sources`, 'The launch is in **May**.\n\nCosts are 40,000.\n\n- one item');
  const [launch = '', costs = '', list = ''] = await bench.blocks(sources);
  const note = await bench.document(`/${name}`, 'mine');
  const [mine = ''] = await bench.blocks(note);
  return { sources, launch, costs, list, note, mine };
}

describe('an answer that is saved into a note', () => {
  it('keeps no more than the beginning of a long source, and less of each of many: it travels with the note', async () => {
    const { note } = await notes('Long');
    const text = `${'word '.repeat(79)}and ${'secret '.repeat(20)}`;
    const long = await bench.document('/Long source', Array.from({ length: 12 }, () => text).join('\n\n'));
    const sources = await bench.blocks(long);
    const kept = async (ids: readonly string[]) => {
      const id = await save(note, `As said ${ids.map((source) => `((${source} "there"))`).join(' ')}.`);
      return readCites(await attribute(id)).map(({ words }) => words);
    };
    const [one = ''] = await kept(sources.slice(0, 1));
    expect([one.startsWith('word word'), one.endsWith('…'), one.includes('secret secret')]).toEqual([true, true, false]);
    expect(one.length).toBeLessThanOrEqual(400);
    const many = await kept(sources);
    expect(many).toHaveLength(12);
    expect(many.join('').length).toBeLessThanOrEqual(2400);
  });

  it('shows what changed at the end of a paragraph, and says so where only what was not kept changed, or the form', async () => {
    const { note } = await notes('Ends');
    const sentence = 'All teams agreed on the plan that was made in the spring, with its costs and its people, as it was. ';
    const text = `${sentence.repeat(2)}The launch is in May.`;
    const long = `${sentence.repeat(6)}The launch is in May.`;
    const [whole = '', cut = '', form = ''] = await bench.blocks(await bench.document('/Ends source', `${text}\n\n${long}\n\nIn May.`));
    const id = await save(note, `((${whole} "a")) ((${cut} "b")) ((${form} "c"))`);
    await hand(whole, text.replace('May', 'June'));
    await hand(cut, long.replace('May', 'June'));
    await bench.api('/api/block/updateBlock', { id: form, dataType: 'markdown', data: 'In **May**.' });
    await answers.open(signal);
    const [first, second, third] = (await answers.changes([id], signal)).get(id) ?? [];
    expect([first?.before.endsWith('in May.'), first?.now?.endsWith('in June.')]).toEqual([true, true]);
    expect([second?.before === second?.now, second?.now?.endsWith('…')]).toEqual([true, true]);
    expect(third).toMatchObject({ before: 'In May.', now: 'In May.' });
    await answers.renew([id], signal);
  });

  it('keeps the hash and the words of each block that it cites, written together with its text', async () => {
    const { sources, launch, costs, note } = await notes('Kept');
    const id = await save(note, `We launch in May ((${launch} "launch")), for 40,000 ((${costs} "costs")).`);
    const kept = readCites(await attribute(id));
    expect(kept).toMatchObject([
      {
        id: launch,
        hash: expect.stringMatching(/^[0-9a-f]{8}$/),
        documentId: sources,
        notebook: bench.notebook,
        words: 'The launch is in May.',
      },
      { id: costs, words: 'Costs are 40,000.' },
    ]);
    expect(paths.filter((path) => path.includes('setBlockAttrs'))).toEqual([]);
    await answers.open(signal);
    expect([...answers.outdated()]).toEqual([]);
    expect((await answers.changes([id], signal)).size).toBe(0);
  });

  it('is out of date once a source says something else, or is gone, with the words of then and now', async () => {
    const { launch, costs, note } = await notes('Changed');
    const id = await save(note, `May ((${launch} "launch")), 40,000 ((${costs} "costs")).`);
    await hand(launch, 'The launch is in June.');
    await bench.transact([{ action: 'delete', id: costs }]);
    await answers.open(signal);
    expect([...answers.outdated()].filter((each) => each === id)).toEqual([id]);
    expect((await answers.changes([id], signal)).get(id)).toEqual([
      { id: launch, before: 'The launch is in May.', now: expect.stringContaining('June') },
      { id: costs, before: 'Costs are 40,000.', now: null },
    ]);
    await answers.renew([id], signal);
    expect([...answers.outdated()]).toEqual([]);
    expect(readCites(await attribute(id)).map((cite) => cite.id)).toEqual([launch]);
    await make().open(signal);
    expect((await answers.changes([id], signal)).size).toBe(0);
  });

  it('says nothing of a source that may not be read: neither its words nor whether it changed, hidden by note, block or notebook', async () => {
    const { sources, launch, costs, note } = await notes('Hidden');
    const id = await save(note, `May ((${launch} "launch")), 40,000 ((${costs} "costs")).`);
    await hand(launch, 'Never.');
    const guard = (block: string, value: string) =>
      bench.api('/api/attr/setBlockAttrs', { id: block, attrs: { 'custom-ai-access': value } });
    const said = async () => {
      const now = make();
      await now.open(signal);
      await now.open(signal);
      return [now.outdated().has(id), (await now.changes([id], signal)).get(id)?.map((source) => source.id) ?? []];
    };
    expect(await said()).toEqual([true, [launch]]);
    await guard(launch, 'none');
    expect(await said()).toEqual([false, []]);
    await guard(launch, '');
    await guard(sources, 'none');
    expect(await said()).toEqual([false, []]);
    // Nor once a source is gone from a note that is hidden.
    await bench.transact([{ action: 'delete', id: costs }]);
    expect(await said()).toEqual([false, []]);
    await guard(sources, '');
    expect(await said()).toEqual([true, [launch, costs]]);
    bench.policy.setRight(bench.notebook, 'none');
    expect(await said()).toEqual([false, []]);
    bench.policy.setRight(bench.notebook, 'write');
    // The answer stays readable in another notebook, while what it cites is not in the index.
    const { notebook } = await bench.api<{ notebook: { id: string } }>('/api/notebook/createNotebook', { name: 'Elsewhere' });
    bench.policy.setRight(notebook.id, 'write');
    const other = { notebook: notebook.id, path: '/Copy', markdown: 'a copy' };
    const copy = (await bench.blocks(await bench.api<string>('/api/filetree/createDocWithMd', other)))[0] ?? '';
    await bench.api('/api/attr/setBlockAttrs', { id: copy, attrs: { [CITES_ATTRIBUTE]: await attribute(id) } });
    await bench.api('/api/sqlite/flushTransaction', {});
    await answers.open(signal);
    expect(answers.outdated().has(copy)).toBe(true);
    await bench.api('/api/notebook/closeNotebook', { notebook: bench.notebook });
    await answers.open(signal);
    expect([answers.outdated().has(copy), (await answers.changes([copy], signal)).size]).toEqual([false, 0]);
    await bench.api('/api/notebook/openNotebook', { notebook: bench.notebook });
    expect(await said()).toEqual([true, [launch, costs]]);
  });

  it('keeps no words of what may not be read, nor of what a person had referred to', async () => {
    const { launch, costs, note, mine } = await notes('Own');
    await bench.api('/api/attr/setBlockAttrs', { id: costs, attrs: { 'custom-ai-access': 'none' } });
    const own = `mine ((${launch} 'launch'))`;
    await bench.api('/api/block/updateBlock', { id: mine, dataType: 'markdown', data: own });
    const { hash, markdown } = await bench.host.readBlock(mine, signal);
    const plan = await bench.host.notes.planEdit({ id: mine, expectHash: hash, markdown: `Better: ${markdown}` }, 'edit_block', signal);
    await bench.apply(plan);
    expect(await attribute(mine)).toBe('');
    const hidden = await save(note, `Costs ((${costs} "costs")).`).catch(() => '');
    expect(hidden === '' ? '' : await attribute(hidden)).toBe('');
    await bench.api('/api/attr/setBlockAttrs', { id: costs, attrs: { 'custom-ai-access': '' } });
    const id = await save(note, `((${launch} "launch"))`);
    expect(readCites(await attribute(id)).map((cite) => cite.id)).toEqual([launch]);
  });

  it('is noticed by what is pushed, which asks for nothing but what it touched; typing elsewhere asks for nothing', async () => {
    const { launch, list, note, mine } = await notes('Pushed');
    const id = await save(note, `May ((${launch} "launch")), one ((${list} "list")).`);
    await answers.open(signal);
    const seen: string[][] = [];
    answers.subscribe(() => seen.push([...answers.outdated()].filter((each) => each === id)));
    const push = async (block: string): Promise<void> => {
      const data = await bench.dom(block);
      paths.splice(0);
      heard({ session: 'other', blockIds: [block], operations: [{ action: 'update', id: block, data, previousID: '', parentID: '' }] });
      for (const work of due.splice(0)) work();
      await answers.lookUp(signal);
    };
    await hand(mine, 'mine, and more');
    await push(mine);
    expect(paths).toEqual([]);
    await hand(launch, 'The launch is in June.');
    await push(launch);
    expect(seen).toEqual([[id]]);
    const look = ['/api/notebook/lsNotebooks', '/api/attr/batchGetBlockAttrs', '/api/query/sql', '/api/block/getBlockDOMs'];
    expect(paths).toEqual(look);
    await answers.renew([id], signal);
    expect(seen.at(-1)).toEqual([]);
    // A part of a cited list is a change of the list.
    const [item = ''] = /data-node-id="(\d{14}-\w{7})"[^>]*data-type="NodeParagraph"/.exec(await bench.dom(list))?.slice(1) ?? [];
    await hand(item, 'two items');
    await push(item);
    expect(seen.at(-1)).toEqual([id]);
    expect((await answers.changes([id], signal)).get(id)?.map((source) => source.id)).toContain(list);
  });

  it('survives what somebody else wrote into the attribute, and a part of it that is nonsense', async () => {
    const { launch, note, mine } = await notes('Nonsense');
    const id = await save(note, `May ((${launch} "launch")).`);
    const good = await attribute(id);
    const nonsense = [
      '{',
      '5',
      '"x"',
      '["a"]',
      '[[1,2]]',
      '[null,{"a":1}]',
      `[["${launch}","not a hash",""]]`,
      '[["a,b c","00000000"]]',
      '<b>',
    ];
    for (const value of nonsense) {
      await bench.api('/api/attr/setBlockAttrs', { id: mine, attrs: { [CITES_ATTRIBUTE]: value } });
      await answers.open(signal);
      expect([answers.outdated().has(mine), (await answers.changes([mine], signal)).size]).toEqual([false, 0]);
    }
    await bench.api('/api/attr/setBlockAttrs', { id: mine, attrs: { [CITES_ATTRIBUTE]: good.replace(/"[0-9a-f]{8}"/, '"00000000"') } });
    await answers.open(signal);
    expect(answers.outdated().has(mine)).toBe(true);
  });

  it('is out of date where a source changes in the second in which it was checked', async () => {
    const { launch, note } = await notes('Same second');
    const id = await save(note, `May ((${launch} "launch")).`);
    await hand(launch, 'The launch is in June.');
    await answers.renew([id], signal);
    expect(readCites(await attribute(id))[0]?.updated).toBe('');
    await hand(launch, 'The launch is in July.');
    await bench.api('/api/sqlite/flushTransaction', {});
    await answers.open(signal);
    expect(answers.outdated().has(id)).toBe(true);
  });

  it('keeps what it cites through moves, edits by hand and a copy, and Undo of a later edit brings back what was cited before', async () => {
    const { launch, costs, note, mine } = await notes('Moved');
    const id = await save(note, `May ((${launch} "launch")).`);
    const kept = await attribute(id);
    await bench.api('/api/block/moveBlock', { id, previousID: '', parentID: note });
    await hand(id, 'In May ');
    expect(await attribute(id)).toBe(kept);
    const { hash, markdown } = await bench.host.readBlock(id, signal);
    const edited = `${markdown} For 40,000 ((${costs} "costs")).`;
    const plan = await bench.host.notes.planEdit({ id, expectHash: hash, markdown: edited }, 'edit_block', signal);
    await bench.apply(plan, undefined, { ...origin, nodeId: 'later' });
    expect(readCites(await attribute(id)).map((cite) => cite.id)).toEqual([launch, costs]);
    await hand(costs, 'Costs are 50,000.');
    await answers.renew([id], signal);
    const { conflicts } = await bench.host.history.undo(origin.sessionId, 'later', signal);
    expect(conflicts).toEqual([]);
    expect(await attribute(id)).toBe(kept);
    expect(mine).not.toBe('');
  });

  it('is out of date exactly where a source says something else, after any order of edits, moves, deletions and checks', async () => {
    const kinds = ['hand', 'back', 'move', 'delete', 'save', 'renew', 'attributes'] as const;
    const step = fc.record({ kind: fc.constantFrom(...kinds), at: fc.nat(20) });
    let checked = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 8 }), async (steps) => {
        const sources = await bench.document(`/Any ${crypto.randomUUID()}`, 's0\n\ns1\n\ns2');
        const note = await bench.document(`/Any answers ${crypto.randomUUID()}`, 'mine');
        const ids = await bench.blocks(sources);
        const texts = new Map(ids.map((id, at) => [id, `s${at}`]));
        /** By answer: what each source said then. */
        const kept = new Map<string, Map<string, string>>();
        for (const { kind, at } of [{ kind: 'save', at: 0 } as const, ...steps]) {
          const id = ids[at % ids.length] ?? '';
          const answer = [...kept.keys()][at % Math.max(1, kept.size)];
          const lives = texts.has(id);
          if (kind === 'save' && lives) kept.set(await save(note, `As ((${id} "said")).`), new Map([[id, texts.get(id) ?? '']]));
          if ((kind === 'hand' || kind === 'back') && lives) {
            const text = kind === 'back' ? `s${ids.indexOf(id)}` : `hand ${at}`;
            await hand(id, text);
            texts.set(id, text);
          }
          if (kind === 'move' && lives) await bench.api('/api/block/moveBlock', { id, previousID: '', parentID: at % 2 ? note : sources });
          if (kind === 'attributes' && lives) await bench.api('/api/attr/setBlockAttrs', { id, attrs: { memo: `m${at}` } });
          if (kind === 'delete' && lives) {
            await bench.transact([{ action: 'delete', id }]);
            texts.delete(id);
          }
          if (kind === 'renew' && answer) {
            await answers.renew([answer], signal);
            const now = [...(kept.get(answer) ?? [])].flatMap(([source]): [string, string][] =>
              texts.has(source) ? [[source, texts.get(source) ?? '']] : [],
            );
            kept.set(answer, new Map(now));
          }
        }
        const wanted = [...kept].flatMap(([id, cites]) => ([...cites].some(([source, said]) => texts.get(source) !== said) ? [id] : []));
        await bench.api('/api/sqlite/flushTransaction', {});
        const now = make();
        await now.open(signal);
        expect([...now.outdated()].filter((id) => kept.has(id)).sort()).toEqual(wanted.sort());
        expect([...(await now.changes([...kept.keys()], signal)).keys()].sort()).toEqual(wanted.sort());
        checked += kept.size;
      }),
      { numRuns: runCount(12, 300) },
    );
    if (full) console.log(`${checked} saved answers, none said wrongly`);
    expect(checked).toBeGreaterThan(0);
  }, 600_000);
});
