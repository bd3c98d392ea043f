// npm run eval -- [PART…] [--full] [--sets FOLDER] [--write]: prints each row beside what is wanted, and failed cases as small inputs; ends
// with 1 when a row misses without a reason. Without a part, all: each folder here is one. `--write` puts the rows into docs/evaluation.md.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { closeShared } from '../tests/support/shared.ts';
import { formatRow, writeRows } from './page.ts';
import type { EvalPart } from './part.ts';

const partNames = (): readonly string[] =>
  readdirSync(import.meta.dirname, { withFileTypes: true })
    .filter((each) => each.isDirectory())
    .map(({ name }) => name);

/** The part of a folder: what `NAME.ts` exports as `part`. */
async function loadPart(name: string): Promise<EvalPart> {
  const { part }: { readonly part: EvalPart } = await import(join(import.meta.dirname, name, `${name}.ts`));
  return part;
}

async function main(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { full: { type: 'boolean', default: false }, sets: { type: 'string' }, write: { type: 'boolean', default: false } },
  });
  const { full, sets, write } = values;
  const names = partNames();
  const unknown = positionals.find((name) => !names.includes(name));
  if (unknown !== undefined) {
    console.error(`unknown_part: there is no part "${unknown}" → use some of: ${names.join(', ')}`);
    return 2;
  }
  let missed = 0;
  for (const name of positionals.length > 0 ? positionals : names) {
    const part = await loadPart(name);
    console.log(`${name}: ${part.title}`);
    try {
      const rows = await part.run({ full, ...(sets === undefined ? {} : { sets }) });
      console.log(rows.map(formatRow).join('\n'));
      missed += rows.filter(({ holds, reason }) => !holds && reason === undefined).length;
      if (write) writeRows(part, rows, ['npm run eval --', name, ...(full ? ['--full --sets FOLDER'] : []), '--write'].join(' '));
    } catch (error) {
      if (!(error instanceof Error && error.message.startsWith('set_missing: '))) throw error;
      console.error(error.message);
      missed++;
    }
  }
  if (missed > 0) console.error(`${missed} missed`);
  return missed === 0 ? 0 : 1;
}

process.exitCode = await main(process.argv.slice(2));
await closeShared();
