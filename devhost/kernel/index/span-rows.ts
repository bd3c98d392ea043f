import { markContent } from '../tree/content.ts';
import { firstOfType, isBlock, type KernelDocument, type KernelNode, markTypes, textOf, typeAbbreviation } from '../tree/node.ts';
import { newId } from '../tree/time.ts';
import { markdownOf } from './markdown.ts';
import { documentTags, ialOf, isIndexedAttribute } from './node-attributes.ts';
import type { DocumentRows, RowPlace } from './rows.ts';

const isAssetPath = (address: string): boolean => address.startsWith('assets/');

/** Rows of the marks, images, references and files that stand in a block itself, not in the blocks inside it. */
export function addInlineRows(block: KernelNode, document: KernelDocument, rows: DocumentRows): void {
  const place: RowPlace = {
    block_id: block.ID ?? '',
    root_id: document.root.ID ?? '',
    box: document.notebook,
    path: document.path,
  };
  if (block.Type === 'NodeDocument') addDocumentTags(block, place, rows);
  if (block.Type === 'NodeBlockQueryEmbed') addEmbedReference(block, place, rows);
  const source = /\b(?:src|data-assets)="(assets\/[^"?]*)/.exec(block.Data ?? '')?.[1];
  if (source) addAsset(source, '', place, rows);
  const visit = (node: KernelNode): void => {
    for (const child of node.Children ?? []) {
      if (isBlock(child)) continue;
      if (child.Type === 'NodeTextMark') addMark(child, place, rows);
      else if (child.Type === 'NodeImage') addImage(child, place, rows);
      else visit(child);
    }
  };
  visit(block);
}

function addDocumentTags(root: KernelNode, place: RowPlace, rows: DocumentRows): void {
  for (const tag of documentTags(root)) {
    rows.spans.push({ id: newId(), ...place, content: tag, markdown: `#${tag}#`, type: 'tag', ial: '' });
  }
}

function addMark(mark: KernelNode, place: RowPlace, rows: DocumentRows): void {
  const types = markTypes(mark);
  const type = `${typeAbbreviation(mark.Type)} ${textOf(mark, 'TextMarkType')}`;
  rows.spans.push({
    id: newId(),
    ...place,
    content: markContent(mark).replace(/\u200d$/, ''),
    markdown: markdownOf(mark),
    type,
    ial: ialOf(mark),
  });
  addSpanAttributes(mark, place, rows);
  const address = textOf(mark, 'TextMarkAHref');
  if (types.includes('a') && isAssetPath(address)) addAsset(address, textOf(mark, 'TextMarkATitle'), place, rows);
  if (types.includes('block-ref')) {
    // One without an id has a row as well.
    const target = textOf(mark, 'TextMarkBlockRefID');
    // Other marks on a reference would not be written as a reference.
    const markdown = markdownOf({ ...mark, TextMarkType: 'block-ref' });
    addReference({ target, content: textOf(mark, 'TextMarkTextContent'), markdown, type: typeAbbreviation(mark.Type) }, place, rows);
  }
}

function addImage(image: KernelNode, place: RowPlace, rows: DocumentRows): void {
  const text = firstOfType(image, 'NodeLinkText')?.Data ?? '';
  const markdown = markdownOf(image);
  rows.spans.push({ id: newId(), ...place, content: text, markdown, type: typeAbbreviation(image.Type), ial: ialOf(image) });
  addSpanAttributes(image, place, rows);
  const address = firstOfType(image, 'NodeLinkDest')?.Data ?? '';
  if (isAssetPath(address)) addAsset(address.split('?')[0] ?? address, firstOfType(image, 'NodeLinkTitle')?.Data ?? '', place, rows);
}

function addSpanAttributes(node: KernelNode, place: RowPlace, rows: DocumentRows): void {
  for (const [name, value] of Object.entries(node.Properties ?? {})) {
    if (isIndexedAttribute(name)) rows.attributes.push({ id: newId(), name, value, type: 's', ...place });
  }
}

/** `assets/picture-20260102150405-abcdefg.png` is called `picture.png`. The hash of the file's bytes is not kept here. */
function addAsset(address: string, title: string, place: RowPlace, rows: DocumentRows): void {
  const { path: docpath, ...rest } = place;
  const file = address.slice(address.lastIndexOf('/') + 1);
  const name = file.replace(/-\d{14}-[0-9a-z]{7}(?=\.[^.]*$|$)/, '');
  rows.assets.push({ id: newId(), ...rest, docpath, path: address, name, title, hash: '' });
}

/** An embed is a reference when it asks for one block: `… WHERE id = '<id>'`. */
function addEmbedReference(embed: KernelNode, place: RowPlace, rows: DocumentRows): void {
  const script = firstOfType(embed, 'NodeBlockQueryEmbedScript')?.Data ?? '';
  const target = /\bwhere\s+\(*\s*id\s*=\s*'(\d{14}-[0-9a-z]{7})'[\s);]*(?:limit\s+\d+\s*;?\s*)?$/i.exec(script)?.[1];
  if (target) addReference({ target, content: '', markdown: '', type: typeAbbreviation(embed.Type) }, place, rows);
}

interface Reference {
  readonly target: string;
  readonly content: string;
  readonly markdown: string;
  readonly type: string;
}

/** A block that names another twice counts as one reference. */
function addReference({ target, ...texts }: Reference, place: RowPlace, rows: DocumentRows): void {
  if (rows.refs.some((ref) => ref.def_block_id === target && ref.block_id === place.block_id)) return;
  rows.refs.push({ id: newId(), def_block_id: target, ...place, ...texts });
}
