// What other people's servers ask the person, over both revisions of the protocol.
import { afterEach, describe, expect, it, vi } from 'vitest';
import { systemClock } from '../../src/app/workspace/system-clock.ts';
import type { McpServers } from '../../src/features/mcp-client/mcp-servers.ts';
import { PendingApprovals, PendingList } from '../../src/tools/calls/pending.ts';
import type { ApprovalDecision } from '../../src/tools/contract/types.ts';
import { InlineApprovalAdapter } from '../../src/tools/executor/approvals.ts';
import { ToolExecutor } from '../../src/tools/executor/executor.ts';
import { NEVER } from '../../src/tools/util/abort.ts';
import { type Era, type FormServer, serveForms } from './form-server.ts';
import { openServers } from './support.ts';

const cleanUp: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of cleanUp.splice(0).reverse()) await close();
});

const FORM = (who: string) => ({
  message: `Who is ${who}?`,
  requestedSchema: {
    type: 'object',
    properties: {
      name: { type: 'string', title: 'Name', minLength: 2 },
      age: { type: 'integer', minimum: 18 },
      news: { type: 'boolean', default: true },
      size: { type: 'string', enum: ['s', 'm'], default: 'm' },
    },
    required: ['name'],
  },
});
const ASK = 'mcp_forms_ask';

interface Options {
  readonly answersForms?: boolean;
  readonly localOnly?: () => boolean;
  readonly timeoutMs?: number;
  readonly wants?: string;
}

async function open(era: Era, ask: (who: string) => object = FORM, options: Options = {}) {
  const server = await serveForms(era, ask, options.wants);
  const servers = openServers();
  cleanUp.push(server.close, () => servers.close());
  await servers.use([{ name: 'forms', enabled: true, url: server.url }]);
  return { server, servers, ...chat(servers, options) };
}

/** A chat with a list of what waits for the person; the calls themselves are approved at once. */
function chat(servers: McpServers, { answersForms = true, localOnly = () => false, timeoutMs = 20_000 }: Options = {}) {
  const approvals = new InlineApprovalAdapter();
  const about = () => ({ name: 'A chat', sessionId: 's1' });
  const pending = new PendingList();
  const waiting = new PendingApprovals(approvals, { from: 'chat', follow: () => undefined, newId: () => `p${Math.random()}`, about });
  pending.add(waiting);
  approvals.subscribe((requests) => {
    for (const { approvalId, kind } of requests) if (kind === 'execution') approvals.decide(approvalId, { approved: true });
  });
  const executor = new ToolExecutor({ clock: systemClock, approvalAdapter: approvals, answersForms, localOnly, timeoutMs });
  for (const group of servers.groups()) {
    executor.registerToolGroup(group);
    executor.toggleGroupEnabled(group.name, true);
  }
  const forms = () => pending.list().filter(({ request }) => request.kind === 'form');
  const form = () => vi.waitFor(() => forms()[0] ?? Promise.reject(new Error('no form waits')));
  const decide = async (decision: ApprovalDecision): Promise<void> => pending.decide((await form()).id, decision);
  return { executor, forms, form, decide, approvals };
}

const got = ({ answers }: FormServer): unknown => answers.at(-1)?.[1];

