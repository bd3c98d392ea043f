/** How many characters a snippet holds (SiYuan asks FTS5 for 512 tokens, and a token is one character). */
const SNIPPET_LENGTH = 512;
/** A match further down is shown with so much text before it. */
const SNIPPET_LEAD = 64;

const HTML_ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', "'": '&#39;', '"': '&#34;' };

/** As Go's html.EscapeString, which SiYuan uses for what search answers. */
export function escapeText(text: string): string {
  return text.replace(/[&<>'"]/g, (character) => HTML_ESCAPES[character] ?? character);
}

/** A pattern that finds any of the terms, whatever the case; undefined when there is none. Longer terms win. */
export function termPattern(terms: readonly string[]): RegExp | undefined {
  const wanted = [...new Set(terms)].filter((term) => term !== '').sort((a, b) => b.length - a.length);
  if (wanted.length === 0) return undefined;
  return new RegExp(wanted.map((term) => term.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|'), 'giu');
}

/** HTML of the text with the ranges in `<mark>`; all else escaped. */
export function markRanges(text: string, ranges: Iterable<{ readonly start: number; readonly end: number }>): string {
  let out = '';
  let shown = 0;
  for (const { start, end } of ranges) {
    if (start === end) continue;
    out += `${escapeText(text.slice(shown, start))}<mark>${escapeText(text.slice(start, end))}</mark>`;
    shown = end;
  }
  return out + escapeText(text.slice(shown));
}

/** As `markRanges`, of every match. `pattern` must be global. */
export function markMatches(text: string, pattern: RegExp | undefined): string {
  const matches = pattern ? [...text.matchAll(pattern)] : [];
  return markRanges(
    text,
    matches.map(({ index, 0: match }) => ({ start: index, end: index + match.length })),
  );
}

/** As `markMatches`, of at most 512 characters around the first match, with `...` where text was left out. */
export function snippet(text: string, pattern: RegExp | undefined): string {
  const characters = Array.from(text);
  if (characters.length <= SNIPPET_LENGTH) return markMatches(text, pattern);
  const match = pattern ? text.search(new RegExp(pattern.source, pattern.flags.replace('g', ''))) : -1;
  const place = match < 0 ? 0 : Array.from(text.slice(0, match)).length;
  const start = place < SNIPPET_LENGTH - SNIPPET_LEAD ? 0 : place - SNIPPET_LEAD;
  const part = characters.slice(start, start + SNIPPET_LENGTH).join('');
  return `${start > 0 ? '...' : ''}${markMatches(part, pattern)}${start + SNIPPET_LENGTH < characters.length ? '...' : ''}`;
}

/** As `markMatches`, what is before the first match cut to its last `before` characters (kernel/search/mark.go). */
export function markFromMatch(text: string, pattern: RegExp | undefined, before: number): string {
  const marked = markMatches(text, pattern);
  const place = marked.indexOf('<mark>');
  if (place < 0) return marked;
  const lead = Array.from(marked.slice(0, place));
  return lead.length <= before ? marked : `...${lead.slice(-before - 1).join('')}${marked.slice(place)}`;
}
