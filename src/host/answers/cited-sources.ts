import { type BlockElement, isBlockId } from '../blocks/block-dom.ts';
import { referencesIn } from '../blocks/block-references.ts';
import { CITES_ATTRIBUTE } from '../blocks/source-attributes.ts';

/** A block that a saved answer cites, as it was then. */
export interface CitedSource {
  readonly id: string;
  /** `SourceState.hash` of its content. */
  readonly hash: string;
  /** The index's time of its last change; '' if that was so recent that another change may have the same time. */
  readonly updated: string;
  readonly documentId: string;
  readonly notebook: string;
  /** The beginning of its text. */
  readonly words: string;
}

/** Sources that one block keeps: a block's attributes are part of its file. */
export const MOST_CITED = 20;
/** Characters of each source's words: enough to know it again. They go along when SiYuan exports the note as HTML or `.sy`, or publishes it. */
export const MOST_WORDS = 80;

const isText = (value: unknown): value is string => typeof value === 'string';

/** What the attribute holds; whatever else somebody wrote there is left out. */
export function readCites(value: string | undefined): readonly CitedSource[] {
  if (!value) return [];
  let list: unknown;
  try {
    list = JSON.parse(value);
  } catch {
    return []; // Written by somebody else, or cut.
  }
  if (!Array.isArray(list)) return [];
  return list.slice(0, MOST_CITED).flatMap((entry: unknown): CitedSource[] => {
    if (!Array.isArray(entry) || !entry.every(isText)) return [];
    const [id = '', hash = '', updated = '', documentId = '', notebook = '', words = ''] = entry;
    if (!isBlockId(id) || !/^[0-9a-f]{8}$/.test(hash)) return [];
    return [{ id, hash, updated, documentId, notebook, words: words.slice(0, MOST_WORDS) }];
  });
}

/** The attribute's value; '' takes it off. */
export function writeCites(cites: readonly CitedSource[]): string {
  if (cites.length === 0) return '';
  return JSON.stringify(
    cites
      .slice(0, MOST_CITED)
      .map(({ id, hash, updated, documentId, notebook, words }) => [id, hash, updated, documentId, notebook, words]),
  );
}

/** What a block keeps of what it cites. */
export const citesOf = (block: BlockElement): readonly CitedSource[] => readCites(block.attribs[CITES_ATTRIBUTE]);

/** Ids of the blocks that a block refers to, once each. */
export const citedIn = (block: BlockElement): readonly string[] => [
  ...new Set(referencesIn(block).flatMap(({ id }) => (isBlockId(id) ? [id] : []))),
];
