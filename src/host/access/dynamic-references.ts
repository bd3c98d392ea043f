import { Text } from 'domhandler';
import type { BlockElement } from '../blocks/block-dom.ts';
import { referencesIn, showsAnotherText, textOfReference } from '../blocks/block-references.ts';
import type { ReadableBlocks } from './readable-blocks.ts';

/** Replaces the text of a block that is gone or may not be read. */
export const UNAVAILABLE = 'unavailable';

function setText(span: BlockElement, text: string): void {
  const node = new Text(text);
  node.parent = span;
  span.children = [node];
}

export type MaskedIds = ReadonlySet<string>;

/** Masks the text of hidden targets, which SiYuan writes into dynamic references; typed anchors stay. Returns the changed blocks. */
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
  // If everything may be read, the text of a reference without an id is no secret, and may be what the user typed.
  const hides = dynamic.some(({ id }) => id === '') && (await readable.hidesAnything(signal));
  for (const { id, span, block } of dynamic) {
    if (id === '' && !hides) continue;
    if (places.get(id)?.readable && !doubtful.has(id)) continue;
    setText(span, UNAVAILABLE);
    changed.set(block, (changed.get(block) ?? new Set()).add(id));
  }
  return changed;
}

/** Restores the texts of `raw` in the masked references of an edited version of it, in place. New anchors stay. */
export function unmaskReferences(block: BlockElement, raw: BlockElement, masked: MaskedIds): void {
  if (masked.size === 0) return;
  const texts = new Map<string, string[]>();
  for (const { id, span } of referencesIn(raw)) {
    if (showsAnotherText(span) && masked.has(id)) texts.set(id, [...(texts.get(id) ?? []), textOfReference(span)]);
  }
  for (const { id, span } of referencesIn(block)) {
    // In order: references without an id cannot be distinguished in any other way.
    const [text, ...rest] = texts.get(id) ?? [];
    if (text === undefined || !showsAnotherText(span) || textOfReference(span) !== UNAVAILABLE) continue;
    setText(span, text);
    if (rest.length > 0) texts.set(id, rest);
  }
}
