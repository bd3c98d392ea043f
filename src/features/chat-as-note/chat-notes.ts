import type { ChatExtension } from '../../chat/controller/controller-deps.ts';
import type { ChatController } from '../../chat/controller/controller-port.ts';
import { missingVariables } from '../../chat/turn/notices.ts';
import type { SessionDeps } from '../../chat/turn/session.ts';
import { appendAnswer } from './append-answer.ts';
import type { AppendedAnswer, ChatNotes } from './chat-notes-port.ts';
import { type BoundDocumentDeps, lookIntoNote, NOTE_NODE, readFromDocument, saveToDocument, saveWhatIsNew } from './note-binding.ts';

export type ChatNotesDeps = BoundDocumentDeps & Pick<SessionDeps, 'clock' | 'device'>;

/** Chats that are kept as notes: what follows them, and, over a controller, what a person asks for. */
export function keepInNotes(deps: ChatNotesDeps): ChatExtension & { over(chats: Pick<ChatController, 'work' | 'openFound'>): ChatNotes } {
  const { clock, device, newId } = deps;
  return {
    opened: (session, signal) => lookIntoNote(deps, session, signal),
    grown: async (session, signal) => {
      if (session.boundDocument !== undefined) await saveWhatIsNew(deps, session, signal);
    },
    over: (chats) => ({
      async save(notebook, path, withOthers = false) {
        let isSaved = false;
        await chats.work(async ({ session, signal }) => {
          await saveToDocument(deps, session, { notebook, path, withOthers }, signal);
          isSaved = true;
        });
        return isSaved;
      },
      async open(documentId) {
        let found: Awaited<ReturnType<typeof readFromDocument>> | undefined;
        await chats.openFound(async (signal) => {
          found = await readFromDocument(deps, documentId, { time: clock.now(), device }, signal);
          return found.restored;
        });
        await chats.work(async ({ session, say }) => {
          const names = (found?.missingVariables ?? []).filter((name) => !session.executor.varSystem.hasVariable(name));
          if (session.id === found?.sessionId && names.length > 0) say(missingVariables(names));
        });
      },
      async append(nodeId, place, letIn = async () => false) {
        let appended: AppendedAnswer | null = null;
        await chats.work(async ({ session, isShown, undo, say, signal }) => {
          const outcome = await appendAnswer(session, { nodeId, place, callId: newId(), now: clock.now(), letIn, signal });
          if (outcome.kind === 'done') ({ appended } = outcome);
          if (outcome.kind === 'failed') say(outcome.error);
          if (isShown()) await undo.look(session, nodeId);
        });
        return appended;
      },
      undoAppend: (nodeId, callId) =>
        chats.work(async ({ session, undo, signal }) => void (await undo.undo(session, nodeId, signal, callId))),
      async undoSave() {
        let done: Awaited<ReturnType<ChatNotes['undoSave']>> = null;
        await chats.work(async ({ session, undo, signal }) => {
          const { savedNote } = session;
          if (savedNote === undefined) {
            done = 'none';
            return;
          }
          const { restored, conflicts } = await undo.undo(session, NOTE_NODE, signal, savedNote);
          done = conflicts.length === 0 ? 'all' : 'part';
          if (restored.length === 0) done = 'none';
          // The conflicts may be resolved: it can be tried again.
          if (done !== 'none' || conflicts.length === 0) await session.leaveNote();
        });
        return done;
      },
    }),
  };
}
