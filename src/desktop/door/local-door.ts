import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Who may come in, and what answers. */
export interface DoorOptions<Client> {
  /** 0: any that is free. */
  readonly port: number;
  /** Whose token it is; null if it is nobody's. */
  readonly clientOf: (token: string) => Client | null;
  /** Answers a request, whose token and host were checked. */
  readonly answer: (request: Request, client: Client) => Promise<Response>;
}

/** An address of this machine at which programs come in. */
export interface LocalDoor {
  readonly url: string;
  close(): void;
}

const MAX_BODY_BYTES = 10 * 1024 * 1024;
const PATH = '/mcp';

async function bodyOf(request: IncomingMessage): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of request as AsyncIterable<Uint8Array>) {
    length += part.length;
    if (length > MAX_BODY_BYTES) return undefined;
    parts.push(part);
  }
  return Buffer.concat(parts);
}

async function send(response: Response, to: ServerResponse): Promise<void> {
  to.writeHead(response.status, Object.fromEntries(response.headers));
  const reader = response.body?.getReader();
  // A program that has gone reads no more.
  to.once('close', () => void reader?.cancel().catch(() => undefined));
  for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) to.write(part.value);
  to.end();
}

/**
 * Listens on a port of this machine, for programs that have a token; pages of a browser, which name their origin, are refused. Rejects with
 * the system's error if the port is taken.
 */
export async function openLocalDoor<Client>({ port, clientOf, answer }: DoorOptions<Client>): Promise<LocalDoor> {
  const server = createServer((request, response) => void handle(request, response).catch(() => response.destroy()));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  const { port: taken } = server.address() as AddressInfo;
  const host = `127.0.0.1:${taken}`;
  const url = `http://${host}${PATH}`;

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { authorization = '', origin, ...others } = request.headers;
    const isOurs = others.host === host && origin === undefined && request.url === PATH;
    const client = isOurs ? clientOf(/^Bearer +(.+)$/i.exec(authorization)?.[1] ?? '') : null;
    if (client === null) return void response.writeHead(401).end();
    const body = await bodyOf(request);
    if (body === undefined) return void response.writeHead(413).end();
    const stop = new AbortController();
    response.once('close', () => stop.abort());
    const headers = new Headers(
      Object.entries(others).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value] as [string, string]] : [])),
    );
    const method = request.method ?? 'GET';
    const hasBody = method !== 'GET' && method !== 'HEAD';
    await send(await answer(new Request(url, { method, headers, signal: stop.signal, ...(hasBody ? { body } : {}) }), client), response);
  }

  return {
    url,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
