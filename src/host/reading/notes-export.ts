import type { NoteQueries } from '../../tools/contract/note-queries.ts';
import type { DocumentAddress } from '../../tools/contract/note-readings.ts';
import { allBlocks, type BlockElement, blockType, childBlocks } from '../blocks/block-dom.ts';
import { unwrapReferences } from '../blocks/block-references.ts';
import type { BlockViewer } from './block-view.ts';
import type { DocumentBlocks } from './document-blocks.ts';
import type { NotesReader } from './notes-reader.ts';

export interface NotesExportDeps {
  readonly reader: NotesReader;
  readonly blocks: DocumentBlocks;
  readonly viewer: BlockViewer;
}

/** Super blocks are a matter of layout: outside SiYuan their content stands alone (tests/contract/recorded/markdown-kinds.json). */
const withoutSuperBlocks = (block: BlockElement): readonly BlockElement[] =>
  blockType(block) === 's' ? childBlocks(block).flatMap(withoutSuperBlocks) : [block];

/**
 * The document as Markdown for the world outside. Put together here and not by the kernel's own export, which writes out what embeds
 * find and what references point to, whatever their rights.
 */
export function createNotesExport({ reader, blocks, viewer }: NotesExportDeps): Pick<NoteQueries, 'exportMarkdown'> {
  return {
    exportMarkdown: async (address: DocumentAddress, signal: AbortSignal) => {
      const document = await blocks.open(await reader.resolve(address, signal), signal);
      const { views, hidden } = await blocks.views(document, 0, document.children.length, signal);
      const parts = views.flatMap(({ view }) => {
        for (const block of allBlocks(view.element)) unwrapReferences(block);
        return withoutSuperBlocks(view.element).map((block) => viewer.markdown(block));
      });
      const { place, path } = document;
      return {
        document: { id: place.documentId, title: place.documentTitle, path },
        notebook: place.notebook,
        markdown: parts.filter((part) => part !== '').join('\n\n'),
        hidden,
      };
    },
  };
}
