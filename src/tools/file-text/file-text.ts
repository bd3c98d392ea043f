import { ToolError } from '../contract/errors.ts';
import { decodedText, statedText } from './decode-text.ts';
import type { ReadPdf } from './pdf-text.ts';

/** Characters of one answer, a little less than what a result may have. */
const MAX_CHARS = 6500;
const PDF = /\.pdf$/iu;

export interface TextPart {
  readonly isPdf: boolean;
  readonly from: number;
  readonly total: number;
  readonly texts: readonly string[];
}

interface Range {
  readonly from: number;
  readonly to?: number;
}

/** Pieces of a text that end with a line where there is one, and never inside a character. */
function piecesOf(text: string): readonly string[] {
  const pieces: string[] = [];
  for (let start = 0; start < text.length; ) {
    const limit = start + MAX_CHARS;
    const line = limit < text.length ? text.lastIndexOf('\n', limit) : text.length;
    const end = line > start ? line : limit;
    const cut = end < text.length && /[\uDC00-\uDFFF]/u.test(text.charAt(end)) ? end - 1 : end;
    pieces.push(text.slice(start, cut));
    start = text.charAt(cut) === '\n' ? cut + 1 : cut;
  }
  return pieces;
}

const pastEnd = (path: string, total: number): ToolError =>
  new ToolError('past_end', `"${path}" has ${total} pages`, `give pages between 1 and ${total}`);

interface ReadFile {
  readonly path: string;
  readonly bytes: Uint8Array;
}

/** Rejects with `not_text` or `past_end`, and like `readPdf`. */
export async function fileText(file: ReadFile, range: Range, readPdf: ReadPdf): Promise<TextPart> {
  const { path, bytes } = file;
  if (PDF.test(path)) return pdfPart(file, range, readPdf);
  const decoded = decodedText(bytes);
  if (decoded === null) throw new ToolError('not_text', `"${path}" is no text and no PDF`, 'tell the user that it cannot be read');
  const pieces = decoded.text === '' ? [] : piecesOf(statedText(decoded));
  if (pieces.length === 0) throw new ToolError('not_text', `"${path}" is empty`, 'go on without it');
  if (range.from > pieces.length) throw pastEnd(path, pieces.length);
  return { isPdf: false, from: range.from, total: pieces.length, texts: pieces.slice(range.from - 1, range.from) };
}

async function pdfPart({ path, bytes }: ReadFile, { from, to }: Range, readPdf: ReadPdf): Promise<TextPart> {
  const pages = await readPdf(bytes, { from, to: to ?? from + 99, maxChars: MAX_CHARS });
  if (pages === null) throw new ToolError('not_text', `"${path}" is damaged or has a password`, 'tell the user that it cannot be read');
  if (pages.texts.length === 0) throw pastEnd(path, pages.total);
  return { isPdf: true, from, total: pages.total, texts: pages.texts };
}
