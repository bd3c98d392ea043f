import { createHash } from 'node:crypto';
import { unescapeAttribute } from '../lute.ts';
import { contentOf, firstLeafBlock, isContainer, markContent } from '../tree/content.ts';
import { isBlock, type KernelDocument, type KernelNode, markTypes, typeAbbreviation, walk } from '../tree/node.ts';
import { headingParent, subTypeOf } from '../tree/structure.ts';
import { createdOf, newId } from '../tree/time.ts';
import { markdownOf } from './markdown.ts';
import { documentTags, ialOf, isIndexedAttribute } from './node-attributes.ts';
import type { AttributeRow, BlockRow, DocumentRows } from './rows.ts';
import { addInlineRows } from './span-rows.ts';

/** The `sort` column: a rank of types, not the place in the document (kernel/sql/database.go, nSort). */
const SORT_OF_TYPE: Readonly<Record<string, number>> = {
  NodeDocument: 0,
  NodeHeading: 5,
  NodeParagraph: 10,
  NodeCodeBlock: 10,
  NodeMathBlock: 10,
  NodeTable: 10,
  NodeHTMLBlock: 10,
  NodeList: 20,
  NodeListItem: 20,
  NodeBlockquote: 20,
  NodeCallout: 20,
  NodeSuperBlock: 30,
  NodeAttributeView: 30,
};

const SORT_OF_OTHERS = 100;
function tagsOf(node: KernelNode): string {
  const names: string[] = [];
  if (node.Type === 'NodeDocument') {
    names.push(...documentTags(node));
  } else {
    walk(node, (n) => {
      if (n.Type === 'NodeTextMark' && markTypes(n).includes('tag')) names.push(markContent(n));
      return undefined;
    });
  }
  return names.map((name) => `#${name}#`).join(' ');
}

/** Characters as Go counts them. */
const lengthOf = (text: string): number => Array.from(text).length;

function textsOf(node: KernelNode): Pick<BlockRow, 'content' | 'fcontent' | 'markdown' | 'length'> {
  if (node.Type === 'NodeDocument') {
    const title = unescapeAttribute(node.Properties?.title ?? '');
    return { content: title, fcontent: title, markdown: '', length: lengthOf(title) };
  }
  const content = contentOf(node);
  const markdown = markdownOf(node);
  if (!isContainer(node)) return { content, fcontent: '', markdown, length: lengthOf(content) };
  const leaf = firstLeafBlock(node);
  const fcontent = leaf ? contentOf(leaf) : '';
  return { content, fcontent, markdown, length: lengthOf(fcontent) };
}

function blockRow(node: KernelNode, parentId: string, document: KernelDocument): BlockRow {
  const properties = node.Properties ?? {};
  const id = node.ID ?? '';
  const texts = textsOf(node);
  const ial = ialOf(node);
  const attribute = (name: string): string => unescapeAttribute(properties[name] ?? '');
  return {
    id,
    parent_id: parentId,
    root_id: document.root.ID ?? '',
    hash: createHash('sha256').update(`${node.Type} ${texts.content} ${texts.markdown} ${ial}`).digest('hex').slice(0, 7),
    box: document.notebook,
    path: document.path,
    hpath: document.hpath,
    name: attribute('name'),
    alias: attribute('alias'),
    memo: attribute('memo'),
    tag: tagsOf(node),
    ...texts,
    type: typeAbbreviation(node.Type),
    subtype: subTypeOf(node),
    ial,
    sort: SORT_OF_TYPE[node.Type] ?? SORT_OF_OTHERS,
    created: createdOf(id),
    updated: properties.updated ?? '',
  };
}

function attributeRows(node: KernelNode, document: KernelDocument): AttributeRow[] {
  return Object.entries(node.Properties ?? {})
    .filter(([name]) => isIndexedAttribute(name))
    .map(([name, value]) => ({
      id: newId(),
      name,
      // Escaped in the file, plain here (recorded/index-rows).
      value: unescapeAttribute(value),
      type: 'b',
      block_id: node.ID ?? '',
      root_id: document.root.ID ?? '',
      box: document.notebook,
      path: document.path,
    }));
}

/** All rows of a document, blocks in document order. A block's `parent_id` is the heading that it is below, if any. */
export function documentRows(document: KernelDocument): DocumentRows {
  const rows: DocumentRows = { blocks: [], spans: [], attributes: [], assets: [], refs: [] };
  walk(document.root, (node, parent, index) => {
    if (!isBlock(node)) return undefined;
    const parentId = parent === null ? '' : (headingParent(parent, index).ID ?? '');
    rows.blocks.push(blockRow(node, parentId, document));
    rows.attributes.push(...attributeRows(node, document));
    addInlineRows(node, document, rows);
    return undefined;
  });
  return rows;
}
