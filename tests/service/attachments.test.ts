// Files with a question over HTTP: as data URLs, and as a form.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pdfOfText } from '../support/pdf.ts';
import { KERNEL_TOKEN, type ServiceBench, startServiceBench } from './support.ts';

let bench: ServiceBench;
beforeAll(async () => {
  bench = await startServiceBench();
});
afterAll(() => bench.close());

const url = (type: string, bytes: Uint8Array | string): string => `data:${type};base64,${Buffer.from(bytes).toString('base64')}`;

/** A PNG of one pixel, with a text in it that no model gets. */
function png(text = ''): Buffer {
  const plain = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64');
  const chunk = Buffer.concat([Buffer.alloc(4), Buffer.from(`tEXt${text}`), Buffer.alloc(4)]);
  chunk.writeUInt32BE(Buffer.byteLength(text), 0);
  return text === '' ? plain : Buffer.concat([plain.subarray(0, 33), chunk, plain.subarray(33)]);
}

/** A PDF of one page. */
function pdf(text: string): string {
  const stream = text === '' ? '0 0 10 10 re f' : `BT /F1 12 Tf 20 100 Td (${text}) Tj ET`;
  const objects = [
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 200]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>',
    `<</Length ${stream.length}>>stream\n${stream}\nendstream`,
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
  ];
  let body = '%PDF-1.4\n';
  const offsets = objects.map((object, index) => {
    const at = body.length;
    body += `${index + 1} 0 obj${object}endobj\n`;
    return at;
  });
  const table = offsets.map((at) => `${String(at).padStart(10, '0')} 00000 n \n`).join('');
  return `${body}xref\n0 6\n0000000000 65535 f \n${table}trailer<</Size 6/Root 1 0 R>>\nstartxref\n${body.length}\n%%EOF`;
}

/** The question as the model got it. */
const asked = (): string => JSON.stringify(bench.model.requests.at(-1)?.messages.findLast(({ role }) => role === 'user')?.content);

describe('files with a question', () => {
  it('reach the model as in the panel: a picture by its bytes without what is hidden in it, a PDF and a text by their words', async () => {
    bench.model.push({ text: 'I see.' });
    const attachments = [
      { name: 'map.png', data: url('image/png', png('Comment\0taken at home')) },
      { name: 'report.pdf', data: url('application/pdf', pdf('Launch in May')) },
      { name: 'plan.md', data: url('text/markdown', 'Buy leeks.') },
    ];
    const answer = await bench.send({ message: 'What is this?', stream: false, attachments });
    expect(await answer.json()).toMatchObject({ status: 'completed' });
    expect(asked()).toContain(png().toString('base64'));
    expect(asked()).toMatch(/Launch in May[\s\S]*Buy leeks\./);
    expect(asked()).not.toContain(Buffer.from('taken at home').toString('base64').slice(4, 12));
  });

  it('come as a form too, and count for what leaves later as a note does', async () => {
    bench.model.push({ text: 'I see.' });
    const form = new FormData();
    form.append('message', 'And this?');
    form.append('stream', 'false');
    form.append('attachments', new Blob(['Sell leeks.'], { type: 'text/plain' }), 'sale.txt');
    const answer = await bench.fetch('/api/chat/send', { method: 'POST', body: form });
    expect(await answer.json()).toMatchObject({ status: 'completed' });
    expect(asked()).toContain('Sell leeks.');
  });

  it.each<[string, unknown, string]>([
    ['no data URL', [{ name: 'a.txt', data: 'hello' }], 'data:TYPE;base64'],
    ['empty', [{ name: 'a.txt', data: url('text/plain', '') }], 'empty'],
    ['a program', [{ name: 'a.bin', data: url('application/octet-stream', new Uint8Array([0, 1, 2, 3])) }], 'neither'],
    ['a PDF without text', [{ name: 'a.pdf', data: url('application/pdf', pdf('')) }], 'without text'],
    ['a damaged picture', [{ name: 'a.png', data: url('image/png', 'PNG?') }], 'JPEG or PNG'],
    ['a film', [{ name: 'a.mp4', data: url('video/mp4', 'film') }], 'neither'],
    ['too large', [{ name: 'a.txt', data: url('text/plain', 'x'.repeat(200_001)) }], 'too large'],
    ['without a name', [{ data: url('text/plain', 'x') }], 'attachments'],
    ['of another shape', 'a.txt', 'attachments'],
  ])('that are %s are refused with the next step, and nothing is asked', async (_what, attachments, expected) => {
    const before = bench.model.requests.length;
    const answer = await bench.send({ message: 'What is this?', stream: false, attachments });
    expect(answer.status).toBe(400);
    expect(await answer.text()).toContain(expected);
    expect(bench.model.requests).toHaveLength(before);
  });
});

it('reads PDFs in their own process', async () => {
  const body = new FormData();
  body.append('path', '/data/assets/tides.pdf');
  body.append('file', new Blob([Uint8Array.from(pdfOfText('High water at noon'))]));
  await fetch(`${bench.host.url}api/file/putFile`, { method: 'POST', body, headers: { Authorization: `Token ${KERNEL_TOKEN}` } });
  await bench.kernel('/api/block/appendBlock', { parentID: bench.note, dataType: 'markdown', data: '[tides](assets/tides.pdf)' });
  await bench.settings({ groups: { assets: true } });
  bench.model.push({ calls: [{ name: 'assets', args: { op: 'text', path: 'assets/tides.pdf' } }] }, { text: 'At noon.' });
  const attachments = [{ name: 'report.pdf', data: url('application/pdf', pdf('Launch in May')) }];
  await (await bench.send({ message: 'When?', stream: false, attachments })).json();
  expect(asked()).toContain('Launch in May');
  expect(JSON.stringify(bench.model.requests.at(-1)?.messages)).toContain('High water at noon');
  // What reads a PDF leaves its worker in the process.
  expect(globalThis).not.toHaveProperty('pdfjsWorker');
});
