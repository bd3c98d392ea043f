import type { AssetStore } from '../../chat/ports/assets.ts';
import type { Attachment } from '../../chat/session/types.ts';
import { MAX_PICTURE, pictureKind } from '../../model/media/file-kind.ts';
import { withoutMetadata } from '../../model/media/picture-metadata.ts';
import { attachedFile, MAX_ATTACHED, type Refusal } from '../../tools/file-text/attached-text.ts';
import type { ReadPdf } from '../../tools/file-text/pdf-text.ts';
import { ServiceError } from '../contract/errors.ts';

/** A file of a request: its name, and its bytes as a data URL. */
export interface GivenAttachment {
  readonly name: string;
  readonly data: string;
}

interface AttachDeps {
  readonly assets?: AssetStore;
  readonly newId: () => string;
  readonly readPdf: ReadPdf;
}

type ReadAttachment = Omit<Attachment, 'id' | 'asset' | 'size'> & { readonly bytes: Uint8Array };

const WHY: Readonly<Record<Refusal, readonly [message: string, next: string]>> = {
  type: ['it is neither a picture, a recording, a PDF nor text', 'send its text in the message'],
  large: [
    `it is too large: ${MAX_PICTURE} bytes of a picture, ${MAX_ATTACHED} of another file, 200,000 characters of a text, 15 seconds of a PDF`,
    'send a part of it',
  ],
  empty: ['it is empty', 'leave it out'],
  scanned: ['it is a PDF without text', 'send its pages as pictures'],
  unreadable: ['it is damaged, or a picture whose metadata cannot be taken off', 'send it as JPEG or PNG'],
};

const DATA_URL = /^data:([\w.+-]+\/[\w.+-]+)?(?:;[\w-]+=[^;,]*)*;base64,([A-Za-z0-9+/=\s]*)$/u;

function bytesOf({ name, data }: GivenAttachment): { readonly mime: string; readonly bytes: Uint8Array } {
  const [, mime = '', base64] = DATA_URL.exec(data) ?? [];
  if (base64 !== undefined) return { mime: mime.toLowerCase(), bytes: new Uint8Array(Buffer.from(base64, 'base64')) };
  throw new ServiceError(400, 'bad_attachment', `${JSON.stringify(name.slice(0, 80))}: its data is no data URL`, 'send data:TYPE;base64,…');
}

/** By the same limits and checks as in the panel, but that nothing scales a picture down here. */
async function read(given: GivenAttachment, readPdf: ReadPdf, signal: AbortSignal): Promise<ReadAttachment | Refusal> {
  const { name } = given;
  const { mime, bytes } = bytesOf(given);
  const picture = pictureKind(bytes);
  if (!picture && mime.startsWith('image/') && mime !== 'image/svg+xml') return 'unreadable';
  if (!picture) {
    const file = await attachedFile({ name, mime, bytes }, readPdf, signal);
    return 'refused' in file ? file.refused : { kind: file.kind, name, mime: file.mime, bytes, ...(file.text ? { text: file.text } : {}) };
  }
  if (bytes.length > MAX_PICTURE) return 'large';
  const plain = withoutMetadata(bytes, picture.mime);
  return plain ? { kind: 'image', name, mime: picture.mime, bytes: plain } : 'unreadable';
}

/** The files of a question, saved as assets of the workspace once all of them can be used. Rejects with ServiceError, and like the store. */
export async function attachFiles(
  given: readonly GivenAttachment[],
  { assets, newId, readPdf }: AttachDeps,
  signal: AbortSignal,
): Promise<readonly Attachment[]> {
  const files: ReadAttachment[] = [];
  for (const each of given) {
    const file = await read(each, readPdf, signal);
    if (typeof file !== 'string') files.push(file);
    else throw new ServiceError(400, 'bad_attachment', `${JSON.stringify(each.name.slice(0, 80))}: ${WHY[file][0]}`, WHY[file][1]);
  }
  if (!assets) throw new ServiceError(400, 'bad_attachment', 'nothing can be attached here', 'ask without the files');
  const attachments: Attachment[] = [];
  for (const { bytes, ...file } of files)
    attachments.push({ ...file, id: newId(), size: bytes.length, asset: await assets.save(file.name, bytes, file.mime, signal) });
  return attachments;
}
