/** A fence that hides nothing of what comes after it: at the start of its line, up to its end or that of the text. */
const FENCED = /^(`{3,}|~{3,})[^`\n]*(?:\n(?:[\s\S]*?\n)?\1[`~]*[ \t]*$|$(?![\s\S])|\n[\s\S]*)/gm;
/** In these a fence is none. */
const AROUND_FENCES = /\$\$|<(?:[!?]|script|pre|style|textarea)/i;
/** What is complete costs no more than its size. */
const COMPLETE = /\[[^[\]\n]*\]\([^()\n]*\)|\([^()[\]<>\n]*\)|<\/?[a-z][a-z\d]*(?:[ \t]+[a-z-]+(?:="[^"<>\n]*")?)*[ \t]*\/?>/gi;
/** The certain begin of a block, whatever its line is in. */
const BLOCKS = /\n(?:[ \t]*\n| {0,3}[-*+][ \t]+(?=\S))/;
const OPENERS = /[<[(&]/g;
/** Signs times characters of their block: about half a second of SiYuan's parser. */
const MOST = 1_500_000;

/** Signs that may mark words, or begin a tag. The editor takes as many steps for a block as it has of these, times its length. */
const MARKS = /[$`*~^#_<]|==/g;
const MOST_MARKS = 60_000_000;
/** Each row of a table is looked at by itself. */
const ROWS = /\n[ \t]*(?=\|)/;

/** More containers at the start of one line than blocks may be nested. */
const CONTAINERS = /^(?:[ \t]*(?:>|[-*+](?=[ \t])|\d{1,9}[.)](?=[ \t]))(?:[ \t]*\[[^\]\n]?\])?){65}/m;
const SUPER_BLOCKS = /^[ \t>]*(?:\{\{\{|(\}\}\}))/gm;
const MOST_LEVELS = 64;

function deepestIn(markdown: string): number {
  let [open, deepest] = [0, 0];
  for (const [, end] of markdown.matchAll(SUPER_BLOCKS)) {
    open = end === undefined ? open + 1 : Math.max(0, open - 1);
    deepest = Math.max(deepest, open);
  }
  return deepest;
}

/** Tells if SiYuan's parser would take minutes: it searches from each opening sign to the end of the block, at each level. */
export function isTooDense(markdown: string): boolean {
  if (CONTAINERS.test(markdown) || deepestIn(markdown) > MOST_LEVELS) return true;
  const prose = markdown.replaceAll(FENCED, '');
  const blocks = (AROUND_FENCES.test(prose) ? markdown : prose).split(BLOCKS);
  const steps = (parts: readonly string[], signs: RegExp): number =>
    parts.reduce((sum, part) => sum + part.length * (part.match(signs)?.length ?? 0), 0);
  const unfinished = blocks.map((block) => block.replaceAll(COMPLETE, ''));
  const rows = blocks.flatMap((block) => block.split(ROWS));
  return steps(unfinished, OPENERS) > MOST || steps(rows, MARKS) > MOST_MARKS;
}
