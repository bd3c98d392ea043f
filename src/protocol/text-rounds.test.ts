import { expect, it } from 'vitest';
import { withPartial } from '../model/language-model.ts';
import { createScriptedModel, type ScriptedReply } from '../model/testing/scripted-model.ts';
import { runChecked } from '../tools/testing/run-chain.ts';
import { testExecutor, testTool } from '../tools/testing/support.ts';
import { textComplete } from './text-complete.ts';
import { VCP } from './vcp/vcp.ts';

const ASKS = '<<<[TOOL_REQUEST]>>>\ntool_name:「始」t「末」\nn:「始」1「末」\nlimit: 3\n<<<[END_TOOL_REQUEST]>>>';

/** A turn over a model that calls in text; ids are numbered anew in each answer. */
async function turnOf(replies: readonly ScriptedReply[], taken: readonly string[] = []) {
  const inner = createScriptedModel(replies);
  const { executor } = testExecutor([testTool('t', { properties: { n: { type: 'integer' } } })]);
  const complete: typeof inner.complete = (request, signal, onDelta) => {
    let count = 0;
    const stops = { areOff: () => true, refuse: () => undefined, pause: () => undefined };
    const deps = { protocol: VCP, stops, rewritePartial: withPartial, now: () => 0, newCallId: () => `functions.t:${count++}` };
    return textComplete(inner.complete, deps)(request, signal, onDelta);
  };
  const { result } = await runChecked(executor, undefined, { complete, takenCallIds: () => taken });
  return { result, requests: inner.requests };
}

it('a call in text has an id of its own over rounds and turns, also where a server reads it and counts anew in each answer', async () => {
  const first = await turnOf([ASKS, ASKS, 'Done.']);
  const served: ScriptedReply = { calls: [{ id: 'functions.t:0', name: 't', arguments: { n: 2 } }] };
  const firstIds = first.result.toolCallHistory.map(({ callId }) => callId);
  const second = await turnOf([served, { ...served, text: ASKS }, served, 'Done.'], firstIds);
  const ids = [...firstIds, ...second.result.toolCallHistory.map(({ callId }) => callId)];
  expect(ids).toHaveLength(6);
  expect(new Set(ids).size).toBe(6);
});

it('what was read differently from how it was written is sent to the model with the result', async () => {
  const { requests } = await turnOf([ASKS, 'Done.']);
  expect(requests[1]?.messages.at(-1)?.content).toMatch(/Note on how this call was read: what follows "limit:"/u);
  const clean = await turnOf([ASKS.replace('\nlimit: 3', ''), 'Done.']);
  expect(clean.requests[1]?.messages.at(-1)?.content).not.toContain('Note on how');
});

it('a call that a server reads from the text and leaves there runs once', async () => {
  const { result } = await turnOf([
    {
      text: '<<<[TOOL_REQUEST]>>>\ntool_name:「始」t「末」\nn:「始」2「末」\n<<<[END_TOOL_REQUEST]>>>',
      calls: [{ id: 'a', name: 't', arguments: { n: 2 } }],
    },
    'Done.',
  ]);
  expect(result.toolCallHistory).toHaveLength(1);
});
