import { ToolError } from '../../contract/errors.ts';
import type { Tool, ToolArguments } from '../../contract/types.ts';
import { defineTool } from '../../util/define.ts';
import { preview } from '../../util/graphemes.ts';

/** The maximum number of Markdown characters in one call; the host's limit is the same. */
export const MAX_MARKDOWN = 400_000;
export const MAX_TEXT = 4000;

type NoteToolParts = Parameters<typeof defineTool>[0];

const LONG_TEXTS: readonly string[] = ['markdown', 'edits'];

/** Checks the lengths of texts before planning or reading; a blank required text is `empty_text`, a blank optional one missing. */
export function defineNoteTool(parts: NoteToolParts): Tool {
  const { execute, plan } = parts;
  const tool = defineTool({
    ...parts,
    compressArgs: parts.compressArgs ?? shortArguments,
    execute: async (args, context) => execute(checkTexts(parts, args), context),
  });
  if (plan === undefined) return tool;
  return { ...tool, plan: async (args, context) => plan(checkTexts(parts, args), context) };
}

function checkTexts({ name, required }: Pick<NoteToolParts, 'name' | 'required'>, args: ToolArguments): ToolArguments {
  const entries = Object.entries(args).filter(([key, value]) => {
    checkLength(key, value, LONG_TEXTS.includes(key) ? MAX_MARKDOWN : MAX_TEXT);
    if (typeof value !== 'string' || value.trim() !== '') return true;
    if (required.includes(key)) throw new ToolError('empty_text', `"${key}" is empty`, `call ${name} again with the text in ${key}`);
    return key === 'markdown';
  });
  return Object.fromEntries(entries);
}

function checkLength(key: string, value: unknown, limit: number): void {
  if (typeof value === 'string' && value.length > limit) {
    const next = limit === MAX_MARKDOWN ? `write at most ${limit} characters at a time` : `give at most ${limit} characters`;
    throw new ToolError('too_large', `"${key}" has ${value.length} characters`, next);
  }
  if (Array.isArray(value)) for (const item of value) checkLength(key, item, limit);
  else if (typeof value === 'object' && value !== null) for (const item of Object.values(value)) checkLength(key, item, limit);
}

/** For the log: Markdown as its length and first words, everything else as it is. */
function shortArguments(args: ToolArguments): string {
  const { markdown, ...rest } = args;
  if (typeof markdown !== 'string') return JSON.stringify(args);
  const words = preview(markdown.replaceAll(/\s+/gu, ' ').trim(), 60);
  return JSON.stringify({ ...rest, markdown: words === markdown ? words : `${words} (${markdown.length} characters)` });
}

export const BLOCK_ID = /^\d{14}-[0-9a-z]{7}$/u;
const ID_INSIDE = /(?<![0-9a-z-])\d{14}-[0-9a-z]{7}(?![0-9a-z-])/gu;
const MAX_IDS = 50;

/** The id in what a model gives for one: bare, or as it appears in a result (`[id]`, `@@id@@p#hash`, `((id "words"))`). */
export function readId(text: string): string {
  const [id, ...others] = new Set(text.length <= 400 ? text.match(ID_INSIDE) : []);
  if (id !== undefined && others.length === 0) return id;
  throw new ToolError(
    'bad_id',
    `"${preview(text, 60)}" is not a block id`,
    'use an id that a read or search tool gave, like 20240131120000-abc1234',
  );
}

export function idArgument(args: ToolArguments, name: string): string {
  const value = args[name];
  return readId(typeof value === 'string' ? value : '');
}

/** Ids without duplicates. Throws `bad_id`, or `too_many` above 50. */
export function idListArgument(args: ToolArguments, name: string): readonly string[] {
  const value = args[name];
  const ids = Array.isArray(value) ? [...new Set(value.map((item: unknown) => readId(typeof item === 'string' ? item : '')))] : [];
  if (ids.length > MAX_IDS) throw new ToolError('too_many', `${ids.length} ids at once`, `give at most ${MAX_IDS}, then call again`);
  return ids;
}

/** A text that this operation requires, though the schema cannot say so. */
export function neededText(args: ToolArguments, name: string, tool: string): string {
  const value = args[name];
  if (typeof value === 'string' && value.trim() !== '') return value;
  const code = value === undefined ? 'bad_arguments' : 'empty_text';
  throw new ToolError(code, `${name} is ${value === undefined ? 'missing' : 'empty'}`, `call ${tool} op=${String(args.op)} with ${name}`);
}

export const ID_LIST = { type: 'array', minItems: 1, items: { type: 'string' } } as const;
