// npm run bench -- <name> [--quick] [--write] [--sets FOLDER]: prints each figure beside its limit; ends with 1 when one is missed. Without a name, all.
// `--write` puts them into docs/performance.md, with the commit. `--short` is what the tests run: whether a ratio is far beyond its limit.

import { closeShared } from '../tests/support/shared.ts';
import { type BenchReport, type Figure, formatFigure, passes } from './figures.ts';
import { writeFigures } from './performance-page.ts';
import { type BenchSize, FULL, QUICK } from './size.ts';

/** Each is loaded when it runs: what some stand on cannot be loaded where SIYUAN_URL names a real SiYuan. */
const BENCHES: Readonly<Record<string, (size: BenchSize) => Promise<BenchReport>>> = {
  toolchain: async () => (await import('./tool-chain.ts')).benchToolChain(),
  tasks: async () => (await import('./task-tokens.ts')).measureTaskTokens(),
  chat: async (size) => (await import('./chat.ts')).benchChat(size),
  masking: async (size) => (await import('./masking.ts')).benchMasking(size),
  parser: async (size) => (await import('./parser.ts')).benchParser(size),
  service: async (size) => (await import('./service.ts')).benchService(size),
  finding: async (size) => (await import('./finding/finding.ts')).benchFinding(size),
  notebooks: async (size) => (await import('./notebooks/notebooks.ts')).benchNotebooks(size),
  answers: async (size) => (await import('./notebooks/answers.ts')).benchAnswers(size),
};

async function main(args: readonly string[]): Promise<number> {
  const sets = args[args.indexOf('--sets') + 1];
  const isGiven = args.includes('--sets') && sets !== undefined;
  const all = args.includes('--quick') ? QUICK : FULL;
  const size = isGiven ? { ...all, finding: { ...all.finding, sets } } : all;
  const wanted = args.filter((name) => !name.startsWith('--') && !(isGiven && name === sets));
  if (args.includes('--short')) return printed(await (await import('./short.ts')).benchShort());
  const unknown = wanted.find((name) => !Object.hasOwn(BENCHES, name));
  if (unknown !== undefined) {
    console.error(`unknown_bench: there is no benchmark "${unknown}" → use one of: ${Object.keys(BENCHES).join(', ')}`);
    return 2;
  }
  const figuresOfAll: Figure[] = [];
  for (const [name, run] of Object.entries(BENCHES)) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    const { notes, figures } = await run(size);
    console.log([name, ...notes.map((note) => `  ${note}`), ...figures.map(formatFigure)].join('\n'));
    figuresOfAll.push(...figures);
    if (args.includes('--write')) writeFigures(name, figures);
  }
  return ended(figuresOfAll);
}

function printed(figures: readonly Figure[]): number {
  console.log(figures.map(formatFigure).join('\n'));
  return ended(figures);
}

function ended(figures: readonly Figure[]): number {
  const missed = figures.filter((figure) => !passes(figure)).length;
  if (missed > 0) console.error(`${missed} missed`);
  return missed === 0 ? 0 : 1;
}

process.exitCode = await main(process.argv.slice(2));
await closeShared();
