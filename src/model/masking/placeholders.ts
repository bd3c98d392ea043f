/** `MASK`, the field's number, `V`, the value's number, `X`: nothing must escape it; other case, escapes and spaces are read. */
const GAP = '[ \\u00a0\\u200b_\\\\-]{0,2}';
const COMPLETE = new RegExp(`mask${GAP}(\\d{1,6})${GAP}v${GAP}(\\d{1,6})${GAP}x`, 'gi');
/** A text that may still become a placeholder: each next part is there, or the text ends. */
const UNFINISHED = new RegExp(`m(?:$|a(?:$|s(?:$|k${GAP}(?:$|\\d{1,6}${GAP}(?:$|v${GAP}(?:$|\\d{1,6}${GAP}$))))))`, 'i');
/** The length of the longest unfinished one: four letters, a gap, digits, and so on. */
const LONGEST = 26;

export const placeholder = (field: number, value: number): string => `MASK${field}V${value}X`;

export function placeholdersIn(text: string): readonly (readonly [number, number])[] {
  return [...text.matchAll(COMPLETE)].map((found) => [found.index, found.index + found[0].length]);
}

export function replacePlaceholders(text: string, value: (placeholder: string) => string | undefined): string {
  return text.replace(COMPLETE, (found: string, field: string, number: string) => {
    return value(placeholder(Number(field), Number(number))) ?? found;
  });
}

/** Replaces placeholders in a text that arrives in chunks, split anywhere. The end is held back while it may be part of one. */
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

  end(): string {
    const text = this.held;
    this.held = '';
    return text;
  }
}
