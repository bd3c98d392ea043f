import { afterEach, describe, expect, it } from 'vitest';
import { closeNotes, openNotes } from '../../../../tests/host/open-notes.ts';
import { TOOL_NOTEBOOKS } from '../../testing/tool-samples.ts';

const open = () => openNotes({ notebooks: TOOL_NOTEBOOKS });

afterEach(closeNotes);

describe('read_docs', () => {
  it('gives each document in its place, errors inline, and a summary', async () => {
    const { call, id, block, hash } = await open();
    const [log] = [block('/Apollo/Log', 0)];
    const result = await call('read_docs', {
      items: [{ id: id('/Apollo/Log'), start: 0, end: 0 }, { path: '/Nowhere' }, { id: 'what' }, {}, { path: '/Zeta', start: 2, end: 1 }],
    });
    expect(result.formattedText).toBe(
      [
        `[1/5] # Log [${id('/Apollo/Log')}] /Apollo/Log in Work`,
        `@@${log.id}@@p#${hash(log)} Day one: fuel.`,
        '',
        '[2/5] not_found: there is no document at "/Nowhere" → call list_docs or search_notes for the path',
        '',
        '[3/5] bad_id: "what" is not a block id → use an id that a read or search tool gave, like 20240131120000-abc1234',
        '',
        '[4/5] bad_arguments: an item has neither id nor path → give one of them',
        '',
        '[5/5] bad_arguments: end 1 is before start 2 → give the last block as end',
        '',
        'summary: read 1 of 5 documents, 4 failed; 1 blocks',
      ].join('\n'),
    );
    expect(result.blockIds).toEqual([id('/Apollo/Log'), log.id]);
  });

  it('fails when nothing could be read, and on an abort whatever was read before', async () => {
    const { text, call, writes } = await open();
    expect(await text('read_docs', { items: [{ path: '/No' }, { path: '/Nor' }] })).toMatch(/^not_found: there is no document at "\/No" /u);
    const signal = new AbortController();
    signal.abort();
    const context = { callId: 'c', sessionId: 's', nodeId: 'n', signal: signal.signal, report: () => undefined };
    const tool = await (await openNotes()).executor.getTool('read_docs');
    await expect(tool!.execute({ items: [{ path: '/Apollo' }] }, context)).rejects.toMatchObject({ code: 'aborted' });
    expect((await call('read_docs', { items: Array.from({ length: 21 }, () => ({ path: '/Zeta' })) })).finalText).toMatch(
      /^bad_arguments/u,
    );
    expect(writes()).toBe(0);
  });

  it('shares its budget between the documents and says how to read on', async () => {
    const { text, notebook, id, executor, call, add } = await open();
    const long = Array.from({ length: 40 }, (_, index) => `Paragraph ${index} ${'word '.repeat(80)}`).join('\n\n');
    for (const path of ['/A', '/B']) await add(notebook('Work'), path, long);
    const given = await text('read_docs', { items: [{ path: '/A' }, { path: '/B' }, { path: '/Zeta' }] });
    for (const path of ['/A', '/B']) expect(given).toMatch(new RegExp(`next: read_doc id=${id(path)} start=\\d+ \\(of 40 blocks\\)`, 'u'));
    expect(given).toMatch(/Launch party.*\n\nsummary: read 3 of 3 documents; \d+ blocks$/su);
    const result = await call('read_docs', { items: [{ path: '/A' }] });
    expect(result.isTruncated).toBe(false);
    expect(executor.getTool('read_docs')!.compressResult!(result)).toMatch(/^summary: read 1 of 1 documents; \d+ blocks$/u);
  });
});

