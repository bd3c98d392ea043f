// Calls of public sets, written in each form that a model may use: they reach their tool as they were meant, or are refused.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseLenient } from '../../src/tools/util/lenient-json.ts';
import { canonicalJson, isRecord } from '../../src/tools/util/plain-value.ts';
import type { EvalOptions, EvalPart, EvalRow } from '../part.ts';
import { type OpenSet, openSet } from '../sets.ts';
import { executorOf, FORMS, type Form, type GivenCall, type OfferedTool, recordingTools, runCalls } from './run-calls.ts';

interface Case {
  readonly id: string;
  readonly tools: readonly OfferedTool[];
  /** Names as the set has them. */
  readonly calls: readonly GivenCall[];
}

/** Types of the set that are not of JSON schema, as its own requests to OpenAI have them. */
const TYPES: Readonly<Record<string, string>> = { dict: 'object', float: 'number', tuple: 'array', any: 'string' };

function asSchema(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(asSchema);
  if (!isRecord(node)) return node;
  const entries = Object.entries(node).map(([key, value]) => [
    key,
    key === 'type' && typeof value === 'string' ? (TYPES[value] ?? value) : asSchema(value),
  ]);
  return Object.fromEntries(entries);
}

/** The first of the values that the set allows; in objects each field has such a list. '' and null stand for none. */
function firstOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(firstOf);
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).flatMap(([key, all]) => (Array.isArray(all) ? allowed(key, all) : [[key, all]])));
}

const allowed = (key: string, all: readonly unknown[]): readonly (readonly [string, unknown])[] =>
  ['', null, undefined].some((none) => none === all[0]) ? [] : [[key, firstOf(all[0])]];

const linesOf = (path: string): readonly Record<string, unknown>[] =>
  readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line));

const BFCL = 'berkeley-function-call-leaderboard/bfcl_eval/data';
const BFCL_FILES = [
  'simple_python',
  'multiple',
  'parallel',
  'parallel_multiple',
  'live_simple',
  'live_multiple',
  'live_parallel',
  'live_parallel_multiple',
];

interface BfclFunction {
  readonly name: string;
  readonly parameters: unknown;
}

function bfclCases(folder: string): readonly Case[] {
  return BFCL_FILES.flatMap((name) => {
    const [questions, answers] = ['', 'possible_answer'].map((below) => join(folder, BFCL, below, `BFCL_v4_${name}.json`));
    if (questions === undefined || answers === undefined || !existsSync(questions)) return [];
    const truths = new Map(linesOf(answers).map(({ id, ground_truth }) => [id, ground_truth as readonly Record<string, unknown>[]]));
    return linesOf(questions).flatMap(({ id, function: functions }): Case[] => {
      const tools = (functions as readonly BfclFunction[]).map((each) => ({ name: each.name, inputSchema: asSchema(each.parameters) }));
      const calls = truths
        .get(id)
        ?.flatMap((call) => Object.entries(call).map(([tool, args]) => ({ name: tool, args: firstOf(args) as GivenCall['args'] })));
      return calls ? [{ id: String(id), tools, calls }] : [];
    });
  });
}

/** Each text alone, in a list and in an object. */
const naughtyCases = (folder: string): readonly Case[] => {
  const texts: readonly string[] = JSON.parse(readFileSync(join(folder, 'blns.json'), 'utf8'));
  const text = { type: 'string' };
  const properties = { text, list: { type: 'array', items: text }, row: { type: 'object', properties: { text } } };
  const tools = [{ name: 'write', inputSchema: { type: 'object', properties, required: ['text'] } }];
  return texts.map((each) => ({
    id: JSON.stringify(each),
    tools,
    calls: [{ name: 'write', args: { text: each, list: [each], row: { text: each } } }],
  }));
};

interface Tally {
  equal: number;
  readonly refused: string[];
  readonly changed: string[];
}
const tally = (): Tally => ({ equal: 0, refused: [], changed: [] });
const sizeOf = ({ equal, refused, changed }: Tally): number => equal + refused.length + changed.length;
const inShort = (text: string): string => (text.length > 300 ? `${text.slice(0, 300)}…` : text);
const sorted = (calls: readonly GivenCall[]): readonly string[] => calls.map(canonicalJson).sort();
/** In VCP a value is text, and gets the type that the schema wants. */
function asText(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(asText);
  if (isRecord(value)) return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, asText(each)]));
  return String(value);
}
const sameText = (one: readonly GivenCall[], other: readonly GivenCall[]): boolean =>
  sorted(one.map(asText) as GivenCall[]).join() === sorted(other.map(asText) as GivenCall[]).join();

