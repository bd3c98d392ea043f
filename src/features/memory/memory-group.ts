import type { OpenGroup } from '../../app/workspace/group-environment.ts';
import { createMemoryGroup } from './memory.ts';

/** Without a way to save its id, a new note is found by its title. */
export const memoryGroup: OpenGroup = ({ notes, settings, t }) => {
  const { update } = settings;
  return createMemoryGroup(notes, {
    get: () => settings.get().memory,
    title: t?.('group.memory') ?? 'Memory',
    made: update && ((document) => update.call(settings, (now) => ({ memory: { ...now.memory, document } }))),
  });
};
