import { describe, expect, it } from 'vitest';
import { withoutMetadata } from './picture-metadata.ts';

const bytes = (...parts: readonly (string | readonly number[])[]): Uint8Array =>
  Uint8Array.from(parts.flatMap((part) => (typeof part === 'string' ? [...part].map((letter) => letter.charCodeAt(0)) : [...part])));
const textOf = (data: Uint8Array | null): string => String.fromCharCode(...(data ?? []));

/** A segment of a JPEG. */
const segment = (kind: number, ...data: readonly (string | readonly number[])[]): readonly number[] => {
  const inside = [...bytes(...data)];
  return [0xff, kind, (inside.length + 2) >> 8, (inside.length + 2) & 255, ...inside];
};
/** Exif of a camera, little endian as most write it: the orientation, and a place behind it. */
const exif = (orientation: number): readonly number[] =>
  segment(
    0xe1,
    'Exif\0\0',
    'II',
    [42, 0, 8, 0, 0, 0, 2, 0],
    [0x0f, 1, 2, 0, 1, 0, 0, 0, 0, 0, 0, 0],
    [0x12, 1, 3, 0, 1, 0, 0, 0, orientation, 0, 0, 0],
    'GPS 52.52 13.40 Pixel 9',
  );
const jfif = segment(0xe0, 'JFIF\0', [1, 2, 0, 0, 1, 0, 1, 0, 0]);
const colours = segment(0xe2, 'ICC_PROFILE\0', [1, 1, 9]);
const table = segment(0xdb, [0, 1, 2, 3]);
const scan = [...segment(0xda, [1, 1, 0]), 0x11, 0xff, 0x00, 0x22, 0xff, 0xd0, 0x33];
const END = [0xff, 0xd9];

describe('a JPEG', () => {
  it('is read in a time in proportion to its length, however many entries its Exif claims', () => {
    const claims = segment(0xe1, 'Exif\0\0', 'II', [42, 0, 8, 0, 0, 0, 0xff, 0xff]);
    const started = performance.now();
    const cut = withoutMetadata(bytes([0xff, 0xd8], Array.from({ length: 40_000 }, () => claims).flat(), table, END), 'image/jpeg');
    expect(cut).toEqual(bytes([0xff, 0xd8], table, END));
    expect(performance.now() - started).toBeLessThan(2000);
  });

  it('loses place, device, XMP, comments and what follows its end, and nothing that it is drawn with', () => {
    const cut = withoutMetadata(
      bytes(
        [0xff, 0xd8],
        jfif,
        exif(1),
        segment(0xe1, 'http://ns.adobe.com/xap/1.0/\0<xmp place="Berlin"/>'),
        segment(0xed, 'Photoshop 3.0\0Berlin'),
        colours,
        segment(0xe2, 'MPF\0 second'),
        segment(0xfe, 'by Ann'),
        table,
        scan,
        table,
        scan,
        END,
        'ftypmp42 a film at 52.52',
      ),
      'image/jpeg',
    );
    expect(cut).toEqual(bytes([0xff, 0xd8], jfif, colours, table, scan, table, scan, END));
  });

  it.each([3, 6, 8])('keeps the orientation %i, which says how it is to be turned', (orientation) => {
    const cut = withoutMetadata(bytes([0xff, 0xd8], exif(orientation), table, scan, END), 'image/jpeg');
    expect(textOf(cut)).not.toContain('GPS');
    // The same again: what is left of its Exif is read as Exif.
    expect(withoutMetadata(cut ?? new Uint8Array(), 'image/jpeg')).toEqual(cut);
    expect(cut?.[2 + 4 + 6 + 8 + 2 + 9]).toBe(orientation);
  });

  it('that cannot be read is drawn anew', () => {
    expect(withoutMetadata(bytes('GIF89a'), 'image/jpeg')).toBeNull();
    expect(withoutMetadata(bytes([0xff, 0xd8, 0xff, 0xe1, 0x40, 0x00], 'Exif'), 'image/jpeg')).toBeNull();
  });
});

describe('other pictures', () => {
  const chunk = (kind: string, data: string): Uint8Array => bytes([0, 0, 0, data.length], kind, data, [1, 2, 3, 4]);
  const head = bytes([0x89], 'PNG\r\n', [0x1a], '\n');
  const png = (...chunks: readonly Uint8Array[]): Uint8Array => bytes(...[head, ...chunks].map((part) => [...part]));

  it('lose their texts, or are drawn anew', () => {
    const [size, pixels, end] = [chunk('IHDR', 'size'), chunk('IDAT', 'pixels'), chunk('IEND', '')];
    expect(withoutMetadata(png(size, chunk('tEXt', 'Author Ann'), pixels, chunk('iTXt', 'XML'), end), 'image/png')).toEqual(
      png(size, pixels, end),
    );
    expect(withoutMetadata(png(size, chunk('eXIf', 'II'), pixels, end), 'image/png')).toBeNull();
    const webp = (kind: string): Uint8Array => bytes('RIFF', [0, 0, 0, 0], 'WEBP', 'VP8 ', [1, 0, 0, 0], 'x\0', kind, [2, 0, 0, 0], 'II');
    expect(withoutMetadata(webp('EXIF'), 'image/webp')).toBeNull();
    expect(withoutMetadata(webp('ALPH'), 'image/webp')).toEqual(webp('ALPH'));
  });

  it.each(['image/gif', 'image/webp', 'image/png'])('that are called %s and are a photograph of a camera are drawn anew', (mime) => {
    expect(withoutMetadata(bytes([0xff, 0xd8], exif(1), table, scan, END), mime)).toBeNull();
    expect(withoutMetadata(bytes('GIF89a'), 'image/gif')).toEqual(bytes('GIF89a'));
  });
});