describe.each<Era>(['legacy', 'modern'])('a server of the %s revision that asks by a form', (era) => {
  it('waits among all that waits for a person, is named, and gets what they entered', async () => {
    const { executor, server, form, decide, forms } = await open(era);
    const call = executor.execute(ASK, { who: 'Anna' });
    const { request } = await form();
    expect(request).toMatchObject({ kind: 'form', tool: ASK, form: { server: 'forms', destination: server.url, message: 'Who is Anna?' } });
    expect(request.form?.fields.map(({ name, initial }) => [name, initial])).toEqual([
      ['name', undefined],
      ['age', undefined],
      ['news', true],
      ['size', 'm'],
    ]);
    expect(server.answers).toEqual([]);
    await decide({ approved: true, answers: { name: 'Anna', news: false, size: 's', extra: 'not asked for' } });
    const result = await call;
    expect(server.answers).toEqual([['Anna', { action: 'accept', content: { name: 'Anna', news: false, size: 's' } }]]);
    expect(result.finalText).toContain('[The user filled in a form of the server: Name, age, news, size.]');
    expect(forms()).toEqual([]);
  });

  it.each([
    [{ approved: false } as const, 'decline', 'the user declined'],
    [{ approved: false, closed: true } as const, 'cancel', 'nobody answered'],
    // What cannot be sent is not.
    [{ approved: true, answers: { name: 'A' } } as const, 'cancel', 'nobody answered'],
    [{ approved: true, answers: {} } as const, 'cancel', 'nobody answered'],
    [{ approved: true } as const, 'cancel', 'nobody answered'],
  ])('is told %j as %s', async (decision, action, words) => {
    const { executor, server, decide } = await open(era);
    const call = executor.execute(ASK, { who: 'Anna' });
    await decide(decision);
    expect((await call).finalText).toContain(words);
    expect(got(server)).toEqual({ action });
  });

  it('is told that it was canceled where nobody can answer, and the result says so', async () => {
    const { executor, server, forms } = await open(era, FORM, { answersForms: false });
    const result = await executor.execute(ASK, { who: 'Anna' });
    expect(got(server)).toEqual({ action: 'cancel' });
    expect(result.finalText).toContain('nobody can fill in its form here');
    expect(forms()).toEqual([]);
  });

  it('may ask for no secret, and the result says so', async () => {
    const secret = () => ({ message: 'Log in', requestedSchema: { type: 'object', properties: { userPassword: { type: 'string' } } } });
    const { executor, server, forms } = await open(era, secret);
    const result = await executor.execute(ASK, { who: 'Anna' });
    expect(got(server)).toEqual({ action: 'decline' });
    expect(result.finalText).toContain('asked for a secret');
    expect(forms()).toEqual([]);
  });

  it('is left without an answer when the call is stopped', async () => {
    const { executor, server, form, forms } = await open(era);
    const stop = new AbortController();
    const call = executor.execute(ASK, { who: 'Anna' }, { signal: stop.signal });
    await form();
    stop.abort();
    expect((await call).status).toBe('aborted');
    await vi.waitFor(() => expect(forms()).toEqual([]));
    expect(server.answers.filter(([, answer]) => JSON.stringify(answer).includes('accept'))).toEqual([]);
  });

  it('keeps no person from thinking: the time of the call rests, and goes on afterwards', async () => {
    const { executor, decide, form } = await open(era, FORM, { timeoutMs: 400 });
    const call = executor.execute(ASK, { who: 'Anna' });
    await form();
    await new Promise((resolve) => setTimeout(resolve, 600));
    await decide({ approved: true, answers: { name: 'Anna' } });
    expect((await call).status).toBe('success');
  });

  it('gets nothing once nothing may leave the machine, or its tool is off', async () => {
    let isLocal = false;
    const { executor, server, form, decide } = await open(era, FORM, { localOnly: () => isLocal });
    const first = executor.execute(ASK, { who: 'Anna' });
    await form();
    isLocal = true;
    await decide({ approved: true, answers: { name: 'Anna' } });
    await first;
    expect(got(server)).toEqual({ action: 'cancel' });
    isLocal = false;
    const second = executor.execute(ASK, { who: 'Berta' });
    await form();
    executor.setToolEnabled(ASK, false);
    await decide({ approved: true, answers: { name: 'Berta' } });
    await second;
    expect(got(server)).toEqual({ action: 'cancel' });
  });

  it('gets the answer that belongs to each of several calls at once', async () => {
    const { executor, server, forms, decide } = await open(era);
    const calls = ['Anna', 'Berta', 'Carl'].map((who) => executor.execute(ASK, { who }));
    await vi.waitFor(() => expect(forms()).toHaveLength(3));
    for (let left = 3; left > 0; left -= 1) {
      const name = /Who is (.*)\?/.exec(forms()[0]?.request.form?.message ?? '')?.[1] ?? '';
      await decide({ approved: true, answers: { name } });
      await vi.waitFor(() => expect(server.answers).toHaveLength(4 - left));
      // A form that stood at a call that has ended stands at another.
      await vi.waitFor(() => expect(forms()).toHaveLength(left - 1));
    }
    expect((await Promise.all(calls)).map(({ status }) => status)).toEqual(['success', 'success', 'success']);
    expect(server.answers.map(([who, answer]) => [who, (answer as { content: { name: string } }).content.name])).toEqual(
      server.answers.map(([who]) => [who, who]),
    );
  });

  it('has its page shown, which is opened by a person alone', async () => {
    const page = (url: string) => () => ({ mode: 'url', message: 'Pay', elicitationId: 'e1', url });
    const { executor, server, form, decide } = await open(era, page('https://shop.example/pay'));
    const call = executor.execute(ASK, { who: 'Anna' });
    expect((await form()).request.form).toMatchObject({ address: 'https://shop.example/pay', fields: [] });
    await decide({ approved: true });
    expect((await call).finalText).toContain('The user was shown a page of the server.');
    expect(got(server)).toEqual({ action: 'accept' });
    const other = await open(era, page('http://shop.example/pay'));
    const refused = await other.executor.execute(ASK, { who: 'Anna' });
    expect(got(other.server)).toEqual({ action: 'decline' });
    expect(refused.finalText).toContain('address is not safe');
  });

  it('asks nobody while a prompt of it is taken, and the failure says why', async () => {
    const { servers, server } = await open(era);
    const taken = servers.take('forms', { kind: 'prompt', id: 'ask' }, {}, NEVER);
    await expect(taken).rejects.toMatchObject({ code: 'mcp_asks' });
    expect(got(server)).toEqual({ action: 'cancel' });
  });
});

describe('a server that wants a page opened before a call', () => {
  it('has it shown, and the model is told to make the call again', async () => {
    const { executor, form, decide } = await open('legacy', FORM, { wants: 'https://shop.example/pay' });
    const call = executor.execute(ASK, { who: 'Anna' });
    expect((await form()).request.form?.address).toBe('https://shop.example/pay');
    await decide({ approved: true });
    const result = await call;
    expect(result.error).toMatchObject({ code: 'mcp_failed', next: expect.stringContaining('make the call again') });
    expect(result.finalText).toContain('https://shop.example/pay');
    expect(result.finalText).toContain('was shown a page');
  });

  it('is said in words where nobody can open it', async () => {
    const { executor } = await open('legacy', FORM, { wants: 'https://shop.example/pay', answersForms: false });
    const result = await executor.execute(ASK, { who: 'Anna' });
    expect(result.finalText).toContain('something on a page of it');
    expect(result.finalText).toContain('https://shop.example/pay');
  });
});
