import { describe, expect, it } from 'vitest';
import { ToolError } from '../contract/errors.ts';
import type { OutgoingData, Tool } from '../contract/types.ts';
import { runChecked } from '../testing/run-chain.ts';
import { answer, callOptions, testExecutor, testTool, toolCall } from '../testing/support.ts';
import { HeadlessApprovalAdapter } from './approvals.ts';

const AUTO = { executionPolicy: 'auto', resultApprovalPolicy: 'never' } as const;
const READ = testTool('read', { execute: async () => ({ status: 'success', data: 'note', notebooks: ['n'] }) });

/** A tool that posts its text to a server; what it really sent is in `sent`. */
function poster(parts: Partial<Tool> = {}) {
  const sent: (OutgoingData | undefined)[] = [];
  const tool = testTool('post', {
    effect: 'outgoing',
    permission: AUTO,
    properties: { text: { type: 'string' } },
    outgoing: ({ text }) => ({ url: 'https://example.org/in?from=marginalia', body: JSON.stringify({ text }) }),
    execute: async (_args, { outgoing }) => {
      sent.push(outgoing);
      return { status: 'success', data: 'sent' };
    },
    ...parts,
  });
  return { tool, sent };
}

describe('what leaves the machine', () => {
  it('is shown byte for byte once notes were read, references resolved, and sent as it was shown', async () => {
    const { tool, sent } = poster();
    const { executor, asked } = testExecutor([tool, READ]);
    await executor.execute('post', { text: 'before' }, callOptions());
    expect(asked).toEqual([]);
    const { cacheVarResult } = await executor.execute('read', {}, callOptions('r'));
    await executor.execute('post', { text: `$VAR_REF{{${cacheVarResult}}} é\n` }, callOptions('c2'));
    const body = '{"text":"note é\\n"}';
    expect(asked).toMatchObject([{ kind: 'execution', outgoing: { destination: 'https://example.org/in?from=marginalia', body } }]);
    expect(sent.map((one) => one?.body)).toEqual(['{"text":"before"}', body]);
  });

  it('is not sent after a rejection', async () => {
    const { tool, sent } = poster({ permission: { executionPolicy: 'ask-always', resultApprovalPolicy: 'never' } });
    const approvalAdapter = new HeadlessApprovalAdapter(() => ({ approved: false }));
    const { executor } = testExecutor([tool], { approvalAdapter });
    expect((await executor.execute('post', { text: 'x' }, callOptions())).status).toBe('execution_rejected');
    expect(sent).toEqual([]);
  });

  it('ends the call before anybody is asked where nothing can be sent', async () => {
    const { tool, sent } = poster({
      outgoing: () => {
        throw new ToolError('bad_path', 'no such host', 'check the address');
      },
    });
    const { executor, asked } = testExecutor([tool]);
    executor.noteNotesRead();
    expect((await executor.execute('post', {}, callOptions())).finalText).toBe('bad_path: no such host → check the address');
    expect([asked, sent]).toEqual([[], []]);
  });

  it('is asked about after notes came in by another way than a tool, until a new chat', async () => {
    const { tool } = poster();
    const { executor, asked } = testExecutor([tool]);
    executor.noteNotesRead();
    await executor.execute('post', {}, callOptions());
    expect(asked).toHaveLength(1);
    executor.reset();
    await executor.execute('post', {}, callOptions());
    expect(asked).toHaveLength(1);
  });

  it('waits for the reads beside it in the same answer, and is asked about after them', async () => {
    const { tool, sent } = poster();
    const read = testTool('read', {
      execute: async () => {
        await Promise.resolve();
        return { status: 'success', data: 'note', notebooks: ['n'] };
      },
    });
    const { executor, asked } = testExecutor([tool, read]);
    await runChecked(executor, answer('', [toolCall('c1', 'read'), toolCall('c2', 'post', { text: 'x' }), toolCall('c3', 'read')]));
    expect([asked.map(({ callId }) => callId), sent.length]).toEqual([['c2'], 1]);
  });

  it('is no standing permission any more once notes were read: it is asked about', async () => {
    const { tool } = poster({ permission: { executionPolicy: 'ask-always', resultApprovalPolicy: 'never' } });
    const { executor, asked } = testExecutor([tool], { permissions: { post: { executionPolicy: 'auto' } } });
    expect(executor.grantedPermissions()).toEqual([{ tool: 'post', scope: null }]);
    executor.noteNotesRead();
    expect(executor.grantedPermissions()).toEqual([]);
    await executor.execute('post', { text: 'x' }, callOptions());
    expect(asked).toHaveLength(1);
  });

  it('is asked about each time once notes were read, although it was allowed for the chat before', async () => {
    const { tool } = poster({ permission: { executionPolicy: 'ask-once', resultApprovalPolicy: 'never' } });
    const { executor, asked } = testExecutor([tool]);
    for (const text of ['first', 'allowed']) await executor.execute('post', { text }, callOptions());
    expect(asked).toHaveLength(1);
    executor.noteNotesRead();
    for (const text of ['second', 'third']) await executor.execute('post', { text }, callOptions());
    expect(asked.map(({ args }) => args.text)).toEqual(['first', 'second', 'third']);
  });
});

