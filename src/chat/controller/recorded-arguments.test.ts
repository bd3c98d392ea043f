import { expect, it } from 'vitest';
import { VariableSystem } from '../../tools/executor/variables.ts';
import { toolExecutorFactory } from '../../tools/index.ts';
import { testTool } from '../../tools/testing/support.ts';
import { readSession } from '../session/saved-format.ts';
import { memoryActivity } from '../testing/memory-activity.ts';
import { type OpenChatOptions, openChat } from '../testing/open-chat.ts';
import { steppingClock } from '../testing/samples.ts';

const clock = steppingClock();
const KEPT = { name: 'WriteVar', arguments: { name: 'kept', value: 'PIN 4711 sk-proj-Ab12Cd34Ef56Gh78' }, id: 'w' };
const POST = { name: 'post', arguments: { text: 'it: $VAR_REF{{kept}}', count: '5' }, id: 'p' };
const RECEIVED = { text: 'it: PIN 4711 sk-proj-Ab12Cd34Ef56Gh78', count: 5 };

/** A chat that keeps a text as a variable and posts it; what the tool got is in `got`. */
async function posted(
  execute: () => Promise<never> | Promise<{ status: 'success' }>,
  replies: OpenChatOptions['replies'],
  approved = true,
) {
  const got: unknown[] = [];
  const activity = memoryActivity();
  const post = testTool('post', {
    ...{ effect: 'outgoing', permission: { executionPolicy: 'ask-always', resultApprovalPolicy: 'never' } },
    properties: { text: { type: 'string' }, count: { type: 'integer' } },
    execute: async (args) => {
      got.push(args);
      return execute();
    },
  });
  const opened = await openChat({
    replies: replies ?? [],
    deps: {
      activity: activity.store,
      executorFactory: ({ approvalAdapter }) =>
        toolExecutorFactory({
          ...{ approvalAdapter, clock, varSystem: new VariableSystem({ clock }) },
          ...{ groups: [{ name: 'test', tools: [post] }], groupDefaults: { test: true, vars: true } },
        }),
    },
  });
  const sending = opened.chat.send('post it');
  const { approvalId } = await opened.approval();
  const shown = opened.chat.view().messages.at(-1)?.segments.at(-1);
  opened.chat.decide(approvalId, { approved });
  await sending;
  const saved = readSession((await opened.storage.read(`sessions/${opened.chat.view().sessionId}.json`)) ?? '');
  const payloads = saved.kind === 'ok' ? Object.values(saved.session.nodes).flatMap(({ versions }) => Object.values(versions)) : [];
  return {
    ...{ got, shown },
    card: opened.chat
      .view()
      .messages.at(-1)
      ?.segments.find((one) => one.kind === 'call' && one.call.tool === 'post'),
    history: payloads.flatMap(({ toolChainResult }) => toolChainResult?.toolCallHistory ?? []).find(({ toolName }) => toolName === 'post'),
    record: [...activity.records.values()].find(({ toolName }) => toolName === 'post'),
    text: payloads.at(-1)?.message.content,
  };
}

it.each([
  ['that is sent', async () => ({ status: 'success' as const }), true],
  ['that fails', () => Promise.reject(new Error('no network')), true],
  ['that is rejected', async () => ({ status: 'success' as const }), false],
])(
  'a call %s is recorded as the tool got it: references resolved, types read; secrets masked where they were',
  async (_what, execute, approved) => {
    const { got, shown, card, history, record } = await posted(execute, [{ calls: [KEPT] }, { calls: [POST] }, 'Done.'], approved);
    expect(got).toEqual(approved ? [RECEIVED] : []);
    expect([shown, card]).toMatchObject([{ call: { args: RECEIVED } }, { call: { args: RECEIVED } }]);
    expect(history?.args).toEqual(RECEIVED);
    expect(record?.arguments).toEqual({ text: 'it: PIN 4711 •••', count: 5 });
  },
);

it('the log that the model reads has the reference that it wrote, not what stands behind it', async () => {
  const { text } = await posted(async () => ({ status: 'success' }), [{ calls: [KEPT] }, { calls: [POST] }, 'Done.']);
  expect(text).toContain('it: ');
  expect(text).not.toContain('it: PIN');
});
