/** A tag as Lute writes one: names, and values in double quotes. */
const TAG = /<(?:\/[a-z][a-z0-9-]*|[a-z][a-z0-9-]*(?:\s+[a-zA-Z][\w:.-]*(?:="[^"]*")?)*\s*\/?)>/y;
const HARMLESS = /<(?![a-zA-Z/!?])/y;
/** More of them tell nothing new. */
const MOST = 50;
const SNIPPET = 60;

/**
 * Pieces of block DOM that Lute did not write as tags: text that stands in the page as HTML. With none, every parser reads the DOM alike:
 * there are neither comments nor declarations, and each attribute ends where it says.
 */
export function looseMarkup(dom: string): readonly string[] {
  const found: string[] = [];
  for (let at = dom.indexOf('<'); at >= 0 && found.length < MOST; ) {
    TAG.lastIndex = at;
    HARMLESS.lastIndex = at;
    const end = TAG.test(dom) ? TAG.lastIndex : at + 1;
    if (end === at + 1 && !HARMLESS.test(dom)) found.push(dom.slice(at, at + SNIPPET));
    at = dom.indexOf('<', end);
  }
  return found;
}
