import { describe, expect, it } from 'vitest';
import { ToolError } from '../../tools/contract/errors.ts';
import type { CompletionRequest, ModelDelta } from '../../tools/contract/messages.ts';
import type { CopyStorage } from '../../tools/util/broken-copy.ts';
import { InterruptedAnswer, type LanguageModel } from '../language-model.ts';
import type { ModelPrice } from '../prices.ts';
import { createScriptedModel, type ScriptedReply } from '../testing/scripted-model.ts';
import { budgetReached, readBudgetReached } from './budget-words.ts';
import { type Budget, budgetedModel } from './budgeted-model.ts';
import { createLedger, type Ledger } from './ledger.ts';

const never = new AbortController().signal;
const usage = { prompt_tokens: 900, completion_tokens: 100, total_tokens: 1000 };
const USE = { sessionId: 'chat', purpose: 'answer' } as const;
const request: CompletionRequest = { messages: [{ role: 'user', content: 'word '.repeat(200) }] };

function memory(files: Record<string, string> = {}): CopyStorage & { readonly files: Record<string, string> } {
  return {
    files,
    read: async (path) => files[path] ?? null,
    write: async (path, text) => void Object.assign(files, { [path]: text }),
    list: async (folder) => Object.keys(files).flatMap((path) => (path.startsWith(`${folder}/`) ? [path.slice(folder.length + 1)] : [])),
  };
}

interface Made {
  readonly budget: Budget;
  readonly replies: readonly ScriptedReply[];
  readonly ledger?: Ledger;
  readonly day?: string;
  readonly priced?: boolean;
}

function make({
  budget,
  replies,
  ledger = createLedger({ storage: memory(), device: 'a', now: () => 1 }),
  day = '2026-11-23',
  priced = true,
}: Made) {
  const inner = createScriptedModel(replies);
  const prices: Record<string, ModelPrice> = priced ? { scripted: { input: 1000, output: 2000 } } : {};
  const parts = { ledger, budget: () => budget, prices: () => prices, today: () => day, use: USE };
  const turn = () => budgetedModel(inner, parts);
  return { inner, ledger, turn };
}
const send = (model: ReturnType<ReturnType<typeof make>['turn']>) => model.complete(request, never, () => undefined);
const many = (count: number): ScriptedReply[] => Array.from({ length: count }, () => ({ text: 'Yes.', usage }));

