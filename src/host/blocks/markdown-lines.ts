import { PREFIX } from '../../tools/markdown/table-rows.ts';

/** A piece of Markdown: text in which signs are parsed, or literal lines (code, block formulas). */
export interface MarkdownPart {
  readonly text: string;
  readonly verbatim: boolean;
}

const FENCE = /^(`{3,}(?=[^`]*$)|~{3,})/;

const restOf = (line: string): string => line.slice(PREFIX.exec(line)?.[0].length ?? 0);
const isQuoted = (line: string): boolean => /^[ \t]*>/.test(line);

/** A searched range without the end: text that only begins, line after line, is searched once. */
interface Searched {
  from: number;
  upTo: number;
  end: number;
}

const notYet = (): Searched => ({ from: 0, upTo: 0, end: -1 });

/** Index of the line that ends a fence or formula beginning on line `start`; -1 if it has no end. */
function lineOfEnd(lines: readonly string[], start: number, ends: (rest: string) => boolean, searched = notYet()): number {
  if (start >= searched.from && start < searched.upTo) return searched.end;
  const quoted = isQuoted(lines[start] ?? '');
  const isOver = (line: string | undefined): boolean => line === undefined || (quoted && !isQuoted(line));
  let upTo = start + 1;
  while (!isOver(lines[upTo]) && !ends(restOf(lines[upTo] ?? '').trimEnd())) upTo += 1;
  return Object.assign(searched, { from: start, upTo, end: isOver(lines[upTo]) ? -1 : upTo }).end;
}

function fenceEnd(lines: readonly string[], start: number, fence: string): number {
  const closing = new RegExp(`^${fence.charAt(0)}{${fence.length},}$`);
  const searched = notYet();
  const end = lineOfEnd(lines, start, (rest) => closing.test(rest), searched);
  return end < 0 ? searched.upTo - 1 : end;
}

/** The last line of a block formula; undefined if line `start` begins none. */
function formulaEnd(lines: readonly string[], start: number, rest: string, searched: Searched): number | undefined {
  if (!rest.startsWith('$$')) return undefined;
  const after = rest.slice(2).trimEnd();
  if (after.includes('$$')) return after.endsWith('$$') && after.indexOf('$$') === after.length - 2 && after.length > 2 ? start : undefined;
  const end = lineOfEnd(lines, start, (line) => line.endsWith('$$'), searched);
  return end < 0 ? undefined : end;
}

/** `\[` … `\]` on lines of their own, as SiYuan writes a formula; undefined if line `start` begins none. */
function bracketed(
  lines: readonly string[],
  start: number,
  isFormula: (tex: string) => boolean,
  searched: Searched,
): { readonly end: number; readonly lines: readonly string[] } | undefined {
  const line = lines[start] ?? '';
  const rest = restOf(line);
  if (!rest.startsWith('\\[')) return undefined;
  const prefix = line.slice(0, line.length - rest.length);
  const closes = (text: string): boolean => text.endsWith('\\]');
  const isOneLine = closes(rest.slice(2).trimEnd());
  const end = isOneLine ? start : lineOfEnd(lines, start, closes, searched);
  const again = end > start ? lineOfEnd(lines, start, (text) => text.includes('\\[')) : -1;
  if (end < 0 || (again >= 0 && again <= end)) return undefined;
  const inside = lines.slice(start, end + 1).map((each, index) => (index === 0 ? `${prefix}$$${rest.slice(2)}` : each));
  const last = inside.at(-1)?.trimEnd().slice(0, -2) ?? '';
  const tex = [...inside.slice(0, -1), last].map(restOf).join('\n').slice(2);
  if (/\\[[\]]|\$\$/.test(tex) || !isFormula(tex)) return undefined;
  return { end, lines: [...inside.slice(0, -1), `${last}$$`] };
}

/** `isFormula`: the text between `\[` and `\]` is a formula. */
export function partsOf(markdown: string, isFormula: (tex: string) => boolean): readonly MarkdownPart[] {
  const lines = markdown.split('\n');
  const parts: { lines: string[]; verbatim: boolean }[] = [];
  const add = (added: readonly string[], verbatim: boolean): void => {
    const last = parts.at(-1);
    if (last?.verbatim === verbatim) last.lines.push(...added);
    else parts.push({ lines: [...added], verbatim });
  };
  const [dollars, brackets] = [notYet(), notYet()];
  for (let index = 0; index < lines.length; index += 1) {
    const rest = restOf(lines[index] ?? '');
    const fence = FENCE.exec(rest)?.[1];
    const formula = bracketed(lines, index, isFormula, brackets);
    const end = fence === undefined ? (formula?.end ?? formulaEnd(lines, index, rest, dollars)) : fenceEnd(lines, index, fence);
    add(fence === undefined && formula ? formula.lines : lines.slice(index, (end ?? index) + 1), end !== undefined);
    index = end ?? index;
  }
  return parts.map(({ lines: own, verbatim }) => ({ text: own.join('\n'), verbatim }));
}
