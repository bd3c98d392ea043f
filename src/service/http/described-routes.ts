import * as v from 'valibot';
import * as answers from './answers.ts';
import { decisionFormat, messagesQuery, ofChatQuery, recordsQuery, removeQuery, sendFormat, undoFormat } from './requests.ts';
import type { RouteDescription, ServedFeature } from './served-feature.ts';

const NUMBER_HEADER = (description: string) => ({ description, schema: { type: 'integer' } });

const CHATS: readonly RouteDescription[] = [
  {
    method: 'POST',
    path: '/api/chat/send',
    summary: 'Asks a question; the answer comes as events, or as one object',
    body: sendFormat,
    answer: answers.wholeAnswer,
    events: true,
    headers: { 'X-Session-Id': { description: 'The chat', schema: { type: 'string' } } },
    example: { body: { session_id: 'my-chat', message: 'What did I plan for March?', stream: true } },
  },
  { method: 'GET', path: '/api/chat/sessions', summary: 'The chats, including the panel’s', answer: v.array(answers.chatAnswer) },
  {
    method: 'GET',
    path: '/api/chat/sessions/{id}/messages',
    summary: 'The messages of a chat, oldest first',
    query: messagesQuery,
    answer: v.array(answers.messageAnswer),
    example: { query: { tool_mode: 'summary', limit: '50' } },
  },
  {
    method: 'GET',
    path: '/api/chat/sessions/{id}/events',
    summary: 'The events of the current or last turn',
    events: true,
    headerParameters: [
      { name: 'Last-Event-ID', in: 'header', required: false, schema: { type: 'string' }, description: 'Id of the last event received' },
    ],
    alsoStatus: { '204': { description: 'Nothing will follow' } },
  },
  {
    method: 'POST',
    path: '/api/chat/sessions/{id}/abort',
    summary: 'Ends the turn; the text so far is kept',
    answer: answers.abortedAnswer,
  },
  {
    method: 'POST',
    path: '/api/chat/sessions/{id}/undo',
    summary: 'Undoes what an answer wrote',
    body: undoFormat,
    answer: answers.undoneAnswer,
    example: { body: { message_id: 'mabc123-0123456789' } },
  },
  {
    method: 'POST',
    path: '/api/chat/sessions/{id}/redo',
    summary: 'Writes again what was undone',
    body: undoFormat,
    answer: answers.undoneAnswer,
    example: { body: { message_id: 'mabc123-0123456789' } },
  },
  {
    method: 'POST',
    path: '/api/chat/sessions/{id}/calls/{call}/abort',
    summary: 'Ends the sub-agent of a call alone',
    answer: answers.abortedAnswer,
  },
  {
    method: 'GET',
    path: '/api/chat/approvals',
    summary: 'Pending approvals',
    query: ofChatQuery,
    answer: v.array(answers.approvalAnswer),
    example: { query: { session_id: 'my-chat' } },
  },
  {
    method: 'POST',
    path: '/api/chat/approvals/{id}',
    summary: 'Approves or rejects',
    body: decisionFormat,
    answer: answers.decidedAnswer,
    example: { body: { decision: 'reject', reason: 'Not in this notebook' } },
  },
];

const RECORDS: readonly RouteDescription[] = [
  {
    method: 'GET',
    path: '/api/chat/tool-calls/{id}',
    summary: 'The full record of a call; by its id or the call’s',
    query: ofChatQuery,
    answer: answers.wholeRecordAnswer,
    example: { query: { session_id: 'my-chat' } },
  },
  {
    method: 'GET',
    path: '/api/tools/conversations',
    summary: 'Records of calls, newest first, with their texts cut',
    query: recordsQuery,
    answer: v.array(answers.recordAnswer),
    headers: { 'X-Total-Count': NUMBER_HEADER('Records in all') },
    example: { query: { session_id: 'my-chat', tool_name: 'read_doc', limit: '20', offset: '40' } },
  },
  {
    method: 'GET',
    path: '/api/tools/conversations/stats',
    summary: 'How often tools were called and failed, and how long they took',
    query: ofChatQuery,
    answer: answers.statisticsAnswer,
    example: { query: { session_id: 'my-chat' } },
  },
  {
    method: 'DELETE',
    path: '/api/tools/conversations',
    summary: 'Removes records of a chat, from before a time, or both',
    query: removeQuery,
    answer: answers.removedAnswer,
    example: { query: { before: '2026-01-31T12:00:00Z' } },
  },
];

const SOCKET: RouteDescription = {
  method: 'GET',
  path: '/ws/tool-events',
  summary: 'A WebSocket: tool events of a chat, or of all, as JSON',
  query: ofChatQuery,
  status: '101',
  example: { query: { session_id: 'my-chat' } },
};

/** All routes, with those of features. */
export function describedRoutes(served: readonly Pick<ServedFeature, 'described' | 'door'>[]): readonly RouteDescription[] {
  const doors = served.flatMap(({ door }) => door ?? []);
  const index = `Where what is: ${['chats', ...doors.map(({ label }) => label)].join(', ')}, and all routes`;
  return [
    ...[...CHATS, ...RECORDS, ...served.flatMap(({ described = [] }) => described), SOCKET],
    { method: 'GET', path: '/', summary: index, answer: answers.indexAnswer(doors.map(({ name }) => name)) },
    { method: 'GET', path: '/openapi.json', summary: 'This description', answer: v.record(v.string(), v.unknown()) },
    { method: 'GET', path: '/healthz', summary: 'Whether the service runs', open: true, answer: answers.healthAnswer },
  ];
}
