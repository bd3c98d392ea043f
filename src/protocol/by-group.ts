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
