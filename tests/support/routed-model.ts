import type { ModelRequest, Script, ScriptedReply } from './model-server.ts';

/** Replies for several conversations at one time: the chat's own (`chat`), and those of its sub-agents by their tasks. */
export function routed(scripts: Readonly<Record<string, readonly Script[]>>): (request: ModelRequest) => ScriptedReply {
  const queues = new Map(Object.entries(scripts).map(([name, replies]) => [name, [...replies]]));
  return (request) => {
    const [system, task] = request.messages;
    const route = system?.content?.includes('You are a sub-agent') ? (task?.content ?? '') : 'chat';
    const next = queues.get(route)?.shift();
    if (next === undefined) return { status: 500, body: `{"error":{"message":"no reply left for ${route}"}}` };
    return typeof next === 'function' ? next(request) : next;
  };
}