async function tryCalls(form: Form, cases: readonly Case[]): Promise<Tally> {
  const all = tally();
  for (const { id, tools: offered, calls } of cases) {
    const reached: GivenCall[] = [];
    const tools = recordingTools(offered, reached);
    const names = new Map(offered.map(({ name }, index) => [name, tools[index]?.definition.function.name]));
    const given = calls.map(({ name, args }) => ({ name: names.get(name) ?? name, args }));
    const { refusals } = await runCalls(
      form,
      tools.filter((tool) => tool !== null),
      given,
      reached,
    );
    const meant = [...new Map(given.map((call) => [canonicalJson(call), call])).values()];
    const [wanted, got] = [sorted(meant), sorted(reached)];
    if (wanted.join('\n') === got.join('\n') || (form === 'vcp' && sameText(meant, reached))) all.equal++;
    else if (got.every((call) => wanted.includes(call)) && refusals.length > 0) all.refused.push(`${id}: ${inShort(refusals.join('; '))}`);
    else all.changed.push(inShort(`${id}: ${wanted.join(' ')} became ${got.join(' ')}`));
  }
  return all;
}

/** References from the root, where the schema is that of one argument. */
function moved(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(moved);
  if (!isRecord(node)) return node;
  const entries = Object.entries(node).map(([key, value]) => {
    if (key === 'enum' || key === 'const') return [key, value];
    const isReference = key === '$ref' && typeof value === 'string' && /^#(?:\/|$)/u.test(value);
    return [key, isReference ? `#/properties/value${value.slice(1)}` : moved(value)];
  });
  return Object.fromEntries(entries);
}

interface SchemaGroup {
  readonly description: string;
  readonly schema: unknown;
  readonly tests: readonly { readonly description: string; readonly data: unknown; readonly valid: boolean }[];
}

interface SchemaOutcome {
  notTaken: number;
  readonly valid: Tally;
  /** Of invalid values: `equal` ones are left to the server to refuse. */
  readonly invalid: Tally;
}

async function trySchemas(folder: string, draft: string): Promise<SchemaOutcome> {
  const all: SchemaOutcome = { notTaken: 0, valid: tally(), invalid: tally() };
  const tests = join(folder, 'tests', draft);
  for (const file of readdirSync(tests)
    .filter((name) => name.endsWith('.json'))
    .sort()) {
    const groups: readonly SchemaGroup[] = JSON.parse(readFileSync(join(tests, file), 'utf8'));
    for (const { description, schema, tests: cases } of groups) {
      const reached: GivenCall[] = [];
      const inputSchema = { type: 'object', properties: { value: moved(schema) }, required: ['value'] };
      const [tool] = recordingTools([{ name: 'take', inputSchema }], reached);
      if (!tool) {
        all.notTaken += cases.length;
        continue;
      }
      const executor = executorOf([tool]);
      for (const { description: what, data, valid } of cases) {
        const options = { callId: 'c1', sessionId: 's', nodeId: 'n', signal: new AbortController().signal };
        const { finalText = '' } = await executor.execute(tool.definition.function.name, { value: data }, options);
        const got = reached.pop();
        const into = valid ? all.valid : all.invalid;
        const label = inShort(`${file}: ${description}: ${what}: ${JSON.stringify(data)}`);
        if (!got) into.refused.push(inShort(`${label}: ${finalText}`));
        else if (canonicalJson(got.args) === canonicalJson({ value: data })) into.equal++;
        else into.changed.push(`${label} became ${JSON.stringify(got.args)}`);
      }
    }
  }
  return all;
}

const strict = (text: string): { readonly value: unknown } | null => {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return null;
  }
};

