/** Characters that are not seen, or that turn the order of what is: controls, zero-width, bidirectional; not line breaks and tabs. */
const HIDDEN = /(?!\r?\n|\t)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** What leaves the machine, with nothing left unseen: hidden characters are written as their code points. */
export function visibleText(text: string): string {
  return text.replace(HIDDEN, (character) => `⟨U+${character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}⟩`);
}

/** Size as it is sent: UTF-8. */
export function sizeLabel(text: string): string {
  const bytes = new TextEncoder().encode(text).length;
  return bytes < 1000 ? `${bytes} B` : bytes < 1_000_000 ? `${(bytes / 1000).toFixed(1)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}

/** Whom it is sent to: the host of an address; an address that cannot be read is shown whole. */
export function hostOf(destination: string): string {
  try {
    return new URL(destination).host || destination;
  } catch {
    return destination; // Not an address: shown as it is.
  }
}
