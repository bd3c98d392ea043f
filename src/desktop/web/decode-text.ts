/** The character set named by the header, else by the page, else UTF-8. Invalid bytes become the replacement character. */
export function decodeText(bytes: Uint8Array, contentType: string): string {
  const named = /charset\s*=\s*["']?([\w.:-]+)/iu.exec(contentType)?.[1] ?? ownCharset(bytes);
  return decoderFor(named).decode(bytes);
}

function ownCharset(bytes: Uint8Array): string | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, 2048));
  return (
    /<meta[^>]{1,200}?charset\s*=\s*["']?([\w.:-]+)/iu.exec(head)?.[1] ?? /^<\?xml[^>]{1,100}?encoding=["']([\w.:-]+)/u.exec(head)?.[1]
  );
}

function decoderFor(name = 'utf-8'): TextDecoder {
  try {
    return new TextDecoder(name);
  } catch {
    return new TextDecoder();
  }
}
