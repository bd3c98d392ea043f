import { parseLenientAt } from '../../tools/util/lenient-json.ts';
import { ARGUMENT_KEYS, BROKE_OFF, draftOf, draftsOfJson, invalidDraft, NAME_KEYS } from '../call-object.ts';
import { markerAt, UNDECIDED } from '../scanner/marker.ts';
import type { OtherForms, RequestDraft } from '../scanner/syntax.ts';

/** Tells if a name, as a model wrote it, is that of an offered tool. */
type IsTool = (name: string) => boolean;

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
function openingAt(text: string, at: number, { own, isLine, isTool }: { own: string; isLine: boolean; isTool: IsTool }): number {
  const rest = text.slice(at, at + LONGEST);
  const signs = SIGNS.map((sign) => markerAt(rest, 0, sign));
  const sign = Math.max(...signs);
  if (sign > 0) return sign;
  if (signs.includes(UNDECIDED)) return UNDECIDED;
  const found = rest.startsWith('<') ? tagAt(rest, own, isTool) : isLine && lineAt(rest, isTool);
  return found === false || (found === UNDECIDED && rest.length === LONGEST) ? 0 : found;
}

/** The beginning of a call at the end of an answer, which no person should see. */
const isCutOpening = (text: string): boolean =>
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

const SPACE = String.raw`(?:[|｜]{1,2}DSML[|｜]{1,2}|\w+:)?`;
/** `<function=name>`, `<invoke name="name">`, with a namespace or without. */
const TAG_CALL = new RegExp(String.raw`<(${SPACE})(function|invoke)(?:=|\s+name=)["']?([\w.:/-]{1,80})["']?\s*>`, 'uy');
const PARAMETER = new RegExp(String.raw`\s*<(${SPACE})(parameter|param)(?:=|\s+name=)["']?([^"'<>\s]{1,80})["']?[^<>]*>`, 'uy');
/** In a value: it may really be the end of the call, so that the rest would be text of a note. */
const CALL_IN_VALUE = /<\/?(?:[|｜]{1,2}DSML[|｜]{1,2}|\w+:)?(?:tool_call|function\b|function=|invoke\b|parameter\b|parameter=)/u;

/** The call whose tag is at `at`, and its end. A call with such tags in a value does not run. */
function readTagCall(text: string, at: number): { readonly draft: RequestDraft; readonly end: number } {
  TAG_CALL.lastIndex = at;
  const [opened = '', space = '', kind = '', toolName = ''] = TAG_CALL.exec(text) ?? [];
  const close = `</${space}${kind}>`;
  let position = at + opened.length;
  const behind = /\s*/uy;
  behind.lastIndex = position;
  position += behind.exec(text)?.[0].length ?? 0;
  if (text.startsWith('{', position)) return readObject(text, position, toolName, close);
  const args = new Map<string, string>();
  const invalid = (why: string) => ({ draft: invalidDraft(why, toolName), end: text.length });
  for (;;) {
    PARAMETER.lastIndex = position;
    const found = PARAMETER.exec(text);
    if (found === null) break;
    const [whole, own = '', word = '', key = ''] = found;
    const from = position + whole.length;
    const end = text.indexOf(`</${own}${word}>`, from);
    if (end < 0) return invalid(BROKE_OFF);
    const value = text.slice(from, end);
    if (CALL_IN_VALUE.test(value)) return invalid(`the value of "${key}" holds a tag of a call, or was not closed; send the call as JSON`);
    // A line break on each side belongs to the tags.
    args.set(key, value.replace(/^\r?\n/u, '').replace(/\r?\n$/u, ''));
    position = end + `</${own}${word}>`.length;
  }
  const closed = closeAt(text, position, close);
  if (closed !== undefined) return { draft: draftOf(toolName, Object.fromEntries(args), true), end: closed };
  return invalid(
    /\S/u.test(text.slice(position)) && !/^\s*<[^>]*$/u.test(text.slice(position))
      ? 'its arguments could not be read; send them as JSON'
      : BROKE_OFF,
  );
}

