import type { ParsedToolRequest } from '../../../protocol/contract.ts';

/** A piece of a text; the pieces of a text one after another are the text. */
export interface SourcePiece {
  readonly kind: 'text' | 'marker' | 'name' | 'key' | 'value';
  readonly text: string;
}

interface Mark {
  readonly kind: 'name' | 'key' | 'value';
  readonly start: number;
  readonly end: number;
}

/** The parser gives the positions of values; the names of the tool and its arguments are found before them. */
function marksOf(text: string, { span, argumentSpans, toolName }: ParsedToolRequest): readonly Mark[] {
  const values = Object.entries(argumentSpans)
    .map(([key, value]) => ({ key, ...value }))
    .filter(({ start, end }) => start >= span.start && end <= span.end && start <= end)
    .sort((one, other) => one.start - other.start);
  const marks: Mark[] = [];
  let from = span.start;
  for (const { key, start, end } of values) {
    if (start < from) continue;
    const at = text.lastIndexOf(key, start - key.length);
    if (key !== '' && at >= from) marks.push({ kind: 'key', start: at, end: at + key.length });
    marks.push({ kind: 'value', start, end });
    from = end;
  }
  if (toolName === '') return marks;
  for (let at = text.indexOf(toolName, span.start); at >= 0 && at + toolName.length <= span.end; at = text.indexOf(toolName, at + 1)) {
    const end = at + toolName.length;
    if (marks.every((mark) => mark.end <= at || mark.start >= end)) {
      marks.push({ kind: 'name', start: at, end });
      break;
    }
  }
  return marks.sort((one, other) => one.start - other.start);
}

/** The text with what the parser found in it: of a request everything that is no name, key or value is its markers. */
export function sourcePieces(text: string, requests: readonly ParsedToolRequest[]): readonly SourcePiece[] {
  const pieces: SourcePiece[] = [];
  let from = 0;
  const add = (kind: SourcePiece['kind'], end: number): void => {
    if (end > from) pieces.push({ kind, text: text.slice(from, end) });
    from = Math.max(from, end);
  };
  for (const request of [...requests].sort((one, other) => one.span.start - other.span.start)) {
    if (request.span.start < from) continue;
    add('text', request.span.start);
    for (const { kind, start, end } of marksOf(text, request)) {
      add('marker', start);
      add(kind, end);
    }
    add('marker', request.span.end);
  }
  add('text', text.length);
  return pieces;
}
