/** From `seeds(id)`, all blocks that may show their words: containers, and references to any of these; not titles and headings. */
export const SHOWING_BLOCKS =
  'reached(id, heads) AS (SELECT id, 0 FROM seeds ' +
  "UNION SELECT above.id, above.type = 'h' FROM reached JOIN blocks ON blocks.id = reached.id AND blocks.type <> 'd' " +
  'JOIN blocks AS above ON above.id = blocks.parent_id ' +
  "UNION SELECT refs.block_id, 0 FROM reached JOIN blocks ON blocks.id = reached.id AND blocks.type <> 'd' AND NOT reached.heads " +
  'JOIN refs ON refs.def_block_id = reached.id), ' +
  'showing(id) AS (SELECT DISTINCT id FROM reached WHERE NOT heads)';
