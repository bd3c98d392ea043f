import type { HttpBindings } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { type Context, Hono } from 'hono';
import type * as v from 'valibot';
import type { SessionSummary } from '../../chat/session/types.ts';
import type { ApprovalDecision } from '../../tools/contract/types.ts';
import { inBackground } from '../../tools/util/notify.ts';
import type { Chats } from '../chats/chats.ts';
import type { EventLog } from '../chats/event-log.ts';
import { ServiceError } from '../contract/errors.ts';
import { readBody, readQuestion } from './body.ts';
import { EVENT_STREAM_HEADERS, writeEvents } from './event-stream.ts';
import { readQuery } from './query.ts';
import { decisionFormat, messagesQuery, sendFormat, undoFormat } from './requests.ts';

function decisionOf(body: v.InferOutput<typeof decisionFormat>): ApprovalDecision {
  const { decision, reason, accepted_operations: acceptedOperations, remember, beyond_right: beyondRight } = body;
  if (decision === 'reject') return { approved: false, reason };
  return {
    approved: true,
    acceptedOperations,
    remember,
    beyondRight,
  };
}

function chatView({ id, title, updated, messages, pinned, archived = false, tags = [] }: SessionSummary): object {
  return { id, title, updated_at: new Date(updated).toISOString(), messages, pinned, archived, tags };
}

type ServiceContext = Context<{ Bindings: HttpBindings }>;

/** Events are written directly to the client's connection: streams in between would cost more than everything else. */
function streamTo({ env, res }: ServiceContext, log: EventLog, from: number, onLeft?: () => void): Response {
  env.outgoing.writeHead(200, { ...Object.fromEntries(res.headers), ...EVENT_STREAM_HEADERS });
  writeEvents(env.outgoing, log, from, onLeft);
  return RESPONSE_ALREADY_SENT;
}

/** A question: its answer is sent as events, or as one object when it is complete. */
async function send(chats: Chats, context: ServiceContext): Promise<Response> {
  const body = await readQuestion(context.req.raw, sendFormat);
  const { chat, from, ended } = await chats.send(body.session_id ?? undefined, body.message, {
    files: body.attachments ?? [],
    project: body.project ?? undefined,
    planFirst: body.plan_first,
  });
  context.header('X-Session-Id', chat.id);
  const left = (): void => inBackground(body.abort_on_disconnect ? chat.stop() : null);
  if (body.stream) {
    ended.catch(() => undefined); // Its last event says so.
    return streamTo(context, chat.log, from, left);
  }
  context.req.raw.signal.addEventListener('abort', left);
  const { message, usage, status } = await ended;
  const { id, content, tool_calls, end, error = null } = message;
  return context.json({ session_id: chat.id, message_id: id, status, end, content, tool_calls, usage, error });
}

/** The events of a chat after the one that a client saw last; without one, of the current or last turn. */
async function events(chats: Chats, context: ServiceContext, id: string): Promise<Response> {
  const chat = await chats.held(id);
  const seen = context.req.header('last-event-id');
  // A chat that is not open has no running turn, and no events are kept.
  if (!chat && seen === undefined) return context.body(null, 204);
  const from = seen === undefined ? chat?.lastTurn : chat?.log.placeAfter(seen);
  if (!chat || from === undefined || from === null)
    throw new ServiceError(
      410,
      'events_gone',
      'the events after this one are no longer kept',
      `read GET /api/chat/sessions/${id}/messages`,
    );
  // An EventSource that reconnects after the end of the turn stops.
  if (from === chat.log.end && !chat.running) return context.body(null, 204);
  return streamTo(context, chat.log, from);
}

/** The routes below /api/chat (docs/service.md). */
export function chatRoutes(chats: Chats) {
  const routes = new Hono<{ Bindings: HttpBindings }>();
  routes.post('/send', (context) => send(chats, context));
  routes.get('/sessions', async (context) => context.json((await chats.list()).map(chatView)));
  routes.get('/sessions/:id/messages', async (context) => {
    const { tool_mode: mode, ...page } = readQuery(context, messagesQuery);
    return context.json(await chats.messages(context.req.param('id'), mode, page));
  });
  routes.get('/sessions/:id/events', (context) => events(chats, context, context.req.param('id')));
  routes.post('/sessions/:id/abort', async (context) => {
    const chat = await chats.held(context.req.param('id'));
    return context.json({ aborted: (await chat?.stop()) ?? false });
  });
  for (const action of ['undo', 'redo'] as const)
    routes.post(`/sessions/:id/${action}`, async (context) => {
      const wanted = await readBody(context.req.raw, undoFormat);
      const { restored, conflicts } = await chats.turnBack(action, context.req.param('id') ?? '', wanted);
      // Its content may be hidden from the model by now, and the client may be a model.
      return context.json({ restored, conflicts: conflicts.map(({ blockId, reasons }) => ({ block_id: blockId, reasons })) });
    });
  routes.post('/sessions/:id/calls/:call/abort', async (context) => {
    const chat = await chats.held(context.req.param('id'));
    return context.json({ aborted: chat?.stopCall(context.req.param('call')) ?? false });
  });
  routes.get('/approvals', async (context) => context.json(chats.waiting(context.req.query('session_id'))));
  routes.post('/approvals/:id', async (context) => {
    const decision = decisionOf(await readBody(context.req.raw, decisionFormat));
    await chats.pending.decide(context.req.param('id'), decision);
    return context.json({ decided: true });
  });
  return routes;
}
