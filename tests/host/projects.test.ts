import { afterEach, describe, expect, it } from 'vitest';
import { openProject } from '../../src/features/projects/open-project.ts';
import type { ProjectSettings } from '../../src/features/projects/project.ts';
import { readProject } from '../../src/features/projects/read-project.ts';
import { shownProjects } from '../../src/features/projects/shown-projects.ts';
import type { AccessPolicy } from '../../src/host/access/access-policy.ts';
import { createScriptedModel } from '../../src/model/testing/scripted-model.ts';
import { PROJECT_ATTRIBUTE } from '../../src/tools/contract/saved-names.ts';
import type { NotebookSeed } from '../../src/tools/testing/in-memory-store.ts';
import { closeNotes, openNotes } from './open-notes.ts';
import { signal } from './support.ts';

const NOTEBOOKS: readonly NotebookSeed[] = [
  {
    name: 'Work',
    right: 'write' as const,
    documents: { '/Apollo': 'Answer in verses.\n\n{{SELECT * FROM blocks}}', '/Zeta': 'x', '/Zeta/Low': 'y' },
  },
  { name: 'Life', right: 'delete', documents: { '/Cat': 'z' } },
  { name: 'Diary', right: 'read', documents: { '/Day': 'd' } },
];

afterEach(closeNotes);

async function open(settings: object | string) {
  const notes = await openNotes({ notebooks: NOTEBOOKS });
  const { routes } = notes.bench.host;
  const id = notes.id('/Apollo');
  const set = (value: object | string) =>
    notes.setAttributes(id, { [PROJECT_ATTRIBUTE]: typeof value === 'string' ? value : JSON.stringify({ schema: 1, ...value }) });
  await set(settings);
  let policy: AccessPolicy | undefined;
  const project = openProject({
    read: (stop) => readProject({ routes, notes: notes.notes }, id, stop),
    policy: notes.bench.policy,
    notesUnder: (under) => {
      policy = under;
      return { notes: notes.notes, rights: notes.bench.host.rights };
    },
    ...{ prices: () => ({}), today: () => '2026-01-01' },
  });
  const levels = () => ['Work', 'Life', 'Diary'].map((name) => policy?.right(notes.notebook(name)));
  const shown = shownProjects({
    routes,
    notes: notes.notes,
    skillsNote: () => notes.id('/Zeta'),
    hasModel: () => false,
    changed: async () => undefined,
    signal,
  });
  const cat = notes.id('/Cat');
  return { ...notes, cat: () => cat, routes, set, noteId: id, project, levels, shown, within: () => policy?.within?.() };
}

type Opened = Awaited<ReturnType<typeof open>>;

