import type { EventError } from '../../tools/contract/errors.ts';
import type { Clock } from '../../tools/contract/ports.ts';
import type { ToolExecutor } from '../../tools/executor/executor.ts';
import type { ActivityStore } from '../activity/activity.ts';
import { ActivityRecorder } from '../activity/recorder.ts';
import type { TreeModel } from '../session/tree-model.ts';
import type { LoadedSession } from '../store/store-port.ts';

interface RecordedChat {
  readonly tree: TreeModel;
  readonly executor: Pick<ToolExecutor, 'effectOf'>;
  readonly sessionId: string;
  readonly title: () => string;
  readonly as: Pick<LoadedSession, 'readOnly' | 'elsewhere'>;
  readonly onTrouble: (error: EventError) => void;
}

interface RecorderDeps {
  readonly activity?: ActivityStore;
  readonly newId: () => string;
  readonly clock: Clock;
}

export function recorderOf({ activity: store, newId, clock }: RecorderDeps, chat: RecordedChat): ActivityRecorder | null {
  if (!store) return null;
  const { tree, executor, sessionId, title, as, onTrouble } = chat;
  const question = (nodeId: string) => {
    // A call outside any turn, by a program after which its chat is named.
    if (!tree.has(nodeId)) return { id: '', text: title() };
    const { parent } = tree.node(nodeId);
    return parent === null ? null : { id: parent, text: tree.payload(parent).message.content };
  };
  const recorder = new ActivityRecorder({
    ...{ store, sessionId, newId, now: clock.now, question, onTrouble },
    effectOf: (tool, args) => executor.effectOf(tool, args),
  });
  // What runs in another window is not cut off.
  if (!tree.empty && !as.readOnly && as.elsewhere.length === 0) recorder.opened();
  return recorder;
}
