import { findPrivate } from '../src/model/masking/find-private.ts';
import { MaskTable } from '../src/model/masking/mask-table.ts';
import { PlaceholderStream } from '../src/model/masking/placeholders.ts';
import { type BenchReport, median } from './figures.ts';
import { seededRandom } from './random.ts';
import type { BenchSize } from './size.ts';

const WORDS = 'the launch of apollo was planned for may and budget is tight 笔记 预算 很紧 é Zoë'.split(' ');
const ESCAPED = ['\\"', '\\n', '\\\\', '&amp;', '%20', '%E7%AC%94', '\\u7b14', '\u200b'];
const NAMES = Array.from({ length: 20 }, (_, index) => `Person${index} Name`);
const FIELDS = [...NAMES, '/\\d{3}-\\d{4}/', '/[\\w.]+@[\\w.]+\\.[a-z]+/i', '/(?:a|aa)+!/'];

function makeText(length: number): string {
  const random = seededRandom(7);
  const parts: string[] = [];
  for (let size = 0; size < length; ) {
    const dice = random.next();
    const name = random.pick(NAMES) ?? '';
    const part = dice < 0.02 ? name : dice < 0.03 ? '555-1234' : dice < 0.1 ? (random.pick(ESCAPED) ?? '') : (random.pick(WORDS) ?? '');
    parts.push(part);
    size += part.length + 1;
  }
  return parts.join(' ').slice(0, length);
}

async function mask(text: string): Promise<{ readonly took: number; readonly masked: string; readonly table: MaskTable }> {
  // A fresh search each time: it keeps what it found in a text.
  const table = new MaskTable(await findPrivate({ enabled: true, fields: FIELDS }));
  const started = performance.now();
  const masked = table.mask(text);
  return { took: performance.now() - started, masked, table };
}

function restore(masked: string, table: MaskTable): number {
  const stream = new PlaceholderStream((piece) => table.restore(piece));
  const answer = masked.repeat(8);
  const started = performance.now();
  for (let at = 0; at < answer.length; at += 7) stream.push(answer.slice(at, at + 7));
  stream.end();
  return performance.now() - started;
}

/** `npm run bench -- masking`: masking a request and restoring its answer, at a length and at twice that. */
export async function benchMasking({ growth, runs }: BenchSize): Promise<BenchReport> {
  const short = makeText(growth * 4);
  const long = makeText(growth * 8);
  const masking: { short: number[]; long: number[] } = { short: [], long: [] };
  const restoring: { short: number[]; long: number[] } = { short: [], long: [] };
  for (let run = 0; run < runs + 2; run++) {
    for (const [size, text] of [
      ['short', short],
      ['long', long],
    ] as const) {
      const { took, masked, table } = await mask(text);
      const back = restore(masked, table);
      // The first runs compile.
      if (run < 2) continue;
      masking[size].push(took);
      restoring[size].push(back);
    }
  }
  const ratio = (times: { short: number[]; long: number[] }): number => median(times.long) / median(times.short);
  return {
    notes: [`${short.length} and ${long.length} characters, ${FIELDS.length} fields, three of them expressions`],
    figures: [
      { name: 'masking: time at twice the length', value: ratio(masking), unit: ' ×', limit: 2.5 },
      { name: '   the longer text', value: median(masking.long), unit: ' ms' },
      { name: 'restoring in pieces of 7: time at twice the length', value: ratio(restoring), unit: ' ×', limit: 2.5 },
      { name: '   eight times the longer text', value: median(restoring.long), unit: ' ms' },
    ],
  };
}
