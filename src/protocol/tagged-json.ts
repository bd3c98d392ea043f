import { MAX_DEPTH, parseLenient } from '../tools/util/lenient-json.ts';
import { parsedJson } from '../tools/util/plain-value.ts';
import { draftsOfValue, invalidDraft } from './call-object.ts';
import type { Span, ToolCallingProtocol, ToolDefinitionInput, ToolExecutionResult, WrittenCall } from './contract.ts';
import { otherForms } from './families/other-forms.ts';
import { markerAt, UNDECIDED } from './scanner/marker.ts';
import { RequestScanner, requestsIn } from './scanner/scanner.ts';
import type { BlockListener, BlockReader, BlockSyntax, RequestDraft } from './scanner/syntax.ts';

const CALL_OPEN = '<tool_call>';
const CALL_CLOSE = '</tool_call>';
/** A fence with this language is a call too. One with `json` is not: models show objects to people that way. */
const FENCE_OPEN = '```tool_call';
const FENCE_CLOSE = '```';
const MAX_FENCE_SPACE = 8;

const SYNTAX: BlockSyntax = {
  idPrefix: 'json',
  pieceFrom: '<tool_'.length,
  strays: [CALL_CLOSE],
  opener: CALL_OPEN,
  fenceAt,
  open: (opener, listener) => new CallReader(opener.startsWith('<') ? CALL_CLOSE : FENCE_CLOSE, listener),
};

function fenceAt(text: string, at: number): number {
  const length = markerAt(text, at, FENCE_OPEN);
  if (length <= 0) return length;
  for (let end = at + length; end <= at + length + MAX_FENCE_SPACE; end++) {
    const letter = text[end];
    if (letter === undefined) return UNDECIDED;
    if (letter === '\n') return end + 1 - at;
    if (letter !== ' ' && letter !== '\t' && letter !== '\r') return 0;
  }
  return 0;
}

/** The meaning of a character outside strings: none, or part of the structure, a quote, perhaps a marker. */
const PLAIN = 0;
const STRUCTURE = 1;
const QUOTE = 2;
const MARKER = 3;
const MEANINGS = new Uint8Array(128);
for (const [letters, meaning] of [
  ['{}[],:', STRUCTURE],
  ['"\'', QUOTE],
  ['<`', MARKER],
] as const) {
  for (const letter of letters) MEANINGS[letter.charCodeAt(0)] = meaning;
}
const meaningAt = (text: string, at: number): number => MEANINGS[text.charCodeAt(at)] ?? PLAIN;
const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f', '"': '"', "'": "'", '/': '/', '\\': '\\' };

/** One call. Nothing inside a JSON string is a marker; streaming only follows it, and the finished text is parsed. */
class CallReader implements BlockReader {
  readonly closer: string;
  closed = false;
  leavesDoubt = false;
  private readonly listener: BlockListener | undefined;
  private readonly body: string[] = [];
  private depth = 0;
  private tooDeep = false;
  /** The quote of the current string; '' outside strings. */
  private quote = '';
  /** A string would be a key: tracked for objects on the first two levels, which contain `arguments` and its fields. */
  private awaitsKey = false;
  private readonly isObject = [false, false, false];
  private readonly keys = ['', '', ''];
  /** The current key, or the tool's name. */
  private word: string | undefined;
  private name = '';
  private argument: { readonly key: string; readonly start: number; end: number } | undefined;
  /** The part of the argument that is not reported yet. */
  private pending: string[] = [];
  private readonly spans = new Map<string, Span>();
  private invalid: string | undefined;

  constructor(closer: string, listener: BlockListener | undefined) {
    this.closer = closer;
    this.listener = listener;
  }

  read(text: string, from: number, offset: number, final: boolean): number {
    let at = from;
    while (at < text.length && !this.closed) {
      const next = this.quote === '' ? this.readOutside(text, at, offset, final) : this.readString(text, at, offset, final);
      if (next === at) break;
      at = next;
    }
    this.emitPending();
    const closer = this.closed && this.invalid === undefined ? this.closer.length : 0;
    if (at - closer > from) this.body.push(text.slice(from, at - closer));
    return at;
  }

  finish(interrupted: boolean): readonly RequestDraft[] {
    if (interrupted) this.invalid ??= 'the answer broke off before the end of the call; send the whole call again';
    if (this.tooDeep) this.invalid ??= `it has more than ${MAX_DEPTH} levels of lists and objects`;
    if (this.invalid !== undefined) return [invalidDraft(this.invalid, this.name)];
    return draftsOf(this.body.join(''), this.name).map((draft) => ({ ...draft, argumentSpans: spansOf(draft, this.spans) }));
  }

