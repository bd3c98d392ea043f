import type { StartFeature } from '../../app/panel-feature.ts';

/** A chat kept as a note. */
export const start: StartFeature = () => ({
  inPanel: ({ host, frame }) => ({
    name: 'chat-as-note',
    requests: {
      async 'open-chat'({ ids }) {
        await host.openPanel();
        await (await frame()).controller.openFromDocument(ids[0] ?? '');
      },
    },
  }),
});
