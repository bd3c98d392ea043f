/** Below this size splitting gains nothing. */
const SMALL = 8192;

/**
 * Cuts block DOM into the DOM of its top blocks. Lute's reader slows down with the square of what it is given, block by block it does not.
 * DOM that is not a plain row of `<div …>…</div>` comes back whole; text in attributes and blocks is escaped, so tags are tags.
 */
export function splitBlocks(dom: string): string[] {
  if (dom.length < SMALL) return [dom];
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  for (const tag of dom.matchAll(/<div[\s>]|<\/div>/g)) {
    if (tag[0] !== '</div>') {
      if (depth === 0 && tag.index !== start) return [dom];
      depth += 1;
      continue;
    }
    depth -= 1;
    if (depth < 0) return [dom];
    if (depth > 0) continue;
    const end = tag.index + tag[0].length;
    parts.push(dom.slice(start, end));
    start = end;
  }
  return depth === 0 && start === dom.length && parts.every((part) => /^<div[^>]* data-node-id="/.test(part)) ? parts : [dom];
}