function readObject(text: string, at: number, name: string, close: string): { readonly draft: RequestDraft; readonly end: number } {
  const read = parseLenientAt(text, at);
  if (read.kind !== 'value') {
    const why = read.kind === 'cut' ? BROKE_OFF : `its arguments are no JSON: ${read.reason}`;
    return { draft: invalidDraft(why, name), end: text.length };
  }
  const [draft = invalidDraft(BROKE_OFF, name)] = draftsOfJson({ name, arguments: read.value });
  return { draft, end: closeAt(text, read.end, close) ?? read.end };
}

/** The end of the closing tag at a position; undefined if there is none. */
function closeAt(text: string, at: number, close: string): number | undefined {
  const from = at + (text.length - at - text.slice(at).trimStart().length);
  return text.startsWith(close, from) ? from + close.length : undefined;
}

interface FamilyCalls {
  readonly drafts: readonly RequestDraft[];
  readonly rest: string;
  /** The last of them could not be parsed to its end. */
  readonly isBroken: boolean;
}

/** Parses the calls at the beginning of a text, whatever signs of whatever family are around them. */
const readFamilyCalls = (text: string, isTool: IsTool): FamilyCalls => new CallReader(text, isTool).read();

/** Signs around and between the parts of a call: white space, tags around calls, fences. */
const BETWEEN =
  /(?:[\s;,]+|<\|[^<>\n]{1,60}>|<\w+\|>|<\/?[|｜][^<>\n]{1,60}[|｜]>|<\/?(?:\w+[:_])?(?:tool_?calls?|function_?calls?|tool_code|tool_use)>|<start_function_call>|<end_function_call>|<\/?[|｜]{1,2}DSML[|｜]{1,2}(?:tool|function)_calls>|\[\/?TOOL_CALLS?\]|\[ARGS\]|\[CALL_ID\][\w-]*|(?:`{3,}|~{3,})\w*|functools(?=\s*\[))/iuy;
/** A turn is over, or a result begins: the following text is not the model's. */
const OVER =
  /(?:<[|｜/]?[^<>\n]{0,40}(?:im_start|im_end|header_id|eo[tm]_id|end[▁_]of[▁_](?:turn|sentence)|outputs?|results?|response|observation|user)[^<>\n]{0,20}>|<\|call\|>|<\/s>|\[TOOL_RESULTS?\]|(?:`{3,}|~{3,})\w*(?:output|result))/iuy;
const WORD = /(?:(?:commentary|analysis)?\s*to=|call:)?([A-Za-z_][\w.:/-]{0,80})/uy;
/** Keywords of a form, next to the name of the tool. */
const NOISE = new Set(['function', 'functions', 'json', 'tool', 'tool_call', 'code', 'commentary', 'assistant', 'python', 'xml']);
const ARG_KEY = /\s*<arg_key>([\s\S]*?)<\/arg_key>\s*<arg_value>([\s\S]*?)<\/arg_value>/uy;
const KEYWORD = /\s*([A-Za-z_]\w*)\s*=\s*/uy;

