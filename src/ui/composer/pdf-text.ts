import { extractText, getDocumentProxy } from 'unpdf';

/** Where SiYuan serves the character maps that Chinese, Japanese and Korean PDFs may need. */
const CODE_TABLES = '/stage/protyle/js/pdf/cmaps/';

/** The text of a PDF, page by page; '' for pictures only, null if it cannot be read (damaged, or with a password). */
export async function pdfText(bytes: Uint8Array): Promise<string | null> {
  try {
    // The reader transfers the bytes, so it gets a copy.
    const pdf = await getDocumentProxy(bytes.slice(), { cMapUrl: CODE_TABLES, cMapPacked: true });
    const { text } = await extractText(pdf, { mergePages: false });
    await pdf.loadingTask.destroy();
    return text
      .map((page) => page.trim())
      .filter((page) => page !== '')
      .join('\n\n');
  } catch {
    return null;
  }
}
