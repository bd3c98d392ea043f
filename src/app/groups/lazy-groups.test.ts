import { expect, it } from 'vitest';
import type { ChatProject } from '../../chat/session/chat-project.ts';
import { openSettings } from '../../host/settings/settings.ts';
import type { ToolGroup } from '../../tools/contract/types.ts';
import { toolExecutorFactory } from '../../tools/index.ts';
import { InMemoryNotes } from '../../tools/testing/in-memory-notes.ts';
import { inMemoryRights } from '../../tools/testing/in-memory-rights.ts';
import { testClock } from '../../tools/testing/support.ts';
import type { GroupEnvironment } from '../workspace/group-environment.ts';
import { lazyGroups } from './lazy-groups.ts';

it('late groups of a chat of a project are over its notes and skills, also those that join it later', async () => {
  const storage = { read: async () => null, write: async () => undefined, list: async () => [] };
  const settings = await openSettings(storage, { get: () => undefined, set: () => undefined }, () => 1);
  const [all, own] = [new InMemoryNotes({ notebooks: [] }), new InMemoryNotes({ notebooks: [] })];
  const made: GroupEnvironment[] = [];
  const open = (environment: GroupEnvironment): ToolGroup => {
    made.push(environment);
    return { name: 'memory', tools: [] };
  };
  const late = await lazyGroups(async () => [open], [{ name: 'memory' }], { notes: all, settings, data: storage });
  await late.get();
  const project: ChatProject = {
    ...{ notes: own, rights: inMemoryRights(own), findFirst: async () => undefined, instructions: '', scope: [], skills: ['s'] },
    ...{ read: async () => undefined, budgeted: (model) => model },
  };
  late.make();
  late.make(project);
  late.join(toolExecutorFactory({ clock: testClock(), groups: [], rights: project.rights }), settings.get(), project);
  expect(made.map(({ notes }) => notes === own)).toEqual([false, true, true]);
  expect(made[2]?.ownNotes).toBe(all);
  expect(made[2]?.onlySkills?.()).toEqual(['s']);
});
