import { localeOf } from '../labels/format.ts';
import type { Translate } from '../ports/i18n.ts';

const sameDay = (one: Date, other: Date): boolean => one.toDateString() === other.toDateString();

/** "Today", "Yesterday", "Friday, 20 November". */
export function dayName(time: number, now: number, t: Translate): string {
  const date = new Date(time);
  const today = new Date(now);
  if (sameDay(date, today)) return t('usage.today');
  if (sameDay(date, new Date(today.getFullYear(), today.getMonth(), today.getDate() - 1))) return t('activity.yesterday');
  const year = date.getFullYear() === today.getFullYear() ? {} : { year: 'numeric' as const };
  return date.toLocaleDateString(localeOf(t), { weekday: 'long', month: 'long', day: 'numeric', ...year });
}

export const timeOfDay = (time: number, t: Translate): string =>
  new Date(time).toLocaleTimeString(localeOf(t), { hour: '2-digit', minute: '2-digit' });

export interface Group<T> {
  readonly name: string;
  readonly items: readonly T[];
}

/** Neighbours of one name under it, in their order. */
export function grouped<T>(items: readonly T[], nameOf: (item: T) => string): readonly Group<T>[] {
  const groups: { name: string; items: T[] }[] = [];
  for (const item of items) {
    const name = nameOf(item);
    const last = groups.at(-1);
    if (last?.name === name) last.items.push(item);
    else groups.push({ name, items: [item] });
  }
  return groups;
}
