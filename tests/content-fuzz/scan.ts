/** What a browser would run, ask for or show as an element of its own. */
export interface Danger {
  readonly kind: 'runs' | 'requests' | 'markup' | 'leads';
  readonly what: string;
}

/** Elements that Lute writes into the DOM of blocks. */
const BLOCK_ELEMENTS = new Set('DIV SPAN TABLE COLGROUP COL THEAD TBODY TR TH TD CAPTION BR IMG svg use WBR'.split(' '));
/** Elements that run, load or act wherever they stand. */
const ACTIVE = new Set(
  'SCRIPT IFRAME FRAME FRAMESET OBJECT EMBED APPLET BASE META LINK FORM BUTTON INPUT TEXTAREA SELECT VIDEO AUDIO SOURCE TRACK PORTAL PROTYLE-HTML TEMPLATE NOSCRIPT DIALOG DETAILS script animate set foreignobject'.split(
    ' ',
  ),
);
const ADDRESS_ATTRIBUTES = new Set([
  'src',
  'srcset',
  'poster',
  'data',
  'background',
  'href',
  'xlink:href',
  'action',
  'formaction',
  'ping',
  'manifest',
  'lowsrc',
  'dynsrc',
  'longdesc',
  'profile',
  'codebase',
  'classid',
  'imagesrcset',
]);
const PIXELS = /^data:image\/(png|jpe?g|gif|webp)[;,]/i;

/** True where the page may ask: its own files, and nothing that a server could read as another path. */
export function isOwnFile(address: string, base = document.baseURI): boolean {
  if (PIXELS.test(address)) return true;
  let url: URL;
  try {
    url = new URL(address, base);
  } catch {
    return true; // What is no address is asked by nobody.
  }
  if (url.origin !== location.origin || !/^\/(assets|emojis)\//i.test(url.pathname)) return false;
  try {
    const path = decodeURIComponent(url.pathname);
    return !/[\\\p{Cc}]/u.test(path) && !path.split('/').includes('..');
  } catch {
    return true;
  }
}

/** Where a click may lead. */
export function leadsElsewhere(address: string): boolean {
  let url: URL;
  try {
    url = new URL(address, document.baseURI);
  } catch {
    return false;
  }
  return !['http:', 'https:', 'mailto:', 'tel:'].includes(url.protocol);
}

function attributeDanger(element: Element, name: string, value: string): Danger | undefined {
  const at = `<${element.nodeName.toLowerCase()} ${name}="${value.slice(0, 120)}">`;
  if (/^on/i.test(name)) return { kind: 'runs', what: at };
  if (name === 'srcdoc') return { kind: 'runs', what: at };
  if (/url\s*\(|@import|image-set\s*\(|src\s*\(/i.test(name === 'style' ? value.replaceAll(/\\|\/\*.*?\*\//g, '') : '')) {
    const addresses = [...value.matchAll(/url\s*\(\s*["']?([^"')]*)/gi)].map(([, address]) => address ?? '');
    if (addresses.length === 0 || addresses.some((address) => !address.startsWith('#') && !isOwnFile(address)))
      return { kind: 'requests', what: at };
  }
  if (!ADDRESS_ATTRIBUTES.has(name.toLowerCase()) || value.startsWith('#')) return undefined;
  if (leadsElsewhere(value) && !PIXELS.test(value)) return { kind: /script:/i.test(value) ? 'runs' : 'leads', what: at };
  const isLink = element.nodeName === 'A' || element.nodeName === 'a';
  return isLink || isOwnFile(value) ? undefined : { kind: 'requests', what: at };
}

/**
 * Everything at or below `root` that does something. `isDrawn` tells which elements a renderer made: they may be any, so long as they do
 * nothing.
 */
export function dangersIn(root: Element, isDrawn: (element: Element) => boolean): Danger[] {
  const found: Danger[] = [];
  for (const element of root.querySelectorAll('*')) {
    const drawn = isDrawn(element);
    if (ACTIVE.has(element.nodeName) && !(drawn && /^(foreignobject|set)$/i.test(element.nodeName)))
      found.push({ kind: 'runs', what: element.outerHTML.slice(0, 160) });
    else if (!drawn && !BLOCK_ELEMENTS.has(element.nodeName)) found.push({ kind: 'markup', what: element.outerHTML.slice(0, 160) });
    for (const { name, value } of element.attributes) {
      const danger = attributeDanger(element, name, value);
      if (danger) found.push(danger);
    }
    if (element.nodeName.toLowerCase() === 'style' && /@import|url\s*\(\s*["']?(?!#)/i.test(element.textContent ?? ''))
      found.push({ kind: 'requests', what: element.outerHTML.slice(0, 200) });
  }
  return found;
}
