import { getDocumentProxy } from 'unpdf';
import { ToolError } from '../../tools/contract/errors.ts';
import type { ReadableText } from './page-markdown.ts';

/** Pages that are read of one file. */
const MAX_PAGES = 200;

/** The text of a PDF, page by page. Rejects with ToolError `not_text` for a file that cannot be read or has no text. */
export async function pdfText(bytes: Uint8Array, signal: AbortSignal): Promise<ReadableText> {
  const parts: string[] = [];
  try {
    const file = await getDocumentProxy(bytes);
    for (let number = 1; number <= Math.min(file.numPages, MAX_PAGES); number++) {
      signal.throwIfAborted();
      const { items } = await (await file.getPage(number)).getTextContent();
      parts.push(items.map((item) => ('str' in item ? item.str + (item.hasEOL ? '\n' : '') : '')).join(''));
    }
    if (file.numPages > MAX_PAGES) parts.push(`(the file has ${file.numPages} pages; these are the first ${MAX_PAGES})`);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof ToolError) throw error;
    throw new ToolError('not_text', 'this PDF cannot be read', 'use another page');
  }
  const markdown = parts.join('\n\n').trim();
  if (markdown === '') throw new ToolError('not_text', 'this PDF has no text, only pictures', 'use another page');
  return { title: '', markdown };
}
