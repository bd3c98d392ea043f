import { ContextBudget, IMAGE_TOKENS } from '../../tools/chain/context-budget.ts';
import type { Complete, Usage } from '../../tools/contract/messages.ts';
import { estimateTokens } from '../../tools/util/estimate-tokens.ts';
import { InterruptedAnswer, type LanguageModel } from '../language-model.ts';
import type { MediaModel } from '../media/media-model.ts';
import { costOf, type ModelPrice, priceOf } from '../prices.ts';
import { budgetReached, type Period, priceMissing } from './budget-words.ts';
import type { Ledger } from './ledger.ts';
import { type ModelUse, NOTHING, type Purpose, plus, type Spent } from './usage.ts';

export interface Limit {
  readonly tokens?: number;
  readonly dollars?: number;
}
export type Budget = Readonly<Partial<Record<Period, Limit>>>;

export interface BudgetDeps {
  readonly ledger: Ledger;
  readonly budget: () => Budget;
  readonly prices: () => Readonly<Record<string, ModelPrice>>;
  readonly today: () => string;
  /** How the requests are recorded; those for pictures and speech always as what they are. */
  readonly use: ModelUse;
}

const PERIODS: readonly Period[] = ['turn', 'day', 'month'];
const isBounded = (limit: Limit | undefined): limit is Limit => limit?.tokens !== undefined || limit?.dollars !== undefined;

interface Asked {
  readonly next: Usage;
  readonly model: string;
  readonly price: ModelPrice | undefined;
}

function check(period: Period, limit: Limit, spent: Spent, { next, model, price }: Asked): void {
  const tokens = spent.tokens + next.total_tokens;
  if (limit.tokens !== undefined && tokens > limit.tokens)
    throw budgetReached({ period, unit: 'tokens', spent: tokens, limit: limit.tokens });
  if (limit.dollars === undefined) return;
  if (!price) throw priceMissing(model);
  const dollars = spent.dollars + (costOf(next, price) ?? 0);
  if (dollars > limit.dollars) throw budgetReached({ period, unit: 'dollars', spent: dollars, limit: limit.dollars });
}

const read = (tokens: number, written = 0): Usage => {
  return { prompt_tokens: tokens, completion_tokens: written, total_tokens: tokens + written };
};

/** The server's count; undefined for 0, -1 and Infinity. */
function countedBy(usage: Usage | undefined): Usage | undefined {
  const { prompt_tokens: prompt, completion_tokens: completion, total_tokens: total } = usage ?? read(0);
  return total > 0 && [prompt, completion, total].every((each) => Number.isSafeInteger(each) && each >= 0) ? usage : undefined;
}

/** Pictures and speech: the size of the request is estimated, and the service's count is recorded. */
function meteredMedia(
  media: MediaModel,
  metered: <T extends object>(purpose: Purpose, next: Usage, work: () => Promise<T>) => Promise<T>,
): MediaModel {
  return {
    generateImages: (prompt, ...rest) => metered('picture', read(estimateTokens(prompt)), () => media.generateImages(prompt, ...rest)),
    editImages: (prompt, pictures, ...rest) => {
      const next = read(estimateTokens(prompt) + pictures.length * IMAGE_TOKENS);
      return metered('picture', next, () => media.editImages(prompt, pictures, ...rest));
    },
    transcribe: (...given) => metered('transcription', read(0), () => media.transcribe(...given)),
    speak: (text, ...rest) => metered('speech', read(estimateTokens(text)), () => media.speak(text, ...rest)),
  };
}

