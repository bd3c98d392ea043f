// A file of its own in the built plugin, loaded with the first request.
import type { PanelEnvironment } from '../../../app/panel-environment.ts';
import type { EditorRequest } from '../../../app/panel-host.ts';
import { runCardRequest } from './card-requests.ts';
import { EditorCards } from './editor-cards.ts';

/** The cards of this window. */
export async function openEditorCards(app: PanelEnvironment) {
  const frame = await app.frame();
  const cards = new EditorCards({ ...app, frame });
  return {
    run: (request: EditorRequest): Promise<void> => runCardRequest({ ...app, frame, cards }, request),
    focusNearest: (): void => cards.focusNearest(),
  };
}
