import { compareTexts } from '../../tools/util/plain-value.ts';
import { GUARDED_BLOCKS, guardedDocuments, HOLDING_GUARDS } from '../access/readable-blocks.ts';
import { quoted, quotedList } from '../sql/sql-text.ts';

/** The table `below`: a block, the blocks in it and in its section. */
const blocksBelow = (id: string): string =>
  `below(id) AS (SELECT ${quoted(id)} UNION SELECT blocks.id FROM blocks JOIN below ON blocks.parent_id = below.id)`;

/** Condition on `blocks`: in one of these notebooks and not guarded. Requires the tables of `readableParts`. */
export const isOpenBlock = (notebooks: readonly string[]): string =>
  `blocks.box IN (${quotedList(notebooks)}) AND blocks.id NOT IN (SELECT id FROM guarded) ` +
  'AND NOT EXISTS (SELECT 1 FROM guarded_documents WHERE instr(blocks.path, guarded_documents.id) > 0)';

/** The tables of guards, `below`, and its readable `parts`. `unindexed`: guarded documents that are missing in the index. */
export const readableParts = (id: string, unindexed: readonly string[]): string =>
  `WITH RECURSIVE ${GUARDED_BLOCKS}, ${HOLDING_GUARDS}, ${guardedDocuments(unindexed)}, ${blocksBelow(id)}, ` +
  `parts(id) AS (SELECT ${quoted(id)} UNION SELECT blocks.id FROM below JOIN blocks ON blocks.id = below.id ` +
  'WHERE blocks.id NOT IN (SELECT id FROM guarded))';

interface Placed {
  readonly updated: string;
  readonly id: string;
}

/** Like `ORDER BY updated DESC, id DESC`. */
export const newestFirst = (one: Placed, other: Placed): number =>
  compareTexts(other.updated, one.updated) || compareTexts(other.id, one.id);

export const isNewer = (one: Placed, other: Placed): boolean => newestFirst(one, other) < 0;
