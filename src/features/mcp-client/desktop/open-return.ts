import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { RETURN_PATH, RETURN_PORT } from '../sign-in/sign-in.ts';

export interface ReturnPage {
  readonly isGood: boolean;
  /** What the person reads in the browser. */
  readonly text: string;
}

const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  connection: 'close',
};

const escaped = (text: string): string => text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

/** Listens on this machine alone for a browser that comes back from a login. The usual port, since a client made by hand names it. */
export async function openReturn(onReturn: (parameters: URLSearchParams) => Promise<ReturnPage>, port = RETURN_PORT) {
  const server = createServer((request, response) => void answer(request, response).catch(() => response.destroy()));
  const listen = (wanted: number): Promise<void> =>
    new Promise((resolve, reject) => {
      server.once('error', reject);
      server.listen(wanted, '127.0.0.1', () => {
        server.off('error', reject);
        resolve();
      });
    });
  // A login's server has to take any port of this machine (RFC 8252, 7.3).
  await listen(port).catch(() => listen(0));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;

  async function answer({ method, url = '', headers }: IncomingMessage, response: ServerResponse): Promise<void> {
    const asked = URL.canParse(url, `http://${host}`) ? new URL(url, `http://${host}`) : null;
    if (method !== 'GET' || headers.host !== host || asked?.pathname !== RETURN_PATH) return void response.writeHead(404, HEADERS).end();
    const { isGood, text } = await onReturn(asked.searchParams);
    response
      .writeHead(isGood ? 200 : 400, HEADERS)
      .end(`<!doctype html><meta charset="utf-8"><title>Marginalia</title><p>${escaped(text)}</p>`);
  }

  // Whoever is being answered reads it to the end.
  return { address: `http://${host}${RETURN_PATH}`, close: () => void server.close() };
}
