import { ToolError } from '../../contract/errors.ts';

/** A valid calendar day; 2024-02-31 would silently become another one. Throws `bad_date`. */
export function realDay(text: string): string {
  const time = new Date(`${text}T00:00:00Z`);
  if (/^\d{4}-\d{2}-\d{2}$/u.test(text) && !Number.isNaN(time.getTime()) && time.toISOString().startsWith(text)) return text;
  throw new ToolError('bad_date', `${text.slice(0, 40)} is not a valid date`, 'use YYYY-MM-DD');
}

export function daysBefore(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) - days * 86_400_000).toISOString().slice(0, 10);
}
