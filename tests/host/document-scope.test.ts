import { afterEach, describe, expect, it } from 'vitest';
import { closeNotes, type KernelNotes, openNotes } from './open-notes.ts';
import { signal } from './support.ts';

/** A part of a notebook that may be read, such as that of a project: nothing else of it is found, counted or written. */
const NOTEBOOKS = [
  {
    name: 'Work',
    right: 'delete' as const,
    documents: {
      '/Apollo': 'Launch in May. #inside#\n\nSee Zeta.',
      '/Apollo/Crew': 'Anna and Li.',
      '/Far': 'Above the root.',
      '/Far/Root': 'Launch of the root.',
      '/Zeta': 'Launch party of Apollo. #outside#',
    },
    daily: { '2026-01-14': 'Launch rain.' },
  },
];

afterEach(closeNotes);

async function open(...paths: readonly string[]) {
  const notes = await openNotes({ notebooks: NOTEBOOKS });
  let ids = paths.map((path) => notes.id(path));
  Object.assign(notes.bench.policy, { within: () => ({ [notes.notebook('Work')]: ids }) });
  const narrowTo = (...others: readonly string[]): void => {
    ids = others.map((path) => notes.id(path));
  };
  return { ...notes, narrowTo };
}

const link = (notes: KernelNotes, from: string, to: string) =>
  notes.add(notes.notebook('Work'), from, `A link ((${notes.id(to)} 'words of another')) here.`);

describe('what is read', () => {
  it('is a note and what is below it, by every way', async () => {
    const notes = await open('/Apollo', '/Far/Root', '/Zeta');
    const linking = await link(notes, '/Zeta/Linking', '/Apollo');
    const linked = await link(notes, '/Apollo/Linked', '/Zeta');
    const zeta = notes.id('/Zeta');
    notes.narrowTo('/Apollo', '/Far/Root');
    const all = [
      await notes.text('list_docs', { parent: notes.notebook('Work'), depth: 5 }),
      await notes.text('search_notes', { query: 'launch' }),
      await notes.text('search_notes', { query: 'launch', mode: 'keyword' }),
      await notes.text('recent_docs', {}),
      await notes.text('tags', { op: 'list' }),
      await notes.text('backlinks', { id: notes.id('/Apollo') }),
      await notes.text('backlinks', { id: notes.id('/Apollo'), kind: 'mentions' }),
      await notes.text('read_doc', { id: linked.id }),
      await notes.text('related_notes', { id: notes.id('/Apollo') }),
      await notes.text('daily_note', { op: 'list', range: '2026-01-01..2026-02-01' }),
    ].join('\n');
    expect(all).toContain('Launch in May.');
    expect(all).toContain('Launch of the root.');
    expect(all).toContain('inside');
    expect(all).not.toMatch(/party|outside|Above the root|Linking|words of another|Launch rain/u);
    expect(all).toMatch(/^0 links$/mu);
    for (const query of ['party', 'another']) expect(await notes.text('search_notes', { query })).toMatch(/^0 notes/u);
    expect(await notes.text('search_notes', { query: 'another', mode: 'keyword' })).toMatch(/^0 matches/u);
    expect(JSON.stringify(await notes.notes.blockInfo([notes.id('/Apollo')], signal))).toContain('"backlinks":0');
    for (const id of [zeta, notes.id('/Far'), linking.id]) expect(await notes.text('read_doc', { id })).toMatch(/^not_found: /u);
    expect(await notes.text('query_sql', { stmt: 'SELECT content FROM blocks LIMIT 5' })).toMatch(/^sql_off: /u);
  });

  it('is nothing where its note is gone', async () => {
    const notes = await open('/Apollo');
    await notes.bench.api('/api/filetree/removeDocByID', { id: notes.id('/Apollo') });
    for (const query of ['launch', 'Anna']) expect(await notes.text('search_notes', { query })).not.toMatch(/Launch|Anna and Li/u);
  });
});

describe('what is written', () => {
  it.each([
    ['a note at the top', 'create_doc', { path: '/New', markdown: 'x' }],
    ['a note below another', 'create_doc', { path: '/Zeta/New', markdown: 'x' }],
    ['the daily note', 'daily_note', { op: 'append', markdown: 'x' }],
  ])('is not %s', async (_what, tool, args) => {
    const notes = await open('/Apollo');
    const before = await notes.state();
    expect(await notes.text(tool, { notebook: notes.notebook('Work'), ...args })).toMatch(/^(?:no_right|not_found|stale): /u);
    expect(await notes.state()).toBe(before);
  });

  it('is a note below one of the scope, also where the notes above are outside of it', async () => {
    const notes = await open('/Far/Root');
    await notes.text('create_doc', { notebook: notes.notebook('Work'), path: '/Far/Root/New', markdown: 'Made.' });
    const rows = await notes.bench.api<{ hpath: string }[]>('/api/query/sql', {
      stmt: "SELECT hpath FROM blocks WHERE type = 'd' AND hpath LIKE '/Far%' ORDER BY hpath LIMIT 9",
    });
    expect(rows.map(({ hpath }) => hpath)).toEqual(['/Far', '/Far/Root', '/Far/Root/New']);
  });

  it('is not moved or copied out, and no notebook is made', async () => {
    const notes = await open('/Apollo');
    const before = await notes.state();
    const work = notes.notebook('Work');
    for (const [tool, args] of [
      ['organize_doc', { op: 'move', ids: [notes.id('/Apollo/Crew')], target: work }],
      ['organize_doc', { op: 'move', ids: [notes.id('/Apollo/Crew')], target: notes.id('/Zeta') }],
      ['organize_doc', { op: 'duplicate', ids: [notes.id('/Apollo')] }],
      ['move_blocks', { ids: [notes.block('/Apollo', 0).id], parent: notes.id('/Zeta') }],
      ['manage_notebook', { op: 'create', name: 'Away' }],
      ['manage_notebook', { op: 'rename', id: work, name: 'Away' }],
    ] as const)
      expect(await notes.text(tool, args), `${tool} ${JSON.stringify(args)}`).toMatch(/^(?:no_right|not_found|stale): /u);
    expect(await notes.state()).toBe(before);
  });

  it('is refused where the scope became smaller since it was planned', async () => {
    const notes = await open('/Apollo', '/Zeta');
    const plan = await notes.notes.planInsert(
      { anchor: notes.id('/Zeta'), position: 'append', markdown: 'Late.' },
      'insert_blocks',
      signal,
    );
    notes.narrowTo('/Apollo');
    await expect(notes.bench.apply(plan)).rejects.toMatchObject({ code: 'stale' });
  });
});

describe('what was read before', () => {
  it('is kept back as far as it is outside, and a list of the notebook that was not made inside', async () => {
    const notes = await open('/Apollo', '/Zeta');
    const { rights } = notes.bench.host;
    const whole = { notebook: notes.notebook('Work') };
    const before = await rights.currentObstacles(signal);
    const ids = [notes.id('/Apollo'), notes.id('/Zeta')];
    const inside = await rights.trace({ notebooks: [whole.notebook], ids: [], fromIndex: false }, before, signal);
    expect(inside[0]?.except).toEqual([...before]);
    notes.narrowTo('/Apollo');
    const [apollo, zeta, list] = await rights.obstacles([...ids.map((document) => ({ ...whole, document })), whole], signal);
    expect(apollo?.size).toBe(0);
    expect(zeta?.size).toBe(1);
    expect(list?.size).toBe(1);
    expect(before.has([...(list ?? [])][0] ?? '')).toBe(false);
  });
});
