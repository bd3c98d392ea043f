import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { APP_NODE } from '../../src/desktop/app-node.ts';

// What SiYuan's desktop app gives its pages of Node (src/desktop/app-node.ts), as far as its own server for programs uses it: the page's handler
// answers requests that arrive at a real port of this process. Other modules are not there, so that nothing of the computer is.

/** A module or a global that has only what the plugin may use of it. Self-contained: it runs in the page, too. */
export function asListed<Value extends object>(list: Readonly<Record<string, readonly string[]>>, name: string, value: Value): Value {
  const names = list[name];
  if (!names) throw new Error(`${name} is not in src/desktop/app-node.ts`);
  return new Proxy(value, {
    get(target, key) {
      const isAsked = typeof key === 'string' && Object.hasOwn(target, key) && !names.includes(key);
      if (isAsked) throw new Error(`${name}.${key} is not in src/desktop/app-node.ts`);
      return Reflect.get(target, key) as unknown;
    },
  });
}

/** Runs in the page before its scripts. */
export const DESKTOP_PAGE = `(() => {
  const asListed = ${asListed.toString()};
  const list = ${JSON.stringify(APP_NODE)};
  const text = new TextEncoder();
  const joined = (parts) => {
    const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
    let at = 0;
    for (const part of parts) { all.set(part, at); at += part.length; }
    return all;
  };
  window.Buffer = asListed(list, 'Buffer', { concat: joined, from: (given) => text.encode(given) });
  window.process = asListed(list, 'process', { versions: { electron: '1' }, platform: 'linux', execPath: '/opt/siyuan/siyuan' });
  const servers = new Map();
  const respond = () => {
    const parts = [];
    const answer = { status: 200, headers: {}, once() {}, destroy() { answer.end(); } };
    answer.writeHead = (status, headers) => { Object.assign(answer, { status, headers: headers ?? {} }); return answer; };
    answer.write = (part) => parts.push(typeof part === 'string' ? text.encode(part) : part);
    answer.done = new Promise((resolve) => {
      answer.end = () => resolve({ status: answer.status, headers: answer.headers, body: new TextDecoder().decode(joined(parts)) });
    });
    return answer;
  };
  window.requestOfProgram = async (port, { body, ...request }) => {
    const response = respond();
    servers.get(port)({ ...request, async *[Symbol.asyncIterator]() { yield text.encode(body); } }, response);
    return response.done;
  };
  const http = {
    createServer(handler) {
      let taken;
      return {
        once(name, listener) { if (name === 'error') this.failed = listener; },
        listen(port, host, ready) {
          window.listenForPrograms(port).then((got) => { taken = got; servers.set(got, handler); ready(); },
            () => this.failed(Object.assign(new Error('in use'), { code: 'EADDRINUSE' })));
        },
        address: () => ({ port: taken }),
        close: () => window.closeForPrograms(taken),
        closeAllConnections() {},
      };
    },
  };
  // Equal texts have equal hashes, which is all that is asked of them here.
  const crypto = {
    createHash: () => ({ update(given) { return { digest: () => given }; } }),
    timingSafeEqual: (one, other) => one.join() === other.join(),
  };
  const modules = { 'node:http': http, 'node:crypto': crypto };
  window.require = (name) => { if (modules[name]) return asListed(list, name, modules[name]); throw new Error('not here: ' + name); };
})();`;

declare global {
  interface Window {
    requestOfProgram(port: number, request: object): Promise<{ status: number; headers: Record<string, string>; body: string }>;
  }
}

/** The ports behind such a page; returns a function that closes them. */
export async function servePrograms(page: Page): Promise<() => void> {
  const servers = new Map<number, Server>();
  const close = (port: number): void => {
    servers.get(port)?.close();
    servers.get(port)?.closeAllConnections();
    servers.delete(port);
  };
  await page.exposeFunction('closeForPrograms', close);
  await page.exposeFunction('listenForPrograms', async (wanted: number): Promise<number> => {
    const server = createServer((request, response) => {
      const parts: Buffer[] = [];
      request.on('data', (part: Buffer) => parts.push(part));
      request.on('end', () => {
        const { method, url, headers } = request;
        const given = { method, url, headers, body: Buffer.concat(parts).toString('utf8') };
        page
          .evaluate(([port, asked]) => window.requestOfProgram(port, asked), [wanted, given] as const)
          .then(
            ({ status, headers: sent, body }) => response.writeHead(status, sent).end(body),
            () => response.destroy(),
          );
      });
    });
    await new Promise<void>((resolve, reject) => server.once('error', reject).listen(wanted, '127.0.0.1', resolve));
    servers.set(wanted, server);
    return (server.address() as AddressInfo).port;
  });
  return () => {
    for (const port of servers.keys()) close(port);
  };
}
