import { type ChildNode, type Element, isTag, isText } from 'domhandler';
import { isBlockElement, parseBlocks } from './block-dom.ts';
import { showsAnotherText } from './block-references.ts';
import { CITES_ATTRIBUTE, READ_ATTRIBUTE } from './source-attributes.ts';

/** Hashes of text, structure and attributes of blocks, without SiYuan's additions for display: `updated`, counts, ZWSP, classes. */
const DISPLAY_ATTRIBUTES = new Set([
  'class',
  'contenteditable',
  'spellcheck',
  'draggable',
  'updated',
  'data-node-index',
  'data-src',
  'data-render',
  'data-position',
  'refcount',
  'parent-heading',
  'spin',
  'loading',
  'av-names',
  // Marking a block as read does not change it, or Undo would take that for a change by hand.
  READ_ATTRIBUTE,
  // Nor does checking what it cites.
  CITES_ATTRIBUTE,
  // The open tab is not content.
  'tabs-active-id',
  // Made from the columns' own styles, which are hashed.
  'colgroup',
]);
const DISPLAY_CLASSES = /(^|\s)(protyle-attr|protyle-icons?|tabs-header|mindmap-view|protyle-action__\w+|table__\w+|fn__flex-1)(\s|$)/;
const ACTION_CLASS = /(^|\s)protyle-action(\s|$)/;
const LANGUAGE_CLASS = /protyle-action__language/;

/** Attributes that people and plugins set on a block; all others follow from its content. */
export const KEPT_ATTRIBUTE =
  /^(custom-.+|name|alias|memo|bookmark|style|icon|caption|fold|heading-fold|parent-fold|linewrap|ligatures|linenumber|breadcrumb|data-export-.+|av-names|title)$/;

const ADDRESSES: ReadonlySet<string> = new Set(['data-href', 'src']);

interface HashScope {
  /** Leaves out ids and user attributes, which Markdown cannot express. */
  readonly contentOnly: boolean;
}

function attributePart(element: Element, scope: HashScope): string {
  const names = Object.keys(element.attribs).filter((name) => {
    if (DISPLAY_ATTRIBUTES.has(name) || name.startsWith('aria-')) return false;
    if (name === 'style' && element.attribs.contenteditable === 'true') return false;
    // SiYuan adds one to a reference without an id when it writes it again.
    if (name === 'data-subtype' && element.attribs['data-id'] === '') return false;
    if (!scope.contentOnly) return true;
    if (name === 'data-node-id') return false;
    return !(isBlockElement(element) && KEPT_ATTRIBUTE.test(name));
  });
  // A blank in an address is one in both spellings, of which Markdown has one.
  const spelled = (name: string): string => {
    const value = element.attribs[name] ?? '';
    return scope.contentOnly && ADDRESSES.has(name) ? value.replaceAll(' ', '%20') : value;
  };
  return names
    .sort()
    .map((name) => `\u0002${name}=${spelled(name)}`)
    .join('');
}

function writeCanonical(node: ChildNode, scope: HashScope, out: string[]): void {
  if (isText(node)) {
    out.push(node.data.replaceAll('\u200b', ''));
    return;
  }
  if (!isTag(node)) return;
  const className = node.attribs.class ?? '';
  // A backslash before a sign is invisible to readers.
  if (scope.contentOnly && node.attribs['data-type'] === 'backslash') {
    for (const child of node.children) writeCanonical(child, scope, out);
    return;
  }
  if (LANGUAGE_CLASS.test(className)) out.push('\u0001language\u0003');
  else if (ACTION_CLASS.test(className)) {
    for (const child of node.children)
      if (isTag(child) && LANGUAGE_CLASS.test(child.attribs.class ?? '')) writeCanonical(child, scope, out);
    return;
  } else if (DISPLAY_CLASSES.test(className) || node.name === 'svg') return;
  else out.push(`\u0001${node.name}${attributePart(node, scope)}\u0003`);
  // The text of a dynamic reference follows its target: it changes without an edit of this block, and may be hidden.
  const isOfAnother = node.attribs['data-type']?.includes('block-ref') && showsAnotherText(node);
  if (!isOfAnother) for (const child of node.children) writeCanonical(child, scope, out);
  out.push('\u0004');
}

/** The canonical text that is hashed; exported for comparing in tests and messages. */
function canonicalBlock(dom: string, scope: HashScope = { contentOnly: false }): string {
  const out: string[] = [];
  for (const block of parseBlocks(dom)) writeCanonical(block, scope, out);
  return out.join('');
}

/** 64 bits as 16 hex digits over UTF-16 units: the browser has no crypto.subtle where SiYuan is served over plain HTTP. */
export function hashText(text: string): string {
  let high = 0x9e3779b9;
  let low = 0x85ebca6b;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    high = Math.imul(high ^ unit, 0x9e3779b1);
    low = Math.imul(low ^ unit, 0x5f356495);
    high ^= high >>> 15;
    low ^= low >>> 13;
  }
  high = Math.imul(high ^ (low >>> 16), 0x85ebca77) ^ text.length;
  low = Math.imul(low ^ (high >>> 13), 0xc2b2ae3d);
  const hex = (value: number): string => (value >>> 0).toString(16).padStart(8, '0');
  return hex(high ^ (high >>> 16)) + hex(low ^ (low >>> 15));
}

export const hashOfBlock = (dom: string): string => hashText(canonicalBlock(dom));
/** A hash of what Markdown can express: the same for two blocks that differ only in ids and attributes. */
export const hashOfContent = (dom: string): string => hashText(canonicalBlock(dom, { contentOnly: true }));
/** The part of the hash that the model sees and returns as `expectHash`. */
export const shortHash = (hash: string): string => hash.slice(0, 8);
