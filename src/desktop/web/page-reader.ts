import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { ToolError } from '../../tools/contract/errors.ts';
import type { ReadPdf } from '../../tools/file-text/pdf-text.ts';
import { NEVER } from '../../tools/util/abort.ts';
import { Turns } from '../../tools/util/turns.ts';
import { nodeCommand } from '../processes/node-command.ts';
import { runProcess } from '../processes/run-process.ts';
import { decodeText } from './decode-text.ts';
import type { RawPage } from './page-messages.ts';
import { type PageRequest, parsePageRead, parsePdfRead, type ReadableText } from './page-messages.ts';
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
  /** An HTML page. Rejects only when `signal` aborts. */
  read(page: RawPage, signal: AbortSignal): Promise<ReadableText>;
  readonly readPdf: ReadPdf;
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
 * Reads pages and PDFs in processes of their own, each ended at its limits, so that none blocks anything else or exhausts its memory. If an
 * HTML page needs too much, only the text between its tags is read.
 */
export function createPageReader({ program, timeoutMs = TIMEOUT_MS, memory = MEMORY }: PageReaderOptions): PageReader {
  const turns = new Turns(AT_ONCE);
  const limits = { timeoutMs, memory, output: MAX_ANSWER, keep: { head: MAX_ANSWER, tail: 0 } };
  /** Undefined if it was ended, or said nothing that makes sense. */
  const ask = async <Read>(request: PageRequest, bytes: Uint8Array, parse: (text: string) => Read, signal: AbortSignal) => {
    const input = Buffer.concat([Buffer.from(`${JSON.stringify(request)}\n`), bytes]);
    const { args, ...command } = nodeCommand(program, memory);
    const started = { ...command, args: [...args, String(process.pid)], folder: tmpdir(), input };
    try {
      const { exitCode, stdout } = await turns.take(() => runProcess(started, limits, signal), signal);
      return exitCode === 0 ? parse(stdout.head) : undefined;
    } catch {
      signal.throwIfAborted();
      return undefined;
    }
  };
  return {
    async read({ url, contentType, bytes }, signal) {
      const read = await ask({ kind: 'html', url: url.href, contentType }, bytes, parsePageRead, signal);
      return read ?? { title: '', markdown: strippedText(decodeText(bytes, contentType)) };
    },
    async readPdf(bytes, part = {}, signal = NEVER) {
      const read = await ask({ kind: 'pdf', part }, bytes, parsePdfRead, signal);
      if (read !== undefined) return read;
      throw new ToolError('too_large', 'this PDF takes too much time or memory to read', 'use another one');
    },
  };
}
