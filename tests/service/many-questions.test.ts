// Questions that come together: what they all need is asked of the kernel once for many of them.
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { allEvents, type ServiceBench, startServiceBench, textOf } from './support.ts';

/** Between the service and its kernel: holds answers back, and counts questions. */
async function startProxy(target: string) {
  let opened: Promise<unknown> = Promise.resolve();
  let settings = 0;
  const server: Server = createServer(async (asked, response) => {
    const parts: Buffer[] = [];
    for await (const part of asked) parts.push(part);
    const body = Buffer.concat(parts);
    if (asked.url === '/api/file/getFile' && body.includes('settings.json')) {
      settings += 1;
      await opened;
    }
    const on = request(new URL(asked.url ?? '/', target), { method: asked.method, headers: asked.headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(response);
    });
    on.end(body);
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** How often the settings were read. */
    settings: () => settings,
    /** Until it is called, reads of the settings wait. */
    hold(): () => void {
      const { promise, resolve } = Promise.withResolvers<void>();
      opened = promise;
      return resolve;
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

let bench: ServiceBench;
let proxy: Awaited<ReturnType<typeof startProxy>>;
beforeAll(async () => {
  bench = await startServiceBench();
  proxy = await startProxy(bench.host.url);
  await bench.restart({ kernel: proxy.url });
});
afterAll(async () => {
  await bench.close();
  proxy.close();
});

it('read the settings once for all that wait for them, and each counts what stood there when it came', async () => {
  bench.model.otherwise({ text: 'Yes.' });
  await allEvents(await bench.send({ session_id: 'first', message: 'Hello.' }));
  const before = proxy.settings();
  const open = proxy.hold();
  const sent = Array.from({ length: 20 }, (_, chat) => bench.send({ session_id: `chat-${chat}`, message: 'Hello.' }));
  await expect.poll(proxy.settings).toBe(before + 1);
  // Behind them on the same way in.
  await bench.fetch('/healthz');
  open();
  const answers = await Promise.all(sent.map(async (answer) => textOf(await allEvents(await answer))));
  expect(answers).toEqual(answers.map(() => 'Yes.'));
  // Some may have come later than the answer to the first ones.
  expect(proxy.settings() - before).toBeLessThan(10);
});
