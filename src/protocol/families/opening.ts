import { NAME_KEYS } from '../call-object.ts';
import { markerAt, UNDECIDED } from '../scanner/marker.ts';

/** Tells if a name, as a model wrote it, is that of an offered tool. */
export type IsTool = (name: string) => boolean;

const SIGNS = [
  ...[
    '<|python_tag|>',
    '<|python_start|>',
    '<|tool_call|>',
    '<|tool_call>',
    '<|tool_call_start|>',
    '<|tool_calls|>',
    '<|tool_call_begin|>',
  ],
  ...['<|tool_calls_section_begin|>', '<|action_start|>', '<|START_ACTION|>', '<|channel|>commentary to=', '<start_function_call>'],
  ...['[TOOL_CALLS]', '[TOOL_CALL]', '<｜tool▁calls▁begin｜>', '<｜tool▁call▁begin｜>', '<｜tool_calls_begin｜>', '<｜tool_call_begin｜>'],
  ...['<｜DSML｜function_calls>', '<｜DSML｜tool_calls>', '<｜DSML｜invoke'],
];
/** A tag around calls, with which a sentence about tags may begin as well: the following text decides. */
const TAG = /^<(?:\w+[:_])?(?:tool_?calls?|function_?calls?|tool_code|tool_use)>/iu;
const TAG_PART = /^<[\w:]{0,24}$/u;
const BODY = /^\s*(?:[{[]|<(?:\w+:)?(?:function|invoke|tool_?call)\b|call:|(?:[\w.:-]{1,80})\s*(?:<arg_key>|<\/|[{(]))/iu;
const BODY_PART = /^\s*(?:<[\w:]{0,24}|[\w.:-]{1,80}\s*(?:<[/\w]{0,12})?)?$/u;
/** A call that is a tag itself. */
const CALL_TAG = /^<(?:function=|(?:\w+:)?invoke name=|function name=)["']?([\w.:/-]{1,80})["']?\s*>/u;
const CALL_TAG_PART = /^<(?:function|(?:\w+:)?invoke)(?:[= ][^<>\n]{0,90})?$/u;
const LANGUAGES = /^`{3,}[ \t]*(?:json|tool_code|tool_calls?|tool_use|function_call|python|py)?[ \t]*\r?\n/iu;
const LANGUAGES_PART = /^`{1,8}[ \t]*[a-z_]{0,16}[ \t]*\r?$/iu;
const CODE_LANGUAGES = /^`{3,}[ \t]*(?:tool_code|python|py)\b/iu;
const CODE = /^\s*(?:print\s*\(\s*)?\[?\s*(?!print\b)([\w.]{2,80})\s*\(/u;
const CODE_PART = /^\s*[\w.([\s]{0,90}$/u;
/** The length of a beginning that is not decided yet. */
const LONGEST = 400;

/** The length of another family's opening at `at`, 0 or UNDECIDED. `own`: the protocol's tag; JSON counts only with `isLine`. */
export function openingAt(text: string, at: number, { own, isLine, isTool }: { own: string; isLine: boolean; isTool: IsTool }): number {
  const rest = text.slice(at, at + LONGEST);
  const signs = SIGNS.map((sign) => markerAt(rest, 0, sign));
  const sign = Math.max(...signs);
  if (sign > 0) return sign;
  if (signs.includes(UNDECIDED)) return UNDECIDED;
  const found = rest.startsWith('<') ? tagAt(rest, own, isTool) : isLine && lineAt(rest, isTool);
  return found === false || (found === UNDECIDED && rest.length === LONGEST) ? 0 : found;
}

/** The beginning of a call at the end of an answer, which no person should see. */
export const isCutOpening = (text: string): boolean =>
  SIGNS.some((sign) => text.length > 5 && markerAt(text, 0, sign) === UNDECIDED) || TAG.test(text);

function tagAt(rest: string, own: string, isTool: IsTool): number {
  const [tag] = TAG.exec(rest) ?? [];
  if (tag !== undefined) {
    const body = rest.slice(tag.length);
    if (tag === own && /^\s*[{["']/u.test(body)) return 0;
    if (BODY.test(body)) return tag.length;
    return BODY_PART.test(body) ? UNDECIDED : 0;
  }
  const called = CALL_TAG.exec(rest);
  if (called !== null) return rest.startsWith('<function name') && !isTool(called[1] ?? '') ? 0 : called[0].length;
  return TAG_PART.test(rest) || CALL_TAG_PART.test(rest) ? UNDECIDED : 0;
}

function lineAt(rest: string, isTool: IsTool): number {
  if (!rest.startsWith('`')) return objectAt(rest, isTool);
  const [fence] = LANGUAGES.exec(rest) ?? [];
  if (fence === undefined) return LANGUAGES_PART.test(rest) ? UNDECIDED : 0;
  const body = rest.slice(fence.length);
  const named = CODE_LANGUAGES.test(fence) ? CODE.exec(body)?.[1] : undefined;
  if (named !== undefined) return isTool(named.replace(/\.call$/u, '')) ? fence.length : 0;
  const found = objectAt(body, isTool);
  if (found > 0) return fence.length;
  return found === 0 && CODE_LANGUAGES.test(fence) && CODE_PART.test(body) ? UNDECIDED : found;
}

const TOKEN = /\s*(?:([{}[\]:,])|"((?:[^"\\\n]|\\.)*)"|'((?:[^'\\\n]|\\.)*)')/uy;
const EARLIER = ['type', 'id', 'index', 'call_id', 'tool_call_id'];
/** Deeper than any of them. */
const MOST_TOKENS = 24;

/** JSON whose first fields name an offered tool. */
function objectAt(rest: string, isTool: IsTool): number {
  let key: string | undefined;
  let value: string | undefined;
  let isOpen = false;
  TOKEN.lastIndex = 0;
  for (let count = 0; count < MOST_TOKENS; count++) {
    const from = TOKEN.lastIndex;
    const found = TOKEN.exec(rest);
    if (found === null) return /^\s*(?:["'][^"'\n]*)?$/u.test(rest.slice(from)) ? UNDECIDED : 0;
    const [whole, sign, double, single] = found;
    const word = double ?? single;
    if (word === undefined) {
      if (sign === '{') [isOpen, key, value] = [true, undefined, undefined];
      else if (sign === ',' && value !== undefined) [key, value] = [undefined, undefined];
      else if (!(sign === '[' && !isOpen) && !(sign === ':' && key !== undefined && value === undefined)) return 0;
    } else if (!isOpen) return 0;
    else if (key === undefined) {
      if (!NAME_KEYS.includes(word) && !EARLIER.includes(word)) return 0;
      key = word;
    } else if (NAME_KEYS.includes(key)) return isTool(word) ? from + whole.length : 0;
    else value = word;
  }
  return 0;
}
