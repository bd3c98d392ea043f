import { looseMarkerAt, UNDECIDED } from '../scanner/marker.ts';

export const REQUEST_OPEN = '<<<[TOOL_REQUEST]>>>';
export const REQUEST_CLOSE = '<<<[END_TOOL_REQUEST]>>>';
export const RESULT_OPEN = '<<<[TOOL_RESULT]>>>';
export const RESULT_CLOSE = '<<<[END_TOOL_RESULT]>>>';
export const DEFINITION_OPEN = '<<<[TOOL_DEFINITION]>>>';
export const DEFINITION_CLOSE = '<<<[END_TOOL_DEFINITION]>>>';

/** `「始」`, `「末」`, `「始ESCAPE」`, `「末ESCAPE」`: around the values of fields. */
export interface ValueMark {
  readonly ends: boolean;
  readonly guarded: boolean;
  readonly length: number;
}

const CLOSING = '」'.charCodeAt(0);
const TAIL = 'escape」';
const BEGIN: ValueMark = { ends: false, guarded: false, length: 3 };
const END: ValueMark = { ends: true, guarded: false, length: 3 };
const BEGIN_ESCAPE: ValueMark = { ends: false, guarded: true, length: 2 + TAIL.length };
const END_ESCAPE: ValueMark = { ends: true, guarded: true, length: 2 + TAIL.length };

export const markLength = (guarded: boolean): number => (guarded ? END_ESCAPE : END).length;

/** The mark whose second character would be at `at`, after `「` or backslashes; 0 if there is none, UNDECIDED if the text ends in it. */
export function valueMarkAt(text: string, at: number): ValueMark | number {
  const letter = text[at];
  if (letter === undefined) return UNDECIDED;
  if (letter !== '始' && letter !== '末') return 0;
  const ends = letter === '末';
  if (text.charCodeAt(at + 1) === CLOSING) return ends ? END : BEGIN;
  const tail = looseMarkerAt(text, at + 1, TAIL);
  if (tail <= 0) return tail;
  return ends ? END_ESCAPE : BEGIN_ESCAPE;
}

const MARK = /「(\\*)((?:始|末)(?:ESCAPE)?」)/giu;

/** A value as it may be between marks: a mark in it gets a backslash, `「\末」`, which parsing removes again. */
function escapeMarks(value: string): string {
  return value.replaceAll(MARK, '「$1\\$2');
}

/** `key:「始」value「末」`, with ESCAPE if the value contains anything that looks like a marker. */
export function writeField(key: string, value: string): string {
  const suffix = /<<<\[|「\\*[始末]/u.test(value) ? 'ESCAPE' : '';
  return `${key}:「始${suffix}」${escapeMarks(value)}「末${suffix}」`;
}
