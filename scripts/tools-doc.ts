// npm run tools-doc: writes docs/tools.md again from the code. Every example is run, over a development host, when the page is made.
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { JsonSchema } from '../src/tools/contract/messages.ts';
import type { CallTraits, Tool, ToolArguments, ToolGroup } from '../src/tools/contract/types.ts';
import { MAX_MARKDOWN, MAX_TEXT } from '../src/tools/groups/common/note-tool.ts';
import { openNotes as openInMemory } from '../src/tools/testing/open-notes.ts';
import { TOOL_NOTEBOOKS, TOOL_SAMPLES, type ToolSample } from '../src/tools/testing/tool-samples.ts';
import { closeNotes, openNotes } from '../tests/host/open-notes.ts';
import { type ComputerExample, computerGroups, examplesOf, runComputerExample } from './tools-doc-computer.ts';

const INTRO = `# Tools

<!-- Generated from the code by \`npm run tools-doc\`; a test fails when it is out of date. -->

What the model may call. Every call passes the executor: the tool has to be on, its arguments have to fit, and the user is asked where it says so below. Every
block, document and notebook passes a second check, of rights and guards: what is hidden is answered as if it did not exist ([security.md](security.md#what-is-hidden-stays-hidden)).
When a change is applied, all that it was planned from is checked again: what changed or was hidden since is \`stale\`, and nothing is written.

- **Arguments.** A name with \`?\` may be left out; what is not listed is refused. Texts hold at most ${MAX_TEXT.toLocaleString('en')} characters, \`markdown\` and \`edits\` ${MAX_MARKDOWN.toLocaleString('en')}; \`ids\` at most 50.
- **Permission.** *runs by itself*; *asks once* per chat; *asks every time*; where *Allow for this chat* is named, later calls in that notebook can pass.
- **Undo.** *exact* (equal but for the time of change), *partial* or *none*, of the example; each approval says it for its own change.
- **Results.** Long ones are cut between records or blocks: \`next:\` says how to read on, and a variable keeps the whole. Errors read \`code: what happened → what to do next\`.
- **Switches.** Groups beyond notes (web, memory, files, script, agents) are off until they are switched on; files and script need SiYuan's desktop app or the
  [service](service.md). Databases, flashcards and assets are on while notes that may be read contain one.
- **Examples** are real calls over notes made up for this page.
`;

type Properties = Readonly<Record<string, JsonSchema>>;

/** The whole page. */
export async function renderToolsDoc(): Promise<string> {
  const bench = openInMemory({ notebooks: TOOL_NOTEBOOKS, meaningServer: 'https://meaning.example/v1' });
  const vars = bench.executor.groups().find(({ name }) => name === 'vars');
  const variables: ToolGroup = { name: 'vars', tools: (vars?.tools ?? []).flatMap(({ name }) => bench.executor.getTool(name) ?? []) };
  const groups = [...bench.groups.slice(1), ...bench.groups.slice(0, 1), variables, ...computerGroups];
  const sections: string[] = [];
  for (const group of groups) sections.push(await renderGroup(group));
  return `${[INTRO, renderContents(groups), ...sections].join('\n')}\n`.replaceAll(/\n{3,}/gu, '\n\n').replace(/\n+$/u, '\n');
}

const nameOf = (tool: Tool): string => tool.definition.function.name;

