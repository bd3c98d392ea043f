import { NO_FEATURES, type PanelContext } from '../../../ui/state/features.ts';
import { CHAT_NOTES } from '../chat-notes-port.ts';

const SAID = { all: 'said.noteUndone', part: 'said.undoneInPart', none: 'undo.open' } as const;

/** Undoes the save of the open chat as a note, and reports the result; if it could not be tried, a notice says why. */
export async function undoSave({ features = NO_FEATURES, panel, t }: Pick<PanelContext, 'features' | 'panel' | 't'>): Promise<void> {
  const done = await features.port(CHAT_NOTES).undoSave();
  if (done) panel.say(t(SAID[done]));
}
