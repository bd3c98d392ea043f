/** Enough of a first line to decide what it is: a list marker, a fence and a heading are recognized earlier. */
const MIN_CHARACTERS = 16;

/** Whether the source of a block or an item is decided; a shorter one may still turn into something else. */
export function isUnambiguous(raw: string): boolean {
  return raw.includes('\n') || raw.length > MIN_CHARACTERS;
}
