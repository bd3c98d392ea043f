/** Characters that the kernel removes from names: all but letters, marks, numbers, punctuation, symbols, spaces and the emoji joiner. */
const DROPPED = /[^\p{L}\p{M}\p{N}\p{P}\p{S}\p{Zs}\u200d]/gu;

export const hasControl = (text: string): boolean => [...text].some((char) => char < ' ' || char === '\u007f');

/** A name of a notebook or a document as SiYuan stores it; the caller refuses control characters. */
export const keptName = (text: string): string => text.replaceAll('\u00a0', ' ').replace(DROPPED, '').trim();
