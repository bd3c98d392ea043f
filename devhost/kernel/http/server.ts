import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Kernel } from '../kernel.ts';
import { type Envelope, RawAnswer, type Route } from '../router.ts';
import { Access, foreignOrigin, LOGIN, type Locks } from './access.ts';
import { dispatch, UnknownRoutes } from './dispatch.ts';
import type { FailureRule, Failures } from './failures.ts';
import { BodyTooLarge, readBody } from './request.ts';
import { fileBelow, sendFile } from './static-files.ts';
import { acceptWebSocket } from './web-socket.ts';

export interface ServerOptions {
  readonly kernel: Kernel;
  readonly routes: ReadonlyMap<string, Route>;
  readonly failures: Failures;
  readonly locks: Locks;
  /** Prefix → folders; the first that holds the file serves it. */
  readonly folders: Readonly<Record<string, readonly string[] | ((query: URLSearchParams) => readonly string[])>>;
  /** Prefix → a service of its own that answers the request itself (the offline model). */
  readonly services: Readonly<Record<string, Service>>;
}

export type Service = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

const WRONG_CODE = 'The lock screen password is incorrect';
const KEEP_ALIVE_MS = 120_000;

const wait = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));

/** The HTTP and WebSocket face of a kernel, on 127.0.0.1 only. */
export class HostServer {
  private readonly options: ServerOptions;
  private readonly access: Access;
  private readonly unknown = new UnknownRoutes();
  private readonly sockets = new Set<Duplex>();
  private server: Server | undefined;
  private port = 0;

  constructor(options: ServerOptions) {
    this.options = options;
    this.access = new Access(options.locks);
  }

  get boundPort(): number {
    return this.port;
  }

  /** Changes when the host stops listening or starts again. */
  get listening(): object | undefined {
    return this.server;
  }

