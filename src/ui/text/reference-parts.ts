/** A block reference, with its words if it has any, or what a run of an order is about: the id of a note or row, and its title. */
const REFERENCE =
  /\(\((?<id>\d{14}-[0-9a-z]{7})(?: ["'](?<words>[^"'\n]*)["'])?\)\)|(?:\[(?<note>[\w-]{22})\]|(?<=\b(?:row|below) )[\w-]{22}) (?<title>“[^”\n]*”)/gu;
const FRAME = /^<\/?untrusted-data(?: tool="[\w-]*")?>\n?/gmu;

interface ReferencePart {
  readonly text: string;
  /** Of the block that it leads to. */
  readonly id?: string | undefined;
}

/** What a model needs around the words of notes, which a person sees as they are. */
export const withoutFrames = (text: string): string => text.replaceAll(FRAME, '');

/** A text with references to blocks as parts of their own, without the ids; '' for one that has no words. */
export function referenceParts(text: string): readonly ReferencePart[] {
  const parts: ReferencePart[] = [];
  let from = 0;
  for (const { 0: whole, index, groups = {} } of text.matchAll(REFERENCE)) {
    if (index > from) parts.push({ text: text.slice(from, index) });
    parts.push({ text: groups.title ?? groups.words ?? '', id: groups.id ?? groups.note });
    from = index + whole.length;
  }
  if (from < text.length) parts.push({ text: text.slice(from) });
  return parts;
}
