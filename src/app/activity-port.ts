import type { ActivityFiles } from '../chat/activity/activity-files.ts';
import type { ChatController } from '../chat/controller/controller-port.ts';
import type { KernelRoutes } from '../host/kernel/kernel-routes.ts';
import type { WriteHistory } from '../tools/contract/ports.ts';
import type { ActivityPort, RecordedCall } from '../ui/ports/activity-port.ts';

interface ActivityDeps {
  readonly files: ActivityFiles;
  readonly history: WriteHistory;
  readonly routes: Pick<KernelRoutes, 'attributesOf'>;
  readonly controller: Pick<ChatController, 'messages'>;
  readonly signal: AbortSignal;
}

/** Records together with the write journal. An Undo here is shown in its chat, if that is open. */
export function createActivityPort({ files, history, routes, controller, signal }: ActivityDeps): ActivityPort {
  const shown = async <T>({ sessionId, messageId }: RecordedCall, work: Promise<T>): Promise<T> => {
    const done = await work;
    await controller.messages.lookAgain(sessionId, messageId);
    return done;
  };
  return {
    read: (before) => files.read(before),
    startAnew: (path) => files.startAnew(path),
    remove: (which) => files.remove(which),
    undoState: ({ sessionId, messageId, callId }) => history.state(sessionId, messageId, callId),
    undo: (call, progress) => shown(call, history.undo(call.sessionId, call.messageId, signal, call.callId, progress)),
    redo: (call, progress) => shown(call, history.redo(call.sessionId, call.messageId, signal, call.callId, progress)),
    resolve: (call, blockId, choice, seen) => shown(call, history.resolve(call.sessionId, call.messageId, blockId, choice, signal, seen)),
    changes: ({ sessionId, messageId, callId }) => history.changes(sessionId, messageId, callId),
    async titles(ids) {
      const found = ids.length === 0 ? {} : await routes.attributesOf(ids, signal);
      return new Map(Object.entries(found).flatMap(([id, { title }]): [string, string][] => (title === undefined ? [] : [[id, title]])));
    },
  };
}
