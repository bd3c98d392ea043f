import { tourSeen } from '../../app/device-storage.ts';
import type { StartFeature } from '../../app/panel-feature.ts';
import { TOUR } from './tour-port.ts';

/** Five steps over sample notes that are in no notebook; offered in an empty chat, until it was opened or refused on this device. */
export const start: StartFeature = () => ({
  inPanel: () => ({
    name: TOUR.name,
    pages: [{ name: TOUR.name, title: 'tour.title', also: 'tour.offer', menu: { icon: 'iconMarginaliaPlay', part: 'program' } }],
    actions: ({ t, panel }) => {
      if (tourSeen.get()) return [];
      const seen = (): void => tourSeen.set(true);
      return [
        {
          place: 'empty',
          icon: 'iconMarginaliaPlay',
          label: t('tour.offer'),
          run: async () => {
            seen();
            panel.open(TOUR.name);
          },
        },
        { place: 'empty', icon: 'iconClose', label: t('tour.dismiss'), run: async () => seen() },
      ];
    },
  }),
});