  private readOutside(text: string, at: number, offset: number, final: boolean): number {
    const meaning = meaningAt(text, at);
    if (meaning === STRUCTURE) {
      this.takeLetter(text[at] ?? '', offset + at);
      return at + 1;
    }
    if (meaning === QUOTE && this.depth > 0) {
      this.quote = text[at] ?? '';
      this.beginString(this.quote, offset + at);
      return at + 1;
    }
    const marker = meaning === MARKER ? this.takeMarker(text, at) : 0;
    if (marker === UNDECIDED && !final) return at;
    if (marker > 0 || this.closed) return at + Math.max(marker, 0);
    return this.readPlain(text, at, offset);
  }

  /** Numbers, words and white space, and signs without a meaning here. */
  private readPlain(text: string, from: number, offset: number): number {
    let at = from + 1;
    while (at < text.length && meaningAt(text, at) === PLAIN) at++;
    if (this.depth < 2) return at;
    const piece = text.slice(from, at);
    const words = piece.trimStart();
    const start = from + piece.length - words.length;
    if (words !== '') this.pushArgument(words.replaceAll(/\s+/gu, ''), offset + start, words.trimEnd().length);
    return at;
  }

  private takeMarker(text: string, at: number): number {
    const close = markerAt(text, at, this.closer);
    if (close > 0) {
      this.closed = true;
      this.leavesDoubt = this.depth > 0;
      return close;
    }
    const open = markerAt(text, at, CALL_OPEN);
    if (open > 0) {
      this.closed = true;
      this.leavesDoubt = this.depth > 0;
      this.invalid = `it has no ${this.closer === CALL_CLOSE ? '/tool_call tag' : 'closing fence'}; send the whole call again`;
      return 0;
    }
    return Math.min(close, open);
  }

  private takeLetter(letter: string, offset: number): void {
    const { depth } = this;
    if (letter === ':' && depth <= 2 && this.isObject[depth]) {
      this.awaitsKey = false;
      return;
    }
    const endsValue = letter === ',' || letter === '}' || letter === ']';
    if (endsValue && depth <= 2) this.endArgument();
    else this.pushArgument(letter, offset, 1);
    if (letter === '{' || letter === '[') this.enter(letter === '{');
    else if (letter === '}' || letter === ']') this.depth = Math.max(0, depth - 1);
    else if (letter === ',' && depth <= 2) this.awaitsKey = this.isObject[depth] === true;
  }

  private enter(isObject: boolean): void {
    this.depth++;
    this.tooDeep ||= this.depth > MAX_DEPTH;
    if (this.depth > 2) return;
    this.isObject[this.depth] = isObject;
    this.awaitsKey = isObject;
  }

  private beginString(letter: string, offset: number): void {
    const { depth } = this;
    if (depth <= 2 && this.awaitsKey) this.word = '';
    else if (depth === 1 && this.keys[1] === 'name') this.word = '';
    else this.pushArgument(depth > 2 ? letter : '', offset, 1);
  }

  /** To the end of the string, or before half an escape. */
  private readString(text: string, from: number, offset: number, final: boolean): number {
    let at = from;
    let end = -1;
    while (at < text.length) {
      // Searched once, however many escapes precede it.
      if (end < at) end = text.indexOf(this.quote, at);
      if (end < 0) end = text.length;
      const piece = text.slice(at, end);
      const backslash = piece.indexOf('\\');
      const plain = backslash < 0 ? piece : piece.slice(0, backslash);
      if (plain !== '') this.pushString(plain, undefined, offset + at);
      at += plain.length;
      if (backslash < 0) break;
      const length = text[at + 1] === 'u' ? 6 : 2;
      if (at + length > text.length && !final) return at;
      const escaped = text.slice(at, at + length);
      this.pushString(escaped, unescapeLetter(escaped), offset + at);
      at += escaped.length;
    }
    if (at >= text.length) return text.length;
    this.endString(offset + at);
    return at + 1;
  }

  private pushString(raw: string, decoded: string | undefined, offset: number): void {
    if (this.word !== undefined) this.word += decoded ?? raw;
    else this.pushArgument(this.depth > 2 ? raw : (decoded ?? raw), offset, raw.length);
  }

