import {
  createMcpHandler,
  isLegacyRequest,
  type McpHttpHandler,
  type Server,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import { NEVER } from '../../../tools/util/abort.ts';
import { inBackground } from '../../../tools/util/notify.ts';
import type { NamedClient, ProgramCalls } from './program-calls.ts';
import { createMcpServer } from './server.ts';

const MAX_BODY_BYTES = 10 * 1024 * 1024;
const MAX_SESSIONS = 100;
/** Of one client: none can take them all. Its oldest one ends for a new one, since many programs never end theirs. */
const MAX_SESSIONS_EACH = 20;
/** A session that nobody used for so many milliseconds makes room for another. */
const IDLE_MS = 30 * 60 * 1000;

const MCP_VERSION = '0.1.0';

interface Session {
  readonly clientId: string;
  readonly transport: WebStandardStreamableHTTPServerTransport;
  usedAt: number;
}

/** A request that is not answered, with the status of HTTP that says so. */
export class RequestRefused extends Error {
  readonly status: 404 | 503;
  readonly code: string;
  readonly next: string;

  constructor(status: RequestRefused['status'], code: string, message: string, next: string) {
    super(message);
    this.status = status;
    this.code = code;
    this.next = next;
  }
}

const tooMany = (): RequestRefused =>
  new RequestRefused(503, 'too_many_sessions', 'there are too many MCP sessions', 'end one with DELETE /mcp, or try again later');

const noSession = (): RequestRefused => new RequestRefused(404, 'session_missing', 'there is no such MCP session', 'send initialize again');

export interface McpHandlerDeps<Client extends NamedClient> {
  readonly calls: Pick<ProgramCalls<Client>, 'of'>;
  /** An id that nobody can guess. */
  readonly newId: () => string;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly log: (line: string) => void;
}

/** MCP over HTTP: requests of the newest revision are complete in themselves, those before it belong to a session, and that to one token. */
export class McpHandler<Client extends NamedClient> {
  private readonly deps: McpHandlerDeps<Client>;
  private readonly sessions = new Map<string, Session>();
  private readonly modern = new Map<string, McpHttpHandler>();

  constructor(deps: McpHandlerDeps<Client>) {
    this.deps = deps;
  }

  /** Rejects with RequestRefused. */
  async handle(request: Request, client: Client): Promise<Response> {
    const id = request.headers.get('mcp-session-id');
    if (id !== null) return this.sessionOf(id, client).transport.handleRequest(request);
    if (await isLegacyRequest(request, undefined, { maxRequestBodySize: MAX_BODY_BYTES })) return this.begin(request, client);
    return this.modernOf(client).fetch(request);
  }

  /** Ends what a client has open. */
  async forget(clientId: string): Promise<void> {
    const ended = [...this.sessions].filter(([, session]) => session.clientId === clientId);
    for (const [id] of ended) this.sessions.delete(id);
    await Promise.all(ended.map(([, { transport }]) => transport.close()));
    await this.modern.get(clientId)?.close();
    this.modern.delete(clientId);
  }

  async close(): Promise<void> {
    const clients = new Set([...this.modern.keys(), ...[...this.sessions.values()].map(({ clientId }) => clientId)]);
    await Promise.all([...clients].map((id) => this.forget(id)));
  }

  /** A session answers to the token alone that began it. */
  private sessionOf(id: string, client: Client): Session {
    const session = this.sessions.get(id);
    if (!session || session.clientId !== client.id) throw noSession();
    session.usedAt = this.deps.now();
    return session;
  }

  private async begin(request: Request, client: Client): Promise<Response> {
    this.makeRoom(client);
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: this.deps.newId,
      maxRequestBodySize: MAX_BODY_BYTES,
      onsessioninitialized: (id) => void this.sessions.set(id, { clientId: client.id, transport, usedAt: this.deps.now() }),
      onsessionclosed: (id) => void this.sessions.delete(id),
    });
    await (await this.serverFor(client)).connect(transport);
    const response = await transport.handleRequest(request);
    if (transport.sessionId === undefined) await transport.close();
    return response;
  }

  private makeRoom(client: Client): void {
    const idle = [...this.sessions].filter(([, { usedAt }]) => usedAt < this.deps.now() - IDLE_MS);
    for (const [id, { transport }] of idle) {
      this.sessions.delete(id);
      inBackground(transport.close());
    }
    const own = [...this.sessions]
      .filter(([, { clientId }]) => clientId === client.id)
      .sort(([, left], [, right]) => left.usedAt - right.usedAt);
    const [oldest] = own;
    if (oldest && own.length >= MAX_SESSIONS_EACH) {
      this.sessions.delete(oldest[0]);
      inBackground(oldest[1].transport.close());
    }
    if (this.sessions.size >= MAX_SESSIONS) throw tooMany();
  }

  private modernOf(client: Client): McpHttpHandler {
    const known = this.modern.get(client.id);
    if (known) return known;
    const made = createMcpHandler(() => this.serverFor(client), {
      legacy: 'reject',
      maxRequestBodySize: MAX_BODY_BYTES,
      maxSubscriptions: MAX_SESSIONS_EACH,
      onerror: ({ message }) => this.deps.log(`mcp: ${message.slice(0, 300)}`),
    });
    this.modern.set(client.id, made);
    return made;
  }

  /** A server for one connection of a client. */
  async serverFor(client: Client): Promise<Server> {
    // Where it cannot be read, each call says so.
    await client.project?.read(NEVER).catch(() => undefined);
    const { instructions } = client.project ?? {};
    return createMcpServer({ version: MCP_VERSION, instructions, callsFor: (name) => this.deps.calls.of(client, name) });
  }
}
