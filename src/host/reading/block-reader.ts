import type { ReadBlock } from '../../chat/ports/read-block.ts';
import type { Access } from '../access/access.ts';
import type { KernelRoutes } from '../kernel/kernel-routes.ts';
import { noSuchBlock } from '../kernel/not-found.ts';
import type { BlockViewer } from './block-view.ts';
import type { NotesReader } from './notes-reader.ts';
import { requireReadable } from './readable-place.ts';

export interface BlockReaderDeps {
  readonly routes: KernelRoutes;
  readonly access: Access;
  readonly viewer: BlockViewer;
  readonly reader: Pick<NotesReader, 'document'>;
}

/** For a document, its title and this many blocks are read. */
const PREVIEW_BLOCKS = 4;

export function createBlockReader({ routes, access, viewer, reader }: BlockReaderDeps): ReadBlock {
  return async (id, signal) => {
    const place = await access.locate(id, 'read', signal);
    const { documentId, documentTitle, notebook } = place;
    const document = { id: documentId, title: documentTitle };
    if (id === documentId) {
      const { title, blocks } = await reader.document({ id }, { start: 0, blocks: PREVIEW_BLOCKS }, signal);
      const markdown = [title, ...blocks.map((block) => block.markdown)].join('\n\n');
      return { id, type: 'd', subtype: '', markdown, hash: '', document, notebook };
    }
    await requireReadable({ routes, access }, place, signal);
    const [view] = await viewer.view([await routes.dom(id, signal)], signal);
    if (!view) throw noSuchBlock(id);
    return { ...viewer.reading(view), document, notebook };
  };
}
