// A file of its own in the built plugin, loaded where a service is set up on this device, or for the page.

import { pageFetch } from '../../../app/server-fetch.ts';
import { DeviceKeys, SERVICE_ADDRESS, type SecretStore } from '../../../host/settings/device-keys.ts';
import { withScheme } from '../../../model/server/server-address.ts';
import { ToolError } from '../../../tools/contract/errors.ts';
import type { ChangePlan } from '../../../tools/contract/plans.ts';
import type { ApprovalDecision, ApprovalRequest, ProgramRun } from '../../../tools/contract/types.ts';
import { fieldOf, isRecord } from '../../../tools/util/plain-value.ts';
import type { PendingChange, ProgramEntry, ProgramsPort } from '../programs-port.ts';

const TOKEN = 'local:service';
const TIMEOUT_MS = 15_000;

/** A text of what the service sent; rejects like every answer that cannot be read. */
function textOf(value: unknown, name: string): string {
  const text = fieldOf(value, name);
  if (typeof text !== 'string') throw unreadable(name);
  return text;
}

const unreadable = (name: string): ToolError =>
  new ToolError('service_failed', `the service gave another answer than expected: ${name}`, 'update the plugin and the service');

function listOf<T>(value: unknown, read: (item: unknown) => T): readonly T[] {
  if (!Array.isArray(value)) throw unreadable('a list');
  return value.map(read);
}

const entryOf = (value: unknown): ProgramEntry => ({
  ...{ id: textOf(value, 'id'), name: textOf(value, 'name'), created: textOf(value, 'created') },
  writes: fieldOf(value, 'writes') === true,
  ...(typeof fieldOf(value, 'project') === 'string' ? { project: textOf(value, 'project') } : {}),
});

/** As the panel needs it to draw it; the service planned it, and checks it again when it is applied. */
const isPlan = (value: unknown): value is ChangePlan =>
  Array.isArray(fieldOf(value, 'operations')) && isRecord(fieldOf(value, 'document')) && Array.isArray(fieldOf(value, 'notices'));
const isProgram = (value: unknown): value is ProgramRun => typeof fieldOf(value, 'code') === 'string';

/** Without what only the chat itself could do: allow more than this, or plan it again. */
function pendingOf(value: unknown): PendingChange {
  const [args, plan, outgoing, program, result] = ['arguments', 'plan', 'outgoing', 'program', 'result'].map((name) =>
    fieldOf(value, name),
  );
  if (!isRecord(args)) throw unreadable('arguments');
  if (plan !== undefined && !isPlan(plan)) throw unreadable('plan');
  if (program !== undefined && !isProgram(program)) throw unreadable('program');
  const sent = outgoing === undefined ? {} : { outgoing: { destination: textOf(outgoing, 'destination'), body: textOf(outgoing, 'body') } };
  const request: ApprovalRequest = {
    ...{ approvalId: textOf(value, 'id'), callId: textOf(value, 'call_id'), tool: textOf(value, 'tool'), args },
    kind: fieldOf(value, 'kind') === 'result' ? 'result' : 'execution',
    ...{ ...(plan ? { plan } : {}), ...sent, ...(program ? { program } : {}) },
    ...(typeof result === 'string' ? { resultText: result } : {}),
  };
  return { from: textOf(value, 'title'), request };
}

function decisionBody(decision: ApprovalDecision): object {
  if (!decision.approved) return { decision: 'reject', reason: decision.reason };
  return { decision: 'approve', accepted_operations: decision.acceptedOperations, beyond_right: decision.beyondRight };
}

/** What the service said of its refusal. */
async function refusalOf(response: Response): Promise<ToolError> {
  const { message, next } = Object(fieldOf(await response.json().catch(() => undefined), 'error'));
  if (response.status === 401) return new ToolError('service_refused', 'the service did not accept the token', 'enter its token again');
  return new ToolError('service_failed', String(message ?? `it answered ${response.status}`), String(next ?? ''));
}

/** The service of this device: its address and token are kept here alone, the token for this address. */
export function openPrograms(secrets: SecretStore, fetchFor = pageFetch): ProgramsPort {
  const keys = new DeviceKeys(secrets);
  const address = (): string => secrets.get(SERVICE_ADDRESS) ?? '';
  let sender: { readonly address: string; readonly send: typeof fetch } | undefined;
  const senderFor = (to: string): typeof fetch => {
    if (sender?.address !== to) sender = { address: to, send: fetchFor(to) };
    return sender.send;
  };
  const request = async (
    path: string,
    { method = 'GET', body }: { readonly method?: 'GET' | 'POST' | 'DELETE'; readonly body?: object },
    to = address(),
    token = keys.get(TOKEN, to, false),
  ): Promise<unknown> => {
    if (to === '') throw new ToolError('service_missing', 'no service is set up on this device', 'enter its address');
    const headers = { Authorization: `Bearer ${token ?? ''}`, 'Content-Type': 'application/json' };
    const sent = { method, headers, signal: AbortSignal.timeout(TIMEOUT_MS), ...(body ? { body: JSON.stringify(body) } : {}) };
    const response = await senderFor(to)(`${to}${path}`, sent).catch((error: unknown) => {
      throw new ToolError('service_unreachable', 'the service cannot be reached', 'start it, or check its address', String(error));
    });
    if (!response.ok) throw await refusalOf(response);
    return response.json();
  };
  return {
    connection: async () => ({ address: address(), hasToken: Boolean(keys.get(TOKEN, address(), false)) }),
    async connect(given, token) {
      const to = withScheme(given.trim()).replace(/\/+$/, '');
      const key = token ?? keys.get(TOKEN, to, false) ?? '';
      await request('/api/mcp/clients', {}, to, key);
      secrets.set(SERVICE_ADDRESS, to);
      keys.set(TOKEN, key, to);
    },
    async disconnect() {
      keys.set(TOKEN, '', '');
      secrets.set(SERVICE_ADDRESS, '');
    },
    list: async () => listOf(await request('/api/mcp/clients', {}), entryOf),
    add: async (name, writes, project) =>
      textOf(await request('/api/mcp/clients', { method: 'POST', body: { name, writes, ...(project ? { project } : {}) } }), 'token'),
    async remove(id) {
      await request(`/api/mcp/clients/${encodeURIComponent(id)}`, { method: 'DELETE' });
    },
    // Proposals of orders have a page of their own.
    pending: async () =>
      listOf(await request('/api/chat/approvals', {}), (item) => item)
        .filter((item) => fieldOf(item, 'from') !== 'order')
        .map(pendingOf),
    async decide(id, decision) {
      await request(`/api/chat/approvals/${encodeURIComponent(id)}`, { method: 'POST', body: decisionBody(decision) });
    },
  };
}
