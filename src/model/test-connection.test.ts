import { describe, expect, it } from 'vitest';
import { ToolError } from '../tools/contract/errors.ts';
import type { CompletionRequest, ModelDelta } from '../tools/contract/messages.ts';
import type { LanguageModel } from './language-model.ts';
import { testConnection } from './test-connection.ts';

type Step = Error | { readonly deltas: readonly ModelDelta['type'][]; readonly calls?: boolean; readonly text?: string };
function model(...steps: readonly Step[]) {
  const queue = [...steps];
  const requests: CompletionRequest[] = [];
  const complete: LanguageModel['complete'] = async (request, _signal, onDelta) => {
    requests.push(request);
    const step = queue.shift();
    if (!step || step instanceof Error) throw step ?? new Error('asked too often');
    for (const type of step.deltas) onDelta({ type, text: 'x' } as ModelDelta);
    const call = { id: 'c', type: 'function' as const, function: { name: 'report_ready', arguments: '{}' } };
    return { content: step.text ?? 'x', tool_calls: step.calls ? [call] : [], finishReason: 'stop', time: { firstToken: 300, total: 400 } };
  };
  return { requests, model: { label: 'm', model: 'm', complete } };
}
const signal = new AbortController().signal;
const test = (tested: LanguageModel) => testConnection(tested, signal, () => false);
const states = async (...steps: readonly Step[]) => Object.values((await test(model(...steps).model)).checks).join(' ');

describe('a test of the connection', () => {
  it('says that all works', async () => {
    const { model: tested, requests } = model({ deltas: ['toolCallStart', 'toolCallArgs', 'usage'], calls: true });
    expect(await test(tested)).toEqual({
      checks: { reachable: 'ok', key: 'ok', model: 'ok', streaming: 'ok', tools: 'ok' },
      call: 'native',
      firstToken: 300,
    });
    expect(requests.map(({ tools }) => tools?.length)).toEqual([1]);
  });

  it('says how far it came, and why no further', async () => {
    const fail = (code: ConstructorParameters<typeof ToolError>[0]) => new ToolError(code, 'what', 'next');
    expect(await states(fail('model_unreachable'))).toBe('failed unknown unknown unknown unknown');
    expect(await states(fail('model_unauthorized'))).toBe('ok failed unknown unknown unknown');
    expect(await states(fail('model_not_found'))).toBe('ok ok failed unknown unknown');
    expect(await states(fail('model_no_credit'))).toBe('ok ok unknown unknown unknown');
    expect(await states(fail('model_bad_answer'))).toBe('ok ok failed unknown unknown');
    expect((await test(model(fail('model_unauthorized')).model)).error?.code).toBe('model_unauthorized');
  });

  it('asks without tools where the model takes none, and does not promise what it did not see', async () => {
    const { model: tested, requests } = model(new ToolError('model_no_tools', 'what', 'next'), { deltas: ['text', 'text'] });
    const report = await test(tested);
    expect(report.checks).toMatchObject({ model: 'ok', streaming: 'ok', tools: 'failed' });
    expect(report.error?.code).toBe('model_no_tools');
    expect(requests.map(({ tools }) => tools?.length)).toEqual([1, undefined]);
    expect(await states({ deltas: ['text'] })).toBe('ok ok ok unknown unknown');
  });

  it.each([
    ['native', [{ deltas: ['toolCallStart'], calls: true }]],
    ['none', [{ deltas: ['text'], text: 'I am ready to help' }]],
    ['none', [{ deltas: ['text'], text: 'I would call `report_ready(ready=true)` if I could.' }]],
    ['text', [{ deltas: ['text'], text: '<tool_call>\n{"name": "report_ready", "arguments": {"ready": true}}\n</tool_call>' }]],
    ['text', [{ deltas: ['text'], text: '```json\n{"name": "functions.report_ready", "arguments": {"ready": true}}\n```' }]],
    ['refused', [new ToolError('model_no_tools', 'what', 'next'), { deltas: ['text'], text: 'I am ready to help' }]],
    ['schema', [new ToolError('model_schema_refused', 'what', 'next'), { deltas: ['text'], text: 'I am ready to help' }]],
  ] as const)('says what came of a call: %s', async (call, steps) => {
    const report = await test(model(...steps).model);
    expect([report.call, report.checks.model]).toEqual([call, 'ok']);
    expect([report.checks.tools, report.error?.code]).toEqual(
      {
        native: ['ok', undefined],
        refused: ['failed', 'model_no_tools'],
        schema: ['failed', 'model_schema_refused'],
      }[call as string] ?? ['unknown', undefined],
    );
  });

  it('says nothing of calls where no answer came, with or without the tool', async () => {
    const broken = new ToolError('model_unreachable', 'what', 'next');
    for (const steps of [[broken], [new ToolError('model_schema_refused', 'what', 'next'), broken]]) {
      const report = await test(model(...steps).model);
      expect([report.call, report.error?.code]).toEqual([undefined, 'model_unreachable']);
    }
  });

  it('says what the server publishes of tools, which comes with its window', async () => {
    let stated = false;
    const window = {
      tokens: async () => {
        await Promise.resolve();
        stated = true;
        return undefined;
      },
      overflowed: () => undefined,
    };
    const tested = { ...model({ deltas: ['text'] }).model, window };
    expect(await testConnection(tested, signal, () => stated)).toMatchObject({ call: 'stated', checks: { tools: 'unknown' } });
    const silent = { ...window, tokens: () => Promise.reject(new Error('not loaded')) };
    expect(await test({ ...tested, ...model({ deltas: ['text'] }).model, window: silent })).toMatchObject({ call: 'none' });
  });
});