  private endString(offset: number): void {
    const { depth, word } = this;
    const ended = this.quote;
    this.quote = '';
    this.word = undefined;
    if (word === undefined) this.pushArgument(depth > 2 ? ended : '', offset, 1);
    else if (this.awaitsKey) this.keys[depth] = word;
    else {
      this.name = word;
      this.listener?.name(word);
    }
  }

  /** Reports `length` characters of an argument: strings as their content, everything else as JSON. */
  private pushArgument(piece: string, offset: number, length: number): void {
    if (this.argument === undefined) {
      const isArgument = this.depth === 2 && this.isObject[1] && this.isObject[2] && !this.awaitsKey && isArguments(this.keys[1]);
      if (!isArgument) return;
      this.argument = { key: this.keys[2] ?? '', start: offset, end: offset };
    }
    this.argument.end = offset + length;
    if (piece !== '' && this.listener !== undefined) this.pending.push(piece);
  }

  private endArgument(): void {
    this.emitPending();
    if (this.argument !== undefined) this.spans.set(this.argument.key, { start: this.argument.start, end: this.argument.end });
    this.argument = undefined;
  }

  private emitPending(): void {
    if (this.pending.length === 0) return;
    if (this.argument !== undefined) this.listener?.argument(this.argument.key, this.pending.join(''));
    this.pending = [];
  }
}

const isArguments = (key: string | undefined): boolean => key === 'arguments' || key === 'parameters';

function unescapeLetter(escaped: string): string {
  if (escaped[1] !== 'u') return ESCAPES[escaped[1] ?? ''] ?? escaped;
  return /^[\da-f]{4}$/iu.test(escaped.slice(2)) ? String.fromCharCode(Number.parseInt(escaped.slice(2), 16)) : escaped;
}

/** Only the values that the call really has. */
function spansOf({ args }: RequestDraft, spans: ReadonlyMap<string, Span>): Readonly<Record<string, Span>> {
  const found = new Map<string, Span>();
  for (const [key, span] of spans) if (Object.hasOwn(args, key)) found.set(key, span);
  return Object.fromEntries(found);
}

function draftsOf(body: string, name: string): readonly RequestDraft[] {
  const read = readJson(body);
  if (read.kind === 'value') return draftsOfValue(read.value);
  const why = read.kind === 'cut' ? 'its JSON breaks off' : `it is no JSON: ${read.reason}`;
  return [invalidDraft(`${why}; write {"name": …, "arguments": {…}}`, name)];
}

function readJson(body: string): ReturnType<typeof parseLenient> {
  const value = parsedJson(body);
  return value === undefined ? parseLenient(body) : { kind: 'value', value };
}

/** JSON without any of our markers in it. */
function writeJson(value: object): string {
  return JSON.stringify(value).replaceAll(/<(?=\/?tool)/gu, '\\u003c');
}

const HOW_TO_CALL = `To use a tool, write a call like this and stop after it; its result comes in the next message:
${CALL_OPEN}
{"name": "the tool's name", "arguments": {"argument": "its value"}}
${CALL_CLOSE}
Calls in code blocks are not run. The tools:`;

function writeResult({ requestId, toolName, status, result, durationMs }: ToolExecutionResult): string {
  const answer = { name: toolName, id: requestId, status, duration_ms: Math.round(durationMs), content: result };
  return `<tool_response>\n${writeJson(answer)}\n</tool_response>`;
}

function writeRequest({ requestId, toolName, args }: WrittenCall): string {
  const id = requestId === undefined ? {} : { id: requestId };
  return `${CALL_OPEN}\n${writeJson({ name: toolName, arguments: args, ...id })}\n${CALL_CLOSE}`;
}

/** JSON in `<tool_call>` tags, as Hermes and Qwen models were trained to write it. */
export const TAGGED_JSON: ToolCallingProtocol = {
  id: 'json',
  label: 'JSON',
  stopSequences: [CALL_CLOSE],
  resultStart: '<tool_response>',
  generateToolDefinitions(input: readonly ToolDefinitionInput[]): string {
    const methods = input.flatMap((tool) => tool.methods);
    if (methods.length === 0) return '';
    return [
      HOW_TO_CALL,
      '<tools>',
      ...methods.map(({ definition: { type, function: body } }) => writeJson({ type, function: body })),
      '</tools>',
    ].join('\n');
  },
  parseToolRequests: (finalText) => requestsIn(SYNTAX, finalText),
  formatToolResults: (results) => results.map(writeResult).join('\n'),
  formatToolRequest: writeRequest,
  stream: (isTool) => new RequestScanner(SYNTAX, { others: isTool && otherForms(SYNTAX.opener, isTool) }),
};
