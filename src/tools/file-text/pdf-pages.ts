import { lazyPart } from '../util/lazy.ts';
import type { ReadPdf } from './pdf-text.ts';

const loadPdf = lazyPart(() => import('./pdf-text.ts'));
/** Loads the reader of PDFs when it is needed. Rejects with `not_loaded`. */
export const readPdfHere: ReadPdf = async (bytes, part) => (await loadPdf()).pdfPages(bytes, part);

export const numberedPages = (texts: readonly string[], from: number): readonly string[] =>
  texts.flatMap((text, index) => [`--- page ${from + index} ---`, text === '' ? '(no text: a picture)' : text]);