describe('a budget', () => {
  it('of one answer stops before the request that would go over it, those of tools too; the next answer begins anew', async () => {
    const { inner, turn } = make({ budget: { turn: { tokens: 2100 } }, replies: many(4) });
    const first = turn();
    await send(first);
    await send(first);
    await expect(send(first)).rejects.toMatchObject({ code: 'budget_reached', next: expect.stringContaining('raise the budget') });
    expect(inner.requests).toHaveLength(2);
    await send(turn());
    expect(inner.requests).toHaveLength(3);
  });

  it.each(['turn', 'day', 'month'] as const)('of a %s counts what is asked for at once, as helpers and other chats do', async (period) => {
    const budgets: Budget[] = [{ [period]: { tokens: 1000 } }, { [period]: { dollars: 1 } }];
    for (const budget of budgets) {
      const { inner, turn } = make({ budget, replies: many(40) });
      const one = turn();
      const asked = Array.from({ length: 40 }, () => send(period === 'turn' ? one : turn()));
      const ended = await Promise.allSettled(asked);
      const refused = ended.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []));
      expect(refused[0]).toMatchObject({ code: 'budget_reached' });
      // Each is estimated at 200 tokens or more.
      expect(inner.requests.length).toBeGreaterThan(0);
      expect(inner.requests.length).toBeLessThanOrEqual(5);
    }
  });

  it('counts no longer what is not underway any more, however it ended', async () => {
    const { turn } = make({
      budget: { turn: { tokens: 1000 } },
      replies: [...Array.from({ length: 20 }, () => ({ error: new ToolError('model_unreachable', 'm', 'n') })), ...many(1)],
    });
    const one = turn();
    for (let n = 0; n < 20; n += 1) await expect(send(one)).rejects.toMatchObject({ code: 'model_unreachable' });
    await send(one);
  });

  it.each([
    ['day', '2026-11-24'],
    ['month', '2026-12-01'],
  ] as const)('of a %s counts what all devices and answers took, and ends with it', async (period, later) => {
    const storage = memory();
    const elsewhere = createLedger({ storage, device: 'b', now: () => 1 });
    await elsewhere.add('2026-11-23', { tokens: 1000, dollars: 0, unpriced: 1000 });
    const ledger = createLedger({ storage, device: 'a', now: () => 1 });
    const { inner, turn } = make({ budget: { [period]: { tokens: 2100 } }, replies: many(4), ledger });
    await send(turn());
    await expect(send(turn())).rejects.toMatchObject({ code: 'budget_reached' });
    expect(inner.requests).toHaveLength(1);
    const next = make({ budget: { [period]: { tokens: 2100 } }, replies: many(1), ledger, day: later });
    await send(next.turn());
    expect(Object.keys(storage.files)).toContain('usage/2026-11-b.json');
  });

  it('in dollars counts what the price makes of tokens, and stops where no price is known', async () => {
    // 900 tokens read and 100 written: 0.9 + 0.2.
    const { inner, turn } = make({ budget: { day: { dollars: 1.2 } }, replies: many(3) });
    await send(turn());
    await expect(send(turn())).rejects.toMatchObject({ code: 'budget_reached' });
    expect(inner.requests).toHaveLength(1);
    const unknown = make({ budget: { day: { dollars: 5 } }, replies: many(1), priced: false });
    await expect(send(unknown.turn())).rejects.toMatchObject({
      code: 'model_no_price',
      next: expect.stringContaining('set the price'),
    });
    expect(unknown.inner.requests).toHaveLength(0);
  });

  it.each([
    { period: 'turn', unit: 'tokens', spent: 512, limit: 500 },
    { period: 'day', unit: 'dollars', spent: 1.2345, limit: 1.2 },
    { period: 'month', unit: 'dollars', spent: 0.0001, limit: 0 },
  ] as const)('says which one is reached in words that the panel reads back: $period, $unit', (reached) => {
    expect(readBudgetReached(budgetReached(reached).message)).toEqual(reached);
    expect(readBudgetReached('no')).toBeUndefined();
  });

  it('counts by its own estimate what no service counted, and what broke off', async () => {
    const partial = { content: 'Ye', tool_calls: [], finishReason: 'unknown' };
    const { ledger, turn } = make({ budget: {}, replies: [{ error: new InterruptedAnswer('broke', 'again', partial) }] });
    await expect(send(turn())).rejects.toMatchObject({ code: 'model_interrupted' });
    const { day } = await ledger.spent('2026-11-23');
    expect(day.tokens).toBeGreaterThan(150);
    expect(day.dollars).toBeCloseTo(day.tokens / 1000);
  });

  it.each([
    { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 },
    { prompt_tokens: -1, completion_tokens: -1, total_tokens: -1 },
    { prompt_tokens: -1_000_000_000, completion_tokens: 5, total_tokens: 5 },
    { prompt_tokens: 1, completion_tokens: 1e308, total_tokens: 1e308 },
  ])('counts by its own estimate where what a server says is no count: %j', async (usage) => {
    const { inner, ledger, turn } = make({
      budget: { day: { tokens: 1000 } },
      replies: Array.from({ length: 9 }, () => ({ text: 'Yes.', usage })),
    });
    const ended = await Promise.allSettled(Array.from({ length: 9 }, () => send(turn())));
    expect(ended.at(-1)).toMatchObject({ reason: { code: 'budget_reached' } });
    expect(inner.requests.length).toBeLessThanOrEqual(5);
    for (let sent = 0; sent < 5; sent += 1) await send(turn()).catch(() => undefined);
    const { tokens } = (await ledger.spent('2026-11-23')).day;
    expect(tokens).toBeGreaterThan(200);
    expect(tokens).toBeLessThan(2000);
  });

  it('that is absent bounds nothing, and everything is written down all the same', async () => {
    const { ledger, turn } = make({ budget: { turn: {} }, replies: many(2) });
    for (const model of [turn(), turn()]) await send(model);
    expect(await ledger.spent('2026-11-23')).toEqual({ day: { tokens: 2000, dollars: 2.2 }, month: { tokens: 2000, dollars: 2.2 } });
    const entry = { day: '2026-11-23', sessionId: 'chat', purpose: 'answer', model: 'scripted', tokens: 2000, dollars: 2.2, unpriced: 0 };
    expect((await ledger.report()).days).toEqual([entry]);
  });

  it('stops what it is to bound where nobody knows what was spent, and nothing else', async () => {
    const storage = memory({ 'usage/2026-11-b.json': '{"days"' });
    const ledger = createLedger({ storage, device: 'a', now: () => 1 });
    const { inner, turn } = make({ budget: { month: { tokens: 100_000 } }, replies: many(1), ledger });
    await expect(send(turn())).rejects.toMatchObject({ code: 'usage_unreadable' });
    expect(inner.requests).toHaveLength(0);
    await send(make({ budget: { turn: { tokens: 100_000 } }, replies: many(1), ledger }).turn());
  });
});