describe('read_doc and get_outline', () => {
  it('prints every list item with its own id, only where ids are shown', async () => {
    const { call, text, block, id, hash } = await open();
    const list = block('/Apollo', 3);
    const items = list.items!;
    const result = await call('read_doc', { path: '/Apollo', start: 3, blocks: 1 });
    expect(result.formattedText).toContain(
      [
        `@@${list.id}@@l#${hash(list)}`,
        `@@${items[0]!.id}@@i#${items[0]!.hash} - Anna`,
        '',
        `@@${items[1]!.id}@@i#${items[1]!.hash}   - backup: Li`,
        `@@${items[2]!.id}@@i#${items[2]!.hash} - Boris`,
        'next: read_doc path=/Apollo start=4 blocks=1 (of 5 blocks)',
      ].join('\n'),
    );
    expect(result.blockIds).toEqual(expect.arrayContaining(items.map((item) => item.id)));
    expect(await text('read_doc', { path: '/Apollo', start: 3, blocks: 1, showIds: false })).toContain(
      '\n- Anna\n\n  - backup: Li\n- Boris',
    );
    expect(await text('get_outline', { id: `[${id('/Apollo')}]` })).toBe(
      `# Apollo [${id('/Apollo')}] /Apollo in Work\n- h1 Plan [${block('/Apollo', 0).id}]\n  - h2 Crew [${block('/Apollo', 2).id}]`,
    );
    expect(await text('get_outline', { id: id('/Zeta') })).toContain('(no headings; read_doc gives its blocks)');
  });

  it('says that blocks of a document are hidden, and counts no hidden documents', async () => {
    const { text, block, id, notebook, hide } = await open();
    const notebookId = notebook('Work');
    await hide(block('/Apollo', 1).id);
    await hide(id('/Apollo/Log'));
    const read = await text('read_doc', { path: '/Apollo' });
    expect(read).toContain('(1 blocks are kept private)');
    expect(read).not.toContain('May');
    expect(await text('list_docs', { parent: 'Work', depth: 1 })).toBe(
      `Work [${notebookId}]: 3 documents\n- Apollo [${id('/Apollo')}]\n- Zeta [${id('/Zeta')}]\n- daily note [${id('/daily note')}] (+1)`,
    );
  });
});

describe('organize_doc', () => {
  it('renames, moves and duplicates, with what is below, and asks every time', async () => {
    const { text, asked, id, document, history, paths, refresh } = await open();
    const apollo = document('/Apollo');
    expect(await text('organize_doc', { op: 'rename', ids: [apollo.id], target: 'Artemis' })).toBe(
      `renamed\n- [${apollo.id}] /Apollo → /Artemis\nundo: exact`,
    );
    expect(paths()).toContain('/Artemis/Log');
    expect(await text('organize_doc', { op: 'move', ids: [apollo.id], target: id('/Zeta') })).toContain(
      '] Work › Artemis → Work › Zeta › Artemis',
    );
    expect(id('/Zeta/Artemis')).toBe(apollo.id);
    expect(await text('organize_doc', { op: 'move', ids: [apollo.id], target: 'work' })).toContain(
      '] Work › Zeta › Artemis → Work › Artemis',
    );
    const copied = await text('organize_doc', { op: 'duplicate', ids: [id('/Zeta')] });
    expect(copied).toContain('/Zeta → /Zeta copy');
    const copy = /^new: (\S+)$/mu.exec(copied)?.[1];
    expect(paths()).toContain('/Zeta copy');
    expect(await text('read_doc', { id: copy, showIds: false })).toContain('\nLaunch party. #space#');
    expect(asked.map(({ scope }) => scope)).toEqual([undefined, undefined, undefined, undefined]);
    await history.undo('s1', 'n1', new AbortController().signal);
    await refresh();
    expect(paths()).toContain('/Apollo/Log');
    expect(paths().includes('/Zeta copy')).toBe(false);
  });

  it('refuses what cannot be', async () => {
    const { text, id } = await open();
    const both = [id('/Apollo'), id('/Zeta')];
    expect(await text('organize_doc', { op: 'rename', ids: both, target: 'One' })).toMatch(
      /^bad_arguments: 2 documents cannot get one title/u,
    );
    expect(await text('organize_doc', { op: 'move', ids: [id('/Apollo')] })).toMatch(/^bad_arguments: target is missing/u);
    expect(await text('organize_doc', { op: 'move', ids: [id('/Apollo')], target: id('/Apollo/Log') })).toMatch(/^bad_target/u);
    expect(await text('organize_doc', { op: 'move', ids: [id('/Apollo')], target: 'Nowhere' })).toMatch(
      /^not_found: there is no notebook/u,
    );
    const many = Array.from({ length: 51 }, (_, index) => `20260101000000-${String(index).padStart(7, '0')}`);
    expect(await text('delete_doc', { ids: many })).toMatch(/^too_many: 51 ids at once/u);
    expect(await text('delete_doc', { ids: [] })).toMatch(/^bad_arguments/u);
  });
});

