import type { PanelContext } from '../../../ui/state/context.ts';

const SAID = { all: 'said.noteUndone', part: 'said.undoneInPart', none: 'undo.open' } as const;

/** Undoes the save of the open chat as a note, and reports the result; if it could not be tried, a notice says why. */
export async function undoSave({ controller, panel, t }: Pick<PanelContext, 'controller' | 'panel' | 't'>): Promise<void> {
  const done = await controller.messages.undoNote();
  if (done) panel.say(t(SAID[done]));
}
