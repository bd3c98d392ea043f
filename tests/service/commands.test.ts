// Commands through the real service: shown whole, asked about each time, ended with the turn.
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { readPolicy } from '../../src/service/contract/policy.ts';
import { eventsOf, nextEvent, type ServiceBench, startServiceBench } from './support.ts';

let bench: ServiceBench;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'marginalia-commands-'));
  bench = await startServiceBench({ folders: [folder] });
  await bench.settings({ groups: { script: true }, permissions: { exec: { executionPolicy: 'auto', resultApprovalPolicy: 'never' } } });
});
afterAll(async () => {
  await bench.close();
  rmSync(folder, { recursive: true, force: true });
});

it('run once they are approved, as they were shown, whatever the settings allow', async () => {
  const command = "printf '%s' \"it's $((40 + 2))\" > made.txt; cat made.txt";
  bench.model.push({ calls: [{ name: 'exec', args: { command, timeout: 20 } }] }, { text: 'Done.' });
  const events = eventsOf(await bench.send({ message: 'Run it.' }));
  const asked = await nextEvent(events, 'approval_request');
  expect(asked.data).toMatchObject({ tool: 'exec', program: { language: 'shell', code: command, folder, timeoutSeconds: 20 } });
  expect(asked.data).not.toHaveProperty('scope');
  expect(existsSync(join(folder, 'made.txt'))).toBe(false);
  await bench.json(`/api/chat/approvals/${asked.data.id}`, { decision: 'approve', remember: true });
  expect((await nextEvent(events, 'tool_complete')).data.result).toMatch(/^exit code: 0 .*\n\[stdout\]\nit's 42\n\[stderr: empty\]$/);
  await nextEvent(events, 'done');
});

it('run not at all where they are rejected', async () => {
  bench.model.push({ calls: [{ name: 'exec', args: { command: 'touch rejected.txt' } }] }, { text: 'No.' });
  const events = eventsOf(await bench.send({ message: 'Run it.' }));
  const asked = await nextEvent(events, 'approval_request');
  await bench.json(`/api/chat/approvals/${asked.data.id}`, { decision: 'reject' });
  expect((await nextEvent(events, 'tool_error')).data).toMatchObject({ status: 'execution_rejected' });
  await nextEvent(events, 'done');
  expect(existsSync(join(folder, 'rejected.txt'))).toBe(false);
});

it('end with the turn that they belong to', async () => {
  const command = 'touch begun.txt; sleep 2; touch went-on.txt';
  bench.model.push({ calls: [{ name: 'exec', args: { command } }] });
  const events = eventsOf(await bench.send({ message: 'Run it.' }));
  const asked = await nextEvent(events, 'approval_request');
  await bench.json(`/api/chat/approvals/${asked.data.id}`, { decision: 'approve' });
  await vi.waitFor(() => expect(existsSync(join(folder, 'begun.txt'))).toBe(true), { timeout: 5000 });
  await bench.fetch(`/api/chat/sessions/${asked.data.session_id}/abort`, { method: 'POST' });
  expect((await nextEvent(events, 'done')).data).toMatchObject({ status: 'aborted' });
  expect(existsSync(join(folder, 'went-on.txt'))).toBe(false);
});

it('cannot be allowed by a policy', async () => {
  let problem: unknown;
  await bench.restart({
    policy: (tools) => {
      try {
        readPolicy('{"allow": ["exec"]}', 'policy.json', tools);
      } catch (error) {
        problem = error;
      }
      return { allow: [], otherwise: 'ask' };
    },
  });
  expect(String(problem)).toContain('no tool exec that may run without asking');
});
