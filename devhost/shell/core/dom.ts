/** Small helpers over the DOM that every part of the shell uses. */

export function create<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  className = '',
  attributes: Record<string, string> = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  if (className) element.className = className;
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

/** An icon of the sprite; the id is e.g. `iconFile`. */
export function icon(id: string, className = ''): SVGSVGElement {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  if (className) svg.setAttribute('class', className);
  const use = document.createElementNS('http://www.w3.org/2000/svg', 'use');
  use.setAttribute('href', `#${id}`);
  svg.append(use);
  return svg;
}

/** Finds an element that the page must have; a missing one is a mistake of the shell. */
export function must<T extends Element = HTMLElement>(selector: string, root: ParentNode = document): T {
  const element = root.querySelector<T>(selector);
  if (!element) throw new Error(`must: no element matches "${selector}"`);
  return element;
}

export function escapeHtml(value: string): string {
  return value.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;');
}

/** A random id of 7 lower-case characters. */
export function shortId(): string {
  return Math.random().toString(36).slice(2, 9).padEnd(7, '0');
}

/** Local time as the kernel writes it in `updated`: YYYYMMDDHHmmss. */
export function timestamp(date = new Date()): string {
  const two = (n: number) => String(n).padStart(2, '0');
  return `${date.getFullYear()}${two(date.getMonth() + 1)}${two(date.getDate())}${two(date.getHours())}${two(date.getMinutes())}${two(date.getSeconds())}`;
}

/** A fresh block id: time and seven random characters, as Lute makes them. */
export function newBlockId(): string {
  return `${timestamp()}-${shortId()}`;
}

/** A notebook's or document's own icon is code points in hex ("1f5c3") or a file name; only code points are drawn, else the sprite's. */
export function ownIcon(value: string | undefined, fallback: string): Node | string {
  if (!value || !/^[0-9a-f]{2,6}(-[0-9a-f]{2,6})*$/i.test(value)) return icon(fallback);
  return String.fromCodePoint(...value.split('-').map((part) => Number.parseInt(part, 16)));
}
