import type { ParsedToolRequest, Span, ToolCallingProtocol } from '../src/protocol/contract.ts';
import { PROTOCOLS } from '../src/protocol/protocols.ts';
import type { BenchReport, Figure } from './figures.ts';
import { ANSWERS, type MakeAnswer } from './parser-texts.ts';
import type { BenchSize } from './size.ts';

const MB = 1e6;
/** Characters: a piece of a stream has a few tokens. */
const PIECE = 16;
/** Beside regular expressions; unclosed markers cost those the square of the length. */
const COMPARED = { length: 2 * MB, unclosed: MB / 20, runs: 4 };
const TARGETS = { whole: 50, streamed: 20 };

const CODE = '^[ \\t>*+\\d.)-]*(?<fence>```+|~~~+)[^\\n]*\\n[^]*?(?:^[ \\t>]*\\k<fence>[`~]*[ \\t]*$|(?![^]))';
const SPAN = '(?<ticks>`+)(?!`)[^\\n]*?(?<!`)\\k<ticks>(?!`)';
const THOUGHT = '<think>[^]*?(?:</think>|(?![^]))';
const VCP_BLOCK = '<<<\\[TOOL_REQUEST\\]>>>(?<block>[^]*?)<<<\\[END_TOOL_REQUEST\\]>>>';
const VCP_FIELD = /([\p{L}\p{N}_.-]+)\s*[:：]\s*(?:「始」([\s\S]*?)「末」|「始ESCAPE」([\s\S]*?)「末ESCAPE」)/giu;
const MARKER = /「始|<<<\[(?:END_)?TOOL_REQUEST/u;
const JSON_BLOCK = '<tool_call>(?<block>(?:"(?:[^"\\\\]|\\\\.)*"|[^"<]|<(?!/?tool_call>))*)(?<end></tool_call>)?';
const JSON_FIELD = /"((?:[^"\\]|\\.)*)"\s*:\s*("(?:[^"\\]|\\.)*"|[^,}\]]*)/gu;

/**
 * How one would read requests with regular expressions: code and thoughts are skipped, fields or JSON read block by block, with the same
 * outcome but for requests that overlap.
 */
function readByExpressions(protocol: string, text: string): readonly ParsedToolRequest[] {
  const isVcp = protocol === 'vcp';
  const found = text.matchAll(new RegExp([isVcp ? VCP_BLOCK : JSON_BLOCK, CODE, SPAN, THOUGHT].join('|'), 'gm'));
  const requests: ParsedToolRequest[] = [];
  for (const { groups, index, 0: rawBlock } of found) {
    if (groups?.block === undefined) continue;
    const start = index + rawBlock.indexOf('>') + (isVcp ? 3 : 1);
    const read = isVcp ? readFields(groups.block, start) : groups.end === undefined ? OPEN : readJson(groups.block, start);
    requests.push({
      requestId: `${protocol}-${requests.length + 1}`,
      rawBlock,
      warnings: [],
      span: { start: index, end: index + rawBlock.length },
      ...read,
    });
  }
  return requests;
}

const OPEN = { toolName: '', args: {}, argumentSpans: {}, invalid: 'it has no end' };
type Read = Pick<ParsedToolRequest, 'toolName' | 'args' | 'argumentSpans' | 'invalid'>;

function readFields(block: string, offset: number): Read {
  const args: Record<string, string> = {};
  const argumentSpans: Record<string, Span> = {};
  let rest = '';
  let at = 0;
  let isBroken = false;
  for (const { 0: whole, 1: key = '', 2: value = '', index } of block.matchAll(VCP_FIELD)) {
    args[key] = value.replaceAll('\r\n', '\n');
    const start = offset + index + whole.indexOf('」') + 1;
    argumentSpans[key] = { start, end: start + value.length };
    isBroken ||= MARKER.test(value);
    rest += block.slice(at, index);
    at = index + whole.length;
  }
  isBroken ||= MARKER.test(rest + block.slice(at));
  const { tool_name: toolName = '', ...others } = args;
  return { toolName, args: others, argumentSpans, ...(isBroken ? { invalid: 'a value is not closed' } : {}) };
}

