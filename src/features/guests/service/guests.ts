import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ServiceStart } from '../../../service/kernel/workspace-types.ts';
import type { StartServiceFeature } from '../../../service/service-feature.ts';
import { inBackground } from '../../../tools/util/notify.ts';
import { createGuests } from '../desktop/create-guests.ts';
import { readGuests } from '../guest-settings.ts';

/** In the folder of the service, which nothing synced reaches. */
const AGENTS_FILE = 'agents.json';

function readFile({ data, onProblem }: ServiceStart['options']) {
  try {
    return readGuests(JSON.parse(readFileSync(join(data, AGENTS_FILE), 'utf8')));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') onProblem?.(`${AGENTS_FILE} cannot be read: it needs a list of agents`);
    return [];
  }
}

/** Other agents as models of chats, as a file names them when the service starts. They end with the signal. */
export const start: StartServiceFeature = ({ options, signal }) => {
  const all = readFile(options);
  const guests = createGuests(() => all);
  signal.addEventListener('abort', () => inBackground(guests.close()));
  return { models: { list: () => all, model: async (id) => guests.model(id) } };
};
