import { ToolError } from '../../tools/contract/errors.ts';

export type Period = 'turn' | 'day' | 'month';

const NAMES: Readonly<Record<Period, string>> = { turn: 'one answer', day: 'today', month: 'this month' };
const PATTERN = /^the budget for (.+) does not allow this request \((\$?)([\d.]+) of \$?([\d.]+)/;

export interface BudgetReached {
  readonly period: Period;
  readonly unit: 'tokens' | 'dollars';
  readonly spent: number;
  readonly limit: number;
}

export function budgetReached({ period, unit, spent, limit }: BudgetReached): ToolError {
  const amounts = unit === 'tokens' ? `${spent} of ${limit} tokens` : `$${spent.toFixed(4)} of $${limit}`;
  return new ToolError(
    'budget_reached',
    `the budget for ${NAMES[period]} does not allow this request (${amounts})`,
    'raise the budget in the settings, then send again',
  );
}

/** Parses the message of `budgetReached`, which is all that a chat saves of it; undefined for any other message. */
export function readBudgetReached(message: string): BudgetReached | undefined {
  const [, name, dollar, spent, limit] = PATTERN.exec(message) ?? [];
  const period = (['turn', 'day', 'month'] as const).find((each) => NAMES[each] === name);
  return period && { period, unit: dollar === '$' ? 'dollars' : 'tokens', spent: Number(spent), limit: Number(limit) };
}

/** A limit in dollars limits nothing without a price. */
export function priceMissing(model: string): ToolError {
  return new ToolError(
    'model_no_price',
    `the budget is in dollars, and the price of ${model} is not known, so nothing was sent`,
    'set the price of this model in the settings, or choose another model',
  );
}
