import { getDocumentProxy } from 'unpdf';
import { evenForm } from '../equal-text/equal-text.ts';

/** SiYuan serves the character maps that Chinese, Japanese and Korean PDFs may need in its page alone. */
const CODE_TABLES = '/stage/protyle/js/pdf/cmaps/';

export interface PdfPages {
  /** On one line; '' if it has none. */
  readonly title: string;
  readonly total: number;
  /** The texts of the pages from `from` on; '' for a page of pictures only. */
  readonly texts: readonly string[];
}

/** `from`: the first page, from 1. Stops before the page with which there would be more than `maxChars`, after the first page. */
export interface PdfPart {
  readonly from?: number;
  readonly to?: number;
  readonly maxChars?: number;
}

/** The text by page; null if unreadable. Rejects with `too_large` if it takes too much time or memory, and when `signal` aborts. */
export type ReadPdf = (bytes: Uint8Array, part?: PdfPart, signal?: AbortSignal) => Promise<PdfPages | null>;

type Page = Awaited<ReturnType<Awaited<ReturnType<typeof getDocumentProxy>>['getPage']>>;

/** Its text. PDFs of browsers hold radicals in place of the letters that look like them. */
export async function pageText(page: Page): Promise<string> {
  const { items } = await page.getTextContent();
  return items
    .map((item) => ('str' in item ? item.str + (item.hasEOL ? '\n' : '') : ''))
    .join('')
    .replaceAll(/[\u2e80-\u2fdf]+/g, (signs) => evenForm(signs))
    .trim();
}

/** Reads a PDF in this program, which it can block: see desktop/web/page-reader.ts. */
export const pdfPages: ReadPdf = async (bytes, { from = 1, to = Infinity, maxChars = Infinity } = {}) => {
  try {
    const maps = 'document' in globalThis ? { cMapUrl: CODE_TABLES, cMapPacked: true } : {};
    // The reader transfers the bytes, so it gets a copy, which is no Buffer of Node.
    const pdf = await getDocumentProxy(Uint8Array.from(bytes), maps);
    const title = await titleOf(pdf);
    const texts: string[] = [];
    let length = 0;
    for (let number = from; number <= Math.min(to, pdf.numPages); number++) {
      const text = await pageText(await pdf.getPage(number));
      length += text.length;
      if (length > maxChars && texts.length > 0) break;
      texts.push(text);
    }
    const { numPages: total } = pdf;
    await pdf.loadingTask.destroy();
    return { title, total, texts };
  } catch {
    return null;
  }
};

async function titleOf(pdf: Awaited<ReturnType<typeof getDocumentProxy>>): Promise<string> {
  const { info } = await pdf.getMetadata();
  const title = 'Title' in info ? info.Title : '';
  return typeof title === 'string' ? title.replaceAll(/\s+/gu, ' ').trim().slice(0, 300) : '';
}