/** The answer broke off in the end marker of a call. */
const CUT_CLOSER = /^(?:[`~]{1,8}|<[^<>\s]{0,40})$/u;

function match(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

class CallReader {
  private readonly text: string;
  private readonly isTool: IsTool;
  private readonly drafts: RequestDraft[] = [];
  private at = 0;
  /** A sign or a tag precedes the current position. */
  private marked = true;
  private over = false;
  private isBroken = false;

  constructor(text: string, isTool: IsTool) {
    this.text = GEMMA.test(text) ? withJsonTexts(text) : text;
    this.isTool = isTool;
  }

  read(): FamilyCalls {
    for (this.skip(); !this.over && !this.isBroken && this.at < this.text.length && this.readCall(); ) this.skip();
    const rest = this.over ? '' : this.text.slice(this.at).trim();
    return { drafts: this.drafts, rest: CUT_CLOSER.test(rest) ? '' : rest, isBroken: this.isBroken };
  }

  private skip(): void {
    this.marked = this.drafts.length === 0;
    for (;;) {
      if (match(OVER, this.text, this.at)) {
        this.over = true;
        return;
      }
      const [found] = match(BETWEEN, this.text, this.at) ?? [];
      if (found === undefined) return;
      this.marked ||= /\S/u.test(found);
      this.at += found.length;
    }
  }

  private readCall(): boolean {
    const next = this.text[this.at];
    if (next === '[' && match(/\[\s*(?=[A-Za-z_][\w.]*\s*\()/uy, this.text, this.at)) return this.readList();
    if (next === '{' || next === '[') return this.readJson();
    if (match(TAG_CALL, this.text, this.at)) return this.readTag();
    return this.readNamed();
  }

  private add(drafts: readonly RequestDraft[], at: number): true {
    this.drafts.push(...drafts);
    this.at = at;
    return true;
  }

  /** The rest belongs to a call that does not run. */
  private fail(why: string, toolName: string): true {
    this.isBroken = true;
    return this.add([invalidDraft(why, toolName)], this.text.length);
  }

  private readJson(): boolean {
    const { text, at } = this;
    const read = parseLenientAt(text, at);
    if (read.kind === 'value') return this.add(draftsOfJson(read.value), read.end);
    const named = /"(?:name|tool_name|function)"\s*:\s*"([^"]{1,80})"/u.exec(text.slice(at))?.[1] ?? '';
    return this.fail(read.kind === 'cut' ? BROKE_OFF : `it is no JSON: ${read.reason}`, named);
  }

  private readTag(): boolean {
    const { draft, end } = readTagCall(this.text, this.at);
    return draft.invalid !== undefined && end === this.text.length ? this.fail(draft.invalid, draft.toolName) : this.add([draft], end);
  }

  /** A name, possibly after keywords of the form, and its arguments. */
  private readNamed(): boolean {
    const { text } = this;
    const from = this.at;
    const names: string[] = [];
    for (let count = 0; count < 5; count++) {
      const word = match(WORD, text, this.at);
      if (word === null) break;
      names.push(word[1] ?? '');
      this.at += word[0].length;
      if (text[this.at] === '(') break;
      this.skip();
      if (this.over) break;
    }
    const [name = '', ...others] = names.filter((word) => !NOISE.has(word));
    if (others.length > 0) {
      this.at = from;
      return false;
    }
    if (name === '' && names.length > 0 && match(TAG_CALL, text, this.at)) return this.readTag();
    const isCall = name !== '' && (this.isTool(name) || this.marked) && this.readArguments(name, names.length);
    if (!isCall) this.at = from;
    return isCall;
  }

  private readArguments(name: string, words: number): boolean {
    const { text, at } = this;
    if (text.startsWith('(', at)) return this.readKeywords(name);
    if (match(ARG_KEY, text, at) || text.startsWith('<arg_', at)) return this.readPairs(name);
    if (match(TAG_CALL, text, at)) return this.readTag();
    if (text.startsWith('{', at)) {
      const read = parseLenientAt(text, at);
      if (read.kind !== 'value') {
        return this.fail(read.kind === 'cut' ? BROKE_OFF : `its arguments are no JSON: ${read.reason}`, name);
      }
      return this.add(draftsOfJson({ name, arguments: read.value }), read.end);
    }
    if (words !== 1 || !this.isTool(name)) return false;
    // No arguments; at the end of the text they may be missing.
    const isClosed = /<\/[\w:]+>\s*$/u.test(text.slice(0, at));
    return isClosed ? this.add([draftOf(name, {}, true)], at) : this.fail(BROKE_OFF, name);
  }

  /** GLM: each argument between two pairs of tags. */
  private readPairs(toolName: string): boolean {
    const args = new Map<string, string>();
    for (let pair = match(ARG_KEY, this.text, this.at); pair !== null; pair = match(ARG_KEY, this.text, this.at)) {
      args.set((pair[1] ?? '').trim(), pair[2] ?? '');
      this.at += pair[0].length;
    }
    const isClosed = match(/\s*<\/(?:\w+[:_])?tool_call>/iuy, this.text, this.at) !== null;
    return isClosed ? this.add([draftOf(toolName, Object.fromEntries(args), true)], this.at) : this.fail(BROKE_OFF, toolName);
  }

  /** `name(key=value)`, as in Python. */
  private readKeywords(name: string): boolean {
    const { text } = this;
    this.at += 1;
    if (name === 'print') {
      const isCall = this.readNamed();
      if (text[this.at] === ')') this.at += 1;
      return isCall;
    }
    const toolName = name.replace(/\.call$/u, '');
    const args = new Map<string, unknown>();
    for (;;) {
      this.at += match(/[\s,]*/uy, text, this.at)?.[0].length ?? 0;
      if (text[this.at] === ')') return this.add([draftOf(toolName, Object.fromEntries(args), false)], this.at + 1);
      const key = match(KEYWORD, text, this.at);
      const read = parseLenientAt(text, this.at + (key?.[0].length ?? 0));
      if (key === null || read.kind !== 'value') {
        const isCut = this.at >= text.length || read.kind === 'cut' || (key === null && /^\s*\w*\s*$/u.test(text.slice(this.at)));
        return this.fail(isCut ? BROKE_OFF : 'its arguments could not be read; give each as name=value', toolName);
      }
      args.set(key[1] ?? '', read.value);
      this.at = read.end;
    }
  }

  /** `[name(…), name(…)]`: without its last bracket it is truncated. */
  private readList(): boolean {
    const { drafts, text } = this;
    const before = drafts.length;
    this.at += 1;
    for (;;) {
      this.at += match(/[\s,]*/uy, text, this.at)?.[0].length ?? 0;
      if (text[this.at] === ']') {
        this.at += 1;
        return drafts.length > before;
      }
      if (this.isBroken) return true;
      if (!this.readNamed()) return this.at >= text.length ? this.fail(BROKE_OFF, '') : false;
    }
  }
}

const GEMMA = /^<(?:start_function_call|\|tool_call)>/u;
const withJsonTexts = (text: string): string =>
  text.replaceAll(/(<escape>|<\|"\|>)([\s\S]*?)\1/gu, (_whole, _mark, inner: string) => JSON.stringify(inner));

const SHORT = 60;
const HAS_ARGUMENTS = new RegExp(`["'](?:${ARGUMENT_KEYS.join('|')})["']\\s*:`, 'u');
/** A fence with a language that is used only for calls. */
const CALLS_ONLY = /^`{3,}[ \t]*(?:tool|function_call)/iu;

export const otherForms = (own: string, isTool: IsTool): OtherForms => ({
  openingAt: (text, at, isLine) => openingAt(text, at, { own, isLine, isTool }),
  isCutOpening,
  read: (raw) => readFamilyBlock(raw, isTool),
});

/** Splits a text from another family's opening on into calls and the text after them; undefined if all is text. */
function readFamilyBlock(raw: string, isTool: IsTool): Omit<FamilyCalls, 'isBroken'> | undefined {
  const calls = readFamilyCalls(raw, isTool);
  if (/^(?:[`{]|\[(?!TOOL_))/u.test(raw)) return isMeant(raw, calls, isTool) ? calls : undefined;
  if (calls.drafts.length > 0) return calls;
  const why = raw.length < SHORT ? BROKE_OFF : 'nothing in it could be read as a call; write it exactly as was explained';
  return { drafts: [invalidDraft(why, '')], rest: '' };
}

/** JSON and code may be an example. A call names offered tools, has their arguments, and ends the answer. */
function isMeant(raw: string, { drafts, rest, isBroken }: FamilyCalls, isTool: IsTool): boolean {
  if (drafts.length === 0 || (rest !== '' && !CALLS_ONLY.test(raw))) return false;
  const isCall = ({ toolName, invalid }: RequestDraft): boolean => isTool(toolName) && invalid === undefined;
  if (!drafts.slice(0, isBroken ? -1 : undefined).every(isCall)) return false;
  return isBroken || HAS_ARGUMENTS.test(raw) || /\w\(/u.test(raw);
}
