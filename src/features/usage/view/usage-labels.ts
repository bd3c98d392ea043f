import type { Purpose } from '../../../model/budget/usage.ts';
import { NO_MODEL_KEY, OTHER_MODELS, type UsagePeriod, type UsageSums } from '../../../model/budget/usage-sums.ts';
import { own } from '../../../tools/plan-words/own.ts';
import { localeOf, money } from '../../../ui/labels/format.ts';
import type { MessageKey, Translate } from '../../../ui/ports/i18n.ts';

export const PERIOD_NAMES: Readonly<Record<UsagePeriod, MessageKey>> = {
  7: 'usage.period.7',
  30: 'usage.period.30',
  month: 'usage.period.month',
  all: 'usage.period.all',
};

const PURPOSE_NAMES: Readonly<Record<Purpose, MessageKey>> = {
  answer: 'usage.purpose.answer',
  'sub-agent': 'usage.purpose.subAgent',
  title: 'usage.purpose.title',
  summary: 'usage.purpose.summary',
  suggestion: 'usage.suggestions',
  check: 'usage.purpose.check',
  picture: 'usage.purpose.picture',
  speech: 'usage.purpose.speech',
  transcription: 'usage.purpose.transcription',
  test: 'usage.tests',
};

/** In cents, where it is one at least. */
function amount(dollars: number, t: Translate): string {
  if (dollars < 0.01) return money(dollars, t);
  const style = { style: 'currency', currency: 'USD', currencyDisplay: 'narrowSymbol', maximumFractionDigits: 2 } as const;
  return new Intl.NumberFormat(t('language.tag'), style).format(dollars);
}

/** "$1.20", "at least $1.20" if not all of it has a price; '' if nothing has one: an unknown price is not 0. */
export function dollarsLabel({ dollars, unpriced }: UsageSums, t: Translate): string {
  if (dollars <= 0) return '';
  return unpriced > 0 ? t('usage.atLeast', { money: amount(dollars, t) }) : amount(dollars, t);
}

/** "1,234" */
export const wholeNumber = (count: number, t: Translate): string => new Intl.NumberFormat(t('language.tag')).format(count);

/** "Nov 23" of YYYY-MM-DD. */
export function dayLabel(day: string, t: Translate): string {
  return new Date(`${day}T00:00:00Z`).toLocaleDateString(localeOf(t), { timeZone: 'UTC', month: 'short', day: 'numeric' });
}

export function modelName(key: string, t: Translate): string {
  if (key === OTHER_MODELS) return t('usage.others');
  return key === NO_MODEL_KEY ? t('usage.unassigned') : key;
}

/** What requests were for; a purpose of a newer version by its own name. */
export function purposeName(key: string, t: Translate): string {
  const known = own(PURPOSE_NAMES, key);
  if (known) return t(known);
  return key === '' ? t('usage.unassigned') : key;
}