describe('delete_doc and manage_notebook', () => {
  it('shows what goes along, and cites nothing that is gone', async () => {
    const { call, asked, id, block, add, paths, notebook } = await open();
    const apollo = id('/Apollo');
    await add(notebook('Work'), '/See', `See ((${block('/Apollo', 1).id} "launch")).`);
    const result = await call('delete_doc', { ids: [apollo] });
    expect(asked[0]).toMatchObject({
      plan: {
        notices: [
          { code: 'children-deleted', count: 1 },
          { code: 'references-lost', count: 1 },
        ],
      },
    });
    expect(asked[0]?.scope).toBeUndefined();
    expect(result.formattedText).toBe(`deleted\n- [${apollo}] /Apollo\nnote: children-deleted (1)\nnote: references-lost (1)\nundo: exact`);
    expect(result).toMatchObject({ blockIds: [], written: { undoable: true } });
    expect(paths().some((path) => path.startsWith('/Apollo'))).toBe(false);
  });

  it('manages notebooks by name, and asks every time', async () => {
    const { text, asked, notes, bench } = await openNotes({ notebooks: TOOL_NOTEBOOKS, decision: { approved: true, remember: true } });
    expect(await text('manage_notebook', { op: 'create', name: 'Ideas' })).toMatch(/^created\n- Ideas\nnew: [\w-]+\nundo: exact$/u);
    // A new notebook is at `read`, as every one is that the user has not opened further.
    expect(await text('manage_notebook', { op: 'rename', id: 'ideas', name: 'Thoughts' })).toMatch(/^no_right/u);
    bench.policy.setRight((await notes.notebooks(new AbortController().signal)).find(({ name }) => name === 'Ideas')?.id ?? '', 'write');
    expect(await text('manage_notebook', { op: 'rename', id: 'ideas', name: 'Thoughts' })).toMatch(/Ideas → Thoughts/u);
    expect(await text('manage_notebook', { op: 'open', id: 'Archive' })).toMatch(/^opened/u);
    expect(await text('manage_notebook', { op: 'open', id: 'Archive' })).toMatch(/^no_change/u);
    expect(await text('manage_notebook', { op: 'close', id: 'Archive' })).toMatch(/^closed/u);
    expect(await text('manage_notebook', { op: 'remove', id: 'Archive' })).toMatch(/^closed_notebook/u);
    expect(await text('manage_notebook', { op: 'open', id: 'Archive' })).toMatch(/^opened/u);
    expect(await text('manage_notebook', { op: 'remove', id: 'Archive' })).toMatch(/note: children-deleted \(1\)/u);
    expect(await text('manage_notebook', { op: 'close', id: 'Nowhere' })).toMatch(/^not_found/u);
    expect(asked.map(({ scope }) => scope)).toEqual(Array.from({ length: 7 }, () => undefined));
    expect((await notes.notebooks(new AbortController().signal)).map(({ name }) => name).sort()).toEqual(['Diary', 'Thoughts', 'Work']);
  });
});
