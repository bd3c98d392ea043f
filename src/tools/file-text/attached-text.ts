import { isToolError } from '../contract/errors.ts';
import { decodedText, statedText } from './decode-text.ts';
import { numberedPages, readPdfHere } from './pdf-pages.ts';
import type { ReadPdf } from './pdf-text.ts';

/** Reasons for a refusal. `scanned`: a PDF of pictures. */
export type Refusal = 'type' | 'large' | 'empty' | 'scanned' | 'unreadable';

interface GivenFile {
  readonly name: string;
  readonly mime: string;
  readonly bytes: Uint8Array;
}

/** A file's text for a model. `cut`: only the beginning. */
export type AttachedFile =
  | { readonly kind: 'audio' | 'text' | 'pdf'; readonly mime: string; readonly text?: string; readonly cut: boolean }
  | { readonly refused: Refusal };

/** Bytes that a program can hold in memory several times. */
export const MAX_ATTACHED = 25 * 1024 * 1024;
export const MAX_TEXT = 200_000;

/** Reads a recording, a PDF or a text. Rejects only with `not_loaded`, and when `signal` aborts. */
export async function attachedFile({ name, mime, bytes }: GivenFile, readPdf = readPdfHere, signal?: AbortSignal): Promise<AttachedFile> {
  if (bytes.length === 0) return { refused: 'empty' };
  if (bytes.length > MAX_ATTACHED) return { refused: 'large' };
  if (mime.startsWith('audio/')) return { kind: 'audio', mime, cut: false };
  if (mime === 'application/pdf' || /\.pdf$/iu.test(name)) return pdfFile(() => readPdf(bytes, { maxChars: MAX_TEXT }, signal));
  if (mime.startsWith('video/')) return { refused: 'type' };
  const decoded = decodedText(bytes);
  if (decoded === null) return { refused: 'type' };
  if (decoded.text.trim() === '') return { refused: 'empty' };
  const text = statedText(decoded);
  return text.length > MAX_TEXT ? { refused: 'large' } : { kind: 'text', mime: mime || 'text/plain', text, cut: false };
}

async function pdfFile(read: () => ReturnType<ReadPdf>): Promise<AttachedFile> {
  const pages = await read().catch((error: unknown) => {
    if (isToolError(error) && error.code === 'too_large') return 'large' as const;
    throw error;
  });
  if (pages === 'large') return { refused: 'large' };
  if (pages === null) return { refused: 'unreadable' };
  if (pages.texts.every((page) => page === '')) return { refused: 'scanned' };
  const text = numberedPages(pages.texts, 1).join('\n');
  return {
    kind: 'pdf',
    mime: 'application/pdf',
    text: text.slice(0, MAX_TEXT),
    cut: text.length > MAX_TEXT || pages.texts.length < pages.total,
  };
}
