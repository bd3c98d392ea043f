import type { LanguageModel } from '../language-model.ts';
import { type BudgetDeps, budgetedModel, type Limit } from './budgeted-model.ts';
import type { Ledger } from './ledger.ts';
import { NOTHING } from './usage.ts';

/** What it used is recorded once, by the model itself. */
const notRecorded = (): Ledger => ({
  underway: new Set(),
  spent: async () => ({ day: NOTHING, month: NOTHING }),
  add: async () => undefined,
  report: async () => ({ days: [], damaged: [] }),
  startAnew: async () => undefined,
});

/** A model with a limit of one turn beside those of its budget. */
export const limitedTurn = (
  model: LanguageModel,
  limit: () => Limit,
  deps: Pick<BudgetDeps, 'prices' | 'today' | 'use'>,
): LanguageModel => ({
  ...model,
  ...budgetedModel(model, { ...deps, ledger: notRecorded(), budget: () => ({ turn: limit() }) }),
});
