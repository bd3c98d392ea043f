import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { planReply } from './planner.ts';
import { demoModelId, replyChunks, replyObject } from './stream.ts';
import type { ChatRequest, DemoReply } from './types.ts';

export interface OfflineDemoOptions {
  /** Pause between two streamed words in milliseconds; 0 writes them at once. */
  readonly chunkDelayMs?: number;
}

export interface OfflineDemo {
  /** Serves POST /v1/chat/completions and GET /v1/models; anything else is 404. Ends the response; never throws for bad input. */
  handle(request: IncomingMessage, response: ServerResponse): Promise<void>;
  plan(request: ChatRequest): DemoReply;
}

const maximumBody = 10 * 1024 * 1024;

class BadRequest extends Error {
  readonly status: number;
  readonly code: string;
  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

async function readBody(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of request) {
    const buffer = Buffer.from(part);
    size += buffer.length;
    if (size > maximumBody) throw new BadRequest(413, 'too_large', 'The request is larger than 10 MiB → send fewer messages');
    parts.push(buffer);
  }
  return Buffer.concat(parts).toString('utf8');
}

function isChatRequest(value: unknown): value is ChatRequest {
  if (typeof value !== 'object' || value === null || !('messages' in value) || !Array.isArray(value.messages)) return false;
  if ('tools' in value && value.tools !== undefined && !Array.isArray(value.tools)) return false;
  return value.messages.every((message: unknown) => typeof message === 'object' && message !== null && 'role' in message);
}

function parseRequest(body: string): ChatRequest {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch (error) {
    throw new BadRequest(400, 'invalid_json', `The body is no JSON (${error instanceof Error ? error.message : 'unreadable'}) → send JSON`);
  }
  if (!isChatRequest(value))
    throw new BadRequest(400, 'invalid_request', '"messages" must be a list of messages with a role → correct the request');
  if (value.model !== undefined && value.model !== demoModelId) {
    throw new BadRequest(404, 'model_not_found', `There is no model "${String(value.model)}" here → use "${demoModelId}"`);
  }
  return value;
}

function sendJson(response: ServerResponse, status: number, value: object): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' });
  response.end(JSON.stringify(value));
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

async function sendStream(response: ServerResponse, chunks: readonly object[], delay: number): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache', connection: 'keep-alive' });
  for (const chunk of chunks) {
    // The reader went away (Stop, closed page): nobody waits for the rest.
    if (response.destroyed || response.writableEnded) return;
    response.write(`data: ${JSON.stringify(chunk)}\n\n`);
    if (delay > 0) await pause(delay);
  }
  response.end('data: [DONE]\n\n');
}

async function complete(request: IncomingMessage, response: ServerResponse, delay: number): Promise<void> {
  const chat = parseRequest(await readBody(request));
  const reply = planReply(chat);
  const envelope = { id: `chatcmpl-offline-${randomUUID()}`, created: Math.floor(Date.now() / 1000) };
  if (chat.stream !== true) return sendJson(response, 200, replyObject(reply, envelope));
  await sendStream(response, replyChunks(reply, envelope, chat.stream_options?.include_usage === true), delay);
}

/** The model that `npm start` serves when there is no other: rules, no language model, and it says so in every answer. */
export function createOfflineDemo(options: OfflineDemoOptions = {}): OfflineDemo {
  const delay = options.chunkDelayMs ?? 12;
  return {
    plan: planReply,
    async handle(request, response) {
      const { pathname } = new URL(request.url ?? '/', 'http://localhost');
      try {
        if (request.method === 'POST' && pathname === '/v1/chat/completions') await complete(request, response, delay);
        else if (request.method === 'GET' && pathname === '/v1/models') {
          sendJson(response, 200, { object: 'list', data: [{ id: demoModelId, object: 'model', created: 0, owned_by: 'marginalia' }] });
        } else
          throw new BadRequest(
            404,
            'not_found',
            `${request.method} ${pathname} is not served → POST /v1/chat/completions or GET /v1/models`,
          );
      } catch (error) {
        const known =
          error instanceof BadRequest ? error : new BadRequest(500, 'internal', error instanceof Error ? error.message : String(error));
        if (response.headersSent) response.destroy();
        else sendJson(response, known.status, { error: { message: known.message, type: 'invalid_request_error', code: known.code } });
      }
    },
  };
}