describe('what a budget also counts', () => {
  it.each<[string, (text: string) => ModelDelta]>([
    ['words', (text) => ({ type: 'text', text })],
    ['thoughts', (text) => ({ type: 'reasoning', text })],
    ['calls', (text) => ({ type: 'toolCallArgs', index: 0, argumentsDelta: text })],
  ])('are the %s of an answer whose provider does not count', async (_what, delta) => {
    const { inner, ledger } = make({ budget: {}, replies: [] });
    const parts = { ledger, budget: () => ({}), prices: () => ({}), today: () => '2026-11-23', use: USE };
    const answering = (content: string) =>
      budgetedModel(
        {
          ...inner,
          complete: async (_request, _signal, onDelta) => {
            onDelta(delta(content));
            return { content: '', tool_calls: [], finishReason: 'stop' };
          },
        },
        parts,
      );
    await send(answering('word '.repeat(500)));
    const long = (await ledger.spent('2026-11-23')).day.tokens;
    await send(answering('Yes.'));
    const short = (await ledger.spent('2026-11-23')).day.tokens - long;
    expect(long - short).toBeGreaterThan(400);
  });

  it('are pictures and speech', async () => {
    const { inner, ledger } = make({ budget: {}, replies: [] });
    const budget: Budget = { day: { tokens: 1500 } };
    let asked = 0;
    const generateImages = async () => {
      asked += 1;
      return { pictures: [], usage: { ...usage, total_tokens: 1400 } };
    };
    const unused = async () => Promise.reject(new Error('not asked'));
    const media = { generateImages, editImages: unused, transcribe: unused, speak: unused };
    const parts = { ledger, budget: () => budget, prices: () => ({}), today: () => '2026-11-23', use: USE };
    const draw = () => budgetedModel({ ...inner, media }, parts).media?.generateImages('word '.repeat(200), {}, never);
    await draw();
    await expect(draw()).rejects.toMatchObject({ code: 'budget_reached' });
    expect(asked).toBe(1);
    expect((await ledger.spent('2026-11-23')).day.tokens).toBe(1400);
    expect((await ledger.report()).days).toMatchObject([{ sessionId: 'chat', purpose: 'picture', unpriced: 1400 }]);
  });

  it('are the pictures that are sent to be changed', async () => {
    const { inner } = make({ budget: {}, replies: [] });
    const budget: Budget = { turn: { tokens: 1500 } };
    const unused = async () => Promise.reject(new Error('not asked'));
    const media = { generateImages: unused, editImages: unused, transcribe: unused, speak: unused };
    const { ledger } = make({ budget, replies: [] });
    const parts = { ledger, budget: () => budget, prices: () => ({}), today: () => '2026-11-23', use: USE };
    const picture = { name: 'a.png', mime: 'image/png', bytes: new Uint8Array() };
    const change = budgetedModel({ ...inner, media }, parts).media?.editImages('blue', [picture], {}, never);
    await expect(change).rejects.toMatchObject({ code: 'budget_reached' });
  });

  it('is a request that was stopped before its first word: the provider has read it, and may have thought in silence', async () => {
    const { inner, ledger } = make({ budget: {}, replies: [] });
    const parts = { ledger, budget: () => ({}), prices: () => ({}), today: () => '2026-11-23', use: USE };
    const stop = new AbortController();
    const complete: LanguageModel['complete'] = async () => {
      stop.abort();
      throw new ToolError('aborted', 'stopped', 'again');
    };
    const thinking = budgetedModel({ ...inner, complete }, parts);
    const ask = () => thinking.complete(request, stop.signal, () => undefined);
    await expect(ask()).rejects.toMatchObject({ code: 'aborted' });
    const { tokens } = (await ledger.spent('2026-11-23')).day;
    expect(tokens).toBeGreaterThan(150);
    // This one was never sent.
    await expect(ask()).rejects.toMatchObject({ code: 'aborted' });
    expect((await ledger.spent('2026-11-23')).day.tokens).toBe(tokens);
  });

  it('is not a request that a busy provider turned away and that was stopped while it waited', async () => {
    const { inner, ledger } = make({ budget: {}, replies: [] });
    const parts = { ledger, budget: () => ({}), prices: () => ({}), today: () => '2026-11-23', use: USE };
    const busy = { code: 'model_rate_limited' as const, message: 'busy', next: 'wait' };
    const waiting = budgetedModel(
      {
        ...inner,
        complete: async (_request, _signal, onDelta) => {
          onDelta({ type: 'retry', attempt: 1, at: 1, error: busy });
          throw new ToolError('aborted', 'stopped', 'again');
        },
      },
      parts,
    );
    await expect(send(waiting)).rejects.toMatchObject({ code: 'aborted' });
    expect((await ledger.spent('2026-11-23')).day.tokens).toBe(0);
  });

  it('are requests that the ledger could not write down: they cost no answer, and count for the budget of this one', async () => {
    const full = async (): Promise<never> => Promise.reject(new ToolError('storage_failed', 'the disk is full', 'make room'));
    const { ledger } = make({ budget: {}, replies: [] });
    const unwritable: Ledger = { ...ledger, spent: (day) => ledger.spent(day), add: full };
    const { turn } = make({ budget: { turn: { tokens: 1100 } }, replies: many(2), ledger: unwritable });
    const model = turn();
    expect(await send(model)).toMatchObject({ content: 'Yes.' });
    await expect(send(model)).rejects.toMatchObject({ code: 'budget_reached' });
  });
});
