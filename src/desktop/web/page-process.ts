// A separate program, started for each page (page-reader.ts): it takes the time and memory that a page costs, and can be ended.
// Argument: the id of the process that starts it. Standard input: a line of JSON, then the bytes of the page. Standard output: JSON.
import { Worker } from 'node:worker_threads';
import { pdfPages } from '../../tools/file-text/pdf-text.ts';
import { decodeText } from './decode-text.ts';
import { pageMarkdown } from './page-markdown.ts';
import { readRequest } from './page-messages.ts';

// The process that started it may be killed first: a separate thread notices that, even while a page blocks this one.
const ORPHAN_CHECK =
  'const { workerData } = require("node:worker_threads"); setInterval(() => process.ppid === workerData || process.kill(process.pid, "SIGKILL"), 500);';
new Worker(ORPHAN_CHECK, { eval: true, workerData: Number(process.argv[2]) }).unref();

async function readAll(): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of process.stdin) parts.push(Buffer.from(part));
  return Buffer.concat(parts);
}

const input = await readAll();
const end = input.indexOf('\n');
const request = readRequest(input.toString('utf8', 0, end));
const bytes = input.subarray(end + 1);
const read =
  request.kind === 'pdf' ? await pdfPages(bytes, request.part) : pageMarkdown(decodeText(bytes, request.contentType), new URL(request.url));
// What a library leaves running must not keep the process alive.
process.stdout.write(JSON.stringify(read), () => process.exit(0));
