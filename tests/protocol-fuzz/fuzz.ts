// Random answers made of markers, halves of markers, fences, thoughts and words, read whole and in random pieces.
import { isDeepStrictEqual } from 'node:util';
import { type Random, seededRandom } from '../../bench/random.ts';
import type { StreamPart, ToolCallingProtocol } from '../../src/protocol/contract.ts';
import { PROTOCOLS } from '../../src/protocol/protocols.ts';
import { streamed } from '../../src/protocol/testing/cuts.ts';

const WORDS = [
  'a',
  'tool_name',
  'path',
  'command1',
  'p1',
  'commandX',
  '笔记',
  '𝒂',
  '\u0301',
  'name',
  'arguments',
  '1',
  'true',
  'https://x.y',
  'I look',
];
const SPACES = [' ', '\n', '\n\n', '\r\n', '\r', '\t', '\u3000', '', ''];
const SIGNS = [
  ':',
  '：',
  ',',
  '，',
  '.',
  '"',
  "'",
  '\\',
  '\\\\',
  '*',
  '-',
  '>',
  '> ',
  '1. ',
  '{',
  '}',
  '[',
  ']',
  '{"',
  '":',
  '\\u00',
  '\\"',
];
const CODE = [
  '`',
  '``',
  '```',
  '````',
  '~~~',
  '~',
  '```js\n',
  '```tool_call\n',
  '```tool_call ',
  '<think>',
  '</think>',
  '<thinking>',
  '</Thinking>',
];
const MARKERS = [
  ...[
    '<<<[TOOL_REQUEST]>>>',
    '<<<[END_TOOL_REQUEST]>>>',
    '<<<[TOOL_RESULT]>>>',
    '「始」',
    '「末」',
    '「始ESCAPE」',
    '「末escape」',
    '「\\末」',
    '「',
    '」',
    '始',
  ],
  ...[
    'tool_name:「始」read「末」',
    ', id : 「始」',
    '<tool_call>',
    '</tool_call>',
    '{"name": "read", "arguments": {',
    '{"name":"read"}',
    '"a": "',
  ],
];

/** With `code`, whatever may stand in an answer; without, nothing that hides a request or shows a marker. */
function randomAnswer(random: Random, code: boolean): string {
  const lists = [WORDS, SPACES, SPACES, SIGNS, MARKERS, MARKERS, MARKERS, ...(code ? [CODE] : [])];
  return Array.from({ length: 1 + random.below(40) }, () => {
    const text = random.pick(random.pick(lists) ?? WORDS) ?? '';
    const half = random.below(8) === 0 && text.length > 1;
    const part = half ? text.slice(0, 1 + random.below(text.length - 1)) : text;
    // Without the character that shows code, which the list of signs and halves may hold.
    return code ? part : part.replaceAll(/[`~]/gu, '').replaceAll(/<\/?t(?!ool)/giu, '<');
  }).join('');
}

function randomPieces(random: Random, text: string): readonly string[] {
  const pieces: string[] = [];
  const longest = 1 + random.below(12);
  for (let at = 0; at < text.length; ) {
    const end = at + random.below(longest + 1);
    pieces.push(text.slice(at, end));
    at = Math.min(end, text.length);
  }
  return pieces;
}

const MARKER: Readonly<Record<string, RegExp>> = { vcp: /<<<\[(?:END_)?TOOL_REQUEST\]>>>/u, json: /<\/?tool_call>/u };

/** A text that shows a marker. What was left out between two texts does not make them one. */
function shownMarker(protocol: ToolCallingProtocol, text: string): string | undefined {
  const stream = protocol.stream();
  const texts = [...stream.take(text), ...stream.end()].flatMap((part) => (part.type === 'text' ? [part.text] : []));
  return texts.find((shown) => MARKER[protocol.id]?.test(shown));
}

/** What is wrong with these parts of a text; undefined where nothing is. */
function problemOf(protocol: ToolCallingProtocol, text: string, parts: readonly StreamPart[], code: boolean): string | undefined {
  let end = 0;
  const requests = parts.flatMap((part) => (part.type === 'request' ? [part.request] : []));
  for (const { span, rawBlock, argumentSpans } of requests) {
    if (text.slice(span.start, span.end) !== rawBlock) return 'a block is not what its span says';
    if (span.end < end) return 'blocks overlap';
    end = span.start === end ? end : span.end;
    const outside = Object.values(argumentSpans).some(
      (value) => value.start < span.start || value.end > span.end || value.start > value.end,
    );
    if (outside) return 'an argument is outside of its block';
  }
  if (new Set(requests.map(({ requestId }) => requestId)).size < requests.length) return 'two requests have one id';
  const shown = code ? undefined : shownMarker(protocol, text);
  if (shown !== undefined) return `a marker is shown: ${JSON.stringify(shown)}`;
  const starts = parts.filter(({ type }) => type === 'start').length;
  return starts === requests.length ? undefined : `${starts} requests began, ${requests.length} ended`;
}

function problemWith(protocol: ToolCallingProtocol, text: string, random: Random, code: boolean): string | undefined {
  const whole = streamed(protocol, [text]);
  const problem = problemOf(protocol, text, whole, code);
  if (problem !== undefined) return problem;
  const pieces = randomPieces(random, text);
  return isDeepStrictEqual(streamed(protocol, pieces), whole) ? undefined : `otherwise in pieces: ${JSON.stringify(pieces)}`;
}

export interface FuzzReport {
  readonly answers: number;
  readonly requests: number;
  /** Each with the number that makes it again, and its answer. */
  readonly problems: readonly string[];
}

/** `count` answers from number `from` on, each read by every protocol. The same seed makes the same answers. */
export function fuzzProtocols({ seed, from, count }: { readonly seed: number; readonly from: number; readonly count: number }): FuzzReport {
  const problems: string[] = [];
  let requests = 0;
  for (let number = from; number < from + count && problems.length < 20; number++) {
    const random = seededRandom(Math.imul(seed, 0x9e3779b1) + number);
    const code = random.below(2) === 0;
    const text = randomAnswer(random, code);
    for (const protocol of PROTOCOLS) {
      const problem = tryProblem(protocol, text, random, code);
      if (problem !== undefined) problems.push(`${number} ${protocol.id}: ${problem} ← ${JSON.stringify(text)}`);
      requests += protocol.parseToolRequests(text).length;
    }
  }
  return { answers: count, requests, problems };
}

function tryProblem(protocol: ToolCallingProtocol, text: string, random: Random, code: boolean): string | undefined {
  try {
    return problemWith(protocol, text, random, code);
  } catch (error) {
    return `it threw ${error}`;
  }
}
