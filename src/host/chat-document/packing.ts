// Values for block attributes: base64url of deflate-raw of JSON. CompressionStream also works over plain HTTP.

import { describeThrown } from '../../tools/contract/errors.ts';
import { fromBase64, joinBytes, toBase64 } from '../../tools/util/base64.ts';

/** A packed value that unpacks to more than this is not ours: anybody can edit an attribute. */
const MAX_UNPACKED_BYTES = 16 * 1024 * 1024;

export type Unpacked = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly reason: string };

async function collect(stream: ReadableStream<Uint8Array>, limit: number): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let size = 0;
  const reader = stream.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.length;
    if (size > limit) {
      await reader.cancel();
      throw new RangeError('it unpacks to more than 16 MiB');
    }
    parts.push(value);
  }
  return joinBytes(parts);
}

function toBase64Url(bytes: Uint8Array): string {
  return toBase64(bytes).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

function fromBase64Url(text: string): Uint8Array<ArrayBuffer> {
  return fromBase64(text.replaceAll('-', '+').replaceAll('_', '/'));
}

export async function pack(value: unknown): Promise<string> {
  const bytes = new Blob([JSON.stringify(value)]).stream().pipeThrough(new CompressionStream('deflate-raw'));
  return toBase64Url(await collect(bytes, Number.POSITIVE_INFINITY));
}

/** Never throws: the result says why a value cannot be unpacked. */
export async function unpack(text: string): Promise<Unpacked> {
  try {
    const bytes = new Blob([fromBase64Url(text)]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
    return { ok: true, value: JSON.parse(new TextDecoder().decode(await collect(bytes, MAX_UNPACKED_BYTES))) };
  } catch (error) {
    return { ok: false, reason: describeThrown(error) };
  }
}
