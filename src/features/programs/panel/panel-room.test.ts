import { expect, it } from 'vitest';
import type { ChatProject } from '../../../chat/session/chat-project.ts';
import type { ExecutorPorts } from '../../../chat/turn/session-deps.ts';
import { PendingList } from '../../../tools/calls/pending.ts';
import { ToolError } from '../../../tools/contract/errors.ts';
import type { ToolExecutor } from '../../../tools/executor/executor.ts';
import { PanelRoom } from './panel-room.ts';

it('a program with a project runs over its notes, read before each call; where it cannot be read nothing runs', async () => {
  let isGone = false;
  const read = async () => {
    if (isGone) throw new ToolError('project_gone', 'it is gone', 'look at its note');
  };
  const project = { read } as unknown as ChatProject;
  const given: ExecutorPorts[] = [];
  const executor = (ports: ExecutorPorts) => {
    given.push(ports);
    return { groups: () => [] } as unknown as ToolExecutor;
  };
  const own = { executor, chat: () => ({ groups: () => [] }), activity: {} as never, clock: { now: () => 0 }, newId: () => 'n' };
  const room = new PanelRoom({ ...own, pending: new PendingList() }, { from: 'program', name: 'Cursor', sessionId: 's', project });
  expect(given[0]?.project).toBe(project);
  expect(await room.calls()).toMatchObject({ sessionId: 's' });
  isGone = true;
  await expect(room.calls()).rejects.toMatchObject({ code: 'project_gone' });
});
