// A file of its own in the built plugin, loaded once the panel is idle.
import type { PanelEnvironment } from '../../../app/panel-environment.ts';
import { writtenPort } from './written-port.ts';
import { WrittenRequests } from './written-requests.ts';

/** What models wrote, with the cards that say so in the editor's margin. */
export async function openProvenance(app: PanelEnvironment) {
  const { base, notes, signal } = app;
  const read = [app.frame(), notes.answers(), notes.hands(), notes.contentHash()] as const;
  const [frame, answers, hands, contentHash] = await Promise.all(read);
  const written = writtenPort({ base, answers, hands, contentHash, chat: (id) => frame.controller.library.whole(id), signal });
  const requests = new WrittenRequests({ ...app, frame, answers, written });
  return { requests, port: { ...written, checkAgain: (id: string) => requests.checkAgain(id) } };
}
