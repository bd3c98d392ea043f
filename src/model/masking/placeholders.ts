/**
 * A placeholder is `MASK`, the number of the field, `V`, the number of the value, `X`: letters and digits only, so that nothing has
 * to escape it (JSON, Markdown, links, HTML) and a final letter that tells where its number ends. Models change the case, escape
 * or space it: that is read too.
 */
const GAP = '[ \\u00a0\\u200b_\\\\-]{0,2}';
const COMPLETE = new RegExp(`mask${GAP}(\\d{1,6})${GAP}v${GAP}(\\d{1,6})${GAP}x`, 'gi');
/** What may still become one: each next part is there, or the text ends. */
const UNFINISHED = new RegExp(`m(?:$|a(?:$|s(?:$|k${GAP}(?:$|\\d{1,6}${GAP}(?:$|v${GAP}(?:$|\\d{1,6}${GAP}$))))))`, 'i');
/** The longest unfinished one: four letters, a gap, digits, and so on. */
const LONGEST = 26;

export const placeholder = (field: number, value: number): string => `MASK${field}V${value}X`;

/** Everything in a text that would be read as a placeholder. */
export function placeholdersIn(text: string): readonly (readonly [number, number])[] {
  return [...text.matchAll(COMPLETE)].map((found) => [found.index, found.index + found[0].length]);
}

/** Placeholders of `text` by what `value` gives for them; one that it does not know stays. */
export function replacePlaceholders(text: string, value: (placeholder: string) => string | undefined): string {
  return text.replace(COMPLETE, (found: string, field: string, number: string) => {
    return value(placeholder(Number(field), Number(number))) ?? found;
  });
}

/** Replaces placeholders in a text that comes in pieces, cut anywhere. The end of what was given is held while it may be a part of one. */
export class PlaceholderStream {
  private held = '';
  private readonly replace: (text: string) => string;

  constructor(replace: (text: string) => string) {
    this.replace = replace;
  }

  push(piece: string): string {
    const text = this.held + piece;
    const tail = Math.max(0, text.length - LONGEST);
    const found = text.slice(tail).search(UNFINISHED);
    const end = found < 0 ? text.length : tail + found;
    this.held = text.slice(end);
    return this.replace(text.slice(0, end));
  }

  /** What is still held: nothing follows. */
  end(): string {
    const text = this.held;
    this.held = '';
    return text;
  }
}