  async listen(port: number): Promise<void> {
    const server = createServer((request, response) => void this.answer(request, response).catch(() => response.destroy()));
    // A long write may block the loop for seconds; clients' idle connections must outlive it.
    server.keepAliveTimeout = KEEP_ALIVE_MS;
    server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => this.upgrade(request, socket, head));
    server.on('connection', (socket) => {
      this.sockets.add(socket);
      socket.once('close', () => this.sockets.delete(socket));
    });
    await new Promise<void>((done, fail) => {
      server.once('error', fail);
      server.listen(port, '127.0.0.1', () => {
        server.off('error', fail);
        done();
      });
    });
    this.port = (server.address() as AddressInfo).port;
    this.server = server;
  }

  /** Resets every connection and refuses new ones, until `listen` is called again. */
  async stop(): Promise<void> {
    const { server } = this;
    if (!server) return;
    this.server = undefined;
    const closed = new Promise<void>((done) => server.close(() => done()));
    for (const socket of this.sockets) socket.destroy();
    await closed;
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      await this.route(request, response, new URL(request.url ?? '/', `http://${request.headers.host ?? '127.0.0.1'}`));
    } catch (error) {
      if (response.destroyed || response.headersSent) {
        response.destroy();
        return;
      }
      if (!(error instanceof BodyTooLarge)) console.error(`devhost: ${request.url} failed`, error);
      const status = error instanceof BodyTooLarge ? 413 : 500;
      this.sendJson(response, status, { code: -1, msg: error instanceof Error ? error.message : String(error), data: null });
    }
  }

  private async route(request: IncomingMessage, response: ServerResponse, url: URL): Promise<void> {
    if (foreignOrigin(request)) {
      this.sendJson(response, 403, {
        code: -1,
        msg: 'Auth failed: this page comes from another origin → open the host by its own address',
        data: null,
      });
      return;
    }
    const path = decodeURIComponent(url.pathname);
    if (path === LOGIN) return this.login(request, response);
    const refused = this.access.refusal(request, url);
    if (refused?.location !== undefined) {
      response.writeHead(302, { Location: refused.location }).end();
      return;
    }
    if (refused) {
      this.sendJson(response, 401, { code: -1, msg: refused.msg, data: null });
      return;
    }
    if (this.options.locks.token && url.searchParams.has('token')) response.setHeader('Set-Cookie', this.access.setCookie);
    const service = Object.entries(this.options.services).find(([prefix]) => path.startsWith(prefix))?.[1];
    if (service) return service(request, response);
    const route = this.options.routes.get(path);
    if (route) return this.call(route, request, response, url, path);
    if (request.method === 'GET' && !path.startsWith('/api/') && this.sendStatic(request, response, path, url.searchParams)) return;
    if (path.startsWith('/api/')) return this.send(response, this.unknown.answer(path));
    this.sendJson(response, 404, { code: -1, msg: `not_found: ${path}`, data: null });
  }

  private async login(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { body } = await readBody(request);
    const isOpen = this.access.opens(body.authCode);
    if (isOpen) response.setHeader('Set-Cookie', this.access.setCookie);
    this.sendJson(response, 200, isOpen ? { code: 0, msg: '', data: null } : { code: -1, msg: WRONG_CODE, data: null });
  }

  private async call(route: Route, request: IncomingMessage, response: ServerResponse, url: URL, path: string): Promise<void> {
    const { kernel, failures } = this.options;
    const parsed = await readBody(request);
    const rule = failures.take(path);
    if (rule && !rule.afterApply && (await this.fail(rule, response))) return;
    const gone = new AbortController();
    response.once('close', () => {
      if (!response.writableFinished) gone.abort();
    });
    const { headers, method = 'GET' } = request;
    const context = { kernel, method, path, query: url.searchParams, headers, files: parsed.files, signal: gone.signal };
    const answer = await dispatch(route, parsed, context, kernel);
    if (rule?.afterApply && (await this.fail(rule, response))) return;
    await this.send(response, answer);
  }

  /** Carries a fault out. True when the request is over. */
  private async fail(rule: FailureRule, response: ServerResponse): Promise<boolean> {
    switch (rule.mode) {
      case 'drop':
        response.socket?.destroy();
        return true;
      case 'error':
        this.sendJson(response, 200, { code: -1, msg: 'injected failure', data: null });
        return true;
      case 'http500':
        this.sendJson(response, 500, { code: -1, msg: 'injected failure', data: null });
        return true;
      case 'delay':
        await wait(rule.ms ?? 1000);
        return false;
    }
  }

  private async send(response: ServerResponse, answer: Envelope | RawAnswer): Promise<void> {
    if (!(answer instanceof RawAnswer)) {
      this.sendJson(response, 200, answer);
      return;
    }
    response.writeHead(answer.status, answer.headers);
    const { body } = answer;
    if (typeof body === 'string' || body instanceof Uint8Array) {
      response.end(body);
      return;
    }
    for await (const part of body) {
      if (response.destroyed) return;
      response.write(part);
    }
    response.end();
  }

  private sendJson(response: ServerResponse, status: number, value: Envelope): void {
    response.writeHead(status, { 'Content-Type': 'application/json; charset=utf-8' });
    response.end(JSON.stringify(value));
  }

  private sendStatic(request: IncomingMessage, response: ServerResponse, path: string, query: URLSearchParams): boolean {
    for (const [prefix, of] of Object.entries(this.options.folders)) {
      if (!path.startsWith(prefix)) continue;
      const folders = typeof of === 'function' ? of(query) : of;
      const rest = path === '/' ? 'index.html' : path.slice(prefix.length);
      const file = folders.map((folder) => fileBelow(folder, rest)).find((found) => found !== undefined);
      if (file === undefined) continue;
      sendFile(request, response, file);
      return true;
    }
    return false;
  }

  private upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const url = new URL(request.url ?? '/', 'http://127.0.0.1');
    const isPushes = url.pathname === '/ws';
    const isKnown = isPushes || url.pathname === '/ws/broadcast';
    const isHeard = this.access.hearsPushes(request);
    // With an access code, SiYuan opens this socket for everybody and closes it again.
    const allowed = isKnown && !foreignOrigin(request) && ((isPushes && !isHeard) || !this.access.refusal(request, url));
    const value = (key: string): string => url.searchParams.get(key) ?? '';
    const { pushes, broadcast } = this.options.kernel;
    const ends: (() => void)[] = [];
    const closed = (): void => {
      for (const end of ends) end();
    };
    const member = { channel: value('channel'), send: (text: string): void => connection?.send(text) };
    const said = isPushes ? undefined : (text: string): void => broadcast.say(member, text);
    const connection = allowed ? acceptWebSocket(request, socket, head, { closed, said }) : undefined;
    if (!connection) {
      socket.end('HTTP/1.1 401 Unauthorized\r\nConnection: close\r\n\r\n');
      return;
    }
    if (isPushes && !isHeard) {
      connection.close();
      return;
    }
    const { send } = connection;
    ends.push(said ? broadcast.join(member) : pushes.add({ app: value('app'), id: value('id'), type: value('type'), send }));
  }
}
