import type { ActivityRecord } from '../../chat/activity/activity.ts';
import type { ActivityFiles } from '../../chat/activity/activity-files.ts';
import type { PlanOperation, Progress } from '../../tools/contract/plans.ts';
import type { UndoReport, UndoState } from '../../tools/contract/ports.ts';

/** The call of a chat that need not be open. */
export type RecordedCall = Pick<ActivityRecord, 'sessionId' | 'messageId' | 'callId'>;

/** What tools did, in all chats. What rejects rejects with ToolError. */
export interface ActivityPort extends Pick<ActivityFiles, 'read' | 'startAnew' | 'remove'> {
  /** What can be undone of a call, or was. */
  undoState(call: RecordedCall): Promise<UndoState>;
  undo(call: RecordedCall, progress: Progress): Promise<UndoReport>;
  /** Writes again what was undone of the call (see WriteHistory.redo). */
  redo(call: RecordedCall, progress: Progress): Promise<UndoReport>;
  /** What to do with a block that `undo` left alone, since it was changed (see WriteHistory.resolve). */
  resolve(call: RecordedCall, blockId: string, choice: 'undo' | 'keep', shown?: string | null): Promise<UndoReport>;
  changes(call: RecordedCall): Promise<readonly PlanOperation[]>;
  /** Titles of notes by id, whether the model may read them or not: the user may. Those that are gone are not in it. */
  titles(ids: readonly string[]): Promise<ReadonlyMap<string, string>>;
}
