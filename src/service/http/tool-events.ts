import type { IncomingMessage, Server } from 'node:http';
import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import { isSafeId } from '../../chat/store/session-files.ts';
import { isSameId } from '../chats/chats.ts';
import type { ToolFeed } from '../chats/tool-feed.ts';
import { ServiceError } from '../contract/errors.ts';
import { callerProblem, type GuardOptions, isToken, tokenProblem } from './guard.ts';

export interface ToolEventsOptions extends GuardOptions {
  readonly feed: ToolFeed;
  /** Milliseconds between two pings; a client that has not answered the last one is gone. Default: 20 s. */
  readonly pingMs?: number;
  /** Bytes that may be queued for one client. Default: 8 MiB. */
  readonly maxWaiting?: number;
}

export const TOOL_EVENTS_PATH = '/ws/tool-events';

/** The subprotocol; a page, which cannot send headers, also offers `bearer.` and the token. */
const PROTOCOL = 'marginalia';
const TOKEN_PROTOCOL = 'bearer.';

/** From the range that a program may choose (RFC 6455). */
const TOO_SLOW = 4008;
const GOING_AWAY = 1001;
const MAX_CLIENTS = 200;
/** Clients send nothing. */
const MAX_PAYLOAD = 1024;

function offeredToken(protocols: string | undefined): string | undefined {
  const offered = (protocols ?? '').split(',').map((one) => one.trim());
  return offered.find((one) => one.startsWith(TOKEN_PROTOCOL))?.slice(TOKEN_PROTOCOL.length);
}

/** The requested chat; undefined for all. Throws ServiceError. */
function sessionOf(query: URLSearchParams): string | undefined {
  const other = [...query.keys()].find((name) => name !== 'session_id');
  if (other !== undefined) {
    const next = 'send the token as “Authorization: Bearer …” or as a protocol “bearer.…”; session_id names a chat';
    throw new ServiceError(400, 'bad_parameter', `there is no parameter ${JSON.stringify(other.slice(0, 40))} here`, next);
  }
  const id = query.get('session_id') ?? undefined;
  if (id === undefined || (isSafeId(id) && query.getAll('session_id').length === 1)) return id;
  throw new ServiceError(400, 'bad_session_id', 'a session id is 1 to 80 letters, digits, - and _', 'leave session_id out for all chats');
}

function refuse(socket: Duplex, { status, code, message, next }: ServiceError): void {
  const body = JSON.stringify({ error: { code, message, next } });
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    ...(status === 401 ? ['WWW-Authenticate: Bearer'] : []),
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}

/** The tool events over WebSockets. A client that stops reading is closed before it blocks anything. */
export class ToolEvents {
  private readonly options: ToolEventsOptions;
  private readonly sockets = new WebSocketServer({
    noServer: true,
    maxPayload: MAX_PAYLOAD,
    perMessageDeflate: false,
    // The token is never sent back.
    handleProtocols: (offered) => (offered.has(PROTOCOL) ? PROTOCOL : false),
  });
  private readonly answered = new WeakSet<WebSocket>();
  private readonly pings: ReturnType<typeof setInterval>;

  constructor(options: ToolEventsOptions) {
    this.options = options;
    this.pings = setInterval(() => this.ping(), options.pingMs ?? 20_000);
    this.pings.unref();
  }

  /** Handles the server's requests for a socket. */
  listen(server: Server): void {
    server.on('upgrade', (request, socket, head) => {
      socket.on('error', () => socket.destroy());
      try {
        this.accept(request, socket, head);
      } catch (error) {
        if (error instanceof ServiceError) refuse(socket, error);
        else socket.destroy();
      }
    });
  }

  close(): void {
    clearInterval(this.pings);
    for (const client of this.sockets.clients) {
      client.close(GOING_AWAY, 'the service ends');
      client.terminate();
    }
  }

  private accept(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const { headers, url = '' } = request;
    const problem = callerProblem(this.options, headers.host, headers.origin);
    if (problem) throw problem;
    const token = offeredToken(headers['sec-websocket-protocol']);
    const isKnown = token === undefined ? tokenProblem(this.options, headers.authorization) === null : isToken(this.options, token);
    if (!isKnown) throw tokenProblem(this.options, undefined);
    const { pathname, searchParams } = new URL(url, 'http://localhost');
    if (pathname !== TOOL_EVENTS_PATH)
      throw new ServiceError(404, 'no_route', 'there is no such socket', `${TOOL_EVENTS_PATH}?session_id is the only one`);
    const sessionId = sessionOf(searchParams);
    if (this.sockets.clients.size >= MAX_CLIENTS)
      throw new ServiceError(503, 'too_many_clients', `${MAX_CLIENTS} clients are connected already`, 'close one, or try again later');
    this.sockets.handleUpgrade(request, socket, head, (client) => this.follow(client, sessionId));
  }

  private follow(client: WebSocket, sessionId: string | undefined): void {
    const { feed, maxWaiting = 8 * 1024 * 1024 } = this.options;
    this.answered.add(client);
    const stop = feed.subscribe((id, message) => {
      if (sessionId !== undefined && !isSameId(id, sessionId)) return;
      if (client.bufferedAmount + message.length > maxWaiting && client.bufferedAmount > 0) {
        stop();
        client.close(TOO_SLOW, 'too slow: GET /api/tools/conversations has what was missed');
      } else client.send(message);
    });
    client.on('pong', () => this.answered.add(client));
    client.on('error', () => undefined); // What follows is its end.
    client.on('close', stop);
  }

  private ping(): void {
    for (const client of this.sockets.clients) {
      if (!this.answered.delete(client)) client.terminate();
      else client.ping();
    }
  }
}
