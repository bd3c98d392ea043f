import type { ToolArguments } from '../../../../tools/contract/types.ts';

/** A call as a model with native tool calls sends it, indented to be read. */
export function nativeCall({ toolName, args }: { readonly toolName: string; readonly args: ToolArguments }): string {
  return JSON.stringify({ type: 'function', function: { name: toolName, arguments: JSON.stringify(args) } }, null, 2);
}
