import type { ToolExecutor, ToolGroup } from '../../tools/index.ts';

/** Gives a chat the groups of other people's servers as they are now: what is gone or has changed leaves it. The switches are the caller's. */
export function followServerGroups(executor: ToolExecutor, groups: readonly ToolGroup[]): void {
  const known = executor.groups().filter(({ name }) => name.startsWith('mcp:'));
  const kept = new Set<string>();
  for (const { name, tools } of known) {
    const same = groups.find((group) => group.name === name && group.tools.length === tools.length);
    if (same?.tools.every((tool) => executor.getTool(tool.definition.function.name) === tool)) kept.add(name);
    else executor.unregisterToolGroup(name);
  }
  for (const group of groups) if (!kept.has(group.name)) executor.registerToolGroup(group);
}
