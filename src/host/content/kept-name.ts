/** Characters that SiYuan's kernel takes out of names: all but letters, marks, numbers, punctuation, symbols, spaces, and the joiner of emoji. */
const DROPPED = /[^\p{L}\p{M}\p{N}\p{P}\p{S}\p{Zs}\u200d]/gu;

export const hasControl = (text: string): boolean => [...text].some((char) => char < ' ' || char === '\u007f');

/** A name of a notebook or a document as SiYuan keeps it; control characters are the caller's to refuse. */
export const keptName = (text: string): string => text.replaceAll('\u00a0', ' ').replace(DROPPED, '').trim();
