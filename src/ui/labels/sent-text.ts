/** Between the signs of one emoji these are seen: they make it what it is. */
const IN_EMOJI =
  '(?<=\\p{Extended_Pictographic})\\uFE0F|(?<=[\\p{Extended_Pictographic}\\p{Emoji_Modifier}\\uFE0F])\\u200D(?=\\p{Extended_Pictographic})';
const UNSEEN = '[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}\\p{Default_Ignorable_Code_Point}\\u2800]';
/** Not seen, or turning the order of what is: controls, zero-width, bidirectional, letters without a shape; not line breaks and tabs. */
const HIDDEN = new RegExp(`(?!\\r?\\n|\\t|${IN_EMOJI})${UNSEEN}`, 'gu');

/** What leaves the machine, runs on it or is put into its files, with nothing left unseen: hidden characters are written as their code points. */
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
