import { deviceId, newId } from '../../app/device-storage.ts';
import type { StartFeature } from '../../app/panel-feature.ts';
import { untilClosed } from '../../app/until-closed.ts';
import { lazyMethods } from '../../tools/util/lazy.ts';
import { moment } from '../../ui/labels/format.ts';
import { CHAT_NOTES, type ChatNotes } from './chat-notes-port.ts';
import { noteActions } from './view/note-actions.ts';

/** A chat that is kept as a note, and answers that are put into notes. */
export const start: StartFeature = ({ base, notes, t, signal }) => {
  const load = untilClosed(async () => {
    const { keepInNotes } = await import('../../app/late-parts.ts');
    const { chatDocument, whyKeptBack } = notes;
    const labels = () => ({
      ...{ user: t('role.user'), assistant: t('role.assistant'), separator: t('role.separator'), summary: t('role.summary') },
      at: (time: number) => moment(time, t),
    });
    return keepInNotes({ chatDocument, whyKeptBack, notes: notes.notes, labels, newId, clock: base.clock, device: deviceId() });
  }, signal);
  return {
    chats: {
      // Without the file nothing is known of the note: the next save says why.
      opened: async (session, stop) =>
        session.boundDocument === undefined
          ? undefined
          : load().then(
              (kept) => kept.opened(session, stop),
              () => undefined,
            ),
      grown: async (session, stop) => (session.boundDocument === undefined ? undefined : (await load()).grown(session, stop)),
    },
    inPanel({ host, frame }) {
      const port = lazyMethods<ChatNotes>(async () => (await load()).over((await frame()).controller), {
        ...{ save: true, open: true, append: true, undoAppend: true, undoSave: true },
      });
      return {
        name: CHAT_NOTES.name,
        port,
        pages: [
          { name: 'save', title: 'action.saveNote' },
          { name: 'append', title: 'append.title' },
          { name: 'saveAnswer', title: 'save.answer' },
        ],
        actions: noteActions,
        requests: {
          async 'open-chat'({ ids }) {
            await host.openPanel();
            await port.open(ids[0] ?? '');
          },
        },
      };
    },
  };
};
