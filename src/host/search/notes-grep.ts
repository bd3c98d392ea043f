import { ToolError } from '../../tools/contract/errors.ts';
import type { DocumentMatches, NoteQueries, TextMatch } from '../../tools/contract/note-queries.ts';
import { type BlockElement, blockId, blockType, childBlocks } from '../blocks/block-dom.ts';
import type { BlockViewer } from '../reading/block-view.ts';
import type { DocumentBlocks } from '../reading/document-blocks.ts';
import { snippetAt } from '../reading/snippet.ts';
import { type FindInLine, linearPattern, plainPattern } from './linear-pattern.ts';

const LINE_CHARS = 300;
/** One line of more is cut into pieces of this length, so that a match takes a time that nobody notices. */
const PIECE_CHARS = 20_000;
const TIME_LIMIT_MS = 10_000;

/** Blocks without blocks in them, each with the block that is edited for it: a list item is edited whole. */
function leavesOf(block: BlockElement, editedBy = block): { readonly leaf: BlockElement; readonly editedBy: BlockElement }[] {
  const children = childBlocks(block);
  if (children.length === 0) return [{ leaf: block, editedBy }];
  const own = (child: BlockElement): BlockElement => (blockType(block) === 'i' && blockType(child) === 'p' ? block : child);
  return children.flatMap((child) => leavesOf(child, own(child)));
}

function* piecesOf(line: string): Generator<string> {
  for (let start = 0; start === 0 || start < line.length; start += PIECE_CHARS) yield line.slice(start, start + PIECE_CHARS);
}

export class NotesGrep implements Pick<NoteQueries, 'grep'> {
  private readonly blocks: DocumentBlocks;
  private readonly viewer: BlockViewer;
  private readonly now: () => number;

  constructor(deps: { readonly blocks: DocumentBlocks; readonly viewer: BlockViewer; readonly now: () => number }) {
    this.blocks = deps.blocks;
    this.viewer = deps.viewer;
    this.now = deps.now;
  }

  /** Looks into the Markdown that the readings show, line by line; plain text is found whatever its case, a pattern as it says. */
  async grep(query: { id: string; pattern: string; regex: boolean; limit: number }, signal: AbortSignal): Promise<DocumentMatches> {
    const find = query.regex ? linearPattern(query.pattern) : plainPattern(query.pattern);
    const document = await this.blocks.open(query.id, signal);
    const { views, hidden } = await this.blocks.views(document, 0, document.children.length, signal);
    const end = this.now() + TIME_LIMIT_MS;
    const matches: TextMatch[] = [];
    for (const { view, index } of views) {
      for (const { leaf, editedBy } of leavesOf(view.element)) {
        if (this.now() > end) throw new ToolError('bad_pattern', 'the pattern takes too long', 'give a simpler pattern');
        const place = { blockId: blockId(editedBy), type: blockType(editedBy), index };
        matches.push(...this.linesOf(leaf, find).map((line) => ({ ...place, line })));
      }
    }
    const { place, path } = document;
    return {
      document: { id: place.documentId, title: place.documentTitle, path },
      notebook: place.notebook,
      matches: matches.slice(0, Math.max(1, query.limit)),
      total: matches.length,
      hidden,
    };
  }

  private linesOf(leaf: BlockElement, find: FindInLine): string[] {
    const found: string[] = [];
    for (const line of this.viewer.markdown(leaf).split('\n')) {
      for (const piece of piecesOf(line)) {
        const match = find(piece);
        if (match) found.push(snippetAt(piece, match.start, match.end, LINE_CHARS));
      }
    }
    return found;
  }
}