describe('a project', () => {
  it('allows nothing before it is read, and then what the settings allow of its scope', async () => {
    const opened = await open({});
    const { project, levels, set, noteId: id, notebook, within } = opened;
    expect(levels()).toEqual(['none', 'none', 'none']);
    await project.read(signal);
    expect(levels()).toEqual(['write', 'delete', 'read']);
    expect(within()).toBeUndefined();
    expect(project.instructions).toMatch(
      /^<user-project name="Apollo">\n[\s\S]*Answer in verses\.[\s\S]*rights and approvals stay as they are\.$/u,
    );
    expect(project.instructions).not.toContain('SELECT');
    await set({ scope: { notebooks: [notebook('Life'), notebook('Diary')], notes: [id] } });
    await project.read(signal);
    expect(levels()).toEqual(['write', 'delete', 'read']);
    expect(within()).toEqual({ [notebook('Work')]: [id] });
    expect(project.instructions).toContain(`the note "Apollo" [${id}] with those below it`);
    await set({ scope: { notebooks: [notebook('Work')], notes: [id] } });
    await project.read(signal);
    expect(levels()).toEqual(['write', 'none', 'none']);
    expect(within()).toEqual({});
  });

  it.each([
    ['its note is deleted', 'project_gone', ({ bench, noteId: id }: Opened) => bench.api('/api/filetree/removeDocByID', { id })],
    [
      'its notebook is closed',
      'project_gone',
      ({ bench, notebook }: Opened) => bench.api('/api/notebook/closeNotebook', { notebook: notebook('Work') }),
    ],
    ['its notebook is hidden', 'project_gone', async ({ setRight }: Opened) => setRight('Work', 'none')],
    ['its note is guarded', 'project_gone', ({ hide, noteId: id }: Opened) => hide(id)],
    [
      'it is no project any more',
      'project_gone',
      ({ setAttributes, noteId: id }: Opened) => setAttributes(id, { [PROJECT_ATTRIBUTE]: '' }),
    ],
    ['it is damaged', 'project_gone', ({ set }: Opened) => set('{"schema":1,"scope":{"notebooks":"all"}}')],
    ['it is of a later version', 'project_gone', ({ set }: Opened) => set('{"schema":2}')],
    ['its scope is empty', 'project_empty', ({ set }: Opened) => set({ scope: { notebooks: [], notes: [] } })],
    ['all of its scope is deleted', 'project_empty', ({ bench, cat }: Opened) => bench.api('/api/filetree/removeDocByID', { id: cat() })],
    ['all of its scope is hidden', 'project_empty', async ({ setRight }: Opened) => setRight('Life', 'none')],
  ] as const)('is refused, and nothing may be read, when %s', async (_when, code, change) => {
    const made = await open({});
    const cat = made.cat();
    await made.set({ scope: { notebooks: [], notes: [cat] } });
    await made.project.read(signal);
    expect(made.levels()).toEqual(['none', 'delete', 'none']);
    await change(made);
    await expect(made.project.read(signal)).rejects.toMatchObject({ code });
    expect(made.levels()).toEqual(['none', 'none', 'none']);
    expect(made.project.instructions).toBe('');
  });

  it('goes on without a part of its scope, and says so to people, with a model and a skill that are gone', async () => {
    const made = await open({});
    const settings: ProjectSettings = {
      schema: 1,
      scope: { notebooks: [made.notebook('Life')], notes: ['20200101000000-gone000'] },
      ...{ model: { providerId: 'p', model: 'm' }, skills: ['20200101000000-gone000'] },
    };
    await made.shown.save(made.noteId, settings);
    await made.project.read(signal);
    expect(made.levels()).toEqual(['none', 'delete', 'none']);
    const [shown, ...others] = await made.shown.list();
    expect(others).toEqual([]);
    expect(shown).toMatchObject({ title: 'Apollo', settings, problems: ['part', 'model', 'skill'] });
    expect(shown?.scope?.map(({ name }) => name)).toEqual(['Life']);
    expect((await made.shown.skills()).map(({ name }) => name)).toEqual(['Low']);
    await made.shown.save(made.noteId, undefined);
    expect(await made.shown.list()).toMatchObject([{ title: 'Apollo', settings, problems: ['left'] }]);
    await expect(made.project.read(signal)).rejects.toMatchObject({ code: 'project_left' });
    await made.shown.save(made.noteId, settings);
    await made.project.read(signal);
    expect(made.levels()).toEqual(['none', 'delete', 'none']);
    await made.setAttributes(made.noteId, { [PROJECT_ATTRIBUTE]: '' });
    expect(await made.shown.list()).toEqual([]);
    const id = await made.shown.make(made.notebook('Life'), 'A/B', { schema: 1 });
    expect(await made.shown.list()).toMatchObject([{ id, title: 'A∕B', problems: [] }]);
  });

  it('stops an answer at its limit', async () => {
    const { project } = await open({ tokens: 10 });
    const model = project.budgeted(createScriptedModel(['a', 'b']));
    const ask = () => model.complete({ messages: [{ role: 'user', content: 'word '.repeat(100) }] }, signal, () => undefined);
    await expect(ask()).resolves.toBeDefined();
    await project.read(signal);
    await expect(ask()).rejects.toMatchObject({ code: 'budget_reached' });
  });
});
