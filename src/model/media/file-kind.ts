import type { MediaFile } from './media-model.ts';

interface FileKind {
  readonly mime: string;
  readonly extension: string;
}

export const MAX_PICTURE = 5 * 1024 * 1024;

const starts = (bytes: Uint8Array, text: string, at = 0): boolean =>
  [...text].every((letter, index) => bytes[at + index] === letter.charCodeAt(0));

const PICTURES: readonly (FileKind & { readonly fits: (bytes: Uint8Array) => boolean })[] = [
  { mime: 'image/png', extension: 'png', fits: (bytes) => starts(bytes, '\x89PNG\r\n\x1a\n') },
  { mime: 'image/jpeg', extension: 'jpg', fits: (bytes) => starts(bytes, '\xff\xd8\xff') },
  { mime: 'image/webp', extension: 'webp', fits: (bytes) => starts(bytes, 'RIFF') && starts(bytes, 'WEBP', 8) },
  { mime: 'image/gif', extension: 'gif', fits: (bytes) => starts(bytes, 'GIF8') },
];

/** The picture format of bytes by their beginning; null for all else, and for SVG, which is a program that draws. */
export function pictureKind(bytes: Uint8Array): FileKind | null {
  return PICTURES.find(({ fits }) => fits(bytes)) ?? null;
}

const AUDIO: Readonly<Record<string, string>> = {
  mp3: 'audio/mpeg',
  opus: 'audio/ogg',
  aac: 'audio/aac',
  flac: 'audio/flac',
  wav: 'audio/wav',
};

/** Speech formats that a browser plays without a header having to be added. */
export const speechMime = (format: string): string | undefined => (Object.hasOwn(AUDIO, format) ? AUDIO[format] : undefined);

/** By the file's type, since services tell a recording's format by the end of its name. */
const EXTENSIONS: Readonly<Record<string, string>> = {
  'audio/webm': 'webm',
  'video/webm': 'webm',
  'audio/ogg': 'ogg',
  'audio/mp4': 'mp4',
  'video/mp4': 'mp4',
  'audio/x-m4a': 'm4a',
  'audio/m4a': 'm4a',
  'audio/mpeg': 'mp3',
  'audio/mp3': 'mp3',
  'audio/wav': 'wav',
  'audio/x-wav': 'wav',
  'audio/wave': 'wav',
  'audio/flac': 'flac',
  'audio/x-flac': 'flac',
};

const TAKEN = /\.(?:flac|m4a|mp3|mp4|mpeg|mpga|oga|ogg|wav|webm)$/i;

/** A recording with a name from which a service can tell its format; null where services do not accept it. */
export function namedRecording({ name, mime, bytes }: MediaFile): MediaFile | null {
  if (TAKEN.test(name)) return { name, mime, bytes };
  const plain = mime.split(';')[0]?.trim().toLowerCase() ?? '';
  return Object.hasOwn(EXTENSIONS, plain) ? { name: `${name || 'recording'}.${EXTENSIONS[plain]}`, mime, bytes } : null;
}
