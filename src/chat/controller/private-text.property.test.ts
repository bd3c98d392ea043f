import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createScriptedModel } from '../../model/testing/scripted-model.ts';
import { VariableSystem } from '../../tools/executor/variables.ts';
import { createBasicGroup, toolExecutorFactory } from '../../tools/index.ts';
import { testTool } from '../../tools/testing/support.ts';
import { createMemoryStorage } from '../store/storage-port.ts';
import { createMemoryAssets } from '../testing/memory-assets.ts';
import { type OpenChat, openChat } from '../testing/open-chat.ts';
import { steppingClock } from '../testing/samples.ts';
import { summarize } from '../turn/summarize.ts';

const clock = steppingClock();
const AUTO = { executionPolicy: 'auto', resultApprovalPolicy: 'never' } as const;
const file = (name: string) => ({ kind: 'text' as const, name, mime: 'text/plain', bytes: new Uint8Array(2), text: 'PIN 4711' });

/** A chat whose tools run unasked: one that posts, one that reads a file, one whose failure tells of a file, one that computes. */
async function open(storage: ReturnType<typeof createMemoryStorage>, assets: ReturnType<typeof createMemoryAssets>, run: number) {
  const tools = [
    testTool('post', { effect: 'outgoing', permission: AUTO, outgoing: () => ({ url: 'https://example.org', body: 'x' }) }),
    testTool('read_file', { execute: async () => ({ status: 'success', data: 'PIN 4711', isPrivate: true }) }),
    testTool('look', { execute: async () => ({ status: 'success', data: 'PIN 4711' }) }),
    testTool('compute', { publicResult: true }),
  ];
  return openChat({
    ...{ storage, run },
    deps: {
      assets,
      settings: () => ({ systemPrompt: '', chatOption: {}, toolCallMaxRounds: 10, contextTokens: 100_000 }),
      summaries: async () => summarize,
      summaryModel: () => createScriptedModel(['A summary.']),
      executorFactory: ({ approvalAdapter, askUser }) => {
        const varSystem = new VariableSystem({ clock });
        return toolExecutorFactory({
          ...{ approvalAdapter, clock, varSystem },
          groups: [createBasicGroup({ clock, timeZone: 'UTC', variables: varSystem, askUser }), { name: 'test', tools }],
          groupDefaults: { basic: true, test: true, vars: true },
        });
      },
    },
  });
}

/** Whether a post of the next turn is shown first; it is rejected. */
async function asks(opened: OpenChat, id: string): Promise<boolean> {
  opened.model.push({ calls: [{ name: 'post', arguments: {}, id }] }, 'Posted.');
  let asked = false;
  const stop = opened.chat.subscribe(({ approvals: [first] }) => {
    if (!first) return;
    asked = true;
    opened.chat.decide(first.approvalId, { approved: false });
  });
  await opened.chat.send('post');
  stop();
  return asked;
}

const ACTIONS = [
  'talk',
  'compute',
  'attach',
  'context',
  'read',
  'look',
  'remove',
  'drop',
  'summarize',
  'reopen',
  'back',
  'copy',
  'post',
] as const;
const GIVES_PRIVATE: ReadonlySet<string> = new Set(['attach', 'context', 'read', 'look']);

async function run(actions: readonly (typeof ACTIONS)[number][]): Promise<void> {
  const [storage, assets] = [createMemoryStorage(), createMemoryAssets()];
  let opened = await open(storage, assets, 1);
  let isPrivate = false;
  const call = async (name: string, id: string, args: Readonly<Record<string, unknown>> = {}): Promise<void> => {
    opened.model.push({ calls: [{ name, arguments: args, id }] }, 'Well.');
    await opened.chat.send(name);
  };
  const shown = () => opened.chat.view().messages;
  for (const [index, action] of actions.entries()) {
    const id = `c${index}`;
    isPrivate ||= GIVES_PRIVATE.has(action);
    if (action === 'compute') await call('compute', id);
    else if (action === 'read') await call('read_file', id);
    else if (action === 'look') await call('look', id);
    else if (action === 'post') expect(await asks(opened, id)).toBe(isPrivate);
    else if (action === 'remove') {
      const names = shown().flatMap(({ segments }) =>
        segments.flatMap((one) => (one.kind === 'call' ? [one.call.resultVariable ?? ''] : [])),
      );
      if (names.length > 0) await call('RemoveVars', id, { names: names.filter(Boolean).slice(0, 50) });
    } else if (action === 'drop') {
      const last = shown().at(-1);
      if (last) await opened.chat.messages.remove(last.nodeId);
    } else if (action === 'summarize') {
      await opened.chat.messages.summarize();
    } else if (action === 'back') {
      const first = shown().find(({ role }) => role === 'assistant');
      if (first) await opened.chat.messages.continueFrom(first.nodeId);
    } else if (action === 'copy') {
      const last = shown().at(-1);
      if (last) await opened.chat.messages.extract(last.nodeId, 'A copy');
    } else if (action === 'reopen') {
      const { sessionId } = opened.chat.view();
      const isEmpty = shown().length === 0;
      await opened.chat.dispose();
      opened = await open(storage, assets, index + 2);
      if (!isEmpty) await opened.chat.openChat(sessionId);
    } else {
      if (action === 'attach') await opened.chat.attach(file(id));
      if (action === 'context') opened.chat.addContext({ kind: 'block', id: 'b', title: 'Plan', text: 'PIN 4711' });
      opened.model.push('Well.');
      await opened.chat.send('hello');
    }
  }
  expect(await asks(opened, 'last')).toBe(isPrivate);
  await opened.chat.dispose();
}

describe('a chat in which the model was given private text', () => {
  it('asks before anything leaves, whatever is attached, read, removed, summarized, reopened or gone back to; otherwise not', async () => {
    const action = fc.constantFrom(...ACTIONS.filter((one) => one !== 'copy'));
    await fc.assert(
      fc.asyncProperty(fc.array(action, { maxLength: 8 }), (actions) => run(actions)),
      { numRuns: 60 },
    );
  });

  it('asks in a copy of it too', async () => {
    for (const given of ['attach', 'context', 'read', 'look'] as const) {
      await run([given, 'copy', 'post', 'reopen', 'post']);
      await run(['talk', given, 'talk', 'drop', 'copy', 'post']);
    }
  });
});
