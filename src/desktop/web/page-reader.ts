import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { ToolError } from '../../tools/contract/errors.ts';
import { Turns } from '../../tools/util/turns.ts';
import { nodeCommand } from '../processes/node-command.ts';
import { runProcess } from '../processes/run-process.ts';
import type { RawPage } from './ask-page.ts';
import { decodeText } from './decode-text.ts';
import { type PageRead, type PageRequest, parsePageRead, type ReadableText } from './page-messages.ts';
import { strippedText } from './stripped-text.ts';

export interface PageReaderOptions {
  /** Path of the program (page-process.ts). */
  readonly program: string;
  /** Milliseconds for a page. Default: 15,000. */
  readonly timeoutMs?: number | undefined;
  /** Bytes of memory for a page. Default: 768 MiB. */
  readonly memory?: number | undefined;
}

export interface PageReader {
  /** Rejects with ToolError `not_text` or `too_large` for a PDF that cannot be read, and when `signal` aborts. */
  read(page: RawPage, kind: PageRequest['kind'], signal: AbortSignal): Promise<ReadableText>;
}

const TIMEOUT_MS = 15_000;
const MEMORY = 768 * 1024 ** 2;
/** Maximum bytes of its output. */
const MAX_ANSWER = 32 * 1024 ** 2;
/** The maximum number of pages read at the same time. */
const AT_ONCE = 2;

/** Next to the built service; in the source tree, its source. */
export function pageProgram(): string {
  const beside = fileURLToPath(new URL('page-reader.mjs', import.meta.url));
  return existsSync(beside) ? beside : fileURLToPath(new URL('page-process.ts', import.meta.url));
}

/**
 * Reads pages in processes of their own, each ended at its limits, so that no page blocks anything else or exhausts its memory. If an
 * HTML page needs too much, only the text between its tags is read.
 */
export function createPageReader({ program, timeoutMs = TIMEOUT_MS, memory = MEMORY }: PageReaderOptions): PageReader {
  const turns = new Turns(AT_ONCE);
  const limits = { timeoutMs, memory, output: MAX_ANSWER, keep: { head: MAX_ANSWER, tail: 0 } };
  const ask = async (
    { url, contentType, bytes }: RawPage,
    kind: PageRequest['kind'],
    signal: AbortSignal,
  ): Promise<PageRead | undefined> => {
    const request: PageRequest = { kind, url: url.href, contentType };
    const input = Buffer.concat([Buffer.from(`${JSON.stringify(request)}\n`), bytes]);
    try {
      const { args, ...command } = nodeCommand(program, memory);
      const started = { ...command, args: [...args, String(process.pid)], folder: tmpdir(), input };
      const { exitCode, stdout } = await runProcess(started, limits, signal);
      return exitCode === 0 ? parsePageRead(stdout.head) : undefined;
    } catch {
      signal.throwIfAborted();
      return undefined;
    }
  };
  return {
    async read(page, kind, signal) {
      const read = await turns.take(() => ask(page, kind, signal), signal);
      if (read !== undefined && 'markdown' in read) return read;
      if (kind === 'html') return { title: '', markdown: strippedText(decodeText(page.bytes, page.contentType)) };
      throw read
        ? new ToolError('not_text', 'this PDF is damaged or has a password', 'use another page')
        : new ToolError('too_large', 'this PDF takes too much time or memory to read', 'use another page');
    },
  };
}
