import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { expect, it } from 'vitest';
import { CONSENT_FORMS } from './consent-form.ts';
import type { CallState, GuardedCalls } from './guarded-calls.ts';
import { createMcpServer } from './server.ts';

/** Calls of which one waits for a person; counts how often somebody waits for it. */
function askingCalls() {
  const waits: boolean[] = [];
  const unused = (): never => {
    throw new Error('not asked for');
  };
  const calls: GuardedCalls = {
    ...{ consent: CONSENT_FORMS, tools: async () => [], begin: async () => 'the-call', withdraw: () => undefined },
    async wait(_id, { stopAtApproval }): Promise<CallState> {
      waits.push(stopAtApproval);
      const request = { approvalId: 'a', callId: 'the-call', kind: 'execution', tool: 'pending_change', args: {} } as const;
      return { kind: 'asked', approvalId: 'a', request };
    },
    ...{ decide: unused, recentNotes: unused, read: unused, prompts: async () => [] },
  };
  return { calls, waits };
}

it('waits once for a person, since a client gives up after twice that long, and its change would go with it', async () => {
  const { calls, waits } = askingCalls();
  const server = createMcpServer({ version: '1.0.0', callsFor: () => calls });
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  const client = new Client({ name: 'a client that has no forms', version: '1.0.0' });
  await Promise.all([server.connect(ours), client.connect(theirs)]);
  const answer = await client.callTool({ name: 'pending_change', arguments: { id: 'the-call' } });
  expect(answer.structuredContent).toMatchObject({ status: 'pending', id: 'the-call', approval_id: 'a' });
  expect(waits).toEqual([false]);
  await client.close();
});
