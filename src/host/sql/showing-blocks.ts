/**
 * From `seeds(id)`, all blocks whose text may contain words of these: their containers, and what refers to them, to their containers, or to
 * blocks that refer to them. A title contains no reference and shows no block of its document; a heading is the parent of the blocks below
 * it but does not contain their words.
 */
export const SHOWING_BLOCKS =
  'reached(id, heads) AS (SELECT id, 0 FROM seeds ' +
  "UNION SELECT above.id, above.type = 'h' FROM reached JOIN blocks ON blocks.id = reached.id AND blocks.type <> 'd' " +
  'JOIN blocks AS above ON above.id = blocks.parent_id ' +
  "UNION SELECT refs.block_id, 0 FROM reached JOIN blocks ON blocks.id = reached.id AND blocks.type <> 'd' AND NOT reached.heads " +
  'JOIN refs ON refs.def_block_id = reached.id), ' +
  'showing(id) AS (SELECT DISTINCT id FROM reached WHERE NOT heads)';
