import { unescapeAttribute } from '../lute.ts';
import type { KernelNode } from '../tree/node.ts';

const INDEXED_ATTRIBUTES: ReadonlySet<string> = new Set(['name', 'alias', 'memo', 'bookmark', 'fold', 'heading-fold', 'style']);

/** Attributes that the `attributes` table holds; `id`, `updated`, `title` and names without `custom-` stay out. */
export const isIndexedAttribute = (name: string): boolean => name.startsWith('custom-') || INDEXED_ATTRIBUTES.has(name);

/** `{: id="…" updated="…"}`, values escaped as in the file. */
export function ialOf(node: KernelNode): string {
  const list = Object.entries(node.Properties ?? {}).map(([name, value]) => `${name}="${value}"`);
  return list.length === 0 ? '' : `{: ${list.join(' ')}}`;
}

/** A document's own tags: a list with commas in its attribute `tags`. */
export function documentTags(root: KernelNode): string[] {
  const list = unescapeAttribute(root.Properties?.tags ?? '').split(',');
  return list.map((name) => name.trim()).filter((name) => name !== '');
}
