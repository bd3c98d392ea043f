import { Undoing } from '../../chat/controller/undoing.ts';
import type { MessageExtras } from '../../chat/view/view.ts';
import type { ActivityPort, RecordedCall } from '../ports/activity-port.ts';

/** Undo of a recorded call, looked up when the result is first used. */
export function callUndo(activity: ActivityPort, call: () => RecordedCall) {
  /** Empty until it was looked up, and if the call wrote nothing. */
  let of: MessageExtras = $state.raw({});
  const state = () => activity.undoState(call());
  const undoing = new Undoing(
    {
      state,
      undo: (progress) => activity.undo(call(), progress),
      redo: (progress) => activity.redo(call(), progress),
      resolve: (...choice) => activity.resolve(call(), ...choice),
    },
    {
      get: () => of,
      set: (next) => {
        of = next;
      },
    },
  );
  return {
    undoing,
    get of() {
      return of;
    },
    async look() {
      const undo = await state();
      if (undo.blocks > 0) of = { ...(undo.report ? { undoReport: undo.report } : {}), ...of, undo };
    },
  };
}
