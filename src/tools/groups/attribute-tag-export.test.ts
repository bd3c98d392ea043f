import { afterEach, describe, expect, it } from 'vitest';
import { closeNotes, openNotes } from '../../../tests/host/open-notes.ts';
import { TOOL_NOTEBOOKS } from '../testing/tool-samples.ts';

const open = (remember = false) => openNotes({ notebooks: TOOL_NOTEBOOKS, decision: { approved: true, remember } });

afterEach(closeNotes);

describe('attributes', () => {
  it('gets without asking, errors inline, and never shows what is ours', async () => {
    const { call, text, id, asked, setAttributes } = await open();
    await setAttributes(id('/Apollo'), { memo: 'b', alias: 'a', 'custom-marginalia-session': 's' });
    const result = await call('attributes', { op: 'get', ids: [id('/Apollo'), '20990101000000-zzzzzzz'] });
    expect(result.formattedText?.split('\n')).toEqual([
      `[${id('/Apollo')}] in /Apollo [${id('/Apollo')}], Work`,
      '  alias = a',
      `  id = ${id('/Apollo')}`,
      '  memo = b',
      '  title = Apollo',
      '  type = doc',
      expect.stringMatching(/^ {2}updated = \d{14}$/u),
      '[20990101000000-zzzzzzz] not_found: 20990101000000-zzzzzzz may not be read, or is gone → look for it again; it may be gone, in a closed notebook, or kept private',
    ]);
    expect(asked).toEqual([]);
    expect(await text('attributes', { op: 'get', ids: ['20990101000000-zzzzzzz'] })).toMatch(/^not_found/u);
  });

  it('sets with a plan of old and new, can be allowed for the chat, and undone', async () => {
    const { text, id, asked, notebook, history, setAttributes, attributes, refresh } = await open(true);
    await setAttributes(id('/Apollo'), { 'custom-state': 'new', memo: 'x' });
    const set = { op: 'set', ids: [id('/Apollo')], attrs: { 'Custom-State': 'done', memo: '' } };
    expect(await text('attributes', set)).toBe(
      `set attributes\n- [${id('/Apollo')}] custom-state: "new" → "done", memo: "x" → none\nundo: exact`,
    );
    expect(asked).toMatchObject([
      {
        scope: `${notebook('Work')} set-attributes set-attributes-empty`,
        plan: {
          operations: [
            {
              attributes: [
                { name: 'custom-state', before: 'new', after: 'done' },
                { name: 'memo', after: null },
              ],
            },
          ],
        },
      },
    ]);
    expect(await attributes(id('/Apollo'))).toEqual({ 'custom-state': 'done' });
    expect(await text('attributes', set)).toMatch(/^no_change/u);
    await text('attributes', { op: 'set', ids: [id('/Apollo')], attrs: { memo: 'y' } });
    // Setting alone is another kind of change than setting and removing.
    expect(asked).toHaveLength(2);
    await text('attributes', { op: 'set', ids: [id('/Apollo')], attrs: { memo: 'z' } });
    expect(asked).toHaveLength(2);
    await history.undo('s1', 'n1', new AbortController().signal);
    await refresh();
    expect(await attributes(id('/Apollo'))).toEqual({ 'custom-state': 'new', memo: 'x' });
  });

  it.each(['id', 'updated', 'custom-marginalia-source', 'custom-ai-access', 'CUSTOM-AI-ACCESS', 'custom-avs', 'custom-riff-decks'])(
    'never sets %s',
    async (name) => {
      const { text, id, asked } = await open();
      expect(await text('attributes', { op: 'set', ids: [id('/Apollo')], attrs: { [name]: '' } })).toMatch(/^protected_attribute: .+ → /u);
      expect(asked).toEqual([]);
    },
  );

  it('needs attributes to set', async () => {
    const { text, id } = await open();
    for (const attrs of [undefined, {}]) {
      expect(await text('attributes', { op: 'set', ids: [id('/Apollo')], ...(attrs ? { attrs } : {}) })).toMatch(
        /^bad_arguments: attrs is missing/u,
      );
    }
    expect(await text('attributes', { op: 'set', ids: [id('/Apollo')], attrs: { memo: { deep: 1 } } })).toMatch(/^bad_arguments/u);
  });
});

