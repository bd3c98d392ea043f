import { ToolError } from '../contract/errors.ts';
import type { ToolCall, ToolDefinition } from '../contract/messages.ts';
import type { ToolInfo } from '../contract/tool-info.ts';
import type { Tool } from '../contract/types.ts';
import { defineTool, READ_FREELY, textArgument } from '../util/define.ts';
import { nearNames } from '../util/near-names.ts';
import { readCall } from './legal-calls.ts';
import { noSuchTool } from './results.ts';

/** Offered to a model in place of the tools that are rarely needed. */
export const USE_TOOL = {
  name: 'use_tool',
  kind: 'other',
  icon: 'iconMarginaliaTools',
  subject: ['tool'],
  examples: [{ tool: 'list_docs' }],
} as const satisfies ToolInfo;

export interface ToolsToFit {
  /** The enabled ones, as they are offered if there is room. */
  readonly definitions: readonly ToolDefinition[];
  /** What a tool is for that is rarely needed; undefined for any other. Null: the model cannot ask for what it is not offered. */
  readonly byNeed: ((tool: string) => string | undefined) | null;
  rules(isOffered: (tool: string) => boolean): string;
  /** Without the rules for all groups; '' if no group has an offered tool. */
  groupRules(isOffered: (tool: string) => boolean): string;
}

/** A tool that is listed instead of offered. */
export interface RareTool {
  readonly name: string;
  /** What it is for; tools with the same words are listed together. */
  readonly byNeed: string;
}

const DESCRIPTION = 'Use another tool. First with `tool` alone: you get its arguments. Then with `arguments`.';

/** `describe` gives the definition of a tool and the rules for it. Throws ToolError for a tool that is not there. */
export function createUseTool(describe: (tool: string) => string): Tool {
  return defineTool({
    name: USE_TOOL.name,
    description: DESCRIPTION,
    properties: { tool: { type: 'string' }, arguments: { type: 'object' } },
    required: ['tool'],
    ...READ_FREELY,
    publicResult: true,
    SKIP_EXTERNAL_TRUNCATE: true,
    execute: async (args) => {
      if (args.arguments !== undefined)
        throw new ToolError('bad_arguments', 'only a model calls another tool with it', 'call that tool itself');
      return { status: 'success', data: describe(textArgument(args, 'tool') ?? ''), trusted: true };
    },
  });
}

/** The definition of a tool, of those of its group that are rarely needed too, and their rules. Throws ToolError if it cannot be called. */
export function describeTool(tool: string, { definitions, byNeed, groupRules }: ToolsToFit): string {
  const names = definitions.map((each) => each.function.name);
  const at = names.indexOf(tool);
  if (at < 0) {
    const near = nearNames(tool, names);
    throw new ToolError('unknown_tool', noSuchTool(tool), near.length > 0 ? `use one of: ${near.join(', ')}` : 'use only what is listed');
  }
  const meant = definitions.filter(
    ({ group, function: { name } }, index) => index === at || (group === definitions[at]?.group && byNeed?.(name) !== undefined),
  );
  const rules = groupRules((name) => meant.some((each) => each.function.name === name));
  return [...meant.map((each) => JSON.stringify(each.function)), rules].filter((part) => part !== '').join('\n');
}

/** The definition of `use_tool` for these tools. The same tools give the same text (prompt cache). */
export function offerRare(tools: readonly RareTool[]): ToolDefinition {
  const byWords = new Map<string, string[]>();
  for (const { name, byNeed } of tools) byWords.set(byNeed, [...(byWords.get(byNeed) ?? []), name]);
  const lines = [...byWords].map(([words, names]) => (words === '' ? names.join(', ') : `${names.join(', ')}: ${words}`));
  return {
    type: 'function',
    function: {
      name: USE_TOOL.name,
      description: [DESCRIPTION, ...lines].join('\n'),
      parameters: {
        type: 'object',
        properties: { tool: { type: 'string', enum: tools.map(({ name }) => name) }, arguments: { type: 'object' } },
        required: ['tool'],
      },
    },
    group: 'vars',
    effect: 'read',
  };
}

/** The call of a tool that a call of `use_tool` with arguments is; undefined for any other call. */
export function usedCall(call: ToolCall): ToolCall['function'] | undefined {
  if (call.function.name !== USE_TOOL.name) return undefined;
  const { tool, arguments: args, ...beside } = readCall(call).args ?? {};
  // Some models write the arguments beside the name.
  const given = args ?? (Object.keys(beside).length > 0 ? beside : undefined);
  if (typeof tool !== 'string' || tool === '' || given === undefined) return undefined;
  return { name: tool, arguments: typeof given === 'string' ? given : JSON.stringify(given) };
}
