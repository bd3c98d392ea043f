import createDOMPurify from 'dompurify';

const TAGS = [
  ...['p', 'br', 'hr', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'ul', 'ol', 'li', 'blockquote', 'pre', 'code', 'div', 'span', 'small'],
  ...['table', 'thead', 'tbody', 'tr', 'th', 'td', 'em', 'strong', 'del', 'b', 'i', 'u', 'sub', 'sup', 'kbd', 'mark', 'a', 'img', 'input'],
];
const ATTRIBUTES = [
  'href',
  'title',
  'target',
  'rel',
  'class',
  'data-block-id',
  'src',
  'alt',
  'loading',
  'align',
  'start',
  'type',
  'checked',
  'disabled',
];

export type Sanitize = (html: string) => string;

/**
 * The second net under the renderer, which already writes no foreign HTML: only the tags that Markdown needs, classes of
 * ours only (the host's would let an answer dress up as a dialog), check boxes only as input.
 */
export function createSanitize(window: Window & typeof globalThis): Sanitize {
  const purify = createDOMPurify(window);
  purify.addHook('uponSanitizeAttribute', (_element, attribute) => {
    if (attribute.attrName === 'class' && !/^mg-[\w-]+$/.test(attribute.attrValue)) attribute.keepAttr = false;
    if (attribute.attrName === 'src' && !/^assets\//.test(attribute.attrValue)) attribute.keepAttr = false;
  });
  purify.addHook('afterSanitizeAttributes', (element) => {
    if (element.nodeName === 'INPUT') {
      element.setAttribute('type', 'checkbox');
      element.setAttribute('disabled', '');
    }
  });
  return (html) =>
    purify.sanitize(html, {
      ALLOWED_TAGS: TAGS,
      ALLOWED_ATTR: ATTRIBUTES,
      ALLOW_DATA_ATTR: false,
      ALLOW_ARIA_ATTR: false,
      ALLOWED_URI_REGEXP: /^(?:https?:|mailto:|siyuan:\/\/blocks\/|assets\/)/i,
      // The pattern above is tested on every attribute but these, which hold no address.
      ADD_URI_SAFE_ATTR: ATTRIBUTES.filter((name) => name !== 'href' && name !== 'src'),
      RETURN_TRUSTED_TYPE: false,
    });
}