/** What the text says in figures and letters, outside escapes; a number as its value. */
const tokensOf = (text: string): readonly string[] =>
  (
    text.replaceAll(/\/\*.*?\*\/|\\u[\da-f]{4}|\\["\\/bfnrt]/gisu, ' ').match(/[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?|[\p{L}_]+/giu) ?? []
  ).map((token) => (Number.isNaN(Number(token)) ? token.toLowerCase() : String(Number(token))));

/** Texts that are JSON, that are not, and that may be. */
function tryTexts(folder: string): Readonly<Record<'y' | 'n' | 'i', Tally>> & { readonly prefixes: Tally } {
  const all = { y: tally(), n: tally(), i: tally(), prefixes: tally() };
  for (const file of readdirSync(join(folder, 'test_parsing')).sort()) {
    const text = readFileSync(join(folder, 'test_parsing', file), 'utf8');
    const into = all[file[0] as 'y' | 'n' | 'i'];
    const meant = strict(text);
    const read = parseLenient(text);
    const label = inShort(`${file}: ${JSON.stringify(text)}`);
    if (read.kind !== 'value') into.refused.push(label);
    else if (meant ? canonicalJson(meant.value) === canonicalJson(read.value) : sameTokens(text, read.value)) into.equal++;
    else into.changed.push(`${label} became ${JSON.stringify(read.value)}`);
    if (!meant || typeof meant.value !== 'object' || meant.value === null) continue;
    for (let end = 1; end < text.trim().length; end++) {
      if (parseLenient(text.trim().slice(0, end)).kind === 'value') all.prefixes.changed.push(JSON.stringify(text.trim().slice(0, end)));
      else all.prefixes.equal++;
    }
  }
  return all;
}

const sameTokens = (text: string, value: unknown): boolean =>
  tokensOf(text).every((token) => tokensOf(JSON.stringify(value)).includes(token));

const SET_WRONG = 'refused: what the set answers does not fit its own schema (choices, types, what is required)';
const ONCE = 'the same call twice in one answer runs once, and counts once here: some servers and models send each call twice';
const COERCED = 'changed: a text for a number alone is read as one (“1” for 1)';

type Described = Pick<EvalRow, 'set' | 'version' | 'measured' | 'reason'>;

/** `words`: of those that reach the tool unchanged; where it is given, to be refused is no failure. */
const rowOf = (described: Described, counted: Tally, words?: string): EvalRow => ({
  ...described,
  cases: sizeOf(counted),
  ours: `${counted.equal} ${words ?? 'equal'}, ${counted.refused.length} refused, ${counted.changed.length} changed`,
  wanted: '0 changed',
  holds: counted.changed.length === 0,
  failed: [...counted.changed.map((each) => `changed: ${each}`), ...(words ? [] : counted.refused.map((each) => `refused: ${each}`))],
});

async function run(options: EvalOptions): Promise<readonly EvalRow[]> {
  const open = (name: string, repository: string): OpenSet => openSet(options, 'calls', name, repository);
  const rows: EvalRow[] = [];
  const [bfcl, naughty] = [open('bfcl', 'ShishirPatil/gorilla'), open('naughty-strings', 'minimaxir/big-list-of-naughty-strings')];
  for (const form of FORMS) {
    const described = { set: 'BFCL v4', version: bfcl.version, measured: `calls, ${form}`, reason: `${SET_WRONG}; ${ONCE}` };
    rows.push(rowOf(described, await tryCalls(form, bfclCases(bfcl.folder))));
    const texts = await tryCalls(form, naughtyCases(naughty.folder));
    rows.push(rowOf({ set: 'naughty strings', version: naughty.version, measured: `arguments, ${form}` }, texts));
  }
  const schemas = open('json-schema-test-suite', 'json-schema-org/JSON-Schema-Test-Suite');
  for (const draft of ['draft2020-12', 'draft7']) {
    const { notTaken, valid, invalid } = await trySchemas(schemas.folder, draft);
    const set = `JSON-Schema-Test-Suite, ${draft}`;
    const { version } = schemas;
    const left = `${notTaken} cases have a schema that is not taken at all`;
    rows.push(rowOf({ set, version, measured: 'valid arguments', reason: left }, valid));
    rows.push(rowOf({ set, version, measured: 'invalid arguments', reason: `${COERCED}; ${left}` }, invalid, 'left to the server'));
  }
  const json = open('json-test-suite', 'nst/JSONTestSuite');
  const { y, n, i, prefixes } = tryTexts(json.folder);
  const described = { set: 'JSONTestSuite', version: json.version };
  rows.push(rowOf({ ...described, measured: 'texts that are JSON' }, y));
  rows.push(rowOf({ ...described, measured: 'texts that are not' }, n, 'read as they say'));
  rows.push(rowOf({ ...described, measured: 'texts that may be' }, i));
  rows.push(rowOf({ ...described, measured: 'beginnings of texts that are JSON' }, prefixes, 'refused as cut'));
  return rows;
}

export const part: EvalPart = { name: 'calls', title: 'Calls: they reach their tool as they were written, or are refused', run };
