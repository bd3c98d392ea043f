/** A text as SiYuan's search reads a query: unprintable characters go, white space becomes a blank, outer blanks are dropped. */
export const visibleText = (text: string): string =>
  text
    .replaceAll(/\s/g, ' ')
    .replaceAll(/[^\p{L}\p{M}\p{N}\p{P}\p{S} \u200d]/gu, '')
    .trim();
