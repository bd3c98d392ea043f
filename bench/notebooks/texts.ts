import { loadDocuments } from '../documents.ts';
import { seededRandom } from '../random.ts';

/** Top-level blocks as Markdown, cut out of real documents. */
export interface Pieces {
  readonly source: string;
  /** Markdown of at least so many blocks, the same each time for one seed. `hub`: referred to by one block in twenty. */
  note(blocks: number, seed: number, hub?: string): string;
}

/** What would not become the same in two workspaces: references and embeds of elsewhere, attribute lists, layouts, HTML. */
const UNFIT = /\(\(|\{\{|\{:|<<|\}\}|^<|^\$\$/m;
const HEADING_EVERY = 24;

/** Cut at blank lines outside of fences. */
function piecesOf(markdown: string): string[] {
  const pieces: string[] = [];
  let open: string[] = [];
  let fenced = false;
  for (const line of markdown.split('\n')) {
    if (/^\s*```/.test(line)) fenced = !fenced;
    if (line.trim() === '' && !fenced) {
      if (open.length > 0) pieces.push(open.join('\n'));
      open = [];
    } else open.push(line);
  }
  if (open.length > 0 && !fenced) pieces.push(open.join('\n'));
  return pieces;
}

/** A list and its items are blocks, and each item's text is one. */
const countBlocks = (piece: string): number => {
  const items = [...piece.matchAll(/^\s*(?:[-*+]|\d+\.) /gm)].length;
  return items === 0 ? 1 : 1 + 2 * items;
};

export function loadPieces(): Pieces {
  const { source, notebooks } = loadDocuments();
  const all = notebooks.flatMap(({ documents }) => Object.values(documents ?? {}).flatMap(piecesOf));
  const pieces = all.filter((piece) => piece.length < 4000 && !UNFIT.test(piece) && !piece.startsWith('#'));
  return {
    source,
    note(blocks, seed, hub) {
      const random = seededRandom(seed);
      const parts: string[] = [];
      for (let count = 0; count < blocks; ) {
        const index = parts.length;
        if (index % HEADING_EVERY === 0) parts.push(`${index % (6 * HEADING_EVERY) === 0 ? '##' : '###'} Part ${index} of ${seed}`);
        else if (hub !== undefined && index % 20 === 7) parts.push(`Paragraph ${index} of ${seed} refers to ((${hub} "the hub")) here.`);
        else if (index % 50 === 13) parts.push(`Paragraph ${index} of ${seed} has a tag #bench/t${index % 7}# and a needle.`);
        else parts.push(random.pick(pieces) ?? 'text');
        count += countBlocks(parts.at(-1) ?? '');
      }
      return parts.join('\n\n');
    },
  };
}
