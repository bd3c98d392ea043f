import type { JsonSchema } from '../../tools/contract/messages.ts';
import { frameName } from '../../tools/util/markers.ts';
import { isRecord } from '../../tools/util/plain-value.ts';
import { neutralSchema } from './neutral-schema.ts';

/** A tool as its server describes it: nothing of it can be trusted. */
export interface ForeignTool {
  readonly name: string;
  readonly description?: string | undefined;
  readonly inputSchema: unknown;
  readonly annotations?: { readonly readOnlyHint?: boolean | undefined; readonly destructiveHint?: boolean | undefined } | undefined;
}

/** Most of the tools of a server that are offered. */
export const MAX_TOOLS = 64;
const MAX_DESCRIPTION = 600;
/** UTF-16 units of a schema; every request to the model has it. */
const MAX_SCHEMA = 20_000;
const MAX_DEPTH = 16;
const MAX_NAME = 64;

/** FNV-1a: seven letters and digits by which names stay apart. */
function shortHash(text: string): string {
  let hash = 0x811c9dc5;
  for (const sign of text) hash = Math.imul(hash ^ (sign.codePointAt(0) ?? 0), 0x01000193);
  return (hash >>> 0).toString(36).padStart(7, '0');
}

const hashedName = (name: string, tool: string): string => `${name.slice(0, MAX_NAME - 8)}_${shortHash(tool)}`;

/**
 * `mcp_server_tool`, in letters that every model's server takes: no server can take the name of another tool, or one that looks like it.
 * Where nothing of the name is left, a hash of it follows.
 */
export function foreignToolName(server: string, tool: string): string {
  const name = `mcp_${server}_${tool.replaceAll(/[^a-zA-Z0-9_-]/gu, '_')}`.slice(0, MAX_NAME);
  return /[a-zA-Z0-9]/.test(tool) ? name : hashedName(name, tool);
}

/** The names of a server's tools: a hash follows each of two that would be the same. */
export function foreignToolNames(server: string, tools: readonly string[]): readonly string[] {
  const owners = new Map<string, Set<string>>();
  for (const tool of tools) {
    const name = foreignToolName(server, tool);
    owners.set(name, (owners.get(name) ?? new Set()).add(tool));
  }
  return tools.map((tool) => {
    const name = foreignToolName(server, tool);
    return (owners.get(name)?.size ?? 0) > 1 ? hashedName(name, tool) : name;
  });
}

/** What a server says of its tool, on one line, as words of the server. */
export const foreignDescription = (server: string, text = ''): string =>
  `The server “${frameName(server)}” says of it: ${frameName(text, MAX_DESCRIPTION)}`;

/** Whether a check of arguments ends, and soon: each reference is followed from every place that has it. */
function endsSoon(root: JsonSchema): boolean {
  // No more parts than a schema without references can have.
  let left = MAX_SCHEMA;
  const ends = (node: unknown, trail: readonly string[], depth: number): boolean => {
    left -= 1;
    if (left < 0 || depth > MAX_DEPTH) return false;
    if (Array.isArray(node)) return node.every((item) => ends(item, trail, depth + 1));
    if (!isRecord(node)) return true;
    const { $ref } = node;
    if (typeof $ref === 'string') {
      if (!$ref.startsWith('#/') || trail.includes($ref)) return false;
      let target: unknown = root;
      for (const part of $ref.slice(2).split('/')) target = isRecord(target) && Object.hasOwn(target, part) ? target[part] : undefined;
      if (target === undefined || !ends(target, [...trail, $ref], depth + 1)) return false;
    }
    return Object.entries(node).every(([name, item]) => name === '$defs' || name === 'definitions' || ends(item, trail, depth + 1));
  };
  return ends(root, [], 0);
}

function sizeOf(schema: unknown): number {
  try {
    return JSON.stringify(schema).length;
  } catch {
    return Number.POSITIVE_INFINITY; // Deeper than can be written.
  }
}

/** A schema of arguments that can be checked and sent; null if it is none, is too large or too deep, or leads in a circle. */
export function foreignSchema(schema: unknown): JsonSchema | null {
  if (!isRecord(schema) || (schema.type !== undefined && schema.type !== 'object')) return null;
  if (sizeOf(schema) > MAX_SCHEMA || !endsSoon(schema)) return null;
  const clean = neutralSchema(schema);
  return isRecord(clean) ? { properties: {}, ...clean, type: 'object' } : null;
}
