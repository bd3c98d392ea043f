import { ToolError } from '../tools/errors.ts';
import type { BlockReading } from '../tools/ports.ts';
import type { Access } from './access-policy.ts';
import { parseBlock, serializeBlock } from './block-dom.ts';
import { hashOfBlock, shortHash } from './block-hash.ts';
import { findPlace, removeGuarded } from './document-tree.ts';
import type { KernelRoutes } from './kernel-routes.ts';
import type { MarkdownEngine } from './markdown-engine.ts';

export interface BlockReaderDeps {
  readonly routes: KernelRoutes;
  readonly access: Access;
  readonly engine: MarkdownEngine;
}

/** A single block with where it stands: what a person attached to a question, or hovers over in a citation. */
interface PlacedBlock extends BlockReading {
  readonly document: { readonly id: string; readonly title: string };
  readonly notebook: { readonly id: string; readonly name: string };
}

/** Reads one block of a document under the same rights as everything else; rejects with `not_found` or `no_right`. */
export type ReadBlock = (id: string, signal: AbortSignal) => Promise<PlacedBlock>;

export function createBlockReader({ routes, access, engine }: BlockReaderDeps): ReadBlock {
  return async (id, signal) => {
    const { documentId, documentTitle, notebook } = await access.locate(id, 'read', signal);
    const place = await findPlace(routes, documentId, id, signal);
    if (place.guarded) throw new ToolError('no_right', 'the user keeps this block from the assistant', 'work without it');
    const dom = await routes.dom(id, signal);
    const element = parseBlock(dom);
    if (!element) throw new ToolError('not_found', `there is no block ${id}`, 'search again for the block');
    const hidden = removeGuarded(element);
    return {
      id,
      type: place.type,
      subtype: element.attribs['data-subtype'] ?? '',
      markdown: engine.toMarkdown(hidden > 0 ? serializeBlock(element) : dom),
      hash: shortHash(hashOfBlock(dom)),
      document: { id: documentId, title: documentTitle },
      notebook,
    };
  };
}
