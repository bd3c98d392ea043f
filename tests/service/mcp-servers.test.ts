// Tools of other people's servers, in a chat of the service.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { everythingProgram } from '../support/everything.ts';
import { eventsOf, nextEvent, type ServiceBench, startServiceBench } from './support.ts';

const mcpServers = {
  mcpServers: { everything: { command: process.execPath, args: [everythingProgram, 'stdio'] }, broken: { url: 'http://127.0.0.1:9/mcp' } },
};

let bench: ServiceBench;
beforeAll(async () => {
  bench = await startServiceBench({ mcpPrograms: true });
});
afterAll(() => bench.close());

/** Names of the tools that go with a question. */
async function offered(): Promise<readonly string[]> {
  bench.model.push({ text: 'Yes.' });
  await bench.json('/api/chat/send', { message: 'Are you there?', stream: false });
  return (bench.model.requests.at(-1)?.tools ?? []).map(({ function: { name } }) => name);
}

it('are offered once their server has answered, ask before anything is sent, and hold nobody up where it is broken', async () => {
  await bench.settings({ mcpServers });
  await expect.poll(offered, { timeout: 20_000 }).toContain('mcp_everything_echo');
  bench.model.push({ calls: [{ name: 'mcp_everything_echo', args: { message: 'Hello.' } }] }, { text: 'It said so.' });
  const events = eventsOf(await bench.send({ message: 'Say hello there.' }));
  const { data: asked } = await nextEvent(events, 'approval_request');
  expect(asked).toMatchObject({ tool: 'mcp_everything_echo', outgoing: { destination: expect.stringContaining('program: ') } });
  await bench.json(`/api/chat/approvals/${asked.id}`, { decision: 'approve' });
  const { data: done } = await nextEvent(events, 'tool_complete');
  expect(done.result).toContain('Hello.');
  await nextEvent(events, 'done');
  expect(bench.logged.join('\n')).toContain('mcpServers: broken: ');

  await bench.settings({ mcpServers: { mcpServers: { everything: { ...mcpServers.mcpServers.everything, disabled: true } } } });
  await bench.restart({});
  expect((await offered()).filter((name) => name.startsWith('mcp_'))).toEqual([]);
});

it('that are programs are started only where the service was told so', async () => {
  await bench.settings({ mcpServers });
  await bench.restart({ mcpPrograms: false });
  await expect.poll(() => bench.logged.join('\n')).toContain('mcpServers: everything: ');
  expect((await offered()).filter((name) => name.startsWith('mcp_'))).toEqual([]);
});
