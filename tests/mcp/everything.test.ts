// The protocol's own example server, started as a program.
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { McpServers } from '../../src/features/mcp-client/mcp-servers.ts';
import { everythingProgram, startEverything } from '../support/everything.ts';
import { executorWith, openServers } from './support.ts';

const EVERYTHING = { name: 'everything', enabled: true, command: process.execPath, args: [everythingProgram, 'stdio'] };

let servers: McpServers;
beforeAll(async () => {
  servers = openServers();
  await servers.use([EVERYTHING]);
});
afterAll(() => servers.close());

it('offers its tools as a group, described as the words of the server', () => {
  expect(servers.states()).toEqual([{ name: 'everything', tools: expect.any(Number) }]);
  const [group] = servers.groups();
  expect(group?.name).toBe('mcp:everything');
  const names = group?.tools.map(({ definition }) => definition.function.name) ?? [];
  expect(names).toEqual(expect.arrayContaining(['mcp_everything_echo', 'mcp_everything_get-sum']));
  expect(names.length).toBeGreaterThanOrEqual(10);
  expect(group?.tools[0]?.definition.function.description).toMatch(/^The server “everything” says of it: /);
});

it('is called after a question, with checked arguments, and answers in text, images and links', async () => {
  const { executor, asked } = executorWith(servers);
  const sum = await executor.execute('mcp_everything_get-sum', { a: 2, b: 40 });
  expect(sum.finalText).toContain('42');
  expect(asked).toEqual(['mcp_everything_get-sum']);
  const wrong = await executor.execute('mcp_everything_get-sum', { a: 'two' });
  expect(wrong.error?.code).toBe('bad_arguments');
  const image = await executor.execute('mcp_everything_get-tiny-image', {});
  expect(image.finalText).toContain('image/png');
  const links = await executor.execute('mcp_everything_get-resource-links', { count: 2 });
  expect(links.finalText).toMatch(/\[[^\]]+\]\(demo:\/\//);
});

it('is stopped in the middle, and goes on afterwards', async () => {
  const { executor } = executorWith(servers);
  const stop = new AbortController();
  const reports: string[] = [];
  const call = executor.execute(
    'mcp_everything_trigger-long-running-operation',
    { duration: 60, steps: 600 },
    {
      signal: stop.signal,
      onEvent: (event) => {
        if (event.type !== 'tool-progress') return;
        reports.push(event.message);
        stop.abort();
      },
    },
  );
  expect((await call).status).toBe('aborted');
  expect(reports).toHaveLength(1);
  expect((await executor.execute('mcp_everything_echo', { message: 'still there' })).finalText).toContain('still there');
});

it('sends nothing where nothing may leave the machine', async () => {
  const { executor, asked } = executorWith(servers, { localOnly: true });
  expect((await executor.execute('mcp_everything_echo', { message: 'secret' })).error?.code).toBe('local_only');
  expect(asked).toEqual([]);
});

it('is connected to again where it was restarted and has forgotten us, and the call is made', async () => {
  const first = await startEverything();
  const { url } = first;
  const over = openServers();
  await over.use([{ name: 'web', enabled: true, url }]);
  const { executor } = executorWith(over);
  expect((await executor.execute('mcp_web_echo', { message: 'one' })).finalText).toContain('one');
  await first.close();
  const second = await startEverything(Number(new URL(url).port));
  expect((await executor.execute('mcp_web_echo', { message: 'two' })).finalText).toContain('two');
  await over.close();
  await second.close();
});
