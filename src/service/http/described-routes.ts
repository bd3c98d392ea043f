import * as v from 'valibot';
import { rightsFormat } from '../mcp/mcp-clients.ts';
import * as answers from './answers.ts';
import {
  decisionFormat,
  finishSignInFormat,
  inboxDecisionFormat,
  messagesQuery,
  ofChatQuery,
  orderActionFormat,
  ordersNoteFormat,
  recordsQuery,
  removeQuery,
  sendFormat,
  signInFormat,
  undoFormat,
} from './requests.ts';

/** The description of a route; a test compares this list with the real routes. */
export interface RouteDescription {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** With `{name}` for a parameter. */
  readonly path: string;
  readonly summary: string;
  /** Requires no token. */
  readonly open?: boolean;
  readonly query?: v.ObjectSchema<v.ObjectEntries, undefined>;
  readonly body?: v.GenericSchema;
  /** Default: 200. */
  readonly status?: string;
  readonly answer?: v.GenericSchema;
  /** May answer with events. */
  readonly events?: boolean;
  readonly headers?: Readonly<Record<string, object>>;
  readonly headerParameters?: readonly Readonly<Record<string, unknown>>[];
  readonly alsoStatus?: Readonly<Record<string, object>>;
  /** A valid request. */
  readonly example?: { readonly query?: Readonly<Record<string, string>>; readonly body?: object };
}

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

const MCP: readonly RouteDescription[] = [
  { method: 'POST', path: '/mcp', summary: 'The tools by the Model Context Protocol (streamable HTTP): one JSON-RPC message' },
  { method: 'GET', path: '/mcp', summary: 'What the server sends in an MCP session', events: true },
  { method: 'DELETE', path: '/mcp', summary: 'Ends an MCP session' },
  {
    method: 'GET',
    path: '/api/mcp/clients',
    summary: 'The MCP clients that have a token of their own',
    answer: v.array(answers.clientAnswer),
  },
  {
    method: 'POST',
    path: '/api/mcp/clients',
    summary: 'Makes a token for an MCP client; it is shown only here',
    body: rightsFormat,
    status: '201',
    answer: answers.newClientAnswer,
    example: { body: { name: 'Claude Desktop', writes: true, notebooks: { '20260101120000-abcdefg': 'write' } } },
  },
  { method: 'DELETE', path: '/api/mcp/clients/{id}', summary: 'Takes a token away', answer: answers.clientRemovedAnswer },
];

const ORDERS: readonly RouteDescription[] = [
  {
    method: 'GET',
    path: '/api/orders',
    summary: 'The standing orders, how they were understood and when they run',
    answer: answers.ordersAnswer,
  },
  {
    method: 'POST',
    path: '/api/orders/note',
    summary: 'Chooses the note of standing orders',
    body: ordersNoteFormat,
    answer: answers.doneAnswer,
    example: { body: { note: '20260101120000-abcdefg' } },
  },
  { method: 'GET', path: '/api/orders/inbox', summary: 'Proposals that wait, each planned again', answer: answers.inboxAnswer },
  {
    method: 'POST',
    path: '/api/orders/inbox/{run}/{id}',
    summary: 'Approves a proposal in whole or in part, or rejects it',
    body: inboxDecisionFormat,
    answer: answers.doneAnswer,
    example: { body: { decision: 'approve' } },
  },
  {
    method: 'POST',
    path: '/api/orders/{id}',
    summary: 'Runs an order now, pauses it or starts it again',
    body: orderActionFormat,
    answer: answers.doneAnswer,
    example: { body: { action: 'run' } },
  },
];

const SERVERS: readonly RouteDescription[] = [
  {
    method: 'GET',
    path: '/api/servers',
    summary: 'Servers of other people’s tools that are on, and whether one is signed in',
    answer: v.array(answers.serverAnswer),
  },
  {
    method: 'POST',
    path: '/api/servers/{name}/sign-in',
    summary: 'Begins a login; its address is opened in a browser, for whose return the service listens for ten minutes',
    body: signInFormat,
    answer: answers.serverAnswer,
    example: { body: {} },
  },
  {
    method: 'POST',
    path: '/api/servers/{name}/sign-in/finish',
    summary: 'Ends a login with the address at which a browser on another machine ended',
    body: finishSignInFormat,
    answer: answers.serverAnswer,
    example: { body: { returned: 'http://127.0.0.1:33917/signed-in?code=abc&state=def' } },
  },
  {
    method: 'DELETE',
    path: '/api/servers/{name}/sign-in',
    summary: 'Signs out: the tokens are forgotten, and revoked where that is offered',
    answer: answers.serverAnswer,
  },
];

export const ROUTES: readonly RouteDescription[] = [
  ...CHATS,
  ...RECORDS,
  ...MCP,
  ...ORDERS,
  ...SERVERS,
  {
    method: 'GET',
    path: '/ws/tool-events',
    summary: 'A WebSocket: tool events of a chat, or of all, as JSON',
    query: ofChatQuery,
    status: '101',
    example: { query: { session_id: 'my-chat' } },
  },
  { method: 'GET', path: '/', summary: 'Where what is: chats, tools (MCP), and all routes', answer: answers.indexAnswer },
  { method: 'GET', path: '/openapi.json', summary: 'This description', answer: v.record(v.string(), v.unknown()) },
  { method: 'GET', path: '/healthz', summary: 'Whether the service runs', open: true, answer: answers.healthAnswer },
];
