import { decodeText } from '../../../desktop/web/decode-text.ts';
import type { RawPage, ReadableText } from '../../../desktop/web/page-messages.ts';
import type { PageReader } from '../../../desktop/web/page-reader.ts';
import { isAbort, ToolError } from '../../../tools/contract/errors.ts';
import { numberedPages } from '../../../tools/file-text/pdf-pages.ts';
import { linkSignals } from '../../../tools/util/abort.ts';
import type { WebAnswer, WebPages } from '../web-fetch.ts';
import { createAddressGuard, type GuardOptions } from './address-guard.ts';
import { askPage } from './ask-page.ts';

const TIMEOUT_MS = 20_000;
/** Of a PDF. */
const MAX_PAGES = 500;
const MAX_CHARACTERS = 2_000_000;

export interface WebPagesOptions extends GuardOptions {
  readonly reader: PageReader;
  /** Milliseconds from the first request to the last byte. Default: 20,000. */
  readonly timeoutMs?: number;
}

/** Pages of the public web, requested by this computer. */
export function createWebPages({ reader, ...options }: WebPagesOptions): WebPages {
  const guard = createAddressGuard(options);
  const { timeoutMs = TIMEOUT_MS } = options;
  const load = async (start: URL, signal: AbortSignal) => {
    const time = linkSignals([signal], timeoutMs);
    try {
      return await askPage(start, guard, time.signal);
    } catch (error) {
      throw failure(error, { host: start.host, timedOut: time.timedOut(), timeoutMs });
    } finally {
      time.release();
    }
  };
  return {
    check: (address) => guard.parse(address).href,
    async read(address, signal): Promise<WebAnswer> {
      const answer = await load(guard.parse(address), signal);
      if ('elsewhere' in answer) return { elsewhere: answer.elsewhere.href };
      const { title, markdown } = await readPageText(answer, reader, signal);
      return { url: answer.url.href, title, text: markdown };
    },
  };
}

async function readPageText(page: RawPage, reader: PageReader, signal: AbortSignal): Promise<ReadableText> {
  const { url, contentType, bytes } = page;
  const [named = ''] = contentType.toLowerCase().split(';');
  const type = named.trim();
  if (type === 'application/pdf') return readPdfPage(page, reader, signal);
  if (type === 'text/html' || type === 'application/xhtml+xml') return reader.read(page, signal);
  const isText = type.startsWith('text/') || /^application\/(?:[\w.-]+\+)?(?:json|xml)$/u.test(type);
  if (!isText)
    throw new ToolError(
      'not_text',
      `${url.host} sends ${type.slice(0, 60) || 'a file of unknown type'}, which is not text`,
      'use another page',
    );
  return { title: '', markdown: decodeText(bytes, contentType).trim() };
}

async function readPdfPage({ bytes }: RawPage, reader: PageReader, signal: AbortSignal): Promise<ReadableText> {
  const pdf = await reader.readPdf(bytes, { to: MAX_PAGES, maxChars: MAX_CHARACTERS }, signal);
  if (pdf === null) throw new ToolError('not_text', 'this PDF is damaged or has a password', 'use another page');
  const { title, total, texts } = pdf;
  const rest = texts.length < total ? [`(${texts.length} of ${total} pages were read)`] : [];
  return { title, markdown: [...numberedPages(texts, 1), ...rest].join('\n').slice(0, 2 * MAX_CHARACTERS) };
}

/** Node's message about a connection is for its log: the model and the user get the sentence. */
function failure(error: unknown, { host, timedOut, timeoutMs }: { host: string; timedOut: boolean; timeoutMs: number }): unknown {
  if (timedOut)
    return new ToolError('timeout', `${host} did not answer within ${timeoutMs / 1000} seconds`, 'try again later, or use another page');
  if (error instanceof ToolError || isAbort(error)) return error;
  const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? ` (${error.code.slice(0, 40)})` : '';
  return new ToolError('site_unreachable', `${host} cannot be reached${code}`, 'check the address, or try again later', String(error));
}
