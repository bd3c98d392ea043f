// Blocks of SiYuan 3.8 as its pages have them, built from what its documents and its source say (docs/kernel.md#siyuan-38).

type Attributes = Readonly<Record<string, string>>;

let counter = 0;

/** An id that no kernel would make at this moment. */
function newId(): string {
  counter += 1;
  return `20260801120000-${counter.toString(36).padStart(7, 'n')}`;
}

const ATTR_DIV = '<div class="protyle-attr" contenteditable="false">\u200b</div>';
const written = (attributes: Attributes): string =>
  Object.entries(attributes)
    .map(([name, value]) => ` ${name}="${value.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}"`)
    .join('');

function block(type: string, css: string, inside: string, attributes: Attributes = {}): string {
  return `<div data-node-id="${newId()}" data-type="${type}" class="${css}" updated="20260801120000"${written(attributes)}>${inside}${ATTR_DIV}</div>`;
}

export const leaf = (html: string, attributes: Attributes = {}): string =>
  block('NodeParagraph', 'p', `<div contenteditable="true" spellcheck="false">${html}</div>`, attributes);

/** What SiYuan draws a second time, outside of the blocks. */
export const DERIVED_WORDS = 'drawn of the first leaf';

const tab = (title: string, inside: string, attributes: Attributes = {}): string =>
  block(
    'NodeTabItem',
    'tab-item',
    `<div class="tab-item-info"><span class="tab-item-title callout-title">${title}</span></div><div class="tab-item-content">${inside}</div>`,
    attributes,
  );

/** Two tabs of a paragraph each. `first`: attributes of the first paragraph. */
export const tabs = (first: Attributes = {}): string =>
  block(
    'NodeTabs',
    'tabs',
    `<div class="tabs-header protyle-action" contenteditable="false">${DERIVED_WORDS}</div>` +
      tab('One <span data-type="strong">bold</span>', leaf('first leaf', first)) +
      tab('Two', leaf('second leaf'), { 'tabs-task': 'x' }),
    { 'tabs-position': 'left' },
  );

const mapItem = (inside: string): string => block('NodeMindmapItem', 'mindmap-item', inside, { 'data-marker': '*' });

/** Two items, a map in the first. */
export const mindMap = (first: Attributes = {}): string =>
  block(
    'NodeMindmap',
    'mindmap',
    mapItem(leaf('first leaf', first) + block('NodeMindmap', 'mindmap', mapItem(leaf('inner leaf')), { 'data-subtype': 'u' })) +
      mapItem(leaf('second leaf')) +
      `<div class="mindmap-view" contenteditable="false">${DERIVED_WORDS}</div>`,
    { 'data-subtype': 'u' },
  );
