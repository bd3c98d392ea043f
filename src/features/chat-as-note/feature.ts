import type { StartFeature } from '../../app/panel-feature.ts';
import { noteActions } from './view/note-actions.ts';

/** A chat that is kept as a note, and answers that are put into notes. */
export const start: StartFeature = () => ({
  inPanel: ({ host, frame }) => ({
    name: 'chat-as-note',
    pages: [
      { name: 'save', title: 'action.saveNote' },
      { name: 'append', title: 'append.title' },
      { name: 'saveAnswer', title: 'save.answer' },
    ],
    actions: noteActions,
    requests: {
      async 'open-chat'({ ids }) {
        await host.openPanel();
        await (await frame()).controller.openFromDocument(ids[0] ?? '');
      },
    },
  }),
});
