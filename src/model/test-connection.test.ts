import { describe, expect, it } from 'vitest';
import { ToolError } from '../tools/contract/errors.ts';
import type { CompletionRequest, ModelDelta } from '../tools/contract/messages.ts';
import type { LanguageModel } from './language-model.ts';
import { testConnection } from './test-connection.ts';

type Step = Error | { readonly deltas: readonly ModelDelta['type'][]; readonly calls?: boolean };
function model(...steps: readonly Step[]) {
  const queue = [...steps];
  const requests: CompletionRequest[] = [];
  const complete: LanguageModel['complete'] = async (request, _signal, onDelta) => {
    requests.push(request);
    const step = queue.shift();
    if (!step || step instanceof Error) throw step ?? new Error('asked too often');
    for (const type of step.deltas) onDelta({ type, text: 'x' } as ModelDelta);
    const call = { id: 'c', type: 'function' as const, function: { name: 'report_ready', arguments: '{}' } };
    return { content: 'x', tool_calls: step.calls ? [call] : [], finishReason: 'stop', time: { firstToken: 300, total: 400 } };
  };
  return { requests, model: { label: 'm', model: 'm', complete } };
}
const signal = new AbortController().signal;
const states = async (...steps: readonly Step[]) => Object.values((await testConnection(model(...steps).model, signal)).checks).join(' ');

describe('a test of the connection', () => {
  it('says that all works', async () => {
    const { model: tested, requests } = model({ deltas: ['toolCallStart', 'toolCallArgs', 'usage'], calls: true });
    expect(await testConnection(tested, signal)).toEqual({
      checks: { reachable: 'ok', key: 'ok', model: 'ok', streaming: 'ok', tools: 'ok' },
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
    expect((await testConnection(model(fail('model_unauthorized')).model, signal)).error?.code).toBe('model_unauthorized');
  });

  it('asks without tools where the model takes none, and does not promise what it did not see', async () => {
    const { model: tested, requests } = model(new ToolError('model_no_tools', 'what', 'next'), { deltas: ['text', 'text'] });
    const report = await testConnection(tested, signal);
    expect(report.checks).toMatchObject({ model: 'ok', streaming: 'ok', tools: 'failed' });
    expect(report.error?.code).toBe('model_no_tools');
    expect(requests.map(({ tools }) => tools?.length)).toEqual([1, undefined]);
    expect(await states({ deltas: ['text'] })).toBe('ok ok ok unknown unknown');
  });
});