function renderContents(groups: readonly ToolGroup[]): string {
  const rows = groups.map(
    ({ name, tools }) =>
      `| [${name}](#group-${name}) | ${tools.map((tool) => `[${nameOf(tool)}](#${nameOf(tool).toLowerCase()})`).join(', ')} |`,
  );
  return ['| group | tools |', '| --- | --- |', ...rows, ''].join('\n');
}

async function renderGroup(group: ToolGroup): Promise<string> {
  const { rulePrompt, tools } = group;
  const rules = typeof rulePrompt === 'function' ? rulePrompt(tools.map(nameOf)) : (rulePrompt ?? '');
  const told =
    rules === '' ? [] : ['What the model is told while the group is on:', '', ...rules.split('\n').map((line) => `> ${line}  `), ''];
  const parts: string[] = [];
  for (const tool of tools) parts.push(await renderTool(tool));
  return [`## Group ${group.name}`, '', ...told, ...parts].join('\n');
}

async function renderTool(tool: Tool): Promise<string> {
  const { name, description, parameters } = tool.definition.function;
  const samples = TOOL_SAMPLES.filter((sample) => sample.tool === name);
  const examples: Example[] = [];
  for (const sample of samples) examples.push(await runExample(sample));
  for (const example of examplesOf(tool)) examples.push(await runOnComputer(example));
  const undo = [...new Set(examples.flatMap(({ undo: kind }) => kind ?? []))];
  return [
    `### ${name}`,
    '',
    description,
    '',
    ...renderArguments(parameters),
    ...renderTraits(tool),
    ...(undo.length > 0 ? [`- Undo: ${undo.join(', ')}`] : []),
    '',
    ...examples.flatMap(renderExample),
  ].join('\n');
}

function renderArguments(parameters: JsonSchema): readonly string[] {
  const properties = (parameters.properties ?? {}) as Properties;
  const required: readonly unknown[] = Array.isArray(parameters.required) ? parameters.required : [];
  const rows = Object.entries(properties).map(([name, schema]) => {
    const words = typeof schema.description === 'string' ? schema.description : '';
    return `| \`${name}${required.includes(name) ? '' : '?'}\` | ${cell(typeInWords(schema))} | ${cell(words)} |`;
  });
  return rows.length === 0 ? ['No arguments.', ''] : ['| argument | type | what |', '| --- | --- | --- |', ...rows, ''];
}

const cell = (text: string): string => text.replaceAll('|', '\\|');

/** `integer from 1 to 8`, `list of text`, `one of "a", "b"`. */
function typeInWords(schema: JsonSchema): string {
  const { type, enum: choices, minimum, maximum, items, properties, minItems, maxItems, maxLength, pattern } = schema;
  if (Array.isArray(choices)) return choices.map((choice) => `\`${String(choice)}\``).join(', ');
  if (type === 'array') {
    const count = maxItems === undefined ? (minItems === undefined ? '' : ', at least one') : `, at most ${String(maxItems)}`;
    return `list of ${typeInWords((items ?? {}) as JsonSchema)}${count}`;
  }
  if (type === 'object') {
    const fields = Object.entries((properties ?? {}) as Properties).map(([name, field]) => `${name}: ${typeInWords(field)}`);
    return fields.length === 0 ? 'names with text' : `{ ${fields.join(', ')} }`;
  }
  const range = [
    ...(minimum === undefined ? [] : [`from ${String(minimum)}`]),
    ...(maximum === undefined ? [] : [`to ${String(maximum)}`]),
  ];
  const length = maxLength === undefined ? [] : [`at most ${String(maxLength)} characters`];
  const form = pattern === undefined ? [] : [`like \`${String(pattern)}\``];
  return [type === 'string' ? 'text' : type === 'boolean' ? 'yes or no' : String(type ?? 'any'), ...range, ...length, ...form].join(' ');
}

/** One line for all operations, or one for each kind of gate. */
function renderTraits(tool: Tool): readonly string[] {
  const properties = (tool.definition.function.parameters.properties ?? {}) as Properties;
  const varied = ['op', 'mode', 'format'].find((name) => Array.isArray(properties[name]?.enum));
  const choices = varied === undefined || tool.traits === undefined ? [] : ((properties[varied]?.enum ?? []) as readonly string[]);
  const gates = new Map<string, string[]>();
  for (const choice of choices.length > 0 ? choices : ['']) {
    const args: ToolArguments = varied === undefined || choice === '' ? {} : { [varied]: choice };
    const words = traitsInWords(tool, tool.traits?.(args) ?? tool);
    gates.set(words, [...(gates.get(words) ?? []), choice]);
  }
  return [...gates].map(([words, named]) => `- ${gates.size === 1 ? '' : `${named.map((name) => `\`${name}\``).join(', ')}: `}${words}`);
}

function traitsInWords(tool: Tool, { permission, effect }: CallTraits): string {
  const remembered = tool.approvalScope === undefined ? '' : ' (*Allow for this chat* is offered)';
  const asks = { auto: 'runs by itself', 'ask-once': 'asks once', 'ask-always': `asks every time${remembered}` }[
    permission.executionPolicy
  ];
  const does = { read: 'reads', write: 'writes', outgoing: 'sends data out; once notes were read it asks every time' }[effect];
  return `Permission: ${asks} · Effect: ${does}`;
}

interface Example {
  readonly call: string;
  readonly output: string;
  readonly undo: string | undefined;
}

async function runExample(sample: ToolSample): Promise<Example> {
  const notebooks = BY_TIME.has(sample.tool) ? ONE_NOTE : TOOL_NOTEBOOKS;
  const bench = await openNotes({ notebooks, askUser: { ask: async () => 'June' } });
  bench.variables.addVariable('draft', 'Launch in May.', 'LLMAdd', { desc: 'a sentence' });
  const args = sample.good(bench);
  const result = await bench.call(sample.tool, args);
  if (result.status !== 'success') throw new Error(`${sample.tool}: ${result.finalText} → mend the examples of the tool`);
  const undo = bench.asked[0]?.plan?.undo.kind;
  await closeNotes();
  const steady = steadied();
  return { call: steady(JSON.stringify(args)), output: steady(result.formattedText ?? ''), undo };
}

/** They list notes or blocks by time, and those of one second are in any order. */
const BY_TIME: ReadonlySet<string> = new Set(['recent_docs', 'tags']);
const ONE_NOTE = [{ name: 'Work', documents: { '/Zeta': 'Launch party. #space#' } }];

/** Puts what differs from run to run (ids, hashes, times) in a fixed form, equal ones alike. */
function steadied(): (text: string) => string {
  const ids = new Map<string, string>();
  const hashes = new Map<string, string>();
  const numbered = (values: Map<string, string>, value: string, digits: number): string => {
    const number = values.get(value) ?? (values.size + 1).toString(16).padStart(digits, '0');
    values.set(value, number);
    return number;
  };
  const today = new Date().toLocaleDateString('sv-SE');
  return (text) =>
    text
      .replaceAll(/\b\d{14}-[0-9a-z]{7}\b/gu, (id) => `20260101000000-${numbered(ids, id, 7)}`)
      .replaceAll(/(?<=#|"expectHash":")[0-9a-f]{8}\b/gu, (hash) => numbered(hashes, hash, 8))
      .replaceAll(/(?<= )\d{14}\b(?!-)/gu, '20260101000000')
      .replaceAll(new RegExp(`${today} \\d\\d:\\d\\d`, 'gu'), '2026-01-01 00:00');
}

async function runOnComputer(example: ComputerExample): Promise<Example> {
  const { result, undo } = await runComputerExample(example);
  if (result.status !== 'success') throw new Error(`${example.tool}: ${result.finalText} → mend the examples of the tool`);
  return { call: JSON.stringify(example.args), output: result.formattedText ?? '', undo };
}

function renderExample({ call, output }: Example): readonly string[] {
  const longest = Math.max(2, ...[...output.matchAll(/`+/gu)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return ['```json', call, '```', '', `${fence}text`, output, fence, ''];
}

if (import.meta.main) {
  const path = join(dirname(import.meta.dirname), 'docs', 'tools.md');
  writeFileSync(path, await renderToolsDoc());
  console.log('docs/tools.md is written');
}
