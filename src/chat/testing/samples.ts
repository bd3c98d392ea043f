import type { Node, Payload, Session, ToolCallRecord } from '../session/types.ts';

/** A clock that advances by a millisecond with each reading: order is visible in what was written. */
export function steppingClock(start = 1_700_000_000_000): { now: () => number; today: () => string } {
  let time = start;
  return { now: () => ++time, today: () => '2026-11-22' };
}

export function counter(prefix = 'id'): () => string {
  let count = 0;
  return () => `${prefix}${++count}`;
}

export function userPayload(id: string, content: string): Payload {
  return { id, message: { role: 'user', content }, author: 'user', created: 1, status: 'done' };
}

export function answerPayload(id: string, content: string, extras: Partial<Payload> = {}): Payload {
  return { id, message: { role: 'assistant', content }, author: 'scripted', created: 2, status: 'done', ...extras };
}

export function callRecord(callId: string, extras: Partial<ToolCallRecord> = {}): ToolCallRecord {
  return {
    callId,
    toolName: 'search_notes',
    args: { query: 'apollo' },
    result: {
      status: 'success',
      preview: 'one hit',
      cacheVarResult: `search_notes_${callId}_result`,
      cacheVarArgs: `search_notes_${callId}_args`,
    },
    startTime: 10,
    endTime: 25,
    roundIndex: 1,
    ...extras,
  };
}

export function node(id: string, role: Node['role'], parent: string | null, payload: Payload, extras: Partial<Node> = {}): Node {
  return {
    id,
    role,
    parent,
    versions: { [payload.id]: payload },
    currentVersionId: payload.id,
    changed: { time: 1, device: 'd' },
    ...extras,
  };
}

export function session(id = 's1', extras: Partial<Session> = {}): Session {
  const question = node('n1', 'user', null, userPayload('v1', 'what?'));
  const answer = node('n2', 'assistant', 'n1', answerPayload('v2', 'that'));
  return {
    schema: 1,
    id,
    title: 'A chat',
    created: 1,
    updated: 2,
    tags: [],
    pinned: false,
    nodes: { n1: question, n2: answer },
    rootId: 'n1',
    leafId: 'n2',
    variables: [],
    approvals: [],
    ...extras,
  };
}
