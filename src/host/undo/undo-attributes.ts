import { allBlocks, type BlockElement, blockId, parseBlock, serializeBlock } from '../blocks/block-dom.ts';
import { KEPT_ATTRIBUTE } from '../blocks/block-hash.ts';

export type BlockAttributes = ReadonlyMap<string, Readonly<Record<string, string>>>;

/** Attributes that people set on a block, without folding and our own. */
const isTheirs = (name: string): boolean =>
  KEPT_ATTRIBUTE.test(name) && !/^(fold|heading-fold|parent-fold|av-names|custom-marginalia-.*)$/.test(name);

function blocksOf(dom: string): ReadonlyMap<string, BlockElement> {
  const root = parseBlock(dom);
  return new Map(root ? allBlocks(root).map((block) => [blockId(block), block]) : []);
}

/** Attributes of existing blocks that only `source` has: Markdown does not show them, so nobody chose to drop them. */
export function attributesBeyond(source: string, written: string, current: string): BlockAttributes {
  const [ours, now] = [blocksOf(written), blocksOf(current)];
  const found = new Map<string, Readonly<Record<string, string>>>();
  for (const [id, block] of blocksOf(source)) {
    const there = now.get(id);
    if (!there) continue;
    const isBeyond = (name: string): boolean => isTheirs(name) && !ours.get(id)?.attribs[name] && !there.attribs[name];
    const entries = Object.entries(block.attribs).filter(([name, value]) => value !== '' && isBeyond(name));
    if (entries.length > 0) found.set(id, Object.fromEntries(entries));
  }
  return found;
}

export function withAttributes(dom: string, attributes: BlockAttributes): string {
  const root = parseBlock(dom);
  if (!root || attributes.size === 0) return dom;
  for (const block of allBlocks(root)) Object.assign(block.attribs, attributes.get(blockId(block)));
  return serializeBlock(root);
}