function turnMeter(inner: LanguageModel, { ledger, budget, prices, today, use }: BudgetDeps) {
  let turn = NOTHING;
  const underway = new Set<Spent>();
  const price = (): ModelPrice | undefined => priceOf(inner.model, prices());
  const spentBy = (usage: Usage): Spent => ({ tokens: usage.total_tokens, dollars: costOf(usage, price()) ?? 0 });
  const places = [underway, ledger.underway];
  /** Counts it as underway from the moment in which it is allowed. */
  const allow = async (next: Usage): Promise<Spent> => {
    const limits = budget();
    const bounded = PERIODS.filter((period) => isBounded(limits[period]));
    const isKept = bounded.some((period) => period !== 'turn');
    const { day, month } = isKept ? await ledger.spent(today()) : { day: NOTHING, month: NOTHING };
    const spent = { turn, day, month };
    for (const period of bounded) {
      const all = [...(period === 'turn' ? underway : ledger.underway)].reduce(plus, spent[period]);
      check(period, limits[period] ?? {}, all, { next, model: inner.model, price: price() });
    }
    const estimated = spentBy(next);
    for (const place of places) place.add(estimated);
    return estimated;
  };
  return {
    /** Runs a request if the budget allows it, of which its estimated size is a part until it ends. */
    async within<T>(next: Usage, work: () => Promise<T>): Promise<T> {
      const estimated = await allow(next);
      try {
        return await work();
      } finally {
        for (const place of places) place.delete(estimated);
      }
    },
    book(usage: Usage, purpose: Purpose): void {
      const spent = spentBy(usage);
      turn = plus(turn, spent);
      ledger.underway.add(spent);
      const written = ledger.add(today(), { ...use, purpose, model: inner.model, ...spent, unpriced: price() ? 0 : spent.tokens });
      // Not awaited, and a failed write must not lose the answer: the turn itself counts it.
      written.catch(() => undefined).finally(() => ledger.underway.delete(spent));
    },
  };
}

/** Checks the budget before each request of a turn; rejects with `budget_reached`, `model_no_price` or `usage_unreadable`, unsent. */
export function budgetedModel(inner: LanguageModel, deps: BudgetDeps): LanguageModel {
  const estimates = new ContextBudget();
  const { within, book } = turnMeter(inner, deps);
  const metered = <T extends object>(purpose: Purpose, next: Usage, work: () => Promise<T>): Promise<T> =>
    within(next, async () => {
      const made: T & { readonly usage?: Usage } = await work();
      book(countedBy(made.usage) ?? next, purpose);
      return made;
    });
  const complete = async (purpose: Purpose, asked: Usage, [request, signal, onDelta]: Parameters<Complete>): ReturnType<Complete> => {
    // If the last event is a retry, a busy provider rejected the request.
    let mayBeRead = !signal.aborted;
    let begun = false;
    let said = '';
    // If the provider does not count, its answer is estimated like the request.
    const taken = (): Usage => read(asked.prompt_tokens, estimateTokens(said));
    try {
      // A limit over a model with a budget: that one records it, too.
      const result = await (inner.recordedAs?.(purpose) ?? inner).complete(request, signal, (delta) => {
        if (delta.type !== 'reading') mayBeRead = delta.type !== 'retry';
        begun ||= mayBeRead;
        if (delta.type === 'text' || delta.type === 'reasoning') said += delta.text;
        else if (delta.type === 'toolCallArgs') said += delta.argumentsDelta;
        onDelta(delta);
      });
      book(countedBy(result.usage) ?? taken(), purpose);
      return result;
    } catch (error) {
      // The provider charges for what it read, whatever happened to the answer; one that was stopped may have thought silently.
      if (error instanceof InterruptedAnswer || begun || (mayBeRead && signal.aborted))
        book(countedBy(error instanceof InterruptedAnswer ? error.partial.usage : undefined) ?? taken(), purpose);
      throw error;
    }
  };
  const recordedAs = (purpose: Purpose): LanguageModel => ({
    ...inner,
    ...(inner.media ? { media: meteredMedia(inner.media, metered) } : {}),
    recordedAs,
    complete(...given) {
      const [{ messages, tools = [] }] = given;
      const next = read(estimates.estimate(messages, tools));
      return within(next, () => complete(purpose, next, given));
    },
  });
  return recordedAs(deps.use.purpose);
}
