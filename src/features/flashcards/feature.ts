import type { StartFeature } from '../../app/panel-feature.ts';

/** Flashcards reviewed in the panel, where their tools are on. */
export const start: StartFeature = () => ({
  inPanel: () => ({
    name: 'flashcards',
    pages: [
      {
        ...{ name: 'review', title: 'review.title', ofTool: 'flashcards' },
        menu: {
          ...{ icon: 'iconMarginaliaCards', part: 'program' },
          isShown: ({ groups }) => groups.some(({ group, enabled }) => group === 'flashcards' && enabled),
        },
      },
    ],
  }),
});
