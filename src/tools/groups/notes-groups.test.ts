import { afterEach, describe, expect, it } from 'vitest';
import { closeNotes, openNotes } from '../../../tests/host/open-notes.ts';
import type { ApprovalDecision } from '../contract/types.ts';
import { callOptions } from '../testing/support.ts';

const make = (decision: ApprovalDecision = { approved: true }) => openNotes({ decision });

afterEach(closeNotes);

describe('reading notes', () => {
  it('list_notebooks', async () => {
    const { text, notebook } = await make();
    // SiYuan gives notebooks that were made within a second in any order.
    expect((await text('list_notebooks')).split('\n').sort()).toEqual(
      [
        `Work [${notebook('Work')}] open, rights: write`,
        `Diary [${notebook('Diary')}] open, rights: read`,
        `Closed [${notebook('Closed')}] closed, rights: write`,
      ].sort(),
    );
  });

  it('names an encrypted notebook as such, and goes no further', async () => {
    const { text, notebook, encrypt } = await make();
    encrypt('Diary');
    expect(await text('list_notebooks')).toContain(`Diary [${notebook('Diary')}] encrypted: no tool reads, searches or changes it`);
    for (const parent of ['diary', notebook('Diary')]) expect(await text('list_docs', { parent })).toMatch(/^encrypted_notebook: "Diary"/u);
    expect(await text('search_notes', { query: 'walk', notebooks: ['Diary'] })).toMatch(/^encrypted_notebook/u);
  });

  it('list_docs by notebook name, by document, by depth', async () => {
    const { call, text, id, notebook } = await make();
    const top = [`- Apollo [${id('/Apollo')}] (+1)`, `- Zeta [${id('/Zeta')}]`, `- daily note [${id('/daily note')}] (+1)`];
    expect(await text('list_docs', { parent: 'work', depth: 1 })).toBe([`Work [${notebook('Work')}]: 3 documents`, ...top].join('\n'));
    const below = await call('list_docs', { parent: id('/Apollo') });
    expect(below.formattedText).toContain(`- Crew [${id('/Apollo/Crew')}]\n  - Old [${id('/Apollo/Crew/Old')}]`);
    expect(below).toMatchObject({ notebooks: [notebook('Work')], blockIds: [id('/Apollo/Crew'), id('/Apollo/Crew/Old')] });
    expect(await text('list_docs', { parent: 'Wrk' })).toBe('not_found: there is no notebook "Wrk" → use one of: Work');
    expect(await text('list_docs', { parent: 'Hidden' })).toMatch(/^not_found/u);
    expect(await text('list_docs', { parent: 'Closed' })).toMatch(/^closed_notebook/u);
  });

  it('tells of folders that a listing did not open, and how to go on', async () => {
    const { notes, text, id } = await make();
    const documents = notes.documents.bind(notes);
    Object.assign(notes, {
      documents: async (...asked: Parameters<typeof documents>) => ({ ...(await documents(...asked)), unopened: 1 }),
    });
    expect((await text('list_docs', { parent: 'work', depth: 1 })).split('\n').slice(1)).toEqual([
      `- Apollo [${id('/Apollo')}] (+1)`,
      `- Zeta [${id('/Zeta')}]`,
      `- daily note [${id('/daily note')}] (+1)`,
      'not opened: 1; next: list_docs with parent=<id of a (+n)>',
    ]);
  });

  it('read_doc by id and path, with hashes, and cut at block ends', async () => {
    const { call, text, id, notebook, document } = await make();
    const [plan, launch, words] = document('/Apollo').blocks;
    const result = await call('read_doc', { id: id('/Apollo') });
    expect(result.formattedText).toBe(
      [
        `# Apollo [${id('/Apollo')}] /Apollo in Work`,
        'Outline:',
        `- h1 Plan [${plan!.id}]`,
        '',
        `@@${plan!.id}@@h#${plan!.hash} # Plan`,
        `@@${launch!.id}@@p#${launch!.hash} Launch in May.`,
        `@@${words!.id}@@p#${words!.hash} Two  words\nand a line.`,
      ].join('\n'),
    );
    expect(result).toMatchObject({ notebooks: [notebook('Work')], blockIds: [id('/Apollo'), plan!.id, launch!.id, words!.id] });
    expect(await text('read_doc', { path: '/Apollo', blocks: 1 })).toContain(
      '# Plan\nnext: read_doc path=/Apollo blocks=1 start=1 (of 3 blocks)',
    );
    const plain = await call('read_doc', { path: '/Apollo', showIds: false });
    expect(plain.formattedText).not.toContain('@@');
    expect(plain.blockIds).toEqual([id('/Apollo')]);
    expect(await text('read_doc', {})).toMatch(/^bad_arguments: neither id nor path/u);
    expect(await text('read_doc', { path: '/No' })).toMatch(/^not_found/u);
  });

  it('read_doc keeps to its token budget, but always gives one block', async () => {
    const { add, notebook, text } = await make();
    await add(notebook('Work'), '/Long', Array.from({ length: 9 }, () => 'word '.repeat(60)).join('\n\n'));
    expect(await text('read_doc', { path: '/Long', tokens: 200 })).toMatch(
      /next: read_doc path=\/Long tokens=200 start=[23] \(of 9 blocks\)$/u,
    );
    expect(await text('read_doc', { path: '/Long', tokens: 50 })).toContain('next: read_doc path=/Long tokens=50 start=1 (of 9 blocks)');
  });

  it('search_notes groups by document and counts nothing that is hidden', async () => {
    const { call, text, id, hide, document } = await make();
    const result = await call('search_notes', { query: 'launch' });
    const [, launch] = document('/Apollo').blocks;
    expect(result.formattedText).toMatch(/^3 notes\n1\. /u);
    expect(result.formattedText).toContain(`. /Apollo [${id('/Apollo')}] in Work\n   [${launch!.id}] Launch in May.`);
    expect(result.formattedText).toContain('. /Zeta [');
    // What stands in a hidden notebook is not even counted.
    expect(result.formattedText).not.toContain('private');
    await hide(id('/Zeta'));
    expect(await text('search_notes', { query: 'launch' })).toMatch(/^2 notes\n(?!.*private)/su);
    expect(result.blockIds).toContain(launch!.id);
    expect(await text('search_notes', { query: 'launch', notebooks: ['Diary'] })).toContain('1 note\n');
    expect(await text('search_notes', { query: 'zzz' })).toBe(
      '0 notes\nin no note: zzz\ntry other or fewer words, fewer filters, or list_docs',
    );
    expect(await text('search_notes', { query: '' })).toMatch(/^empty_text/u);
  });

  it('daily_note list and read run without asking', async () => {
    const { text, asked } = await make();
    expect(await text('daily_note', { op: 'list' })).toMatch(/^2 daily notes from 2025-12-16 to 2026-01-15\n- 2026-01-15 \[/u);
    expect(await text('daily_note', { op: 'list', range: '2026-01-14..2026-01-14' })).toContain('1 daily notes');
    expect(await text('daily_note', { op: 'read' })).toContain('Met Anna.');
    expect(await text('daily_note', { op: 'read', date: '2026-01-13' })).toMatch(/^not_found: .* op=append/u);
    expect(await text('daily_note', { op: 'read', date: '2026-02-31' })).toMatch(/^bad_date/u);
    expect(asked).toEqual([]);
  });
});

describe('writing notes', () => {
  it('create_doc asks with a plan and gives ids, hashes and undo', async () => {
    const { call, text, asked, notebook, document } = await make();
    const result = await call('create_doc', { notebook: 'Work', path: '/New', markdown: 'One.\n\nTwo.' });
    const created = document('/New');
    expect(asked).toMatchObject([{ scope: notebook('Work'), plan: { operations: [{ action: 'create-document' }, {}, {}] } }]);
    expect(result.formattedText).toBe(
      [
        `created /New [${created.id}] in Work`,
        `blocks: ${created.blocks.map((each) => `${each.id}#${each.hash}`).join(', ')}`,
        'undo: exact',
      ].join('\n'),
    );
    expect(result).toMatchObject({ written: { documentId: created.id, undoable: true }, notebooks: [notebook('Work')] });
    expect(await text('create_doc', { notebook: 'Work', path: '/New', markdown: 'x' })).toMatch(/^path_exists/u);
    expect(await text('create_doc', { notebook: 'Work', path: '/Empty', markdown: ' ' })).toMatch(/^empty_text/u);
    expect(asked).toHaveLength(1);
    expect(await text('create_doc', { notebook: 'Diary', path: '/New', markdown: 'x' })).toMatch(/^no_right/u);
    expect(asked[1]?.plan).toMatchObject({ needsRight: 'write', notebook: { name: 'Diary' } });
  });

  it('create_doc files a note where nothing may be read, and nothing else finds the notebook', async () => {
    const { call, text, asked, notebook, setRight, id } = await make({ approved: true, remember: true });
    setRight('Diary', 'create');
    const only = 'no_right: "Diary" takes new notes only → write into it with create_doc; nothing in it can be read';
    const listed = `Diary [${notebook('Diary')}] open, rights: create (new notes by create_doc, nothing is read)`;
    expect(await text('list_notebooks')).toContain(listed);
    for (const path of ['/Secret plan', '/Secret plan/New', '/New']) {
      const result = await call('create_doc', { notebook: 'diary', path, markdown: 'One.\n\nTwo.' });
      const made = result.written?.documentId ?? '';
      const lines = [`created ${path} [${made}] in Diary`, 'new notes only: neither this notebook nor this note can be read'];
      expect(result.formattedText).toBe([...lines, 'note: new-notes-only (1)', 'undo: exact'].join('\n'));
      // What becomes of the note later takes nothing of the chat away.
      expect(result.sources).toBeUndefined();
      expect(result).toMatchObject({ notebooks: [], blockIds: [] });
      expect(await text('read_doc', { id: made })).toMatch(/^not_found/u);
    }
    expect(asked).toHaveLength(1);
    expect(await text('search_notes', { query: 'launch', notebooks: ['Diary'] })).toBe(only);
    expect(await text('list_docs', { parent: 'Diary' })).toBe(only);
    expect(await text('list_docs', { parent: notebook('Diary') })).toMatch(/^not_found/u);
    expect(await text('organize_doc', { op: 'move', ids: [id('/Zeta')], target: 'Diary' })).toBe(only);
    expect(await text('daily_note', { op: 'append', markdown: 'x', notebook: 'Diary' })).toBe(only);
    expect(await text('manage_notebook', { op: 'rename', id: 'Diary', name: 'x' })).toBe(only);
    expect(await text('search_notes', { query: 'launch' })).not.toContain('Diary');
  });

  it('edit_block needs a fresh hash and one form', async () => {
    const { text, asked, document } = await make();
    const [, launch] = document('/Apollo').blocks;
    const expectHash = launch!.hash;
    expect(await text('edit_block', { id: launch!.id, expectHash: '00000000', markdown: 'x' })).toMatch(/^stale/u);
    expect(await text('edit_block', { id: launch!.id, expectHash })).toMatch(/^bad_arguments: give either/u);
    expect(await text('edit_block', { id: launch!.id, expectHash, markdown: 'x', edits: [{ old: 'a', new: 'b' }] })).toMatch(
      /^bad_arguments: give either/u,
    );
    expect(await text('edit_block', { id: launch!.id, expectHash, edits: [{ old: 'June', new: 'x' }] })).toMatch(/^no_match/u);
    expect(asked).toEqual([]);
    const done = await text('edit_block', { id: launch!.id, expectHash: `#${expectHash}`, edits: [{ old: 'May', new: 'June' }] });
    expect(document('/Apollo').blocks[1]).toMatchObject({ markdown: 'Launch in June.' });
    expect(done).toContain(`blocks: ${launch!.id}#${document('/Apollo').blocks[1]?.hash}`);
  });

  it('insert_blocks at each position', async () => {
    const { text, id, document, markdown } = await make();
    const [anchor] = document('/Zeta').blocks;
    for (const position of ['before', 'after']) await text('insert_blocks', { anchor: anchor!.id, position, markdown: position });
    for (const position of ['prepend', 'append']) await text('insert_blocks', { anchor: id('/Zeta'), position, markdown: position });
    expect(markdown('/Zeta')).toEqual(['prepend', 'before', 'Launch party.', 'after', 'append']);
    expect(await text('insert_blocks', { anchor: 'nope', position: 'append', markdown: 'x' })).toMatch(/^bad_id/u);
  });

  it('daily_note append asks, creates the day, and Undo reverts it', async () => {
    const { text, asked, history, refresh } = await make();
    const missing = { op: 'append', date: '2026-01-16', notebook: 'Work', markdown: 'New day.' };
    expect(await text('daily_note', missing)).toMatch(/^not_found: there is no note for 2026-01-16 → only today's note can be made/u);
    const today = new Date().toLocaleDateString('sv-SE');
    expect(await text('daily_note', { ...missing, date: today })).toContain(
      `appended to /daily note/${today.slice(0, 4)}/${today.slice(5, 7)}/${today}`,
    );
    expect(await text('daily_note', { op: 'append', date: today, markdown: 'Later.', notebook: 'Work' })).toContain('blocks: ');
    expect(asked).toHaveLength(2);
    expect(await history.state('s1', 'n1')).toMatchObject({ blocks: 2, undone: false });
    await history.undo('s1', 'n1', new AbortController().signal);
    await refresh();
    expect(await text('daily_note', { op: 'read', date: today })).toMatch(/^not_found/u);
    expect(await text('daily_note', { op: 'append' })).toMatch(/^bad_arguments: markdown is missing/u);
  });

  it('writes nothing on rejection, and nothing when the tool is called past the executor', async () => {
    const { call, executor, asked, writes, state, id } = await make({ approved: false, reason: 'no' });
    const before = await state();
    for (const [name, args] of [
      ['create_doc', { notebook: 'Work', path: '/N', markdown: 'x' }],
      ['insert_blocks', { anchor: id('/Apollo'), position: 'append', markdown: 'x' }],
      ['daily_note', { op: 'append', markdown: 'x' }],
    ] as const) {
      expect((await call(name, args)).status).toBe('execution_rejected');
      const context = { ...callOptions(), report: () => undefined };
      await expect(executor.getTool(name)!.execute(args, context)).rejects.toMatchObject({ code: 'not_approved' });
    }
    expect(asked).toHaveLength(3);
    expect([writes(), await state()]).toEqual([0, before]);
  });

  it('writes only the accepted blocks and tells the model', async () => {
    const { text, id, asked, writes } = await make({ approved: true, acceptedOperations: [] });
    expect(await text('insert_blocks', { anchor: id('/Zeta'), position: 'append', markdown: 'a\n\nb' })).toContain('rejected');
    expect(asked[0]?.plan?.operations).toHaveLength(2);
    expect(writes()).toBe(0);
  });

  it('allows a tool in a notebook for this chat', async () => {
    const { text, asked, executor, notebook } = await make({ approved: true, remember: true });
    await text('daily_note', { op: 'append', markdown: 'a', notebook: 'Work' });
    await text('daily_note', { op: 'append', markdown: 'b', notebook: 'Work' });
    expect(asked).toHaveLength(1);
    expect(executor.approvalRecords.list()).toEqual([{ tool: 'daily_note', scope: notebook('Work') }]);
    await text('create_doc', { notebook: 'Work', path: '/X', markdown: 'x' });
    expect(asked).toHaveLength(2);
  });

  it('a notebook that is hidden later takes its variables along', async () => {
    const { call, setRight } = await make();
    const read = await call('read_doc', { path: '/Apollo' });
    setRight('Work', 'none');
    expect((await call('ReadVar', { name: read.cacheVarResult ?? '' })).finalText).toMatch(/^no_right/u);
    expect(
      (await call('create_doc', { notebook: 'Diary', path: '/Copy', markdown: `$VAR_REF{{${read.cacheVarResult}}}` })).finalText,
    ).toMatch(/^no_right/u);
  });
});
