import type { BlockReading } from '../../tools/contract/note-readings.ts';
import type { Access } from '../access/access-policy.ts';
import type { KernelRoutes } from '../kernel/kernel-routes.ts';
import { noSuchBlock } from '../kernel/not-found.ts';
import { assertOpen, findPlace } from '../tree/document-tree.ts';
import type { BlockViewer } from './block-view.ts';
import type { NotesReader } from './notes-reader.ts';

export interface BlockReaderDeps {
  readonly routes: KernelRoutes;
  readonly access: Access;
  readonly viewer: BlockViewer;
  readonly reader: Pick<NotesReader, 'document'>;
}

/** Of a document its title and this many blocks are read. */
const GLANCE_BLOCKS = 4;

/** A single block with where it stands: what a person attached to a question, or hovers over in a citation. */
interface PlacedBlock extends BlockReading {
  readonly document: { readonly id: string; readonly title: string };
  readonly notebook: { readonly id: string; readonly name: string };
}

/**
 * Reads one block of a document, or the beginning of a document by its own id (type `d`, hash ''), under the same rights as everything
 * else; rejects with `not_found`.
 */
export type ReadBlock = (id: string, signal: AbortSignal) => Promise<PlacedBlock>;

export function createBlockReader({ routes, access, viewer, reader }: BlockReaderDeps): ReadBlock {
  return async (id, signal) => {
    const { documentId, documentTitle, notebook } = await access.locate(id, 'read', signal);
    const document = { id: documentId, title: documentTitle };
    if (id === documentId) {
      const { title, blocks } = await reader.document({ id }, { start: 0, blocks: GLANCE_BLOCKS }, signal);
      const markdown = [title, ...blocks.map((block) => block.markdown)].join('\n\n');
      return { id, type: 'd', subtype: '', markdown, hash: '', document, notebook };
    }
    assertOpen(await findPlace(routes, documentId, id, signal), id);
    const [view] = await viewer.view([await routes.dom(id, signal)], signal);
    if (!view) throw noSuchBlock(id);
    return { ...viewer.reading(view), document, notebook };
  };
}
