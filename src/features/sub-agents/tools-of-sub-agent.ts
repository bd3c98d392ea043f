import { ToolError } from '../../tools/contract/errors.ts';
import type { Tool, ToolEffect, ToolGroup } from '../../tools/contract/types.ts';

/** A sub-agent cannot ask anybody, and cannot start sub-agents. */
const NEVER: ReadonlySet<string> = new Set(['ask_user', 'spawn']);

const nameOf = (tool: Tool): string => tool.definition.function.name;

/** It changes notes or sends something: what needs no consent, such as a list of steps or a variable, is the sub-agent's own. */
const acts = ({ effect, permission }: Tool): boolean =>
  effect === 'outgoing' || (effect === 'write' && permission.executionPolicy !== 'auto');

/** The effect of a tool; undefined for one that no sub-agent has. */
export function effectForSubAgent(tool: Tool): ToolEffect | undefined {
  if (NEVER.has(nameOf(tool))) return undefined;
  return acts(tool) ? tool.effect : 'read';
}

/** A group for a sub-agent: tools that read, and of those that act only the named ones. */
export function forSubAgent(group: ToolGroup, named: readonly string[]): ToolGroup {
  const tools = group.tools.flatMap((tool) => {
    if (NEVER.has(nameOf(tool))) return [];
    if (!acts(tool) || named.includes(nameOf(tool))) return [tool];
    return tool.effect === 'write' && tool.traits ? [onlyReading(tool)] : [];
  });
  return { ...group, tools };
}

/** A tool with both kinds of operations: writes are refused before anybody is asked. */
function onlyReading(tool: Tool): Tool {
  const refuse = (): never => {
    const next = 'go on without it, and say in your answer what should be changed';
    throw new ToolError('tool_disabled', `you may only read with ${nameOf(tool)}`, next);
  };
  return {
    ...tool,
    plan: async () => refuse(),
    execute: async (args, context) => (tool.traits?.(args).effect === 'read' ? tool.execute(args, context) : refuse()),
  };
}
