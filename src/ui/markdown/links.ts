import { isAsset, isSafeLink, isWebAddress, linkedBlock } from '../../tools/safe-content/addresses.ts';

/** Where a link of an answer may lead. All others are shown as text. */
export type LinkTarget =
  | { readonly kind: 'web'; readonly href: string }
  | { readonly kind: 'block'; readonly id: string }
  | { readonly kind: 'asset'; readonly href: string }
  | { readonly kind: 'none' };

/**
 * A model's link is untrusted: scripts, data and plugin actions (`siyuan://plugins/…`) are not followed, and a relative path
 * would be a request to the kernel with the user's own session.
 */
export function linkTarget(href: string): LinkTarget {
  const trimmed = href.trim();
  const id = linkedBlock(trimmed);
  if (id !== undefined) return { kind: 'block', id };
  if (isAsset(trimmed)) return { kind: 'asset', href: trimmed };
  const isWeb = isWebAddress(trimmed) || /^mailto:/i.test(trimmed);
  return isWeb && isSafeLink(trimmed) ? { kind: 'web', href: trimmed } : { kind: 'none' };
}
