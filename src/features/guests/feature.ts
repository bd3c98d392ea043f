import { deviceGuests, newId } from '../../app/device-storage.ts';
import type { StartFeature } from '../../app/panel-feature.ts';
import { untilClosed } from '../../app/until-closed.ts';
import { GUESTS } from './guests-port.ts';
import { panelGuests } from './panel/panel-guests.ts';

/** Other agents of this machine as models of a chat. */
export const start: StartFeature = ({ settings, signal }) => {
  const guests = panelGuests({
    ...{ store: deviceGuests, newId, signal },
    // Listeners are notified as for a change of the settings.
    onChange: () => void settings.update(() => ({})).catch(() => undefined),
    load: untilClosed(async () => (await import('./panel/open-guests.ts')).openGuests, signal),
  });
  return { models: guests?.models, inPanel: () => guests && { name: GUESTS.name, port: guests.port } };
};
