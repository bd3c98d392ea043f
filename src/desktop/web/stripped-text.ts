/** Maximum number of `<` and `&` in a page, and of spaces and `=` in one tag: real pages have fewer; the parser takes quadratic time. */
const MAX_TAGS = 300_000;
const MAX_ENTITIES = 300_000;
const MAX_IN_TAG = 10_000;
/** Maximum length of a run of white space; more has no meaning, and rules that search its end take quadratic time. */
const LONG_SPACE = /(\s{100})\s+/gu;

const UNSEEN = /^<(script|style|noscript|template|textarea|svg)[\s/>]/iu;

/** The page with long runs of white space shortened; undefined if it must be read without parsing (`strippedText`). */
export function parsable(html: string): string | undefined {
  if (hasMore(html, '<', MAX_TAGS) || hasMore(html, '&', MAX_ENTITIES) || hasCrowdedTag(html)) return undefined;
  return html.replace(LONG_SPACE, '$1');
}

function hasMore(html: string, sign: string, most: number): boolean {
  let count = 0;
  for (let at = html.indexOf(sign); at >= 0; at = html.indexOf(sign, at + 1)) if (++count > most) return true;
  return false;
}

function hasCrowdedTag(html: string): boolean {
  for (let at = html.indexOf('<'), end = 0; at >= 0; at = html.indexOf('<', end)) {
    const close = html.indexOf('>', at);
    end = close < 0 ? html.length : close;
    if (end - at > MAX_IN_TAG && (html.slice(at, end).match(/[\s=]/gu)?.length ?? 0) > MAX_IN_TAG) return true;
  }
  return false;
}

/** The end of what begins at `at`: a tag, a comment, an invisible element. Text after something unclosed is kept. */
function elementEnd(html: string, at: number, unclosed: Set<string>): number {
  const name = UNSEEN.exec(html.slice(at, at + 20))?.[1]?.toLowerCase();
  const tagEnd = name === undefined ? '>' : `</${name}`;
  const close = html.startsWith('<!--', at) ? '-->' : tagEnd;
  const found = unclosed.has(close) ? -1 : html.indexOf(close, at + 1);
  if (found >= 0) return name === undefined ? found + close.length : found;
  // It is not looked for again.
  unclosed.add(close);
  return at + 1;
}

/** The text between the tags, in time linear in the page's length. */
export function strippedText(html: string): string {
  const parts: string[] = [];
  const unclosed = new Set<string>();
  for (let from = 0; from < html.length; ) {
    const at = html.indexOf('<', from);
    parts.push(html.slice(from, at < 0 ? html.length : at));
    if (at < 0) break;
    from = elementEnd(html, at, unclosed);
  }
  return parts
    .map((part) => part.trim())
    .filter(Boolean)
    .join(' ')
    .replace(LONG_SPACE, '$1');
}
