import { type ChatFigures, type MessageFigures, messageFigures } from '../../chat/view/message-figures.ts';
import type { MessageView } from '../../chat/view/view.ts';
import { costOf, type ModelPrice, priceOf } from '../../model/prices.ts';
import { addUsage } from '../../tools/chain/add-usage.ts';
import type { Translate } from '../ports/i18n.ts';
import { duration, money, tokens } from './format.ts';

function speedWords({ firstToken, tokensPerSecond }: Pick<MessageFigures, 'firstToken' | 'tokensPerSecond'>, t: Translate): string {
  return [
    firstToken === undefined ? '' : t('figures.first', { time: duration(firstToken, t) }),
    tokensPerSecond === undefined ? '' : t('figures.speed', { n: Math.max(1, Math.round(tokensPerSecond)) }),
  ]
    .filter(Boolean)
    .join(' · ');
}

const agentsWords = (count: number | undefined, t: Translate): string => (count ? t('figures.agents', { n: tokens(count, t) }) : '');

/**
 * Cost and speed of an answer, one per line; empty if the model's service reported nothing. `dollars`: if the
 * price is known.
 */
export function messageFigureLabels({ usage, agentsUsage, time }: MessageView, t: Translate, dollars?: number): readonly string[] {
  const figures = messageFigures({ usage, time });
  const whole = addUsage(usage, agentsUsage);
  const cost = whole ? t('figures.tokens', { read: tokens(whole.prompt_tokens, t), written: tokens(whole.completion_tokens, t) }) : '';
  const paid = dollars === undefined ? '' : t('figures.money', { money: money(dollars, t) });
  return [cost, agentsWords(agentsUsage?.total_tokens, t), paid, speedWords(figures, t)].filter(Boolean);
}

/** '' if no price is known; "at least" if some are not. */
function chatMoney({ usages, unknown }: ChatFigures, t: Translate, prices: Readonly<Record<string, ModelPrice>>): string {
  const priced = usages.map(({ model, usage }) => ({ usage, price: priceOf(model, prices) }));
  const dollars = priced.reduce((sum, { usage, price }) => sum + (costOf(usage, price) ?? 0), 0);
  if (dollars <= 0) return '';
  const isWhole = unknown === 0 && priced.every(({ price }) => price !== undefined);
  return t(isWhole ? 'figures.money' : 'usage.atLeast', { money: money(dollars, t) });
}

/** The same for all answers of a chat, including other versions and branches, at today's prices. */
export function chatFigureLabels(figures: ChatFigures, t: Translate, prices: Readonly<Record<string, ModelPrice>>): readonly string[] {
  const { answers, unknown, promptTokens, completionTokens } = figures;
  if (answers === 0) return [];
  return [
    t('figures.answers', { n: answers }),
    unknown === answers ? '' : t('figures.tokens', { read: tokens(promptTokens, t), written: tokens(completionTokens, t) }),
    agentsWords(figures.agentsTokens, t),
    chatMoney(figures, t, prices),
    speedWords(figures, t),
    unknown > 0 && unknown < answers ? t('figures.unknown', { n: unknown }) : '',
  ].filter(Boolean);
}
