import { usualPace } from '../event-words.ts';
import type { Order } from '../order.ts';
import type { NewOrder } from '../orders-port.ts';

/** The fields of its form. */
export type OrderDraft = { -readonly [Field in Exclude<keyof NewOrder, 'projectTitle'>]-?: string };

export const NEW_ORDER: OrderDraft = { name: '', when: '', budget: '', text: '', quiet: '', limit: '', project: '' };

function budgetText(budget: Order['budget']): string {
  if (!budget) return '';
  return 'dollars' in budget ? `$${budget.dollars}` : `${budget.tokens} tokens`;
}

/** An order as its form has it: without what is usual. */
export function draftOf({ name, when, budget, text, schedule, quiet, limit, project, keepsTo }: Order): OrderDraft {
  const usual = schedule?.kind === 'event' ? usualPace(schedule) : { quiet, limit };
  const pace = { quiet: quiet === usual.quiet ? '' : String(quiet), limit: limit === usual.limit ? '' : String(limit) };
  return { name, when, text, budget: budgetText(budget), project: keepsTo?.id ?? project?.id ?? '', ...pace };
}
