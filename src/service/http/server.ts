import { createServer, type Server } from 'node:http';
import { isIP } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { Hono } from 'hono';
import { DecisionRefused } from '../../tools/calls/pending.ts';
import { isToolError, NotCarriedOut } from '../../tools/contract/errors.ts';
import type { Chats } from '../chats/chats.ts';
import { type ErrorStatus, ServiceError } from '../contract/errors.ts';
import type { Records } from '../records/records.ts';
import { describedRoutes } from './described-routes.ts';
import { checkCaller, checkToken } from './guard.ts';
import { openApiDescription } from './openapi.ts';
import { recordRoutes } from './record-routes.ts';
import { chatRoutes } from './routes.ts';
import type { Door, RouteDescription, ServedFeature } from './served-feature.ts';
import { TOOL_EVENTS_PATH, ToolEvents, type ToolEventsOptions } from './tool-events.ts';

export interface ServerOptions extends Omit<ToolEventsOptions, 'feed'> {
  readonly chats: Chats;
  readonly records: Records;
  readonly served: readonly ServedFeature[];
  /** 0 takes any free port. */
  readonly port: number;
  readonly host: string;
  /** Milliseconds within which a request must have arrived completely. */
  readonly requestTimeoutMs: number;
  /** Receives defects. */
  readonly log: (line: string) => void;
}

export interface RunningServer {
  /** Without a trailing slash. */
  readonly url: string;
  /** Aborts what is still open. */
  close(): Promise<void>;
}

interface ErrorAnswer {
  readonly status: ErrorStatus;
  readonly code: string;
  readonly message: string;
  readonly next: string;
}

const REFUSED = { approval_missing: 404, bad_operations: 400, needs_right: 409, panel_only: 409 } as const;

/** A failure for clients: anything but a ServiceError or ToolError is a defect of ours, of which they learn no details. */
function answerTo(error: unknown, log: ServerOptions['log']): ErrorAnswer {
  if (error instanceof ServiceError) return error;
  if (error instanceof DecisionRefused) return { status: REFUSED[error.code], code: error.code, message: error.message, next: error.next };
  if (isToolError(error)) {
    const { code, message, next } = error;
    const ofKernel = code === 'kernel_unreachable' || code === 'kernel_refused' ? 502 : 500;
    return { status: error instanceof NotCarriedOut ? 409 : ofKernel, code, message, next };
  }
  log(`internal error: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
  return { status: 500, code: 'internal', message: 'the service failed unexpectedly', next: 'see its log' };
}

/** Methods of the routes with this path; empty if there is none. */
function methodsOf(routes: readonly RouteDescription[], path: string): readonly string[] {
  const isOf = (described: string): boolean => {
    const parts = described.split('/');
    const given = path.split('/');
    return (
      parts.length === given.length && parts.every((part, index) => part === given[index] || (part.startsWith('{') && given[index] !== ''))
    );
  };
  return routes.flatMap((route) => (isOf(route.path) ? [route.method] : []));
}

const CHAT_DOOR = 'POST /api/chat/send';

/** Where somebody who tried this path wanted to go. */
function nextFrom(path: string, doors: readonly Door[]): string {
  const wanted = doors.find(({ tried }) => tried.test(path));
  if (wanted) return `${wanted.next}; GET / lists all routes`;
  const others = doors.map(({ at, label }) => `, ${at} has the ${label}`).join('');
  return `${CHAT_DOOR} asks a question${others}; GET / lists all routes, docs/service.md describes them`;
}

const noRoute = (path: string, doors: readonly Door[]): ServiceError =>
  new ServiceError(404, 'no_route', 'there is no such route', nextFrom(path, doors));

/** Separators and control characters, as an address writes them: no id has one, and an id with one would be a path. */
const NOT_IN_ID = /%(?:2f|5c|[01][0-9a-f]|7f)/iu;

/** For requests that are refused before their body is read. */
const NOT_READ: readonly ErrorStatus[] = [401, 403, 413];

/** All routes except the sockets. */
export function serviceApp({ chats, records, served, log, ...guard }: Omit<ServerOptions, 'port' | 'host' | 'requestTimeoutMs'>): Hono {
  const app = new Hono();
  const described = describedRoutes(served);
  const doors = served.flatMap(({ door }) => door ?? []);
  app.onError((error, context) => {
    const { status, code, message, next } = answerTo(error, log);
    // The unread rest of a body is not awaited.
    if (NOT_READ.includes(status)) context.header('Connection', 'close');
    return context.json({ error: { code, message, next } }, status);
  });
  app.use(
    checkCaller(
      guard,
      served.flatMap(({ headers }) => headers ?? []),
    ),
  );
  app.get('/healthz', (context) => context.json({ status: 'ok' }));
  for (const { open } of served) if (open) app.route('/', open);
  app.use(checkToken(guard));
  app.use((context, next) => {
    if (NOT_IN_ID.test(new URL(context.req.url).pathname)) throw noRoute(context.req.path, doors);
    return next();
  });
  app.route('/api/chat', chatRoutes(chats));
  app.route('/api', recordRoutes(records));
  for (const { path, routes } of served) if (path !== undefined && routes) app.route(path, routes);
  app.get('/', (context) =>
    context.json({
      ...{ chat: CHAT_DOOR, ...Object.fromEntries(doors.map(({ name, at }) => [name, at])), description: '/openapi.json' },
      routes: described.map(({ method, path, summary }) => ({ method, path, summary })),
    }),
  );
  app.get('/openapi.json', (context) => context.json(openApiDescription(described)));
  app.get(TOOL_EVENTS_PATH, () => {
    throw new ServiceError(426, 'no_socket', 'this is a WebSocket', 'connect to it with a WebSocket client');
  });
  app.notFound((context) => {
    const allowed = methodsOf(described, context.req.path);
    if (allowed.length === 0) throw noRoute(context.req.path, doors);
    context.header('Allow', allowed.join(', '));
    throw new ServiceError(405, 'bad_method', `this route has no ${context.req.method.slice(0, 20)}`, `use ${allowed.join(' or ')}`);
  });
  return app;
}

function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

/** Starts to listen. Rejects if the port is taken. */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const { port, host, requestTimeoutMs } = options;
  const timeouts = {
    requestTimeout: requestTimeoutMs,
    headersTimeout: Math.min(requestTimeoutMs, 10_000),
    connectionsCheckingInterval: Math.min(requestTimeoutMs, 1000),
  };
  const server = createServer(timeouts, getRequestListener(serviceApp(options).fetch, { overrideGlobalObjects: false }));
  const toolEvents = new ToolEvents({ ...options, feed: options.chats.feed });
  toolEvents.listen(server);
  await listen(server, port, host);
  const address = server.address();
  const bound = typeof address === 'object' && address ? address.port : port;
  return {
    url: `http://${isIP(host) === 6 ? `[${host}]` : host}:${bound}`,
    close: () =>
      new Promise((resolve) => {
        toolEvents.close();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
