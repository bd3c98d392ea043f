import createDOMPurify from 'dompurify';
import { isAsset } from '../../tools/safe-content/addresses.ts';

const TAGS = [
  ...['p', 'br', 'hr', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'ul', 'ol', 'li', 'blockquote', 'pre', 'code', 'div', 'span', 'small'],
  ...[
    'table',
    'thead',
    'tbody',
    'tr',
    'th',
    'td',
    'em',
    'strong',
    'del',
    'ins',
    'b',
    'i',
    'u',
    'sub',
    'sup',
    'kbd',
    'mark',
    'abbr',
    'a',
    'img',
    'input',
  ],
];
const ATTRIBUTES = [
  'href',
  'title',
  'target',
  'rel',
  'class',
  'data-block-id',
  'data-page',
  'src',
  'alt',
  'loading',
  'align',
  'start',
  'type',
  'checked',
  'disabled',
  'dir',
];

const BLOCK_ID = /^\d{14}-[0-9a-z]{7}$/;

export type Sanitize = (html: string) => string;

/**
 * The second barrier after the renderer, which already writes no foreign HTML: only the tags that Markdown needs, only
 * our classes (with the host's, an answer could imitate a dialog), only check boxes as inputs.
 */
export function createSanitize(window: Window & typeof globalThis): Sanitize {
  const purify = createDOMPurify(window);
  purify.addHook('uponSanitizeAttribute', (element, attribute) => {
    if (attribute.attrName === 'data-block-id') attribute.keepAttr = element.nodeName === 'A' && BLOCK_ID.test(attribute.attrValue);
    if (attribute.attrName === 'data-page') attribute.keepAttr = element.nodeName === 'A' && /^\d{1,6}$/.test(attribute.attrValue);
    if (attribute.attrName === 'dir' && attribute.attrValue !== 'auto') attribute.keepAttr = false;
    if (attribute.attrName === 'class' && !/^mg-[\w-]+(?: mg-[\w-]+)*$/.test(attribute.attrValue)) attribute.keepAttr = false;
    if (attribute.attrName === 'src' && !isAsset(attribute.attrValue)) attribute.keepAttr = false;
  });
  purify.addHook('afterSanitizeAttributes', (element) => {
    if (element.nodeName === 'INPUT') {
      element.setAttribute('type', 'checkbox');
      element.setAttribute('disabled', '');
      // The label of the box: the words of its item, without those of nested items.
      const item = [...(element.closest('li')?.childNodes ?? [])].filter(({ nodeName }) => nodeName !== 'UL' && nodeName !== 'OL');
      const words = item
        .map(({ textContent }) => textContent)
        .join('')
        .trim();
      if (words === '') element.setAttribute('aria-hidden', 'true');
      else element.setAttribute('aria-label', words.slice(0, 200));
    }
  });
  return (html) =>
    purify.sanitize(html, {
      ALLOWED_TAGS: TAGS,
      ALLOWED_ATTR: ATTRIBUTES,
      ALLOW_DATA_ATTR: false,
      ALLOW_ARIA_ATTR: false,
      ALLOWED_URI_REGEXP: /^(?:https?:|mailto:|siyuan:\/\/blocks\/|assets\/|#mg-footnote-)/i,
      // The pattern above is tested on every attribute except these, which contain no address.
      ADD_URI_SAFE_ATTR: ATTRIBUTES.filter((name) => name !== 'href' && name !== 'src'),
      RETURN_TRUSTED_TYPE: false,
    });
}

/** KaTeX's styles: lengths, colours and lines; nothing that leaves its place or fetches. */
const FORMULA_STYLE =
  /^(?:height|width|min-width|max-width|top|bottom|left|right|margin(?:-\w+)?|padding(?:-\w+)?|vertical-align|color|background-color|border(?:-\w+)*|font-size|transform-origin)$/;

function formulaStyle(style: string): string {
  const kept = style.split(';').filter((declaration) => {
    const [name = '', value = ''] = declaration.split(':').map((part) => part.trim());
    return (FORMULA_STYLE.test(name) && /^[-\w.#%\s]+$/.test(value)) || (name === 'position' && value === 'relative');
  });
  return kept.join(';');
}

/**
 * For the output of the host's own renderers: KaTeX (spans with styles, lines as SVG) and highlight.js (spans
 * with classes). Links, pictures, data attributes and the host's own classes are removed.
 */
export function createDrawingSanitize(window: Window & typeof globalThis): Sanitize {
  const purify = createDOMPurify(window);
  purify.addHook('uponSanitizeAttribute', (_element, attribute) => {
    if (attribute.attrName === 'style') attribute.attrValue = formulaStyle(attribute.attrValue);
    if (attribute.attrName === 'class') attribute.keepAttr = !/(?:^|\s)(?:b3-|fn__|protyle|layout|mg-)/.test(attribute.attrValue);
  });
  return (html) =>
    purify.sanitize(html, {
      ALLOWED_TAGS: ['span', 'svg', 'path', 'line', 'g'],
      ALLOWED_ATTR: [
        ...['class', 'style', 'aria-hidden', 'width', 'height', 'viewBox', 'preserveAspectRatio'],
        ...['d', 'x1', 'x2', 'y1', 'y2', 'stroke-width', 'xmlns'],
      ],
      ALLOW_DATA_ATTR: false,
      ALLOW_ARIA_ATTR: false,
      RETURN_TRUSTED_TYPE: false,
    });
}
