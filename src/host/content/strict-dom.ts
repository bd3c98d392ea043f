/** A tag as Lute writes it: names, and values in double quotes. */
const TAG = /<(?:\/[a-z][a-z0-9-]*|[a-z][a-z0-9-]*(?:\s+[a-zA-Z][\w:.-]*(?:="[^"]*")?)*\s*\/?)>/y;
const HARMLESS = /<(?![a-zA-Z/!?])/y;
/** More pieces say nothing new. */
const MOST = 50;
const SNIPPET = 60;

/**
 * Pieces of block DOM that Lute did not write as tags: text that is HTML in the page. Without any, every parser reads the DOM the same
 * way: there are neither comments nor declarations, and each attribute ends where it should.
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
