import type { StartServiceFeature } from '../../../service/service-feature.ts';
import { openProjects } from '../open-project.ts';

/** Projects for the chats, orders and programs of the service. */
export const start: StartServiceFeature = ({ base, settings }) => ({
  projects: ({ notes }, notesUnder) =>
    openProjects({ ...base, notes, notesUnder, prices: () => settings.get().prices, today: base.clock.today }),
});
