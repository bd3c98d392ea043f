import { describe, expect, it } from 'vitest';
import type { ApprovalDecision } from '../contract/types.ts';
import { hashOf } from '../testing/in-memory-store.ts';
import { openNotes } from '../testing/open-notes.ts';
import { callOptions } from '../testing/support.ts';

const make = (decision: ApprovalDecision = { approved: true }) => openNotes({ decision });

describe('reading notes', () => {
  it('list_notebooks', async () => {
    const { text, notebook } = make();
    expect(await text('list_notebooks')).toBe(
      [
        `Work [${notebook('Work')}] open, rights: write`,
        `Diary [${notebook('Diary')}] open, rights: read`,
        `Closed [${notebook('Closed')}] closed, rights: write`,
      ].join('\n'),
    );
  });

  it('list_docs by notebook name, by document, by depth', async () => {
    const { call, text, id, notebook } = make();
    expect(await text('list_docs', { parent: 'work', depth: 1 })).toBe(
      [`Work [${notebook('Work')}]: 2 documents`, `- Apollo [${id('/Apollo')}] (+1)`, `- Zeta [${id('/Zeta')}]`].join('\n'),
    );
    const below = await call('list_docs', { parent: id('/Apollo') });
    expect(below.formattedText).toContain(`- Crew [${id('/Apollo/Crew')}]\n  - Old [${id('/Apollo/Crew/Old')}]`);
    expect(below).toMatchObject({ notebooks: [notebook('Work')], blockIds: [id('/Apollo/Crew'), id('/Apollo/Crew/Old')] });
    expect(await text('list_docs', { parent: 'Wrk' })).toBe('not_found: there is no notebook "Wrk" → use one of: Work');
    expect(await text('list_docs', { parent: 'Hidden' })).toMatch(/^not_found/u);
    expect(await text('list_docs', { parent: 'Closed' })).toMatch(/^closed_notebook/u);
  });

  it('tells of folders that a listing did not open, and how to go on', async () => {
    const { notes, text, id } = make();
    const documents = notes.documents.bind(notes);
    Object.assign(notes, {
      documents: async (...asked: Parameters<typeof documents>) => ({ ...(await documents(...asked)), unopened: 1 }),
    });
    expect((await text('list_docs', { parent: 'work', depth: 1 })).split('\n').slice(1)).toEqual([
      `- Apollo [${id('/Apollo')}] (+1)`,
      `- Zeta [${id('/Zeta')}]`,
      'not opened: 1; next: list_docs with parent=<id of a (+n)>',
    ]);
  });

  it('read_doc by id and path, with hashes, and cut at block ends', async () => {
    const { notes, call, text, id, notebook } = make();
    const [plan, launch, words] = notes.store.requireDocument(id('/Apollo')).blocks;
    const result = await call('read_doc', { id: id('/Apollo') });
    expect(result.formattedText).toBe(
      [
        `# Apollo [${id('/Apollo')}] /Apollo in Work`,
        'Outline:',
        `- h1 Plan [${plan!.id}]`,
        '',
        `@@${plan!.id}@@h#${hashOf('# Plan')} # Plan`,
        `@@${launch!.id}@@p#${hashOf('Launch in May.')} Launch in May.`,
        `@@${words!.id}@@p#${hashOf(words!.markdown)} Two  words\nand a line.`,
      ].join('\n'),
    );
    expect(result).toMatchObject({ notebooks: [notebook('Work')], blockIds: [id('/Apollo'), plan!.id, launch!.id, words!.id] });
    expect(await text('read_doc', { path: '/Apollo', blocks: 1 })).toContain('# Plan\nnext: start=1 (of 3 blocks)');
    const plain = await call('read_doc', { path: '/Apollo', showIds: false });
    expect(plain.formattedText).not.toContain('@@');
    expect(plain.blockIds).toEqual([id('/Apollo')]);
    expect(await text('read_doc', {})).toMatch(/^bad_arguments: neither id nor path/u);
    expect(await text('read_doc', { path: '/No' })).toMatch(/^not_found/u);
  });

  it('read_doc keeps to its token budget, but always gives one block', async () => {
    const { notes, text } = make();
    notes.store.addDocument(
      notes.store.notebooks[0]!.id,
      '/Long',
      notes.store.parse(Array.from({ length: 9 }, () => 'word '.repeat(60)).join('\n\n')),
    );
    expect(await text('read_doc', { path: '/Long', tokens: 200 })).toMatch(/next: start=[23] \(of 9 blocks\)$/u);
    expect(await text('read_doc', { path: '/Long', tokens: 50 })).toContain('next: start=1 (of 9 blocks)');
  });

  it('search_notes groups by document and counts nothing that is hidden', async () => {
    const { call, text, notes, id } = make();
    const result = await call('search_notes', { query: 'launch' });
    const [, launch] = notes.store.requireDocument(id('/Apollo')).blocks;
    expect(result.formattedText).toContain(`3 notes\n1. /Apollo [${id('/Apollo')}] in Work\n   [${launch!.id}] Launch in May.\n2. /Zeta [`);
    // What stands in a hidden notebook is not even counted.
    expect(result.formattedText).not.toContain('private');
    notes.store.attributes.set(id('/Zeta'), { 'custom-ai-access': 'none' });
    expect(await text('search_notes', { query: 'launch' })).toMatch(/^2 notes\n(?!.*private)/su);
    expect(result.blockIds).toContain(launch!.id);
    expect(await text('search_notes', { query: 'launch', notebooks: ['Diary'] })).toContain('1 note\n');
    expect(await text('search_notes', { query: 'zzz' })).toBe(
      '0 notes\nin no note: zzz\ntry other or fewer words, fewer filters, or list_docs',
    );
    expect(await text('search_notes', { query: '' })).toMatch(/^empty_text/u);
  });

  it('daily_note list and read run without asking', async () => {
    const { text, asked } = make();
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
    const { call, text, asked, notes, notebook } = make();
    const result = await call('create_doc', { notebook: 'Work', path: '/New', markdown: 'One.\n\nTwo.' });
    const created = notes.store.documents.find(({ path }) => path === '/New')!;
    expect(asked).toMatchObject([{ scope: notebook('Work'), plan: { operations: [{ action: 'create-document' }, {}, {}] } }]);
    expect(result.formattedText).toBe(
      [
        `created /New [${created.id}] in Work`,
        `blocks: ${created.blocks.map(({ id, markdown }) => `${id}#${hashOf(markdown)}`).join(', ')}`,
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

  it('edit_block needs a fresh hash and one form', async () => {
    const { text, notes, id, asked } = make();
    const [, launch] = notes.store.requireDocument(id('/Apollo')).blocks;
    const expectHash = hashOf(launch!.markdown);
    expect(await text('edit_block', { id: launch!.id, expectHash: '00000000', markdown: 'x' })).toMatch(/^stale/u);
    expect(await text('edit_block', { id: launch!.id, expectHash })).toMatch(/^bad_arguments: give either/u);
    expect(await text('edit_block', { id: launch!.id, expectHash, markdown: 'x', edits: [{ old: 'a', new: 'b' }] })).toMatch(
      /^bad_arguments: give either/u,
    );
    expect(await text('edit_block', { id: launch!.id, expectHash, edits: [{ old: 'June', new: 'x' }] })).toMatch(/^no_match/u);
    expect(asked).toEqual([]);
    const done = await text('edit_block', { id: launch!.id, expectHash: `#${expectHash}`, edits: [{ old: 'May', new: 'June' }] });
    expect(done).toContain(`blocks: ${launch!.id}#${hashOf('Launch in June.')}`);
    expect(notes.store.requireDocument(id('/Apollo')).blocks[1]?.markdown).toBe('Launch in June.');
  });

  it('insert_blocks at each position', async () => {
    const { text, notes, id } = make();
    const document = notes.store.requireDocument(id('/Zeta'));
    const [anchor] = document.blocks;
    for (const position of ['before', 'after']) await text('insert_blocks', { anchor: anchor!.id, position, markdown: position });
    for (const position of ['prepend', 'append']) await text('insert_blocks', { anchor: document.id, position, markdown: position });
    expect(document.blocks.map(({ markdown }) => markdown)).toEqual(['prepend', 'before', 'Launch party.', 'after', 'append']);
    expect(await text('insert_blocks', { anchor: 'nope', position: 'append', markdown: 'x' })).toMatch(/^bad_id/u);
  });

  it('daily_note append asks, creates the day, and Undo reverts it', async () => {
    const { text, notes, asked, id } = make();
    const missing = { op: 'append', date: '2026-01-16', notebook: 'Work', markdown: 'New day.' };
    expect(await text('daily_note', missing)).toMatch(/^not_found: there is no note for 2026-01-16 → only today's note can be made/u);
    notes.store.removeDocument(id('/daily note/2026/01/2026-01-15'));
    expect(await text('daily_note', { ...missing, date: '2026-01-15' })).toContain('appended to /daily note/2026/01/2026-01-15');
    expect(await text('daily_note', { op: 'append', markdown: 'Later.', notebook: 'Work' })).toContain('blocks: ');
    expect(asked).toHaveLength(2);
    expect(await notes.state('s1', 'n1')).toMatchObject({ blocks: 2, undone: false });
    await notes.undo('s1', 'n1', new AbortController().signal);
    expect(notes.store.documents.some(({ day }) => day === '2026-01-15')).toBe(false);
    expect(await text('daily_note', { op: 'read' })).toMatch(/^not_found/u);
    expect(await text('daily_note', { op: 'append' })).toMatch(/^bad_arguments: markdown is missing/u);
  });

  it('writes nothing on rejection, and nothing when the tool is called past the executor', async () => {
    const { call, notes, executor, asked } = make({ approved: false, reason: 'no' });
    const before = JSON.stringify(notes.store.documents);
    for (const [name, args] of [
      ['create_doc', { notebook: 'Work', path: '/N', markdown: 'x' }],
      ['insert_blocks', { anchor: notes.store.documents[0]!.id, position: 'append', markdown: 'x' }],
      ['daily_note', { op: 'append', markdown: 'x' }],
    ] as const) {
      expect((await call(name, args)).status).toBe('execution_rejected');
      const context = { ...callOptions(), report: () => undefined };
      await expect(executor.getTool(name)!.execute(args, context)).rejects.toMatchObject({ code: 'not_approved' });
    }
    expect(asked).toHaveLength(3);
    expect(notes.calls).not.toContain('apply');
    expect([notes.writes, JSON.stringify(notes.store.documents)]).toEqual([0, before]);
  });

  it('writes only the accepted blocks and tells the model', async () => {
    const { text, notes, id, asked } = make({ approved: true, acceptedOperations: [] });
    expect(await text('insert_blocks', { anchor: id('/Zeta'), position: 'append', markdown: 'a\n\nb' })).toContain('rejected');
    expect(asked[0]?.plan?.operations).toHaveLength(2);
    expect(notes.writes).toBe(0);
  });

  it('allows a tool in a notebook for this chat', async () => {
    const { text, asked, executor, notebook } = make({ approved: true, remember: true });
    await text('daily_note', { op: 'append', markdown: 'a', notebook: 'Work' });
    await text('daily_note', { op: 'append', markdown: 'b', notebook: 'Work' });
    expect(asked).toHaveLength(1);
    expect(executor.approvalRecords.list()).toEqual([{ tool: 'daily_note', scope: notebook('Work') }]);
    await text('create_doc', { notebook: 'Work', path: '/X', markdown: 'x' });
    expect(asked).toHaveLength(2);
  });

  it('a notebook that is hidden later takes its variables along', async () => {
    const { call, notes } = make();
    const read = await call('read_doc', { path: '/Apollo' });
    notes.store.notebooks[0]!.right = 'none';
    expect((await call('ReadVar', { name: read.cacheVarResult ?? '' })).finalText).toMatch(/^no_right/u);
    expect(
      (await call('create_doc', { notebook: 'Diary', path: '/Copy', markdown: `$VAR_REF{{${read.cacheVarResult}}}` })).finalText,
    ).toMatch(/^no_right/u);
  });
});
