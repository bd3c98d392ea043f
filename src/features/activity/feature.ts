import type { StartFeature } from '../../app/panel-feature.ts';

/** The record of the calls of all chats, for the person. */
export const start: StartFeature = () => ({
  inPanel: () => ({
    name: 'activity',
    pages: [
      {
        name: 'activity',
        title: 'activity.title',
        also: 'settings.also.activity',
        menu: { icon: 'iconMarginaliaActivity', part: 'chats' },
      },
    ],
  }),
});
