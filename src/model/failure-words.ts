import { fieldOf, isRecord, parsedJson } from '../tools/util/plain-value.ts';

/** What a server says about a failure, wherever in the response it is. */
export interface FailureWords {
  /** Its own words, from the outermost to the innermost; '' if it has none. */
  readonly words: string;
  /** Codes and types, in one text. */
  readonly marks: string;
  /** The first code that is an HTTP status. */
  readonly status: number | undefined;
}

const WORDS = [
  'message',
  'msg',
  'error_msg',
  'error_message',
  'errorMessage',
  'status_msg',
  'error_description',
  'detail',
  'Message',
  'title',
];
const MARKS = ['code', 'type', 'status', 'error_code', 'status_code', 'Code', 'err_code', 'error_type', 'reason', 'errorCode'];
const WITHIN = [
  'error',
  'errors',
  'Error',
  'Response',
  'base_resp',
  'fault',
  'innererror',
  'inner_error',
  'cause',
  'metadata',
  'raw',
  'detail',
  'data',
  'body',
];
const MAX_DEPTH = 6;

/** A server's answer may be megabytes, and what failed is at its beginning. */
const MAX_READ = 20_000;

/** HTML without tags; any other text unchanged; at most MAX_READ characters of either. */
export function plainText(whole: string): string {
  const text = whole.slice(0, MAX_READ);
  if (!/^\s*<(?:!doctype|html|head|body|\?xml|center|h1|title)\b/iu.test(text)) return text.trim();
  const title = /<title[^>]*>([^<]*)<\/title>/iu.exec(text)?.[1]?.trim() ?? '';
  const body = text
    .replace(/<(script|style|head)\b[\s\S]*?<\/\1>/giu, ' ')
    .replace(/<[^>]*>/gu, ' ')
    .replace(/\s+/gu, ' ')
    .trim();
  return [title, body === title || body.startsWith(title) ? body.slice(title.length).trim() : body]
    .filter((part) => part !== '')
    .join(': ');
}

class Collector {
  readonly words: string[] = [];
  readonly marks: string[] = [];

  collect(value: unknown, depth = 0): void {
    if (depth > MAX_DEPTH) return;
    if (typeof value === 'string') this.collectText(value, depth);
    else if (Array.isArray(value)) for (const each of value.slice(0, 3)) this.collect(each, depth + 1);
    else if (isRecord(value)) this.collectRecord(value, depth);
  }

  private collectRecord(value: Readonly<Record<string, unknown>>, depth: number): void {
    for (const name of MARKS) {
      const mark = value[name];
      if (typeof mark === 'string' || typeof mark === 'number') this.marks.push(String(mark));
    }
    for (const name of WORDS) if (typeof value[name] === 'string') this.collectText(value[name], depth);
    for (const name of WITHIN) if (!WORDS.includes(name) || typeof value[name] !== 'string') this.collect(value[name], depth + 1);
    // FastAPI says what is wrong with each field.
    if (Array.isArray(value.loc) && typeof value.msg !== 'string') this.marks.push(value.loc.join('.'));
  }

  /** Words that contain another failure as JSON are split into the outer and the inner one. */
  private collectText(said: string, depth: number): void {
    const text = plainText(said);
    const at = text.search(/[{[]/u);
    const inner = at < 0 ? undefined : parsedJson(text.slice(at).replace(/[^}\]]*$/u, ''));
    const found = new Collector();
    // `tools[0].name` has brackets as well.
    if (isRecord(inner) || (Array.isArray(inner) && inner.some(isRecord))) found.collect(inner, depth + 1);
    if (found.words.length + found.marks.length === 0) {
      this.say(text);
      return;
    }
    this.say(text.slice(0, at).replace(/[\s:-]+$/u, ''));
    for (const words of found.words) this.say(words);
    this.marks.push(...found.marks);
  }

  private say(text: string): void {
    if (text !== '' && !this.words.some((known) => known.includes(text))) this.words.push(text);
  }
}

export function readFailure(body: unknown): FailureWords {
  const collector = new Collector();
  collector.collect(body);
  const { words, marks } = collector;
  const status = marks.map(Number).find((mark) => Number.isInteger(mark) && mark >= 400 && mark < 600);
  return { words: words.join(': '), marks: marks.join(' '), status };
}

function isSet(value: unknown): boolean {
  if (typeof value === 'string' || Array.isArray(value)) return value.length > 0;
  return isRecord(value) ? Object.keys(value).length > 0 : value === true;
}

const isBad = (code: unknown): boolean =>
  (typeof code === 'number' || typeof code === 'string') && !/^(?:|0+|20\d|ok|success)$/iu.test(String(code));

/** The failure that a chunk or body of a successful response is or contains; undefined if it is an answer. */
export function failureIn(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(failureIn).find((failure) => failure !== undefined);
  if (!isRecord(value)) return undefined;
  for (const failure of [value.error, value.errors, value.Error, fieldOf(value.Response, 'Error')]) if (isSet(failure)) return failure;
  // How the Responses API ends a stream that failed.
  if (value.type === 'response.failed' && isSet(fieldOf(value.response, 'error'))) return fieldOf(value.response, 'error');
  const choices = Array.isArray(value.choices) ? value.choices : [];
  const [choice] = choices;
  for (const place of [choice, fieldOf(choice, 'delta'), fieldOf(choice, 'message')]) {
    const failure = fieldOf(place, 'error');
    if (isSet(failure)) return failure;
  }
  if (choices.length > 0) return undefined;
  const words = WORDS.some((name) => isSet(value[name]));
  const isFailure =
    value.object === 'error' ||
    value.type === 'error' ||
    value.success === false ||
    value.ok === false ||
    isBad(fieldOf(value.base_resp, 'status_code')) ||
    (words && MARKS.some((name) => name !== 'type' && name !== 'status' && isBad(value[name]))) ||
    (words && (isSet(value.detail) || Number(value.status) >= 400));
  return isFailure ? value : undefined;
}
