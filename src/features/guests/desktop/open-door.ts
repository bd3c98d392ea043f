import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isSameHash, tokenHash } from '../../../desktop/same-token.ts';
import type { OpenDoor } from '../guest-model.ts';

/** Answers a request, whose token and host were checked. */
export type Answer = (request: Request) => Promise<Response>;

const MAX_BODY_BYTES = 10 * 1024 * 1024;

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

/** Listens on a port of this machine, for programs that have the token; pages of a browser, which name their origin, are refused. */
export async function openLocalDoor(answer: Answer): Promise<OpenDoor> {
  const token = randomBytes(32).toString('hex');
  const wanted = tokenHash(`Bearer ${token}`);
  const server = createServer((request, response) => void handle(request, response).catch(() => response.destroy()));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const url = `http://${host}/mcp`;

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { authorization = '', origin, ...others } = request.headers;
    const isOurs = isSameHash(tokenHash(authorization), wanted) && others.host === host && origin === undefined && request.url === '/mcp';
    if (!isOurs) return void response.writeHead(401).end();
    const body = await bodyOf(request);
    if (body === undefined) return void response.writeHead(413).end();
    const stop = new AbortController();
    response.once('close', () => stop.abort());
    const headers = new Headers(
      Object.entries(others).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value] as [string, string]] : [])),
    );
    const method = request.method ?? 'GET';
    const hasBody = method !== 'GET' && method !== 'HEAD';
    await send(await answer(new Request(url, { method, headers, signal: stop.signal, ...(hasBody ? { body } : {}) })), response);
  }

  return {
    url,
    token,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
