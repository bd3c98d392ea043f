import { createServer } from 'node:http';
import { expect, it } from 'vitest';
import { awaitKernel } from './await-kernel.ts';

it('waits until SiYuan answers and has started, and logs once what it waits for', async () => {
  let code = -1;
  const server = createServer((_request, response) => response.end(JSON.stringify({ code, data: '3.7.3' })));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  const lines: string[] = [];
  const kernel = `http://127.0.0.1:${port}`;
  const waiting = awaitKernel({ kernel, log: (line) => lines.push(line), isOrphan: () => false, everyMs: 20 });
  await new Promise((resolve) => setTimeout(resolve, 100));
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(lines).toEqual([`SiYuan does not answer at ${kernel}: waiting for it`]);
  code = 0;
  expect(await waiting).toBe(true);
  expect(lines).toHaveLength(2);
  server.close();
});

it('does not wait for one that wants a token', async () => {
  const server = createServer((_request, response) => response.writeHead(401).end('{"code":-1}'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  const lines: string[] = [];
  const waiting = { kernel: `http://127.0.0.1:${port}`, log: (line: string) => lines.push(line), isOrphan: () => true, everyMs: 20 };
  expect([await awaitKernel(waiting), lines]).toEqual([true, []]);
  server.close();
});

it('ends when nobody waits for it any more', async () => {
  expect(await awaitKernel({ kernel: 'http://127.0.0.1:9', log: () => undefined, isOrphan: () => true })).toBe(false);
});
