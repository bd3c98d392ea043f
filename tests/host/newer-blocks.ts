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

const leaf = (html: string, attributes: Attributes = {}): string =>
  block('NodeParagraph', 'p', `<div contenteditable="true" spellcheck="false">${html}</div>`, attributes);

/** What SiYuan draws a second time, outside of the blocks. */
export const DERIVED_WORDS = 'drawn beside';

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

const list = (attributes: Attributes): string => {
  const item = (text: string): string =>
    block('NodeListItem', 'li', `<div class="protyle-action"><svg><use xlink:href="#iconDot"></use></svg></div>${leaf(text)}`, {
      'data-marker': '*',
      'data-subtype': 'u',
    });
  return block('NodeList', 'list', item('first leaf') + item('second leaf'), { 'data-subtype': 'u', ...attributes });
};

/** A mind map of 3.8.5: a list. */
export const mapList = (): string => list({ 'custom-sy-list-mindmap': '1', 'custom-sy-list-mindmap-data': '{"version":1,"items":{}}' });

const richSource = Buffer.from(JSON.stringify({ spec: 1, format: 'kramdown', content: '- **rich** words' })).toString('base64url');

/** A table with one plain cell and, unless `rich` is false, a rich one, whose text is drawn from the source in its attribute. */
export const table = (rich = true): string =>
  block(
    'NodeTable',
    'table',
    '<div contenteditable="false"><table contenteditable="true" spellcheck="false"><colgroup><col><col></colgroup><thead><tr><th>first leaf</th>' +
      (rich
        ? `<th data-sy-table-cell-rich="${richSource}" contenteditable="false"><div class="table__cell-rich"><ul><li><strong>rich</strong> words</li></ul></div></th>`
        : '<th>plain words</th>') +
      '</tr></thead><tbody><tr><td>second leaf</td><td>more</td></tr></tbody></table>' +
      '<div class="protyle-action__table"><div class="table__resize"></div><div class="table__select"></div></div></div>',
    rich ? { 'custom-sy-table-rich': '1' } : {},
  );

/** A block that a plugin draws from its content. */
export const customBlock = (): string =>
  block('NodeCustomBlock', 'render-node', '<div spin="1"></div>', { 'data-info': 'plugin/type', 'data-content': 'first leaf second leaf' });

/** Of a kind that nobody knows. */
export const unknownBlock = (): string => block('NodeOfTomorrow', 'tomorrow', leaf('first leaf') + leaf('second leaf'));

/** Its title has a mark. */
export const callout = (): string =>
  block(
    'NodeCallout',
    'callout',
    '<div class="callout-info"><span class="callout-icon">💡</span><span class="callout-title">A <span data-type="strong">bold</span> title</span></div>' +
      `<div class="callout-content">${leaf('first leaf')}${leaf('second leaf')}</div>`,
    { 'data-subtype': 'TIP' },
  );

/** Every kind that holds leaves, in a super block too. */
export const inSuperBlock = (inside: string): string =>
  block('NodeSuperBlock', 'sb', inside + leaf('third leaf'), { 'data-sb-layout': 'row' });
