import { type Context, Hono } from 'hono';
import type { ActivityRecord } from '../../chat/activity/activity.ts';
import { ServiceError } from '../contract/errors.ts';
import type { Records } from '../records/records.ts';
import { readQuery } from './query.ts';
import { ofChatQuery, recordsQuery, removeQuery } from './requests.ts';

/** A record as the routes return it. */
function recordView(record: ActivityRecord): object {
  const { id, sessionId, messageId, questionId, callId, parentCallId, toolName, result, error, status } = record;
  return {
    id,
    session_id: sessionId,
    message_id: questionId ?? null,
    answer_id: messageId,
    call_id: callId,
    parent_call_id: parentCallId,
    tool_name: toolName,
    arguments: JSON.stringify(record.arguments),
    result,
    error,
    status,
    duration_ms: record.durationMs,
    timestamp: new Date(record.timestamp).toISOString(),
    user_message: record.userMessage,
    effect: record.effect,
  };
}

/** What a list leaves out: the sources of the result, and what was written. */
function wholeView(record: ActivityRecord): object {
  const { sources, written } = record;
  return {
    ...recordView(record),
    sources,
    written: written ? { document_id: written.documentId, block_ids: written.blockIds, title: written.title ?? null } : null,
  };
}

async function oneRecord(records: Records, context: Context, id: string): Promise<Response> {
  const { session_id: sessionId } = readQuery(context, ofChatQuery);
  const found = await records.get(id);
  const record = found ?? (await records.ofCall(id, sessionId));
  if (!record || (sessionId !== undefined && record.sessionId !== sessionId))
    throw new ServiceError(404, 'record_missing', 'there is no record with this id', 'GET /api/tools/conversations lists them');
  return context.json(wholeView(record));
}

/** The routes for records of tool calls (docs/service.md). */
export function recordRoutes(records: Records): Hono {
  const routes = new Hono();
  routes.get('/chat/tool-calls/:id', (context) => oneRecord(records, context, context.req.param('id')));
  routes.get('/tools/conversations', async (context) => {
    const { session_id: sessionId, tool_name: toolName, ...page } = readQuery(context, recordsQuery);
    const named = { sessionId, toolName };
    const found = await records.list({ ...page, ...named });
    context.header('X-Total-Count', String(found.total));
    return context.json(found.records.map(recordView));
  });
  routes.get('/tools/conversations/stats', async (context) => {
    const { session_id: sessionId } = readQuery(context, ofChatQuery);
    return context.json(await records.statistics(sessionId));
  });
  routes.delete('/tools/conversations', async (context) => {
    const { session_id: sessionId, before } = readQuery(context, removeQuery);
    if (sessionId === undefined && before === undefined)
      throw new ServiceError(400, 'bad_parameter', 'the request does not say which records to remove', 'give session_id, before, or both');
    const which = { sessionId, before };
    return context.json({ removed: await records.remove(which) });
  });
  return routes;
}
