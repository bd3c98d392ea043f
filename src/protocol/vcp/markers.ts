import { looseMarkerAt, UNDECIDED } from '../scanner/marker.ts';

export const REQUEST_OPEN = '<<<[TOOL_REQUEST]>>>';
export const REQUEST_CLOSE = '<<<[END_TOOL_REQUEST]>>>';
export const RESULT_OPEN = '<<<[TOOL_RESULT]>>>';
export const RESULT_CLOSE = '<<<[END_TOOL_RESULT]>>>';
export const DEFINITION_OPEN = '<<<[TOOL_DEFINITION]>>>';
export const DEFINITION_CLOSE = '<<<[END_TOOL_DEFINITION]>>>';

/** `「始」`, `「末」`, `「始ESCAPE」`, `「末ESCAPE」`: around the values of fields. */
export type ValueMark = { readonly ends: boolean; readonly guarded: boolean; readonly length: number };

const BEGIN = '始';
const END = '末';

/** The mark whose first character, `「`, stands at `at`; a number where there is none (0) or the text ends within one. */
export function valueMarkAt(text: string, at: number): ValueMark | number {
  const tail = markTailAt(text, at + 1);
  return typeof tail === 'number' ? tail : { ...tail, length: tail.length + 1 };
}

/** The same for what follows `「` in a mark. */
export function markTailAt(text: string, at: number): ValueMark | number {
  const letter = text[at];
  if (letter === undefined) return UNDECIDED;
  if (letter !== BEGIN && letter !== END) return 0;
  const plain = looseMarkerAt(text, at + 1, '」');
  if (plain > 0) return { ends: letter === END, guarded: false, length: 2 };
  const guarded = looseMarkerAt(text, at + 1, 'escape」');
  if (guarded > 0) return { ends: letter === END, guarded: true, length: 1 + guarded };
  return plain === UNDECIDED ? plain : guarded;
}

const MARK = /「(\\*)((?:始|末)(?:ESCAPE)?」)/giu;

/** A value as it may stand between marks: a mark in it gets a backslash, `「\末」`, which reading takes away again. */
function escapeMarks(value: string): string {
  return value.replaceAll(MARK, '「$1\\$2');
}

/** `key:「始」value「末」`, with ESCAPE where the value holds anything that looks like a marker. */
export function writeField(key: string, value: string): string {
  const suffix = /<<<\[|「\\*[始末]/u.test(value) ? 'ESCAPE' : '';
  return `${key}:「始${suffix}」${escapeMarks(value)}「末${suffix}」`;
}
