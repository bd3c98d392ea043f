import { compareTexts } from '../../tools/util/plain-value.ts';
import { GUARDED_BLOCKS, guardedDocuments, HOLDING_GUARDS } from '../access/readable-blocks.ts';
import { quoted, quotedList } from '../sql/sql-text.ts';

/** The table `below`: a block and what stands in or below it. */
const blocksBelow = (id: string): string =>
  `below(id) AS (SELECT ${quoted(id)} UNION SELECT blocks.id FROM blocks JOIN below ON blocks.parent_id = below.id)`;

/** Of `blocks`: in one of these notebooks, and guarded by nothing; over the tables of `readableParts`. */
export const isOpenBlock = (notebooks: readonly string[]): string =>
  `blocks.box IN (${quotedList(notebooks)}) AND blocks.id NOT IN (SELECT id FROM guarded) ` +
  'AND NOT EXISTS (SELECT 1 FROM guarded_documents WHERE instr(blocks.path, guarded_documents.id) > 0)';

/** The tables of what is guarded, `below`, and `parts`: what of it may be read. `unindexed`: guarded documents that the index does not have. */
export const readableParts = (id: string, unindexed: readonly string[]): string =>
  `WITH RECURSIVE ${GUARDED_BLOCKS}, ${HOLDING_GUARDS}, ${guardedDocuments(unindexed)}, ${blocksBelow(id)}, ` +
  `parts(id) AS (SELECT ${quoted(id)} UNION SELECT blocks.id FROM below JOIN blocks ON blocks.id = below.id ` +
  'WHERE blocks.id NOT IN (SELECT id FROM guarded))';

interface Placed {
  readonly updated: string;
  readonly id: string;
}

/** As `ORDER BY updated DESC, id DESC`. */
export const newestFirst = (one: Placed, other: Placed): number =>
  compareTexts(other.updated, one.updated) || compareTexts(other.id, one.id);

export const isNewer = (one: Placed, other: Placed): boolean => newestFirst(one, other) < 0;
