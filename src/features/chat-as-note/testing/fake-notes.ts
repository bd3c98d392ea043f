import type { PanelFeature } from '../../../ui/state/features.ts';
import type { FakeController } from '../../../ui/testing/fake-controller.ts';
import { CHAT_NOTES, type ChatNotes } from '../chat-notes-port.ts';
import { noteActions } from '../view/note-actions.ts';

const ADDED = ['20260101000000-addedbl'];

/** What one does is written down among what is done with the controller. */
function fakePort(controller: FakeController): ChatNotes {
  return {
    async save(notebook, path, withOthers) {
      controller.note('notes.save', notebook, path, ...(withOthers ? [withOthers] : []));
      if (path === '/Refused') return false;
      if (path === '/Of others' && !withOthers) {
        controller.set({ notice: { code: 'note_others', message: 'text of “Diary”', next: 'save it in Diary' } });
        return false;
      }
      controller.set({ boundDocument: '20260101000000-bbbbbbb', noteSaved: true });
      return true;
    },
    open: async (documentId) => controller.note('notes.open', documentId),
    async append(nodeId, place, letIn = async () => false) {
      if ('notebook' in place) {
        controller.note('notes.append', nodeId, place.notebook, place.path);
        if (place.path === '/Refused' || (place.path === '/Of others' && !(await letIn()))) return null;
        return { callId: 'append-1', documentId: '20260101000000-newnote', blockIds: ADDED };
      }
      const documentId = 'end' in place ? place.end : place.below;
      controller.note('notes.append', nodeId, documentId);
      if (documentId === controller.foreignNote && !(await letIn())) return null;
      return { callId: 'append-1', documentId, blockIds: ADDED };
    },
    undoAppend: async (nodeId, callId) => controller.note('notes.undoAppend', nodeId, callId),
    async undoSave() {
      controller.note('notes.undoSave');
      return 'all';
    },
  };
}

export const fakeNotes = (controller: FakeController): PanelFeature => ({
  name: CHAT_NOTES.name,
  port: fakePort(controller),
  pages: [
    { name: 'save', title: 'action.saveNote' },
    { name: 'append', title: 'append.title' },
    { name: 'saveAnswer', title: 'save.answer' },
  ],
  actions: noteActions,
});
