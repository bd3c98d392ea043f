/**
 * A text as SiYuan's search reads a query: what is not printed is nothing to it, and it would draw together what stands around it. White
 * space of every kind is a blank here, since only blanks part words there; blanks at the ends are left out, since they would have to be
 * in the note as well.
 */
export const visibleText = (text: string): string =>
  text
    .replaceAll(/\s/g, ' ')
    .replaceAll(/[^\p{L}\p{M}\p{N}\p{P}\p{S} \u200d]/gu, '')
    .trim();
