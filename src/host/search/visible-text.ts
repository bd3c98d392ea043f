/**
 * A text as SiYuan's search reads a query: unprintable characters are ignored there, which would join what is around them. White
 * space of every kind becomes a blank, since only blanks separate words there; blanks at the ends are dropped, since they would
 * have to match too.
 */
export const visibleText = (text: string): string =>
  text
    .replaceAll(/\s/g, ' ')
    .replaceAll(/[^\p{L}\p{M}\p{N}\p{P}\p{S} \u200d]/gu, '')
    .trim();
