import { expect, it } from 'vitest';
import type { ToolDefinition } from '../../tools/contract/messages.ts';
import { testExecutor, testTool } from '../../tools/testing/support.ts';
import { createToolDoor } from './tool-door.ts';

/** The tools as an agent is offered them. */
async function offered(tools: readonly ToolDefinition[]) {
  const door = createToolDoor({ version: '1', tools, call: async () => '' });
  const send = async (body: object, session = '') => {
    const headers = {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(session ? { 'mcp-session-id': session } : {}),
    };
    return door(new Request('http://127.0.0.1/', { method: 'POST', headers, body: JSON.stringify({ jsonrpc: '2.0', ...body }) }));
  };
  const clientInfo = { name: 'test', version: '1' };
  const started = await send({ id: 1, method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo } });
  const answer = await (await send({ id: 2, method: 'tools/list', params: {} }, started.headers.get('mcp-session-id') ?? '')).text();
  const json = answer.startsWith('{') ? answer : (/^data: (\{.*"tools".*)$/mu.exec(answer)?.[1] ?? '{}');
  const { result } = JSON.parse(json) as { result: { tools: readonly { name: string; annotations: { readOnlyHint: boolean } }[] } };
  return Object.fromEntries(result.tools.map(({ name, annotations }) => [name, annotations.readOnlyHint]));
}

it('marks the tools that only read, and no others', async () => {
  const { executor } = testExecutor([
    testTool('look', { effect: 'read' }),
    testTool('change', { effect: 'write' }),
    testTool('post', { effect: 'outgoing', outgoing: () => ({ url: 'https://example.org', body: '' }) }),
  ]);
  const all = await offered(executor.getEnabledToolDefinitions());
  expect([all.look, all.change, all.post]).toEqual([true, false, false]);
});
