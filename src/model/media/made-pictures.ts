import { ToolError } from '../../tools/contract/errors.ts';
import { fromBase64 } from '../../tools/util/base64.ts';
import type { ModelSettings } from '../language-model.ts';
import { pictureKind } from './file-kind.ts';
import type { MediaFile } from './media-model.ts';

export interface PictureSource {
  readonly settings: Pick<ModelSettings, 'baseURL'>;
  readonly fetch: typeof globalThis.fetch;
  readonly signal: AbortSignal;
}

/** Bytes; OpenAI's own are below 20 MB. */
const LARGEST = 64 * 1024 * 1024;

function noPicture(baseURL: string, what: string, detail?: string): ToolError {
  const next = 'send again; if it happens again, choose another model';
  return new ToolError('model_bad_answer', `${baseURL} answered ${what}`, next, detail);
}

function pictureBytes(text: string): Uint8Array | null {
  try {
    return fromBase64(text.replace(/^data:[^,]*,/, ''));
  } catch {
    return null; // Not base64: the caller reports it.
  }
}

/**
 * Whether an address in an answer may be fetched: one of the provider's own, or a public one. An answer must not make the page call a
 * server on this machine or network, which may take the request for the user's.
 */
function mayRead(address: string, baseURL: string): boolean {
  try {
    const url = new URL(address);
    if (url.origin === new URL(baseURL).origin) return true;
    return (
      url.protocol === 'https:' && /\.[a-z]{2,}$/i.test(url.hostname) && !/\.(?:local|internal|lan|home|localhost)$/i.test(url.hostname)
    );
  } catch {
    return false;
  }
}

async function download(address: string, { settings: { baseURL }, fetch, signal }: PictureSource): Promise<Uint8Array> {
  if (!mayRead(address, baseURL)) throw noPicture(baseURL, 'with an address that is not read', address.slice(0, 200));
  try {
    const response = await fetch(address, { signal, credentials: 'omit', redirect: 'error' });
    if (!response.ok) throw noPicture(baseURL, `with an address that does not return an image (${response.status})`);
    return new Uint8Array(await response.arrayBuffer());
  } catch (error) {
    if (signal.aborted || error instanceof ToolError) throw error;
    // Picture storage rarely allows cross-origin reads.
    throw noPicture(baseURL, 'with the address of an image that this page may not read', String(error));
  }
}

const textIn = (value: unknown, key: string): string => {
  const found: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined;
  return typeof found === 'string' ? found : '';
};

/** The pictures in an answer of `/images/…`, inline or by address. Rejects with `model_bad_answer`. */
export async function picturesOf(body: unknown, source: PictureSource): Promise<readonly MediaFile[]> {
  const { baseURL } = source.settings;
  const data: unknown = typeof body === 'object' && body !== null ? Reflect.get(body, 'data') : undefined;
  const entries: readonly unknown[] = Array.isArray(data) ? data : [];
  if (entries.length === 0) throw noPicture(baseURL, 'without an image');
  const pictures: MediaFile[] = [];
  for (const entry of entries) {
    const [encoded, address] = [textIn(entry, 'b64_json'), textIn(entry, 'url')];
    const sent = encoded || (address.startsWith('data:') ? address : '');
    const fetched = !sent && address ? await download(address, source) : null;
    const bytes = sent ? pictureBytes(sent) : fetched;
    const kind = bytes && bytes.length <= LARGEST ? pictureKind(bytes) : null;
    if (!bytes || !kind) throw noPicture(baseURL, 'with something that is not an image');
    pictures.push({ name: `picture.${kind.extension}`, mime: kind.mime, bytes });
  }
  return pictures;
}
