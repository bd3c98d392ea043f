import { getDocumentProxy } from 'unpdf';
import type { PageRead } from './page-messages.ts';

const MAX_PAGES = 500;
const MAX_CHARACTERS = 2_000_000;

/** The text of a PDF, page by page, up to a number of pages; `unreadable` if it is damaged or has a password. */
export async function pdfText(bytes: Uint8Array): Promise<PageRead> {
  try {
    const pdf = await getDocumentProxy(Uint8Array.from(bytes));
    const title = await titleOf(pdf);
    const pages: string[] = [];
    let length = 0;
    for (let number = 1; number <= Math.min(pdf.numPages, MAX_PAGES) && length < MAX_CHARACTERS; number++) {
      const { items } = await (await pdf.getPage(number)).getTextContent();
      const text = items.map((item) => ('str' in item ? item.str + (item.hasEOL ? '\n' : '') : '')).join('');
      pages.push(text.trim());
      length += text.length;
    }
    const rest = pages.length < pdf.numPages ? [`(${pages.length} of ${pdf.numPages} pages were read)`] : [];
    return { title, markdown: [...pages.filter((text) => text !== ''), ...rest].join('\n\n').slice(0, 2 * MAX_CHARACTERS) };
  } catch {
    return { unreadable: true };
  }
}

async function titleOf(pdf: Awaited<ReturnType<typeof getDocumentProxy>>): Promise<string> {
  const { info } = await pdf.getMetadata();
  const title = 'Title' in info ? info.Title : '';
  return typeof title === 'string' ? title.replaceAll(/\s+/gu, ' ').trim().slice(0, 300) : '';
}
