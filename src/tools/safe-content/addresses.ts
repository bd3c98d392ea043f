import { fullyDecoded, normaliseText, percentDecoded, TAG_START, withoutInvisible } from './normal-text.ts';

const SCHEMES: ReadonlySet<string> = new Set(['http', 'https', 'mailto', 'tel']);
const BLOCK_LINK = /^siyuan:\/\/blocks\/(\d{14}-[0-9a-z]{7})(?:[?#][\w=&]*)?$/;
const CONTROL = /[ \p{Cc}]/u;
/** Pages of SiYuan have different depths: a relative address with `..` is resolved from each. */
const BASES = ['http://host.invalid/', 'http://host.invalid/stage/build/desktop/'];
const PIXELS = /^data:image\/(?:png|jpe?g|gif|webp);base64,[a-z0-9+/=\s]*$/i;

/** Browsers ignore white space and control characters inside an address. */
const compact = (text: string): string => [...withoutInvisible(text)].filter((char) => !CONTROL.test(char)).join('');

/** The address as written, and as SiYuan's kernel and page may read it. */
const readings = (address: string): readonly string[] => [compact(address), compact(normaliseText(address))];

const schemeOf = (address: string): string | undefined => /^([^/?#:]*):/.exec(address)?.[1]?.toLowerCase();

/** A file of the workspace in plain letters, so that no path leads out of its folder to an endpoint of the kernel. */
function isPlainFile(address: string, folders: readonly string[]): boolean {
  if (/[\\%?#:<>"']|\/\//.test(address)) return false;
  return BASES.every((base) => {
    const path = urlOf(address, base)?.pathname ?? '';
    const plain = address.replace(/^\//, '');
    // Resolved from the root it is unchanged: it contained no dots.
    return folders.some((folder) => plain.startsWith(folder)) && (base !== BASES[0] || percentDecoded(path) === `/${plain}`);
  });
}

function urlOf(address: string, base?: string): URL | undefined {
  try {
    return new URL(address, base);
  } catch {
    return undefined;
  }
}

/** True if a picture may be shown: it is in the workspace, or contains its own pixels; nothing is fetched, no endpoint called. */
export function isLocalImage(source: string): boolean {
  if (PIXELS.test(source)) return true;
  if (CONTROL.test(source.replaceAll(' ', ''))) return false;
  const folders = source.startsWith('/') ? ['emojis/'] : ['assets/', 'emojis/'];
  return isPlainFile(source, folders) && isPlainFile(normaliseText(source), folders);
}

export const linkedBlock = (href: string): string | undefined => BLOCK_LINK.exec(href.trim())?.[1];

function isSafeReading(address: string): boolean {
  const scheme = schemeOf(address);
  if (scheme === 'siyuan') return BLOCK_LINK.test(address);
  if (scheme !== undefined) return SCHEMES.has(scheme);
  // SiYuan opens an absolute path, and a Windows network path, with the system's own programs.
  if (address === '' || /^[\\/]/.test(address) || address.includes(':')) return false;
  const decoded = percentDecoded(address);
  return !/[\\\p{Cc}]/u.test(decoded) && !decoded.split(/[/?#]/).includes('..');
}

/** True for an address that may be opened by a click. SiYuan shows it on hover, percent-decoded and as HTML. */
export function isSafeLink(href: string): boolean {
  // SiYuan does not ignore what a browser ignores: the address of a block is plain or leads elsewhere.
  if (schemeOf(compact(href)) === 'siyuan' && linkedBlock(href) === undefined) return false;
  return readings(href).every(isSafeReading) && !TAG_START.test(fullyDecoded(href));
}

/** True for a web address: a picture there is fetched as soon as it is shown. */
export const isWebAddress = (address: string): boolean => {
  const scheme = schemeOf(compact(address));
  return (scheme === 'http' || scheme === 'https') && urlOf(address) !== undefined;
};

/** True for a file of the workspace that a link or a picture may use. */
export const isAsset = (address: string): boolean => isLocalImage(address) && address.startsWith('assets/');
