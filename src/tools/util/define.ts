import type { JsonSchema } from '../contract/messages.ts';
import type { Tool, ToolArguments, ToolPermissionV2 } from '../contract/types.ts';

type ToolParts = Omit<Tool, 'definition'> & {
  readonly name: string;
  readonly description: string;
  readonly properties: Readonly<Record<string, JsonSchema>>;
  readonly required: readonly string[];
};

/** A tool from its name, description and argument schemas. Unknown arguments are refused, so that a misspelt one is not ignored. */
export function defineTool(parts: ToolParts): Tool {
  const { name, description, properties, required, ...tool } = parts;
  const parameters: JsonSchema = { type: 'object', properties, required, additionalProperties: false };
  return { ...tool, definition: { type: 'function', function: { name, description, parameters } } };
}

const AUTO: ToolPermissionV2 = { executionPolicy: 'auto', resultApprovalPolicy: 'never' };
const ASK: ToolPermissionV2 = { executionPolicy: 'ask-always', resultApprovalPolicy: 'never' };

export const READ_FREELY = { permission: AUTO, effect: 'read' } as const;
/** Runs something that may do anything, including sending data away: asks each time. */
export const RUN_ASKING = { permission: ASK, effect: 'outgoing' } as const;
/** Asks the first time in a chat, for each scope. */
export const READ_ASKING_ONCE = { permission: { ...ASK, executionPolicy: 'ask-once' }, effect: 'read' } as const;
/** Asks with the diff; with an `approvalScope`, "Allow for this chat" is offered. */
export const WRITE_ASKING = { permission: ASK, effect: 'write' } as const;

export function textArgument(args: ToolArguments, name: string): string | undefined {
  const value = args[name];
  return typeof value === 'string' ? value : undefined;
}

export function numberArgument(args: ToolArguments, name: string, fallback: number): number {
  const value = args[name];
  return typeof value === 'number' ? value : fallback;
}

export function textListArgument(args: ToolArguments, name: string): readonly string[] | undefined {
  const value = args[name];
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : undefined;
}
