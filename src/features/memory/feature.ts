import type { StartFeature } from '../../app/panel-feature.ts';

/** Facts in a note of the user that outlast a chat. */
export const start: StartFeature = () => ({
  lateGroups: [{ name: 'memory' }],
  inPanel: () => ({ name: 'memory', helps: [{ codes: ['memory_off'], part: 'memory', setUp: { memory: 'tools.setUp.memory' } }] }),
});
