import { expect, it } from 'vitest';
import { InMemoryNotes } from '../../tools/testing/in-memory-notes.ts';
import { inMemoryRights } from '../../tools/testing/in-memory-rights.ts';
import { type ChatProject, notesNow } from './chat-project.ts';

const { signal } = new AbortController();

it('is read again unless a list that it was read for goes on', async () => {
  const notes = new InMemoryNotes({ notebooks: [] });
  let reads = 0;
  let scope: ChatProject['scope'];
  const project: ChatProject = {
    ...{ notes, rights: inMemoryRights(notes), instructions: '', skills: undefined, findFirst: async () => undefined },
    budgeted: (model) => model,
    get scope() {
      return scope;
    },
    async read() {
      reads += 1;
      scope = [];
    },
  };
  const projects = { of: () => project, list: async () => [] };
  const now = async (goesOn: boolean) => {
    expect(await notesNow('p', projects, signal, goesOn)).toBe(notes);
    return reads;
  };
  expect([await now(true), await now(true), await now(false), await now(true)]).toEqual([1, 1, 2, 2]);
  expect(await notesNow(undefined, projects, signal)).toBeUndefined();
});
