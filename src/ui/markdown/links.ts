/** Where a link of an answer may lead. Everything else is shown as text. */
export type LinkTarget =
  | { readonly kind: 'web'; readonly href: string }
  | { readonly kind: 'block'; readonly id: string }
  | { readonly kind: 'asset'; readonly href: string }
  | { readonly kind: 'none' };

const BLOCK = /^siyuan:\/\/blocks\/(\d{14}-[0-9a-z]{7})(?:[?#].*)?$/;
/** A file of the workspace: plain segments only, so that no path leads out of the folder to a kernel endpoint. */
const ASSET = /^assets\/[^\\?#%<>"]+$/;

/** `URL.canParse` came with Chrome 120 and Safari 17: phones have older WebViews. */
function isUrl(text: string): boolean {
  try {
    return Boolean(new URL(text));
  } catch {
    return false;
  }
}

/**
 * A model's link is untrusted: scripts, data and plugin actions (`siyuan://plugins/…`) go nowhere, and a relative path
 * would be a request to the kernel with the user's own session.
 */
export function linkTarget(href: string): LinkTarget {
  const trimmed = href.trim();
  const block = BLOCK.exec(trimmed);
  if (block?.[1]) return { kind: 'block', id: block[1] };
  if (ASSET.test(trimmed) && !trimmed.split('/').includes('..')) return { kind: 'asset', href: trimmed };
  if (!/^(?:https?|mailto):/i.test(trimmed)) return { kind: 'none' };
  return isUrl(trimmed) ? { kind: 'web', href: trimmed } : { kind: 'none' };
}
