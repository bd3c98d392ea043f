import type { NewAttachment } from '../../chat/controller/controller-port.ts';
import { MAX_PICTURE } from '../../model/media/file-kind.ts';
import { withoutMetadata } from '../../model/media/picture-metadata.ts';
import { attachedFile, MAX_ATTACHED, type Refusal } from '../../tools/file-text/attached-text.ts';

export { MAX_TEXT, type Refusal } from '../../tools/file-text/attached-text.ts';

export type ReadFile =
  /** `cut`: only the beginning of its text is sent. */
  { readonly attachment: NewAttachment; readonly cut: boolean } | { readonly refused: Refusal };

/** Pixels a side; models scale larger pictures down themselves, and some refuse them. */
const MAX_SIDE = 2048;

/** Formats that every model for pictures accepts; others are converted. */
const SENT_AS_IS: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);

const bytesOf = async (blob: Blob): Promise<Uint8Array> => new Uint8Array(await blob.arrayBuffer());

const endedWith = (name: string, ending: string): string => `${name.replace(/\.[^.]*$/u, '')}.${ending}`;

async function drawn(bitmap: ImageBitmap, side: number, type: string): Promise<Blob | null> {
  const scale = Math.min(1, side / Math.max(bitmap.width, bitmap.height));
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(bitmap.width * scale));
  canvas.height = Math.max(1, Math.round(bitmap.height * scale));
  const context = canvas.getContext('2d');
  if (!context) return null;
  if (type === 'image/jpeg') {
    context.fillStyle = '#fff'; // Transparent areas would become black.
    context.fillRect(0, 0, canvas.width, canvas.height);
  }
  context.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve) => canvas.toBlob(resolve, type, 0.85));
}

/** Scaled down until it fits: PNG first, which keeps drawings sharp; photographs become JPEG. */
async function shrunk(bitmap: ImageBitmap): Promise<Blob | null> {
  for (const [side, type] of [
    [MAX_SIDE, 'image/png'],
    [MAX_SIDE, 'image/jpeg'],
    [1024, 'image/jpeg'],
  ] as const) {
    const blob = await drawn(bitmap, side, type);
    if (blob && blob.size <= MAX_PICTURE) return blob;
  }
  return null;
}

async function readPicture(file: File): Promise<ReadFile> {
  let bitmap: ImageBitmap;
  try {
    bitmap = await createImageBitmap(file);
  } catch {
    return { refused: 'unreadable' }; // The browser does not know the format, or the file is damaged.
  }
  const fits = Math.max(bitmap.width, bitmap.height) <= MAX_SIDE && file.size <= MAX_PICTURE;
  const plain = fits && SENT_AS_IS.has(file.type) ? withoutMetadata(await bytesOf(file), file.type) : null;
  const blob = plain ? null : await shrunk(bitmap);
  bitmap.close();
  if (plain) return { attachment: { kind: 'image', name: file.name, mime: file.type, bytes: plain }, cut: false };
  if (!blob) return { refused: 'large' };
  const name = endedWith(file.name, blob.type === 'image/png' ? 'png' : 'jpg');
  return { attachment: { kind: 'image', name, mime: blob.type, bytes: await bytesOf(blob) }, cut: false };
}

/** What of a file is sent to the model, and its bytes as they are saved. Rejects only with `not_loaded`. */
export async function readFile(file: File): Promise<ReadFile> {
  if (file.size === 0) return { refused: 'empty' };
  // A picture of any size is scaled down; its bytes are not read whole.
  if (file.type.startsWith('image/') && file.type !== 'image/svg+xml') return readPicture(file);
  if (file.size > MAX_ATTACHED) return { refused: 'large' };
  const bytes = await bytesOf(file);
  const read = await attachedFile({ name: file.name, mime: file.type, bytes });
  if ('refused' in read) return read;
  const { cut, ...parts } = read;
  return { attachment: { ...parts, name: file.name, bytes }, cut };
}