describe('tags', () => {
  it('lists by count, renames and removes everywhere, asking every time', async () => {
    const { text, asked, block, history, refresh } = await open(true);
    expect(await text('tags', { op: 'list' })).toBe('1 tags\n#space# 2');
    expect(await text('tags', { op: 'list', label: '#nothing#' })).toBe('0 tags');
    const [launch, party] = [block('/Apollo', 1).id, block('/Zeta', 0).id];
    const renamed = await text('tags', { op: 'rename', label: '#space#', to: 'spaceflight' });
    // Blocks that were made within one second have no order.
    expect(renamed.split('\n').sort()).toEqual(
      [
        'renamed #space# to #spaceflight# in 2 blocks',
        `- [${launch}] Launch in May. #space# → Launch in May. #spaceflight#`,
        `- [${party}] Launch party. #space# → Launch party. #spaceflight#`,
        'undo: exact',
      ].sort(),
    );
    expect(await text('tags', { op: 'remove', label: 'spaceflight' })).toMatch(/^removed #spaceflight# in 2 blocks/u);
    expect(block('/Apollo', 1).markdown).toBe('Launch in May. spaceflight');
    expect(asked.map(({ scope }) => scope)).toEqual([undefined, undefined]);
    expect(asked[0]?.plan?.operations.map((operation) => operation.document?.path).sort()).toEqual(['/Apollo', '/Zeta']);
    await history.undo('s1', 'n1', new AbortController().signal);
    await refresh();
    expect(block('/Apollo', 1).markdown).toBe('Launch in May. #space#');
    expect(await text('tags', { op: 'rename', label: 'space' })).toMatch(/^bad_arguments: to is missing/u);
    expect(await text('tags', { op: 'remove', label: 'no' })).toMatch(/^not_found/u);
  });

  it('leaves notebooks alone that may only be read', async () => {
    const { text, add, notebook } = await open();
    await add(notebook('Diary'), '/Run', 'Rain. #space#');
    expect(await text('tags', { op: 'list' })).toContain('#space# 3');
    expect(await text('tags', { op: 'remove', label: 'space' })).toContain('in 2 blocks');
    expect(await text('tags', { op: 'list' })).toContain('#space# 1');
  });
});

describe('export_doc', () => {
  it('gives text without asking', async () => {
    const { text, id, asked, block, hide } = await open();
    await hide(block('/Apollo', 4).id);
    expect(await text('export_doc', { id: id('/Apollo') })).toBe(
      `# Apollo [${id('/Apollo')}] /Apollo in Work\n(1 blocks are kept private)\n\n# Plan\n\nLaunch in May. #space#\n\n## Crew\n\n- Anna\n\n  - backup: Li\n- Boris`,
    );
    expect(asked).toEqual([]);
  });

  it('writes exactly the file that was shown, and asks every time', async () => {
    const { text, id, asked, files, bench, executor } = await open(true);
    await bench.api('/api/filetree/renameDocByID', { id: id('/Zeta'), title: ' ..Zeta: "the|plan"?.' });
    expect(await text('export_doc', { id: id('/Zeta'), format: 'file' })).toBe('wrote 21 characters to /exports/Zeta the plan.md');
    expect(asked).toMatchObject([
      { plan: { operations: [{ action: 'write-file', to: 'Zeta the plan.md', after: 'Launch party. #space#' }] } },
    ]);
    expect(asked[0]?.scope).toBeUndefined();
    expect(files).toEqual([{ name: 'Zeta the plan.md', markdown: 'Launch party. #space#' }]);
    await text('export_doc', { id: id('/Zeta'), format: 'file' });
    expect(asked).toHaveLength(2);
    expect(executor.effectOf('export_doc', '{"format":"pdf"}')).toBe('write');
    expect(executor.effectOf('export_doc', '{}')).toBe('read');
  });

  it('writes nothing when it is called past the executor, and offers no files where there is no place for them', async () => {
    const { executor, id, files } = await open();
    const context = { callId: 'c', sessionId: 's', nodeId: 'n', signal: new AbortController().signal, report: () => undefined };
    const args = { id: id('/Zeta'), format: 'file' };
    await expect(executor.getTool('export_doc')!.execute(args, context)).rejects.toMatchObject({ code: 'not_approved' });
    expect(files).toEqual([]);
    const without = await openNotes({ withoutFiles: true });
    expect(JSON.stringify(without.executor.getTool('export_doc')!.definition)).not.toContain('file');
    expect(await without.text('export_doc', { id: without.id('/Zeta'), format: 'file' })).toMatch(/^bad_arguments/u);
    expect(await without.text('export_doc', { id: without.id('/Zeta') })).toContain('Launch party.');
  });
});
