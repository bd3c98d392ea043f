// npm run soak [-- --seconds S] [--chats N]: many chats at one time against a scripted model; ends with 1 where anything was wrong.
import { parseArgs } from 'node:util';
import { soak } from './soak.ts';

/** The heap after the warm-up may grow by so much: chats come and go, and the list of chats grows. */
const MAX_GROWTH = 1.25;

const { values } = parseArgs({ options: { seconds: { type: 'string', default: '60' }, chats: { type: 'string', default: '200' } } });
const report = await soak({ seconds: Number(values.seconds), chats: Number(values.chats), print: (line) => console.log(line) });
const { turns, events, problems, heapGrowth } = report;
for (const problem of problems.slice(0, 20)) console.error(problem);
console.log(`${turns} turns, ${events} events, ${problems.length} problems, heap ×${heapGrowth.toFixed(2)} (limit ×${MAX_GROWTH})`);
process.exitCode = problems.length > 0 || heapGrowth > MAX_GROWTH ? 1 : 0;
