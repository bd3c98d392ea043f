/**
 * From `seeds(id)` all blocks in whose text words of those may stand: what holds them, and what refers to them, to what holds them, or to
 * what refers to them. A title holds no reference and draws no block of its document.
 */
export const SHOWING_BLOCKS =
  "showing(id) AS (SELECT id FROM seeds UNION SELECT blocks.parent_id FROM showing JOIN blocks ON blocks.id = showing.id AND blocks.type <> 'd' " +
  "UNION SELECT refs.block_id FROM showing JOIN blocks ON blocks.id = showing.id AND blocks.type <> 'd' " +
  'JOIN refs ON refs.def_block_id = showing.id)';