describe('an error that quotes notes', () => {
  const stale = () => Promise.reject(new ToolError('stale', 'it changed', 'read again', undefined, 'what stands there'));
  const failing = {
    'from what would be sent': testTool('edit', { effect: 'outgoing', outgoing: stale }),
    'from the plan': testTool('edit', { effect: 'write', plan: stale }),
    'from the tool': testTool('edit', { execute: stale }),
    'that names its notebooks': testTool('edit', {
      execute: async () => ({ status: 'error', error: { code: 'stale', message: 'it changed', next: 'again' }, notebooks: ['n'] }),
    }),
  };
  it.each(Object.entries(failing))('%s counts as reading them: what leaves is shown from then on', async (_where, edit) => {
    const { tool } = poster();
    const { executor, asked } = testExecutor([tool, edit]);
    expect((await executor.execute('edit', {}, callOptions())).status).toBe('error');
    await executor.execute('post', { text: 'x' }, callOptions('c2'));
    expect(asked).toMatchObject([{ outgoing: { body: '{"text":"x"}' } }]);
  });

  it('counts not where the user kept the error from the model', async () => {
    const { tool, sent } = poster();
    const edit = testTool('edit', { execute: stale, permission: { executionPolicy: 'auto', resultApprovalPolicy: 'always' } });
    const approvalAdapter = new HeadlessApprovalAdapter(() => ({ approved: false }));
    const { executor } = testExecutor([tool, edit], { approvalAdapter });
    expect((await executor.execute('edit', {}, callOptions())).status).toBe('result_rejected');
    expect((await executor.execute('post', { text: 'x' }, callOptions('c2'))).status).toBe('success');
    expect(sent).toHaveLength(1);
  });
});

describe('local only', () => {
  it('answers with the next step before anybody is asked, and lets what stays here pass', async () => {
    const { tool, sent } = poster({ permission: { executionPolicy: 'ask-always', resultApprovalPolicy: 'never' } });
    let on = true;
    const { executor, asked } = testExecutor([tool, READ], { localOnly: () => on });
    const refused = await executor.execute('post', { text: 'x' }, callOptions());
    expect(refused).toMatchObject({
      status: 'error',
      finalText: expect.stringMatching(/^local_only: .*post.* → go on without it, or ask the user/u),
    });
    expect([asked, sent]).toEqual([[], []]);
    expect((await executor.execute('read', {}, callOptions())).status).toBe('success');
    on = false;
    expect((await executor.execute('post', { text: 'x' }, callOptions())).status).toBe('success');
  });

  it('holds for what was approved before it was switched on', async () => {
    const { tool, sent } = poster({ permission: { executionPolicy: 'ask-always', resultApprovalPolicy: 'never' } });
    let on = false;
    const approvalAdapter = new HeadlessApprovalAdapter(() => {
      on = true;
      return { approved: true };
    });
    const { executor } = testExecutor([tool], { approvalAdapter, localOnly: () => on });
    expect((await executor.execute('post', { text: 'x' }, callOptions())).finalText).toMatch(/^local_only: /u);
    expect(sent).toEqual([]);
  });

  it('counts what these arguments would do, not what the tool can do', async () => {
    const { tool, sent } = poster({
      effect: 'outgoing',
      traits: ({ text }) => ({ permission: AUTO, effect: text === 'help' ? 'read' : 'outgoing' }),
    });
    const { executor } = testExecutor([tool], { localOnly: () => true });
    expect((await executor.execute('post', { text: 'help' }, callOptions())).status).toBe('success');
    expect((await executor.execute('post', { text: 'go' }, callOptions())).finalText).toMatch(/^local_only: /u);
    expect(sent).toEqual([undefined]);
  });
});

describe('what counts as private', () => {
  const said = (parts: Partial<Tool>) => testTool('look', parts);
  const refused = () => Promise.reject(new ToolError('no_match', 'the PIN is 4711', 'read again'));
  it.each([
    ['whatever a tool gives that does not say otherwise', said({}), true],
    ['its failure', said({ execute: refused }), true],
    ['a plan that could not be made', said({ effect: 'write', plan: refused }), true],
    ['what a program printed, its failure too', said({ effect: 'outgoing', program: async () => PROGRAM, execute: refused }), true],
    ['what a tool computes', said({ publicResult: true }), false],
    [
      'what such a tool marks',
      said({ publicResult: true, execute: async () => ({ status: 'success', data: 'x', isPrivate: true }) }),
      true,
    ],
    ['nothing, where a reading tool says so', said({ execute: async () => ({ status: 'success', data: '0', isPrivate: false }) }), false],
    ['what comes from outside', said({ effect: 'outgoing' }), false],
  ] as const)('%s', async (_what, tool, isPrivate) => {
    const { executor, asked } = testExecutor([tool, poster().tool]);
    await executor.execute('look', {}, callOptions());
    await executor.execute('post', { text: 'x' }, callOptions('c2'));
    expect(asked.filter(({ tool }) => tool === 'post')).toHaveLength(isPrivate ? 1 : 0);
  });
});

const PROGRAM = { language: 'shell', code: 'ls', folder: '/', timeoutSeconds: 1 } as const;
