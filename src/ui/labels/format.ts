import type { Translate } from '../ports/i18n.ts';

export { gapAfter, joinSentences, sentenceCase } from '../../tools/plan-words/sentences.ts';

/** "0.4 s", "4.2 s", "38 s", "2 min 5 s". */
export function duration(ms: number, t: Translate): string {
  const seconds = ms / 1000;
  if (seconds < 10) return t('time.seconds', { n: Math.max(0.1, seconds).toFixed(1) });
  const whole = Math.round(seconds);
  if (whole < 60) return t('time.seconds', { n: whole });
  return t('time.minutes', { m: Math.floor(whole / 60), s: whole % 60 });
}

/** `0:07`, `12:34`, `1:02:03`: how long something has run, in milliseconds. */
export function timer(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const shown = parts[0] === 0 ? parts.slice(1) : parts;
  return shown.map((part, place) => (place === 0 ? String(part) : String(part).padStart(2, '0'))).join(':');
}

/** `0.3 MB` */
export const megabytes = (bytes: number): string => `${(bytes / 1024 / 1024).toFixed(1)} MB`;

/** Whole seconds since `started`, for a running call; empty in the first second. */
export function running(started: number, now: number, t: Translate): string {
  const seconds = Math.floor((now - started) / 1000);
  if (seconds < 1) return '';
  return seconds < 60 ? t('time.seconds', { n: seconds }) : t('time.minutes', { m: Math.floor(seconds / 60), s: seconds % 60 });
}

/** The panel's language as the user's region writes it: "en-GB" for an English panel on a British machine. */
export function localeOf(t: Translate, preferred: readonly string[] = navigator.languages): string {
  const language = t('language.tag');
  return preferred.find((tag) => tag.split('-')[0] === language.split('-')[0]) ?? language;
}

/** 1234 → "1.2k"; in Chinese 1234 → "1234", 34600 → "3.5万". */
export function tokens(count: number, t: Translate): string {
  return new Intl.NumberFormat(t('language.tag'), { notation: 'compact' }).format(count).toLowerCase();
}

/** "$1.20", "$0.0034": two significant digits below a dollar. */
export function money(dollars: number, t: Translate): string {
  const figures = dollars < 1 ? { minimumSignificantDigits: 2, maximumSignificantDigits: 2 } : { maximumFractionDigits: 2 };
  return new Intl.NumberFormat(t('language.tag'), {
    style: 'currency',
    currency: 'USD',
    currencyDisplay: 'narrowSymbol',
    ...figures,
  }).format(dollars);
}

export function moment(time: number, t: Translate): string {
  return new Date(time).toLocaleString(localeOf(t), { dateStyle: 'medium', timeStyle: 'short' });
}

/** When a chat was last used: the time if it is today, else the day. */
export function when(time: number, now: number, t: Translate): string {
  const locale = localeOf(t);
  const date = new Date(time);
  const today = new Date(now);
  if (date.toDateString() === today.toDateString()) return date.toLocaleTimeString(locale, { hour: '2-digit', minute: '2-digit' });
  const sameYear = date.getFullYear() === today.getFullYear();
  return date.toLocaleDateString(
    locale,
    sameYear ? { month: 'short', day: 'numeric' } : { year: 'numeric', month: 'short', day: 'numeric' },
  );
}

const LINE_END = /^[。，！？.,!?]+/;

/**
 * A sentence split at a title in it; all of it is `before` if there is none. The title keeps its quotation marks, and the full
 * stop, which must not begin a line.
 */
export function aroundTitle(sentence: string, title: string): { readonly before: string; readonly about: string; readonly after: string } {
  const named = [`“${title}”`, `「${title}」`].find((quoted) => sentence.includes(quoted)) ?? title;
  const start = title === '' ? -1 : sentence.indexOf(named);
  if (start < 0) return { before: sentence, about: '', after: '' };
  const rest = sentence.slice(start + named.length);
  const about = named + (LINE_END.exec(rest)?.[0] ?? '');
  return { before: sentence.slice(0, start), about, after: sentence.slice(start + about.length) };
}
