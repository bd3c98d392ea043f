import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runCount } from '../../../tests/support/property-runs.ts';
import type { ToolChainEvent } from '../contract/events.ts';
import { HeadlessApprovalAdapter } from '../executor/approvals.ts';
import { runChecked } from '../testing/run-chain.ts';
import { answer, callOptions, scripted, testExecutor, testTool, toolCall } from '../testing/support.ts';
import { truncateContent } from '../util/truncate.ts';

const SECRET = 'SECRET';
const ALWAYS = { executionPolicy: 'auto', resultApprovalPolicy: 'always' } as const;
const TEXT = { text: { type: 'string' } };

/** `hidden` gives the secret in every way that a tool can; the user keeps each result of it back. */
function make() {
  const long = `${SECRET} `.repeat(3000);
  const hidden = testTool('hidden', {
    permission: ALWAYS,
    properties: TEXT,
    formatForLLM: (data) => `formatted ${String(data)}`,
    truncateForLLM: (formatted) => truncateContent(formatted, 300).text,
    compressResult: (result) => String(result.data ?? result.finalText),
    execute: async () => ({
      status: 'success',
      data: long,
      formattedText: long,
      finalText: long,
      notebooks: ['n'],
      blockIds: [SECRET],
      written: { blockIds: ['b'], documentId: 'd', undoable: true },
    }),
  });
  const failing = testTool('failing', {
    permission: ALWAYS,
    properties: TEXT,
    execute: async () => ({
      status: 'error',
      error: { code: 'tool_failed', message: SECRET, next: SECRET },
      data: SECRET,
      finalText: `no: ${SECRET}`,
    }),
  });
  const echo = testTool('echo', { properties: TEXT, execute: async (args) => ({ status: 'success', data: args.text }) });
  const approvalAdapter = new HeadlessApprovalAdapter(() => ({ approved: false, reason: 'private' }));
  const { executor } = testExecutor([hidden, failing, echo], { approvalAdapter });
  executor.toggleGroupEnabled('vars', true);
  return executor;
}

const name = fc
  .tuple(
    fc.constantFrom('hidden', 'failing', 'echo'),
    fc.constantFrom('c0', 'c1', 'c2', 'c3'),
    fc.constantFrom('result', 'args', 'result_2'),
  )
  .map((parts) => parts.join('_'));
const later = fc.oneof(
  name.map((variable) => ['ReadVar', { name: variable }] as const),
  name.map((variable) => ['ReadVar', { name: `$VAR_REF{{${variable}}}`, start: 1, length: 50_000 }] as const),
  fc.constant(['ListVars', { pageSize: 100 }] as const),
  fc.constant(['ListVars', { filter: { search: SECRET.toLowerCase() } }] as const),
  name.map((variable) => ['echo', { text: `<$VAR_REF{{${variable}:0:9}}>` }] as const),
  name.map((variable) => ['WriteVar', { name: 'copy', value: `$VAR_REF{{${variable}}}` }] as const),
  name.map((variable) => ['RemoveVars', { names: [variable] }] as const),
  fc.constant(['hidden', { text: 'again' }] as const),
  fc.constant(['failing', { text: 'again' }] as const),
);

describe('a result that the user rejected', () => {
  it('cannot be read by any later call, whatever it asks for', async () => {
    let runs = 0;
    await fc.assert(
      fc.asyncProperty(fc.constantFrom('hidden', 'failing'), fc.array(later, { maxLength: 12 }), async (first, calls) => {
        const executor = make();
        const results = [await executor.execute(first, { text: 'x' }, callOptions('c0'))];
        for (const [index, [tool, args]] of calls.entries()) {
          results.push(await executor.execute(tool, { ...args }, callOptions(`c${index % 4}`)));
        }
        expect(results[0]).toMatchObject({ status: 'result_rejected' });
        // The search word of ListVars is the model's own: only what comes back counts.
        expect(JSON.stringify(results)).not.toContain(SECRET);
        expect(JSON.stringify(executor.varSystem.listVariables().map(({ value, desc }) => [value, desc]))).not.toContain(SECRET);
        runs += results.length;
      }),
      { numRuns: runCount(200, 500) },
    );
    expect(runs).toBeGreaterThan(500);
  });

  it('is in no message, hint, log or event but the request that showed it to the user', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(later, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 4 }), async (rounds) => {
        const answers = rounds.map((calls, round) =>
          answer(
            'Next.',
            calls.map(([tool, args], index) => toolCall(`c${round}_${index}`, tool, args)),
          ),
        );
        const first = answer('First.', [toolCall('c0', 'hidden', { text: 'x' }), toolCall('c1', 'failing', {})]);
        const model = scripted([...answers, answer('End.')]);
        const { result, events } = await runChecked(make(), first, { complete: model.complete, systemPrompt: 'S' });
        const told = (event: ToolChainEvent): boolean => event.type !== 'approval-request';
        expect(JSON.stringify([result, model.requests, events.filter(told)]).replaceAll(SECRET.toLowerCase(), '')).not.toContain(SECRET);
      }),
      { numRuns: runCount(100, 200) },
    );
  });
});
