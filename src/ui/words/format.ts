import type { Translate } from '../i18n.ts';

/** First letter in upper case; scripts without cases stay as they are. */
export function sentenceCase(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Sentences one after another: Chinese ones follow without a space. */
export function joinSentences(sentences: readonly string[]): string {
  return sentences.reduce((text, sentence) => (text === '' || /[。！？]$/.test(text) ? text + sentence : `${text} ${sentence}`), '');
}

/** "0.4 s", "4.2 s", "38 s", "2 min 5 s". */
export function duration(ms: number, t: Translate): string {
  const seconds = ms / 1000;
  if (seconds < 10) return t('time.seconds', { n: Math.max(0.1, seconds).toFixed(1) });
  const whole = Math.round(seconds);
  if (whole < 60) return t('time.seconds', { n: whole });
  return t('time.minutes', { m: Math.floor(whole / 60), s: whole % 60 });
}

/** Whole seconds since `started`, for a call that still runs; nothing in the first second. */
export function running(started: number, now: number, t: Translate): string {
  const seconds = Math.floor((now - started) / 1000);
  if (seconds < 1) return '';
  return seconds < 60 ? t('time.seconds', { n: seconds }) : t('time.minutes', { m: Math.floor(seconds / 60), s: seconds % 60 });
}

/** 1234 → "1.2k". */
export function tokens(count: number): string {
  if (count < 1000) return String(count);
  return count < 10_000 ? `${(count / 1000).toFixed(1)}k` : `${Math.round(count / 1000)}k`;
}

/** When a chat was last used: the time today, else the day. */
export function when(time: number, now: number, locale?: string): string {
  const date = new Date(time);
  const today = new Date(now);
  if (date.toDateString() === today.toDateString()) return date.toLocaleTimeString(locale, { hour: '2-digit', minute: '2-digit' });
  const sameYear = date.getFullYear() === today.getFullYear();
  return date.toLocaleDateString(
    locale,
    sameYear ? { month: 'short', day: 'numeric' } : { year: 'numeric', month: 'short', day: 'numeric' },
  );
}
