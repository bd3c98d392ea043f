/** Enough of a first line to tell what it is: a list marker, a fence and a heading show themselves earlier. */
const MIN_CHARACTERS = 16;

/** Whether the source of a block or an item says what it is; a shorter one may still turn into something else. */
export function isUnambiguous(raw: string): boolean {
  return raw.includes('\n') || raw.length > MIN_CHARACTERS;
}
