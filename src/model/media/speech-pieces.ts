/** Services read 4096 characters or 2000 tokens in one request; Chinese has more tokens than characters at worst. */
const LONGEST = 1500;

/** Where a reader would pause, best first. */
const BREAKS: readonly RegExp[] = [/\n\s*\n/g, /\n/g, /[.!?…](?=\s)|[。！？]/g, /[,;:](?=\s)|[，；：、]/g, /\s/g];

function breakIn(text: string): number {
  for (const pattern of BREAKS) {
    const last = [...text.matchAll(pattern)].at(-1);
    const end = last ? last.index + last[0].length : 0;
    if (end > LONGEST / 3) return end;
  }
  // Never split a surrogate pair.
  return /[\ud800-\udbff]$/.test(text) ? text.length - 1 : text.length;
}

/** Splits a text into pieces that can be spoken one after another. Joined they are the text, except for surrounding white space. */
export function speechPieces(text: string): readonly string[] {
  const pieces: string[] = [];
  let rest = text.trim();
  while (rest.length > LONGEST) {
    const end = breakIn(rest.slice(0, LONGEST));
    pieces.push(rest.slice(0, end).trim());
    rest = rest.slice(end).trim();
  }
  return [...pieces, rest].filter((piece) => piece !== '');
}
