/** Its statements run (`tests/host/sql-rule.test.ts`). */
export const SQL_RULE = `query_sql runs one SELECT (also WITH … SELECT) over what may be read. No other statement, no \`;\`. Give a LIMIT; text comes cut, so read blocks by their id afterwards.

## Tables
- \`blocks\`: one row for each block. id, parent_id, root_id (its note), box (its notebook), path, hpath (path in words, "/Projects/Apollo"), name, alias, memo, tag, content (plain text), fcontent, markdown, length, type, subtype, ial, sort, created, updated.
- \`type\`: d note, h heading, p paragraph, l list, i list item, b quote, c code, m formula, t table, s super block, av database, query_embed, html, iframe, video, audio, widget, tb divider. \`subtype\`: h1 to h6; o, u, t for lists (ordered, bullets, tasks).
- \`spans\`: marks inside a line. block_id, root_id, box, path, content, markdown, type ("textmark tag", "textmark a", "textmark strong", "img" …).
- \`refs\`: block_id refers to def_block_id. root_id and def_block_root_id are their notes, content is the anchor.
- \`attributes\`: name and value of block_id; own ones are called custom-….
- Times are text, YYYYMMDDHHMMSS: compare as text. \`sort\` is a rank of types, not the order in the note: read the note for its order.
- The index is about a second behind a write.

## Examples
\`\`\`sql
SELECT id, hpath, updated FROM blocks WHERE type = 'd' ORDER BY updated DESC LIMIT 20
SELECT id, root_id, content FROM blocks WHERE type = 'i' AND subtype = 't' AND markdown LIKE '%[ ] %' ORDER BY created DESC LIMIT 50
SELECT id, content FROM blocks WHERE type = 'p' AND created BETWEEN '20260101000000' AND '20260131235959' LIMIT 50
SELECT content, COUNT(*) AS n FROM spans WHERE type LIKE '%tag%' GROUP BY content ORDER BY n DESC LIMIT 30
SELECT b.id, b.hpath, a.value FROM attributes a JOIN blocks b ON b.id = a.block_id WHERE a.name = 'bookmark' LIMIT 50
SELECT d.id, d.hpath, COUNT(r.block_id) AS links FROM blocks d LEFT JOIN refs r ON r.def_block_root_id = d.id WHERE d.type = 'd' GROUP BY d.id ORDER BY links DESC LIMIT 20
SELECT id, hpath FROM blocks WHERE type = 'd' AND id NOT IN (SELECT def_block_root_id FROM refs) LIMIT 50
\`\`\`
- Words of a search: use search_notes, which ranks. SQL is for counts, dates, types, tags, attributes and links.
`;
