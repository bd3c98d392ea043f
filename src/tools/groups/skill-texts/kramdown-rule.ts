/** Taught content passes the content filter, refused content is refused (`src/host/blocks/kramdown-rule.test.ts`). */
export const KRAMDOWN_RULE = `SiYuan stores blocks. Every paragraph, heading, list, list item, quote, table and code block is one, with an id like 20240131120000-abc1234. What you write is Markdown; SiYuan makes the blocks and their ids.

## Blocks
- A blank line ends a block. One paragraph is one block: put separate thoughts into separate paragraphs, so that each can be cited and edited.
- Headings \`#\` to \`######\`. The title of a document is not part of its text: do not repeat it as a heading. The blocks below a heading belong to it until the next heading of its level.
- Lists: \`- item\`, \`1. item\`, tasks \`- [ ] open\` and \`- [x] done\`. Indent what is inside an item by the width of its marker. A list is one block that contains its items: change the item, not the list.
- Quote \`> text\`. Divider \`---\`. Code between \`\`\` fences with the language after the first. Formula as a block between lines of \`$$\`, inside a line as \`$a^2$\`.
- Tables as in GitHub: header row, \`| --- |\` row, rows. A cell is one line; \`|\` inside it is written \`\\|\`.

## Inside a line
- \`**bold**\`, \`*italic*\`, \`~~deleted~~\`, \`==marked==\`, \`\`code\`\`, \`[text](https://…)\`, \`#tag#\` and \`#tag/below it#\` (a hash on both sides; no spaces at its ends).
- A backslash makes a mark plain: \`\\#\`, \`\\*\`, \`\\((\`.

## References
- To a block: \`((20240131120000-abc1234 "words to show"))\`. Its backlinks are kept by it, so prefer it to a link where a note is meant. With \`'single quotes'\` the words follow the block's own text.
- As a link: \`[words](siyuan://blocks/20240131120000-abc1234)\`.
- Use only ids that you have read. A reference to an id that is not there is taken for words.

## Containers
- Callout: a quote whose first line is \`> [!NOTE]\`, \`> [!TIP]\`, \`> [!IMPORTANT]\`, \`> [!WARNING]\` or \`> [!CAUTION]\`, a title after it if it needs one; the text in the quote's next lines.
- Super block, for blocks side by side: \`{{{col\`, the blocks with blank lines between them, \`}}}\`, each mark on a line of its own; \`{{{row\` for one below the other.
- Embed, which shows what a query finds: \`{{SELECT * FROM blocks WHERE content LIKE '%launch%' LIMIT 10}}\` alone in its block. One plain SELECT on one line, without \`;\`. What it shows is not part of the note: read the blocks themselves.

## Attributes
- A line \`{: id="…" name="…" }\` after a block is its attribute list (IAL). It is never written in Markdown: ids are SiYuan's, and the tool attributes sets name, alias, memo, bookmark and \`custom-…\`.

## What is refused or made harmless
- Written as code: blocks of HTML, iframes, video, audio; embeds that are not a plain SELECT. What the note already has of them stays.
- Refused: databases; \`echarts\`, \`abc\`, \`plantuml\`, \`flowchart\`, \`graphviz\` and \`mindmap\` fences; mermaid with links, HTML or directives; formulas with \`\\href\`, \`\\url\` or \`\\includegraphics\`.
- Made harmless: attribute lists are dropped, YAML front matter becomes a fence, pictures of other servers become links (those of the workspace stay: \`![plan](assets/plan.png)\`), unsafe links and references to unknown ids become their words.
- An edit whose old text does not occur exactly once in the block, and one of a block that was changed after you read it: read it again.
`;
