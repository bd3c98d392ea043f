import { ToolError } from '../../tools/contract/errors.ts';
import type { BlockReading } from '../../tools/contract/note-readings.ts';
import { type MaskedIds, maskReferences } from '../access/dynamic-references.ts';
import type { ReadableBlocks } from '../access/readable-blocks.ts';
import { type BlockElement, blockId, blockType, childBlocks, parseBlock, parseBlocks, serializeBlock } from '../blocks/block-dom.ts';
import { hashOfBlock, shortHash } from '../blocks/block-hash.ts';
import type { MarkdownEngine } from '../blocks/markdown-engine.ts';
import { isGuardedElement, removeGuarded } from '../tree/document-tree.ts';

export interface BlockView {
  readonly id: string;
  /** Without guarded blocks, and without the text of hidden blocks in references. A copy: it may be mutated. */
  readonly element: BlockElement;
  readonly hidden: number;
  /** Something was left out or replaced: then the kernel's own texts of it must not be shown. */
  readonly changed: boolean;
  /** Ids of hidden blocks whose text was replaced in references. */
  readonly masked: MaskedIds;
  /** A hash of what may be read: a hash over a hidden part would let its text be guessed. Without hidden parts it is the block's own. */
  readonly hash: string;
  /** Hashes of the list items in it, computed the same way. */
  readonly itemHashes: ReadonlyMap<string, string>;
}

export interface BlockViewer {
  /** One view for each DOM, in order; undefined for guarded ones. The caller checks the blocks around. */
  view(doms: readonly string[], signal: AbortSignal): Promise<readonly (BlockView | undefined)[]>;
  reading(view: BlockView): BlockReading;
  markdown(element: BlockElement): string;
  exported(element: BlockElement): string;
  parse(markdown: string): readonly BlockElement[] | undefined;
}

export interface BlockViewerDeps {
  readonly engine: MarkdownEngine;
  readonly readable: ReadableBlocks;
}

/** The kernel reports a subtype of these only; in other blocks it describes their rendering. */
const WITH_SUBTYPE = new Set(['h', 'l', 'i', 'callout']);

function itemsIn(block: BlockElement, depth = 0): { readonly item: BlockElement; readonly depth: number }[] {
  return childBlocks(block).flatMap((child) => {
    if (blockType(child) === 'i') return [{ item: child, depth }, ...itemsIn(child, depth + 1)];
    return blockType(child) === 'l' ? itemsIn(child, depth) : [];
  });
}

function open(dom: string): Omit<BlockView, 'changed' | 'masked'> | undefined {
  const element = parseBlock(dom);
  if (!element || isGuardedElement(element)) return undefined;
  const hidden = removeGuarded(element);
  const itemHashes = new Map<string, string>();
  if (blockType(element) === 'l') {
    for (const { item } of itemsIn(element)) itemHashes.set(blockId(item), shortHash(hashOfBlock(serializeBlock(item))));
  }
  return { id: blockId(element), element, hidden, hash: shortHash(hashOfBlock(hidden > 0 ? serializeBlock(element) : dom)), itemHashes };
}

const NONE: MaskedIds = new Set();

class MaskingBlockViewer implements BlockViewer {
  private readonly engine: MarkdownEngine;
  private readonly readable: ReadableBlocks;

  constructor({ engine, readable }: BlockViewerDeps) {
    this.engine = engine;
    this.readable = readable;
  }

  async view(doms: readonly string[], signal: AbortSignal): Promise<readonly (BlockView | undefined)[]> {
    const opened = doms.map(open);
    const elements = opened.flatMap((each) => (each ? [each.element] : []));
    const masked = await maskReferences(elements, this.readable, signal);
    return opened.map((each) => {
      if (!each) return undefined;
      const ids = masked.get(each.element) ?? NONE;
      return { ...each, changed: each.hidden > 0 || ids.size > 0, masked: ids };
    });
  }

  reading({ id, element, hash, itemHashes }: BlockView): BlockReading {
    const type = blockType(element);
    const subtype = WITH_SUBTYPE.has(type) ? (element.attribs['data-subtype'] ?? '') : '';
    const markdown = this.markdown(element);
    if (type !== 'l') return { id, type, subtype, markdown, hash };
    const items = itemsIn(element).map(({ item, depth }) => ({
      id: blockId(item),
      hash: itemHashes.get(blockId(item)) ?? '',
      depth,
      markdown: this.firstLine(item),
    }));
    return { id, type, subtype, markdown, hash, items };
  }

  markdown(element: BlockElement): string {
    return this.engine.toMarkdown(serializeBlock(element));
  }

  exported(element: BlockElement): string {
    return this.engine.toExport(serializeBlock(element));
  }

  parse(markdown: string): readonly BlockElement[] | undefined {
    try {
      return parseBlocks(this.engine.toDom(markdown));
    } catch (error) {
      if (error instanceof ToolError) return undefined;
      throw error;
    }
  }

  private firstLine(item: BlockElement): string {
    const first = childBlocks(item)[0];
    if (!first || blockType(first) === 'l') return '';
    return this.markdown(first).split('\n')[0] ?? '';
  }
}

export function createBlockViewer(deps: BlockViewerDeps): BlockViewer {
  return new MaskingBlockViewer(deps);
}

/** The hash of a block that the model may see; '' if there is no block or it is guarded. */
export const readableHash = (dom: string): string => open(dom)?.hash ?? '';

/** Blocks as Markdown that may be shown, in order; '' for guarded ones. Plans show blocks this way too. */
export async function shownMarkdown(
  deps: { readonly engine: MarkdownEngine; readonly access: ReadableBlocks },
  doms: readonly string[],
  signal: AbortSignal,
): Promise<readonly string[]> {
  const viewer = createBlockViewer({ engine: deps.engine, readable: deps.access });
  const views = await viewer.view(doms, signal);
  return views.map((view) => (view ? viewer.markdown(view.element) : ''));
}
