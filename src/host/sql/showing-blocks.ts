/**
 * From `seeds(id)` all blocks in whose text words of those may stand: what holds them, and what refers to them, to what holds them, or to
 * what refers to them. A title holds no reference and draws no block of its document; a heading is the parent of what stands below it and
 * has no word of that in its text.
 */
export const SHOWING_BLOCKS =
  'reached(id, heads) AS (SELECT id, 0 FROM seeds ' +
  "UNION SELECT above.id, above.type = 'h' FROM reached JOIN blocks ON blocks.id = reached.id AND blocks.type <> 'd' " +
  'JOIN blocks AS above ON above.id = blocks.parent_id ' +
  "UNION SELECT refs.block_id, 0 FROM reached JOIN blocks ON blocks.id = reached.id AND blocks.type <> 'd' AND NOT reached.heads " +
  'JOIN refs ON refs.def_block_id = reached.id), ' +
  'showing(id) AS (SELECT DISTINCT id FROM reached WHERE NOT heads)';