function readJson(block: string, offset: number): Read {
  try {
    const { name, arguments: args } = JSON.parse(block);
    const argumentSpans: Record<string, Span> = {};
    for (const { 1: key = '', 2: value = '', index, 0: whole } of block.matchAll(JSON_FIELD)) {
      argumentSpans[key] = { start: offset + index + whole.length - value.length, end: offset + index + whole.length };
    }
    return { toolName: name, args, argumentSpans };
  } catch {
    return { toolName: '', args: {}, argumentSpans: {}, invalid: 'it is no JSON' };
  }
}

function readStreamed(protocol: ToolCallingProtocol, text: string): number {
  const stream = protocol.stream();
  let parts = 0;
  for (let at = 0; at < text.length; at += PIECE) parts += stream.take(text.slice(at, at + PIECE)).length;
  return parts + stream.end().length;
}

/** Milliseconds: some systems count the work of a thread in steps of ten. */
const ENOUGH = 250;

/** Milliseconds that the processor needs for it on this thread: what the machine does meanwhile for others does not count. */
function worked(work: () => number): number {
  const before = process.threadCpuUsage();
  let done = 0;
  for (let times = 1; ; times++) {
    done += work();
    const { user, system } = process.threadCpuUsage(before);
    const spent = (user + system) / 1000;
    // The work is used, so it is done.
    if (spent >= ENOUGH) return done < 0 ? Number.NaN : spent / times;
  }
}

/** Of each the fastest of several runs, one after the other; the first ones compile. */
function fastest(runs: number, ...works: readonly (() => number)[]): readonly number[] {
  const best = works.map(() => Number.POSITIVE_INFINITY);
  for (let run = 0; run < runs + 2; run++) {
    for (const [index, work] of works.entries()) best[index] = Math.min(best[index] ?? Number.NaN, worked(work));
  }
  return best;
}

function measure(protocol: ToolCallingProtocol, name: string, make: MakeAnswer, runs: number): readonly Figure[] {
  const short = make(5 * MB);
  const long = make(10 * MB);
  const little = make(name === 'unclosed markers' ? COMPARED.unclosed : COMPARED.length);
  const whole = (text: string) => () => protocol.parseToolRequests(text).length;
  const streamed = (text: string) => () => readStreamed(protocol, text);
  const [shortTime = Number.NaN, longTime = Number.NaN] = fastest(runs, whole(short), whole(long));
  const [shortStream = Number.NaN, longStream = Number.NaN] = fastest(runs, streamed(short), streamed(long));
  const byExpressions = () => readByExpressions(protocol.id, little).length;
  const [ours = Number.NaN, baseline = Number.NaN] = fastest(COMPARED.runs, whole(little), byExpressions);
  const title = `${protocol.id}, ${name}`;
  return [
    { name: `${title}: 10 MB in the time of 5`, value: longTime / shortTime, unit: ' ×', limit: 2.2 },
    { name: '   streamed', value: longStream / shortStream, unit: ' ×', limit: 2.2 },
    { name: '   time beside regular expressions', value: ours / baseline, unit: ' ×', ...(protocol.id === 'vcp' ? { limit: 1 } : {}) },
    { name: '   whole', value: long.length / MB / (longTime / 1000), unit: ' MB/s', target: TARGETS.whole },
    {
      name: `   streamed in pieces of ${PIECE}`,
      value: long.length / MB / (longStream / 1000),
      unit: ' MB/s',
      target: TARGETS.streamed,
    },
  ];
}

/** `npm run bench -- parser`: reading requests out of answers of 5 and 10 MB. */
export async function benchParser({ runs }: BenchSize): Promise<BenchReport> {
  const figures = PROTOCOLS.flatMap((protocol) =>
    Object.entries(ANSWERS[protocol.id === 'json' ? 'json' : 'vcp']).flatMap(([name, make]) => measure(protocol, name, make, runs)),
  );
  return {
    notes: [
      'MB: a million characters (UTF-16 units); time on the processor, of the fastest of several runs',
      `beside regular expressions at ${COMPARED.length / MB} MB, unclosed markers at ${COMPARED.unclosed / MB}: they cost those the square of the length`,
      'beside regular expressions over JSON, where V8 reads the values in both, there is no limit: ours follows each string too, to stream it',
    ],
    figures,
  };
}
