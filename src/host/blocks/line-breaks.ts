import { type ChildNode, Element, isTag, isText, Text } from 'domhandler';
import { parseDocument } from 'htmlparser2';
import { PREFIX } from '../../tools/markdown/line-prefix.ts';
import { withWholeRows } from '../../tools/markdown/table-rows.ts';
import { serializeBlock, withoutZwsp } from './block-dom.ts';
import { eachLine, isSpan, namesOf } from './inline-marks.ts';
import { partsOf } from './markdown-lines.ts';

/** Rare white space: next to a mark it works like a line break, and Lute keeps it in the text of marks. */
const SPACES = ['\u1680', '\u205f', '\u2028', '\u2029', '\u2008'];
const OPENS = /[*_~=[<]/;
const LAST_CLOSE = /[*_~=\]>][^*_~=\]>]*$/;
/** Lines that a sign at the end would change: empty items, callouts, headings, super blocks, attribute lists. */
const FIXED = /^(?:$|[-*+]$|\d{1,9}[.)]$|\[!|#{1,6}[ \t]|\{\{\{|\}\}\}|\{:)/;
const RULE = /^[ \t>]*(?:[-*_][ \t]*){3,}$/;
const ITEM = /^[ \t>]*[-*+][ \t]/;
const LINE_TAG = /<br[ \t]*\/?>/gi;
const ENDS_IN_LINE_TAG = /<br[ \t]*\/?>[ \t]*$/i;
/** The alternative text of a picture, of which Lute keeps the first line. */
const LABEL = /!\[(?:[^\]\n]|\n(?![ \t>]*\n))*\](?=\()/g;
/** Marks that contain line breaks themselves, or none. */
const WHOLE = new Set(['code', 'inline-math', 'img', 'block-ref', 'file-annotation-ref']);

/** Markdown without and with signs. */
interface Piece {
  readonly plain: string;
  readonly signed: string;
}

/** The position for a sign on a line: before the blanks or the backslash that belong to the break. */
function endOf(line: string): number {
  const end = line.trimEnd().length;
  const backslashes = end < line.length ? 0 : (/\\*$/.exec(line)?.[0].length ?? 0);
  return end - (backslashes % 2);
}

const mayEnd = (line: string, next: string): boolean =>
  !RULE.test(line) && !FIXED.test(line.replace(PREFIX, '').trimEnd()) && !ENDS_IN_LINE_TAG.test(line) && !ITEM.test(next);

/** Lines of a paragraph, or of several, with a sign before each break that a mark may hold. */
function withSign(lines: readonly string[], isInTable: (index: number) => boolean, sign: string): string {
  const text = lines.join('\n');
  const [first, last] = [text.search(OPENS), text.search(LAST_CLOSE)];
  let start = 0;
  const signed = lines.map((line, index) => {
    const from = start;
    start += line.length + 1;
    const put = (at: number): string => (first < from + at && from + at <= last ? sign : '');
    const end = endOf(line);
    const next = lines[index + 1];
    const atEnd = next !== undefined && !isInTable(index) && mayEnd(line, next) ? put(end) : '';
    const tagged = (part: string): string => part.replace(LINE_TAG, (tag, at: number) => put(at) + tag);
    return tagged(line.slice(0, end)) + atEnd + line.slice(end);
  });
  return signed.join('\n');
}

/** Markdown split at blank lines, which no mark spans. */
function piecesOf(text: string, sign: string): Piece[] {
  const { rows } = withWholeRows(text, '|');
  const pieces: Piece[] = [];
  let lines: string[] = [];
  let from = 0;
  const flush = (next: number): void => {
    const isInTable = (index: number): boolean => rows.has(from + index) || rows.has(from + index - 1);
    if (lines.length > 0) pieces.push({ plain: lines.join('\n'), signed: withSign(lines, isInTable, sign) });
    [lines, from] = [[], next];
  };
  for (const [index, line] of text.split('\n').entries()) {
    const isBlank = /^[ \t>]*$/.test(line);
    if (isBlank) flush(index);
    lines.push(line);
    if (isBlank) flush(index + 1);
  }
  flush(0);
  return pieces;
}

/** Text and marks split at the signs; undefined marks a sign. */
function cut(node: ChildNode, sign: string): (ChildNode | undefined)[] {
  const [text] = isSpan(node) ? node.children : [node];
  if (!text || !isText(text) || (isSpan(node) && (node.children.length > 1 || namesOf(node).some((name) => WHOLE.has(name)))))
    return [node];
  const parts = text.data.replaceAll(`${sign}\n`, '\n').split(sign);
  if (parts.length === 1) {
    text.data = parts[0] ?? '';
    return [node];
  }
  const trimmed = parts.map((part, index) => {
    const open = index === 0 ? part : part.replace(/^[ \t]+/, '');
    return index === parts.length - 1 ? open : open.replace(/(?<![ \t])[ \t]+$/, '');
  });
  const made = (part: string): ChildNode => (isSpan(node) ? new Element('span', { ...node.attribs }, [new Text(part)]) : new Text(part));
  return trimmed.flatMap((part, index) => [...(index > 0 ? [undefined] : []), ...(part === '' ? [] : [made(part)])]);
}

const startsLine = (node: ChildNode): boolean => (isText(node) ? node.data.startsWith('\n') : isTag(node) && node.name === 'br');
const isEmpty = (node: ChildNode): boolean => isText(node) && withoutZwsp(node.data) === '';

/** Inserts a line break at each sign that Lute left without one. */
function withBreaks(dom: string, sign: string): string {
  const root = parseDocument(dom);
  eachLine(root, (nodes) => {
    const parent = nodes[0]?.parent;
    const isCell = parent !== null && parent !== undefined && isTag(parent) && /^t[dh]$/.test(parent.name);
    const parts = nodes.flatMap((node) => cut(node, sign));
    return parts.flatMap((part, index) => {
      if (part) return [part];
      const next = parts.slice(index + 1).find((each) => !each || !isEmpty(each));
      return !next || startsLine(next) ? [] : [isCell ? new Element('br', {}) : new Text('\n')];
    });
  });
  return root.children.map(serializeBlock).join('').replaceAll(sign, '');
}

/** The content that two readings of a text share: without ids, times and marks without text. */
const contentOf = (dom: string): string =>
  dom.replace(/ (?:data-node-id|updated)="[^"]*"/g, '').replace(/<span data-type="[^"]*">\u200b*<\/span>/g, '');

/**
 * Parses Markdown with `parse` and keeps line breaks inside marks: Lute drops them, so that `**a⏎b**` would be one word. Each mark then
 * ends at the end of the line and begins again on the next, as SiYuan writes it when somebody marks several lines.
 */
export function parseWithBreaks(markdown: string, parse: (markdown: string) => string): string {
  const sign = SPACES.find((each) => !markdown.includes(each));
  if (sign === undefined || !OPENS.test(markdown) || !/\n|<br/i.test(markdown)) return parse(markdown);
  const pieces = partsOf(markdown, () => false).flatMap(({ text, verbatim }) =>
    verbatim
      ? [{ plain: text, signed: text }]
      : piecesOf(
          text.replace(LABEL, (label) => label.replace(/(?:(?<![ \t])[ \t]+)?\\?\n[ \t>]*/g, ' ')),
          sign,
        ),
  );
  const plain = parse(pieces.map((piece) => piece.plain).join('\n'));
  if (pieces.every((piece) => piece.plain === piece.signed)) return plain;
  // A sign that changes anything else is left out.
  const parseSigned = (text: string, read: string): string | undefined => {
    const dom = parse(text);
    return contentOf(dom.replaceAll(sign, '')) === contentOf(read) ? dom : undefined;
  };
  const isSure = (piece: Piece): boolean => {
    try {
      return piece.plain === piece.signed || parseSigned(piece.signed, parse(piece.plain)) !== undefined;
    } catch {
      return false;
    }
  };
  const dom =
    parseSigned(pieces.map((piece) => piece.signed).join('\n'), plain) ??
    parseSigned(pieces.map((piece) => (isSure(piece) ? piece.signed : piece.plain)).join('\n'), plain);
  return dom === undefined ? plain : withBreaks(dom, sign);
}
