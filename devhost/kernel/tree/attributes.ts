import { escapeAttribute, unescapeAttribute } from '../lute.ts';
import type { KernelNode } from './node.ts';

const NAME = /^(?:custom-[a-z][a-z0-9-]*|(?!custom-)[a-z][a-z0-9-]*)$/;
const BAD_NAME =
  'The attribute name can only contain lowercase English letters, digits, and hyphens, and must start with a lowercase English letter';

/** The attributes of a block with plain values. */
export function plainAttributes(node: KernelNode): Record<string, string> {
  return Object.fromEntries(Object.entries(node.Properties ?? {}).map(([name, value]) => [name, unescapeAttribute(value)]));
}

const tagList = (value: string): string => [...new Set(value.split(',').map((t) => t.trim()))].filter((t) => t !== '').join(',');

/**
 * Sets attributes from plain values; an empty value deletes. Names are lower-cased, values trimmed and escaped for storage
 * (recorded/attributes.json). Returns the kernel's message for a bad name, having changed nothing.
 */
export function applyAttributes(node: KernelNode, values: Readonly<Record<string, string>>): string | undefined {
  const attributes = { ...node.Properties };
  for (const [given, raw] of Object.entries(values)) {
    const name = given.toLowerCase();
    if (!NAME.test(name)) return `${BAD_NAME} [${node.ID ?? ''}]`;
    const trimmed = String(raw).trim();
    const value = name === 'tags' ? tagList(trimmed) : trimmed;
    delete attributes[given];
    if (value === '') delete attributes[name];
    else attributes[name] = escapeAttribute(value);
  }
  node.Properties = attributes;
  return undefined;
}
