import type { JsonSchema } from '../tools/contract/messages.ts';
import type { ToolArguments } from '../tools/contract/types.ts';
import { meantName } from '../tools/util/near-names.ts';
import { schemaOf } from '../tools/util/schema.ts';
import type { DefinedMethod, ParsedToolRequest, ToolDefinitionInput } from './contract.ts';
import { readTexts } from './text-values.ts';

const nameOf = ({ definition }: DefinedMethod): string => definition.function.name;

/** The one registered tool that a name means: itself, a command, or `{group}_{name or command}`; undefined if there is none or several. */
export function resolveToolName(name: string, known: readonly ToolDefinitionInput[]): string | undefined {
  const wanted = name.trim();
  const methods = known.flatMap((tool) => tool.methods);
  if (methods.some((method) => nameOf(method) === wanted)) return wanted;
  const commanded = methods.filter(({ command }) => command === wanted);
  if (commanded.length > 0) return only(commanded);
  const split = wanted.lastIndexOf('_');
  const grouped = split < 0 ? undefined : inGroup(known, wanted.slice(0, split), wanted.slice(split + 1));
  return grouped ?? meantName(wanted, methods.map(nameOf));
}

function only(methods: readonly DefinedMethod[]): string | undefined {
  const [first] = methods;
  return first !== undefined && methods.length === 1 ? nameOf(first) : undefined;
}

function inGroup(known: readonly ToolDefinitionInput[], group: string, word: string): string | undefined {
  const methods = known.flatMap(({ toolId, methods: own }) => (toolId === group ? own : []));
  return only(methods.filter((method) => nameOf(method) === word || method.command === word));
}

export interface ResolvedRequest {
  readonly toolName: string;
  readonly args: ToolArguments;
}

/** The request with the registered tool name. A field `command` that names the tool is no argument, unless the tool has one. */
export function resolveRequest(
  request: Pick<ParsedToolRequest, 'toolName' | 'args' | 'isText'>,
  known: readonly ToolDefinitionInput[],
): ResolvedRequest {
  const { toolName, args } = meantRequest(request, known);
  const schema = request.isText ? schemaNamed(toolName, known) : undefined;
  return { toolName, args: schema === undefined ? args : readTexts(args, schema) };
}

function meantRequest({ toolName, args }: ResolvedRequest, known: readonly ToolDefinitionInput[]): ResolvedRequest {
  const resolved = resolveToolName(toolName, known);
  const { command, ...rest } = args;
  if (typeof command === 'string' && !hasArgument(schemaNamed(resolved, known), 'command')) {
    const meant = commandIn(command.trim(), toolName.trim(), resolved, known);
    if (meant !== undefined) return { toolName: meant, args: rest };
  }
  return { toolName: resolved ?? toolName, args };
}

function hasArgument(schema: JsonSchema | undefined, key: string): boolean {
  return schemaOf(schema, 'properties', key) !== undefined;
}

function schemaNamed(name: string | undefined, known: readonly ToolDefinitionInput[]): JsonSchema | undefined {
  return known.flatMap(({ methods }) => methods).find((method) => nameOf(method) === name)?.definition.function.parameters;
}

/** Next to a tool's name, `command` must be that tool's; next to a group's or an unknown name, it decides. */
function commandIn(
  command: string,
  toolName: string,
  resolved: string | undefined,
  known: readonly ToolDefinitionInput[],
): string | undefined {
  if (resolved === undefined) return inGroup(known, toolName, command) ?? resolveToolName(command, known);
  const own = known.flatMap(({ methods }) => methods).find((method) => nameOf(method) === resolved);
  return command === resolved || command === own?.command ? resolved : undefined;
}
