import { ToolError } from '../../contract/errors.ts';
import type { Tool, ToolEffect, ToolGroup } from '../../contract/types.ts';

/** Nobody can be asked by a sub-agent, and it has none of its own. */
const NEVER: ReadonlySet<string> = new Set(['ask_user', 'spawn']);

const nameOf = (tool: Tool): string => tool.definition.function.name;

/** It changes notes or sends something: what runs unasked by itself, such as a list of steps or a variable, is the sub-agent's own. */
const acts = ({ effect, permission }: Tool): boolean =>
  effect === 'outgoing' || (effect === 'write' && permission.executionPolicy !== 'auto');

/** What a tool may do to the world; undefined for one that no sub-agent has. */
export function effectForSubAgent(tool: Tool): ToolEffect | undefined {
  if (NEVER.has(nameOf(tool))) return undefined;
  return acts(tool) ? tool.effect : 'read';
}

/** A group as a sub-agent has it: what reads, and of what acts only the tools that were named for it. */
export function forSubAgent(group: ToolGroup, named: readonly string[]): ToolGroup {
  const tools = group.tools.flatMap((tool) => {
    if (NEVER.has(nameOf(tool))) return [];
    if (!acts(tool) || named.includes(nameOf(tool))) return [tool];
    return tool.effect === 'write' && tool.traits ? [onlyReading(tool)] : [];
  });
  return { ...group, tools };
}

/** A tool with operations of both kinds: those that write are refused before anybody is asked. */
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
