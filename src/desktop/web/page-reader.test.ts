import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { constants, deflateRawSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pdfOf, pdfOfText } from '../../../tests/support/pdf.ts';
import type { RawPage } from './page-messages.ts';
import { createPageReader, pageProgram } from './page-reader.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'marginalia-page-reader-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const SIGNAL = new AbortController().signal;
const page = (body: string | Uint8Array, contentType = 'text/html'): RawPage => ({
  url: new URL('https://example.org/a/page'),
  contentType,
  bytes: Buffer.from(body),
});

/** Zeros, a thousand times their length: each piece ends at a byte, so that it can be repeated. */
function bomb(): Uint8Array {
  const piece = deflateRawSync(Buffer.alloc(1024 ** 2), { finishFlush: constants.Z_FULL_FLUSH });
  return Buffer.concat([Buffer.from([0x78, 0x9c]), ...Array.from({ length: 4000 }, () => piece)]);
}

/** Stands in for the program that reads. */
function fake(name: string, code: string): string {
  const file = join(folder, `${name}.mjs`);
  writeFileSync(file, code);
  return file;
}

function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

describe('a page in a process of its own', () => {
  const reader = createPageReader({ program: pageProgram() });

  it('becomes Markdown, however many tags it has', async () => {
    const paragraphs =
      '<p>High water at <a href="../noon">noon</a>, <b>says</b> <i>the table</i>, and low water in the evening.</p>'.repeat(6000);
    const { title, markdown } = await reader.read(
      page(`<html><head><title>Tides</title></head><body><article>${paragraphs}</article></body></html>`),
      SIGNAL,
    );
    expect(title).toBe('Tides');
    expect(markdown.match(/\[noon\]\(https:\/\/example\.org\/noon\), \*\*says\*\*/gu)).toHaveLength(6000);
  });

  it('gives the text of a PDF with its title', async () => {
    expect(await reader.readPdf(pdfOfText('High water at noon.'))).toEqual({
      title: 'Tide tables',
      total: 1,
      texts: ['High water at noon.'],
    });
  });

  it('is refused if it is a damaged PDF', async () => {
    expect(await reader.readPdf(Buffer.from('%PDF-1.4 nonsense'))).toBeNull();
  });

  it('is refused if it is a small PDF that unpacks to gigabytes, and its process is ended', async () => {
    const small = createPageReader({ program: pageProgram(), memory: 300 * 1024 ** 2 });
    const file = pdfOf(bomb(), '/Filter/FlateDecode');
    expect(file.length).toBeLessThan(5 * 1024 ** 2);
    await expect(small.readPdf(file)).rejects.toMatchObject({ code: 'too_large' });
  });
});

describe('a reading process', () => {
  const body = '<p>High <b>water</b></p>';

  it.each([
    ['never ends', 'for (;;);', { timeoutMs: 300 }],
    ['fills the memory', 'const all = []; for (;;) all.push(Buffer.alloc(1e6, 1));', { memory: 200 * 1024 ** 2 }],
    ['prints for ever', "const print = () => process.stdout.write('x'.repeat(1e6), print); print();", {}],
    ['fails', 'process.exit(3);', {}],
    ['says nothing that makes sense', "console.log('{}');", {}],
  ])('that %s is ended: the text between the tags is read, and no PDF', async (name, code, limits) => {
    const reader = createPageReader({ program: fake(name, code), ...limits });
    expect(await reader.read(page(body), SIGNAL)).toEqual({ title: '', markdown: 'High water' });
    await expect(reader.readPdf(Buffer.from('x'))).rejects.toMatchObject({ code: 'too_large' });
  });

  it.skipIf(process.platform === 'win32')(
    'ends by itself when the process that started it is killed',
    async () => {
      // Its input never ends.
      const line = 'sleep 60 | "$0" "$1" $$ & echo $!; wait';
      const starter = spawn('/bin/sh', ['-c', line, process.execPath, pageProgram()], {
        detached: true,
        stdio: ['ignore', 'pipe', 'ignore'],
      });
      try {
        const [said] = await once(starter.stdout, 'data');
        const pid = Number(String(said));
        expect(isThere(pid)).toBe(true);
        starter.kill('SIGKILL');
        await expect.poll(() => isThere(pid), { timeout: 20_000 }).toBe(false);
      } finally {
        process.kill(-(starter.pid ?? 0), 'SIGKILL');
      }
    },
    30_000,
  );

  it('is one of at most two, and ends when the call is aborted', async () => {
    const log = join(folder, 'started');
    const started = (): number => readdirSync(folder).filter((name) => name.startsWith('started')).length;
    const program = fake(
      'waits',
      `import { writeFileSync } from 'node:fs'; writeFileSync(${JSON.stringify(log)} + process.pid, ''); setInterval(() => {}, 1000);`,
    );
    const reader = createPageReader({ program });
    const calls = [1, 2, 3].map(() => new AbortController());
    const read = calls.map(({ signal }) =>
      reader.read(page(body), signal).then(
        () => 'read',
        () => 'aborted',
      ),
    );
    await expect.poll(started).toBe(2);
    calls[2]?.abort();
    expect(await read[2]).toBe('aborted');
    for (const call of calls) call.abort();
    expect(await Promise.all(read)).toEqual(['aborted', 'aborted', 'aborted']);
    expect(started()).toBe(2);
  });
});
