/** Its calls are planned as they stand (`tests/host/databases-rule.test.ts`). */
export const DATABASES_RULE = `A database (attribute view) is a table in a note. A row is a note or block ("block"), or a text of the database's own ("title"). The cells belong to the database, not to the note that is the row.

## Values, by type of column
| type | value |
| --- | --- |
| text | "a line" |
| number | 12.5, without unit or separators |
| select | "open", the name of one option |
| multi-select (mSelect) | ["home", "soon"] |
| date | "2026-01-31", "2026-01-31 14:00", or "2026-01-31 / 2026-02-02" for a range |
| checkbox | true or false |
| url, email, phone | "https://example.com", "a@example.com", "+49 30 1234" |
| relation | rows of the other database, by id or by a title that only one has: ["Apollo"] |
| asset (mAsset) | ["assets/report.pdf"], files that are in the workspace |
| rollup, template, created, updated, line number | SiYuan fills them: leave them out |

null empties a cell. The title of a row that is a block is the text of the block: edit the block.

## Calls
\`\`\`
db_read {"find": "tasks"}
db_read {"id": "DATABASE", "query": "apollo", "page": 1}
db_create {"id": "NOTE", "name": "Trips", "columns": [{"name": "Day", "type": "date"}, {"name": "State", "type": "select", "options": ["idea", "booked"]}]}
db_write {"id": "DATABASE", "op": "add_rows", "rows": [{"block": "NOTE", "values": {"Due": "2026-01-31", "State": "open"}}, {"title": "Ring the bank", "values": {"Tags": ["home", "soon"]}}]}
db_write {"id": "DATABASE", "op": "add_rows", "newOptions": true, "rows": [{"title": "Paint the door", "values": {"State": "later"}}]}
db_write {"id": "DATABASE", "op": "set_cells", "rows": [{"row": "ROW", "values": {"State": "done", "Price": 12.5, "Due": null, "Paid": true}}]}
db_write {"id": "DATABASE", "op": "remove_rows", "rows": [{"row": "ROW"}]}
db_write {"id": "DATABASE", "op": "columns", "columns": [{"op": "add", "name": "Project", "type": "relation", "target": "DATABASE"}, {"op": "rename", "column": "Due", "name": "Deadline"}, {"op": "move", "column": "Price", "after": "State"}, {"op": "remove", "column": "Paid"}]}
\`\`\`
- DATABASE is the id of its block, or of the note where it is the only one; ROW is a row id that db_read gave, or the id of the note that is the row.
- db_read gives 50 rows a page, under the filter and order of the view: read all pages before you count, add up, or say that something is missing.
- \`newOptions\` only after the user agreed to the new option (ask_user).
- One call changes one database. Put all of its rows into one call: the user reviews them as one table.

## To file a note
1. db_read without id: the databases with their columns. Take the ones whose columns ask for what the note says.
2. db_read of the best: how are rows like it filled? Use their options and their way of writing.
3. add_rows with the note as block. Cells that the note does not give stay out.

## What cannot be done here, or undone
- Rollups, templates, filters, sorts, groups and views are made by the user in SiYuan. A relation that is made here leads one way.
- The type of a column stays. Another type is another column.
- Removed rows and columns come back with their cells; their places, widths and groups in other views may not. The approval says so first.
- A note that is deleted loses its row. Removing a row leaves the note.
- A cell with formatted text, and a column linked both ways, are left to the user.
`;
