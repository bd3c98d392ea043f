// npm run bench -- <name>: prints each figure beside its limit; ends with 1 when one is missed. Without a name, all.
import { benchChat } from './chat.ts';
import { type BenchReport, formatFigure, passes } from './figures.ts';
import { benchToolChain } from './tool-chain.ts';

const BENCHES: Readonly<Record<string, () => Promise<BenchReport>>> = { toolchain: benchToolChain, chat: benchChat };

async function main(wanted: readonly string[]): Promise<number> {
  const unknown = wanted.find((name) => !Object.hasOwn(BENCHES, name));
  if (unknown !== undefined) {
    console.error(`unknown_bench: there is no benchmark "${unknown}" → use one of: ${Object.keys(BENCHES).join(', ')}`);
    return 2;
  }
  let missed = 0;
  for (const [name, run] of Object.entries(BENCHES)) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    const { notes, figures } = await run();
    console.log([name, ...notes.map((note) => `  ${note}`), ...figures.map(formatFigure)].join('\n'));
    missed += figures.filter((figure) => !passes(figure)).length;
  }
  if (missed > 0) console.error(`${missed} missed`);
  return missed === 0 ? 0 : 1;
}

process.exitCode = await main(process.argv.slice(2));
