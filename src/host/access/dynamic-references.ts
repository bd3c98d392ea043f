import { type ChildNode, isTag, isText, Text } from 'domhandler';
import type { BlockElement } from '../blocks/block-dom.ts';
import type { ReadableBlocks } from './readable-blocks.ts';

/** What stands for the text of a block that may not be read, or that is gone. */
const UNAVAILABLE = 'unavailable';

function spans(element: BlockElement): BlockElement[] {
  const own = (element.attribs['data-type'] ?? '').split(' ').includes('block-ref') ? [element] : [];
  return [...own, ...element.children.flatMap((child) => (isTag(child) ? spans(child) : []))];
}

/** Inline references to blocks, inside blocks within it too. */
export const referencesIn = (block: BlockElement): { readonly id: string; readonly span: BlockElement }[] =>
  spans(block).map((span) => ({ id: span.attribs['data-id'] ?? '', span }));

/** The words that a reference shows. */
export const textOfReference = (span: BlockElement): string => span.children.map(textOfNode).join('');
const textOfNode = (node: ChildNode): string => (isText(node) ? node.data : isTag(node) ? node.children.map(textOfNode).join('') : '');

/**
 * SiYuan writes the words of such a reference. One whose id SiYuan took out (it no longer found the block) may be of that kind: its words
 * are of a block that nobody can name any more.
 */
export const showsAnotherText = ({ attribs }: { readonly attribs: Readonly<Record<string, string>> }): boolean =>
  attribs['data-subtype'] === 'd' || attribs['data-id'] === '';

function setText(span: BlockElement, text: string): void {
  const node = new Text(text);
  node.parent = span;
  span.children = [node];
}

/** Ids whose text was taken out of a block. */
export type MaskedIds = ReadonlySet<string>;

/**
 * SiYuan writes the text of the block that is referred to into a dynamic reference: a hidden block would be read in every block
 * that names it, or that names one that names it. Such a text becomes a neutral word; an anchor that the author wrote stays. Returns the blocks that were changed.
 */
export async function maskReferences(
  blocks: readonly BlockElement[],
  readable: ReadableBlocks,
  signal: AbortSignal,
): Promise<ReadonlyMap<BlockElement, MaskedIds>> {
  const dynamic = blocks.flatMap((block) =>
    referencesIn(block)
      .filter(({ span }) => showsAnotherText(span))
      .map((reference) => ({ ...reference, block })),
  );
  const changed = new Map<BlockElement, Set<string>>();
  if (dynamic.length === 0) return changed;
  const places = await readable.look(
    dynamic.map(({ id }) => id),
    signal,
  );
  const readableIds = [...places.values()].flatMap((place) => (place.readable ? [place.id] : []));
  const doubtful = await readable.drawnFromHidden(readableIds, signal);
  for (const { id, span, block } of dynamic) {
    if (places.get(id)?.readable && !doubtful.has(id)) continue;
    setText(span, UNAVAILABLE);
    changed.set(block, (changed.get(block) ?? new Set()).add(id));
  }
  return changed;
}

/** Puts the texts that `raw` shows back into masked references of a version of it, in place; anchors that were written anew stay. */
export function unmaskReferences(block: BlockElement, raw: BlockElement, masked: MaskedIds): void {
  if (masked.size === 0) return;
  const texts = new Map<string, string[]>();
  for (const { id, span } of referencesIn(raw)) {
    if (showsAnotherText(span) && masked.has(id)) texts.set(id, [...(texts.get(id) ?? []), textOfReference(span)]);
  }
  for (const { id, span } of referencesIn(block)) {
    // In their order: references without an id have nothing else to be told apart by.
    const [text, ...rest] = texts.get(id) ?? [];
    if (text === undefined || !showsAnotherText(span) || textOfReference(span) !== UNAVAILABLE) continue;
    setText(span, text);
    if (rest.length > 0) texts.set(id, rest);
  }
}

/** References as the words that they show, for text that leaves SiYuan. */
export function unwrapReferences(block: BlockElement): void {
  for (const { span } of referencesIn(block)) {
    const types = (span.attribs['data-type'] ?? '').split(' ').filter((type) => type !== 'block-ref');
    span.attribs['data-type'] = types.join(' ');
    if (types.length > 0) continue;
    const siblings = span.parent?.children;
    if (!siblings) continue;
    for (const child of span.children) child.parent = span.parent;
    siblings.splice(siblings.indexOf(span), 1, ...span.children);
  }
}
