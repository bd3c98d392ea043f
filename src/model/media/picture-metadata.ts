import { joinBytes } from '../../tools/util/base64.ts';

// Where and with what device a picture was taken is private: a model gets only the picture.

const MARKER = 0xff;
const [START, END, SCAN] = [0xd8, 0xd9, 0xda];
const [APP0, APP1, APP2, APP14, APP15, COMMENT] = [0xe0, 0xe1, 0xe2, 0xee, 0xef, 0xfe];

const ascii = (bytes: Uint8Array, at: number, length: number): string => String.fromCharCode(...bytes.subarray(at, at + length));
const word = (bytes: Uint8Array, at: number): number => ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0);

/** The orientation, 1 to 8, in an Exif segment's data; 1 if there is none. */
function orientationOf(exif: Uint8Array): number {
  const tiff = exif.subarray(6);
  const view = new DataView(tiff.buffer, tiff.byteOffset, tiff.byteLength);
  const little = ascii(tiff, 0, 2) === 'II';
  const read = (at: number, wide = false): number => {
    if (at + (wide ? 4 : 2) > view.byteLength) return 0;
    return wide ? view.getUint32(at, little) : view.getUint16(at, little);
  };
  const directory = read(4, true);
  const end = Math.min(view.byteLength, directory + 2 + read(directory) * 12);
  for (let at = directory + 2; at < end; at += 12) {
    if (read(at) !== 0x0112) continue;
    const value = read(at + 8);
    return value >= 1 && value <= 8 ? value : 1;
  }
  return 1;
}

/** An Exif segment with the orientation only: most cameras store their pictures rotated. */
const orientationSegment = (orientation: number): Uint8Array =>
  Uint8Array.from([
    ...[MARKER, APP1, 0, 34, 0x45, 0x78, 0x69, 0x66, 0, 0], // "Exif"
    ...[0x4d, 0x4d, 0, 42, 0, 0, 0, 8, 0, 1], // big endian, one entry
    ...[0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0],
    ...[0, 0, 0, 0],
  ]);

/** What is needed to render the picture: its density, colours and their encoding. Everything else is metadata. */
function isDrawnWith(kind: number, data: Uint8Array): boolean {
  if (kind === APP0) return ascii(data, 0, 4) === 'JFIF';
  if (kind === APP2) return ascii(data, 0, 11) === 'ICC_PROFILE';
  return kind === APP14 || kind < APP0 || (kind > APP15 && kind !== COMMENT);
}

/** The end of the pixels that begin at `at`: the next marker that is not one of theirs. */
function endOfScan(bytes: Uint8Array, start: number): number {
  let at = start;
  for (; at + 1 < bytes.length; at += 1) {
    const next = bytes[at + 1] ?? 0;
    if (bytes[at] === MARKER && next !== 0 && next !== MARKER && !(next >= 0xd0 && next <= 0xd7)) return at;
  }
  return bytes.length;
}

/** A JPEG reduced to what is rendered; data after its end, such as a short film, is dropped. Null if it cannot be parsed. */
function cutJpeg(bytes: Uint8Array): Uint8Array | null {
  if (word(bytes, 0) !== ((MARKER << 8) | START)) return null;
  const parts: Uint8Array[] = [];
  let orientation = 1;
  let at = 2;
  while (at + 3 < bytes.length) {
    const kind = bytes[at + 1] ?? 0;
    if (bytes[at] !== MARKER) return null;
    if (kind === MARKER)
      at += 1; // A byte of filling.
    else if (kind === END) break;
    else {
      const end = at + 2 + word(bytes, at + 2);
      const data = bytes.subarray(at + 4, end);
      if (end > bytes.length || word(bytes, at + 2) < 2) return null;
      if (kind === APP1 && ascii(data, 0, 4) === 'Exif') orientation = orientationOf(data);
      const next = kind === SCAN ? endOfScan(bytes, end) : end;
      if (isDrawnWith(kind, data)) parts.push(bytes.subarray(at, next));
      at = next;
    }
  }
  if (parts.length === 0) return null;
  const turned = orientation === 1 ? [] : [orientationSegment(orientation)];
  return joinBytes([Uint8Array.from([MARKER, START]), ...turned, ...parts, Uint8Array.from([MARKER, END])]);
}

const PNG_HEAD = 8;
const PNG_TEXTS: ReadonlySet<string> = new Set(['tEXt', 'zTXt', 'iTXt', 'tIME']);

/** A PNG without its texts; null if it cannot be parsed, or contains an orientation. */
function cutPng(bytes: Uint8Array): Uint8Array | null {
  if (ascii(bytes, 1, 3) !== 'PNG') return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const parts = [bytes.subarray(0, PNG_HEAD)];
  for (let at = PNG_HEAD; at + 12 <= bytes.length; ) {
    const end = at + 12 + view.getUint32(at);
    const kind = ascii(bytes, at + 4, 4);
    if (kind === 'eXIf' || end > bytes.length) return null;
    if (!PNG_TEXTS.has(kind)) parts.push(bytes.subarray(at, end));
    if (kind === 'IEND') return joinBytes(parts);
    at = end;
  }
  return null;
}

/** A WebP unchanged, if it contains only the picture; else null. */
function plainWebp(bytes: Uint8Array): Uint8Array | null {
  if (ascii(bytes, 0, 4) !== 'RIFF' || ascii(bytes, 8, 4) !== 'WEBP') return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = 12; at + 8 <= bytes.length; ) {
    const kind = ascii(bytes, at, 4);
    if (kind === 'EXIF' || kind === 'XMP ') return null;
    const size = view.getUint32(at + 4, true);
    at += 8 + size + (size % 2);
  }
  return bytes;
}

/** A picture without its metadata, pixels unchanged; null if it must be re-encoded, or is of another type than named. A GIF has none. */
export function withoutMetadata(bytes: Uint8Array, mime: string): Uint8Array | null {
  if (mime === 'image/jpeg') return cutJpeg(bytes);
  if (mime === 'image/png') return cutPng(bytes);
  if (mime === 'image/webp') return plainWebp(bytes);
  return ascii(bytes, 0, 4) === 'GIF8' ? bytes : null;
}
