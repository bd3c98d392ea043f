import type { Unseen, UnseenKind } from '../../tools/safe-content/unseen.ts';
import type { MessageKey, Translate } from '../ports/i18n.ts';

const NAMES: Readonly<Record<UnseenKind, MessageKey>> = {
  'no-break-space': 'unseen.no-break-space',
  'odd-space': 'unseen.odd-space',
  'soft-hyphen': 'unseen.soft-hyphen',
  'zero-width-space': 'unseen.zero-width-space',
  joiner: 'unseen.joiner',
  'byte-order-mark': 'unseen.byte-order-mark',
  direction: 'unseen.direction',
  variation: 'unseen.variation',
  tag: 'unseen.tag',
  filler: 'unseen.filler',
  'line-separator': 'unseen.line-separator',
  control: 'unseen.control',
  private: 'unseen.private',
  stacked: 'unseen.stacked',
  other: 'unseen.other',
};

/** "no-break space (U+00A0)": the name of an invisible character. */
export function unseenName({ kind, code, count }: Unseen, t: Translate): string {
  const name = t('unseen.code', { name: t(NAMES[kind]), code });
  return count > 1 ? `${name} × ${count}` : name;
}

/** Size as it is sent: UTF-8. */
export function sizeLabel(text: string): string {
  const bytes = new TextEncoder().encode(text).length;
  if (bytes < 1000) return `${bytes} B`;
  return bytes < 1_000_000 ? `${(bytes / 1000).toFixed(1)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}

/** The recipient: the host of an address; an invalid address is shown whole. */
export function hostOf(destination: string): string {
  try {
    return new URL(destination).host || destination;
  } catch {
    return destination; // Not an address: shown as it is.
  }
}
