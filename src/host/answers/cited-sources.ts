import { preview } from '../../tools/util/graphemes.ts';
import { type BlockElement, isBlockId } from '../blocks/block-dom.ts';
import { referencesIn } from '../blocks/block-references.ts';
import { CITES_ATTRIBUTE } from '../blocks/source-attributes.ts';

export interface CitedSource {
  readonly id: string;
  /** `SourceState.hash` of its content. */
  readonly hash: string;
  /** The index's time of its last change; '' if that was so recent that another change may have the same time. */
  readonly updated: string;
  readonly documentId: string;
  readonly notebook: string;
  /** Its text, or the beginning of it with `…`. */
  readonly words: string;
}

/** Sources that one block keeps: a block's attributes are part of its file. */
export const MOST_CITED = 20;
/** Characters of one source's words: nearly every paragraph is kept whole, so that a change can be shown wherever in it it is. */
export const MOST_WORDS = 400;
/** Characters of the words of all sources of a block. They go along when SiYuan exports the note as HTML or `.sy`, or publishes it. */
const MOST_WORDS_IN_ALL = 2400;

const isText = (value: unknown): value is string => typeof value === 'string';

/** The attribute's citations; other text in it is left out. */
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
  const kept = cites.slice(0, MOST_CITED);
  const most = Math.min(MOST_WORDS, Math.floor(MOST_WORDS_IN_ALL / kept.length));
  return JSON.stringify(
    kept.map(({ id, hash, updated, documentId, notebook, words }) => [id, hash, updated, documentId, notebook, preview(words, most)]),
  );
}

export const citesOf = (block: BlockElement): readonly CitedSource[] => readCites(block.attribs[CITES_ATTRIBUTE]);

export const citedIn = (block: BlockElement): readonly string[] => [
  ...new Set(referencesIn(block).flatMap(({ id }) => (isBlockId(id) ? [id] : []))),
];
