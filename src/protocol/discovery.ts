import type { ListedTool } from '../tools/executor/executor.ts';
import type { DefinedMethod, ToolDefinitionInput } from './contract.ts';

/** Tools by group name; groups and tools keep their order. */
export function byGroup<Method extends DefinedMethod>(
  methods: Iterable<readonly [group: string, method: Method]>,
): readonly (ToolDefinitionInput & { readonly methods: readonly Method[] })[] {
  const groups = new Map<string, Method[]>();
  for (const [group, method] of methods) {
    const known = groups.get(group);
    if (known) known.push(method);
    else groups.set(group, [method]);
  }
  return [...groups].map(([toolId, found]) => ({ toolId, toolName: toolId, methods: found }));
}

interface DiscoveredMethod extends DefinedMethod {
  readonly toolId: string;
  readonly agentCallable: boolean;
}

/** Tools by group and name. Default: what the model may call; a filter decides about every tool instead. Groups without tools are left out. */
export function getDiscoveredMethods(
  source: { listTools(): readonly ListedTool[] },
  filter: (method: DiscoveredMethod) => boolean = ({ agentCallable }) => agentCallable,
): readonly ToolDefinitionInput[] {
  const methods = source.listTools().map(methodOf).filter(filter);
  return byGroup(methods.map((method) => [method.toolId, method] as const));
}

function methodOf({ group, definition, isCallable, command }: ListedTool): DiscoveredMethod {
  return { toolId: group, definition, agentCallable: isCallable, ...(command === undefined ? {} : { command }) };
}
