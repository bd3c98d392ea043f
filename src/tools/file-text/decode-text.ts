/** Control characters that text does not contain; a file full of them is a program or an archive. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const BINARY = /[\u0000-\u0008\u000e-\u001a\u001c-\u001f]/;

/** The UTF-16 that a mark at the beginning names. */
function markedEncoding([first, second]: Uint8Array): readonly string[] {
  if (first === 0xff && second === 0xfe) return ['utf-16le'];
  return first === 0xfe && second === 0xff ? ['utf-16be'] : [];
}

/** UTF-8, UTF-16 with its mark, or the encoding of older Chinese files; null if it is not text. */
export function decodeText(bytes: Uint8Array): string | null {
  for (const encoding of [...markedEncoding(bytes), 'utf-8', 'gb18030']) {
    try {
      const text = new TextDecoder(encoding, { fatal: true }).decode(bytes);
      return BINARY.test(text) ? null : text;
    } catch {
      // Not this encoding.
    }
  }
  return null;
}
