import { afterEach, expect, it } from 'vitest';
import { PROJECT_ATTRIBUTE } from '../../src/tools/contract/saved-names.ts';
import { closeNotes, openNotes } from './open-notes.ts';
import { signal } from './support.ts';

afterEach(closeNotes);

const NOTEBOOKS = [{ name: 'Work', right: 'delete' as const, documents: { '/Apollo': 'Answer in French.', '/Zeta': 'Launch.' } }];

/** The note of a project is followed by models: a person is asked about each change of it. */
it.each([
  ['insert_blocks', (id: string) => ({ anchor: id, position: 'after', markdown: 'x' })],
  ['edit_block', (id: string, hash: string) => ({ id, expectHash: hash, markdown: 'x' })],
  ['delete_blocks', (id: string) => ({ ids: [id] })],
  ['rewrite_doc', (_id: string, _hash: string, note: string) => ({ id: note, markdown: 'x' })],
  ['organize_doc', (_id: string, _hash: string, note: string) => ({ op: 'rename', ids: [note], target: `Other ${note}` })],
  ['delete_doc', (_id: string, _hash: string, note: string) => ({ ids: [note] })],
  ['attributes', (id: string) => ({ op: 'set', ids: [id], attrs: { memo: 'x' } })],
])('%s says that it changes a project, and only a person may allow it', async (tool, args) => {
  const notes = await openNotes({ notebooks: NOTEBOOKS });
  await notes.setAttributes(notes.id('/Apollo'), { [PROJECT_ATTRIBUTE]: '{}' });
  for (const path of ['/Zeta', '/Apollo']) {
    const block = notes.block(path, 0);
    const text = await notes.text(tool, args(block.id, String(block.hash), notes.id(path)));
    expect(text).not.toMatch(/^[a-z_]+: /u);
    const said = notes.asked.at(-1)?.plan?.notices ?? [];
    expect(said.filter(({ code }) => code === 'changes-project')).toEqual(
      path === '/Zeta' ? [] : [{ code: 'changes-project', count: 1, personOnly: true }],
    );
  }
});

it('is told of a block that is moved into it', async () => {
  const notes = await openNotes({ notebooks: NOTEBOOKS });
  await notes.setAttributes(notes.id('/Apollo'), { [PROJECT_ATTRIBUTE]: '{}' });
  for (const target of [{ parent: notes.id('/Apollo') }, { after: notes.block('/Apollo', 0).id }]) {
    const plan = await notes.notes.planMoveBlocks({ ids: [notes.block('/Zeta', 0).id], target }, 'move_blocks', signal);
    expect(plan.notices).toContainEqual({ code: 'changes-project', count: 1, personOnly: true });
  }
  const removal = await notes.notes.planNotebook({ op: 'remove', id: notes.notebook('Work') }, 'manage_notebook', signal);
  expect(removal.notices).toContainEqual({ code: 'changes-project', count: 1, personOnly: true });
});

it('is refused where the note became a project after it was planned', async () => {
  const notes = await openNotes({ notebooks: NOTEBOOKS });
  const plan = await notes.notes.planInsert({ anchor: notes.id('/Apollo'), position: 'append', markdown: 'x' }, 'insert_blocks', signal);
  await notes.setAttributes(notes.id('/Apollo'), { [PROJECT_ATTRIBUTE]: '{}' });
  await expect(notes.bench.apply(plan)).rejects.toMatchObject({ code: 'stale' });
});

it('cannot be made by a model: not by an attribute, and not by Markdown', async () => {
  const notes = await openNotes({ notebooks: NOTEBOOKS });
  const set = { [PROJECT_ATTRIBUTE]: '{"schema":1}' };
  expect(await notes.text('attributes', { op: 'set', ids: [notes.id('/Zeta')], attrs: set })).toMatch(/^protected_attribute: /u);
  const markdown = `x\n{: ${PROJECT_ATTRIBUTE}="{}"}\n\n{: ${PROJECT_ATTRIBUTE}="{}" type="doc"}`;
  await notes.text('create_doc', { notebook: notes.notebook('Work'), path: '/New', markdown });
  await notes.text('rewrite_doc', { id: notes.id('/Zeta'), markdown });
  const stmt = `SELECT block_id FROM attributes WHERE name = '${PROJECT_ATTRIBUTE}' LIMIT 9`;
  expect(await notes.bench.api('/api/query/sql', { stmt })).toEqual([]);
  await notes.setAttributes(notes.id('/Apollo'), set);
  await notes.text('organize_doc', { op: 'duplicate', ids: [notes.id('/Apollo')] });
  await notes.refresh();
  expect(await notes.bench.api<object[]>('/api/query/sql', { stmt })).toHaveLength(1);
});
