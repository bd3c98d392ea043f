import type { FindPrivate } from './find-private.ts';
import { placeholder, replacePlaceholders } from './placeholders.ts';

/** Placeholders of one request, numbered by occurrence: a conversation only grows, so a value keeps its placeholder without storage. */
export class MaskTable {
  private readonly find: FindPrivate;
  private readonly placeholders = new Map<string, string>();
  private readonly values = new Map<string, { readonly value: string; readonly escapes: number }>();
  private readonly counts = new Map<number, number>();

  constructor(find: FindPrivate) {
    this.find = find;
  }

  mask(text: string): string {
    const ranges = this.find(text);
    if (ranges.length === 0) return text;
    let masked = '';
    let done = 0;
    for (const { start, end, field, escapes } of ranges) {
      masked += text.slice(done, start) + this.placeholderOf(text.slice(start, end), field, escapes);
      done = end;
    }
    return masked + text.slice(done);
  }

  /** Tells if it holds anything private besides placeholders. */
  holdsPrivate(text: string): boolean {
    return this.find(replacePlaceholders(text, () => ' ')).length > 0;
  }

  /** The text with placeholders replaced by their values; `write` fits one into its surroundings (`escapes`: see PrivateRange). */
  restore(text: string, write: (value: string, escapes: number) => string = (value) => value): string {
    return replacePlaceholders(text, (name) => {
      const known = this.values.get(name);
      return known && write(known.value, known.escapes);
    });
  }

  private placeholderOf(value: string, field: number, written: number): string {
    const escapes = value.includes('\\') ? written : 0;
    const key = `${escapes} ${value}`;
    const known = this.placeholders.get(key);
    if (known !== undefined) return known;
    const count = (this.counts.get(field) ?? 0) + 1;
    this.counts.set(field, count);
    const made = placeholder(field, count);
    this.placeholders.set(key, made);
    this.values.set(made, { value, escapes });
    return made;
  }
}
