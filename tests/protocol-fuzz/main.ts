// npm run fuzz [-- --seconds S] [--seed N] [--from N]: random answers through the text protocols; ends with 1 where anything was wrong.
import { parseArgs } from 'node:util';
import { fuzzProtocols } from './fuzz.ts';

const BATCH = 1000;

const { values } = parseArgs({
  options: { seconds: { type: 'string', default: '60' }, seed: { type: 'string', default: '1' }, from: { type: 'string', default: '0' } },
});
const end = Date.now() + Number(values.seconds) * 1000;
const seed = Number(values.seed);
let from = Number(values.from);
let requests = 0;
const problems: string[] = [];
while (Date.now() < end && problems.length === 0) {
  const report = fuzzProtocols({ seed, from, count: BATCH });
  requests += report.requests;
  problems.push(...report.problems);
  from += BATCH;
}
for (const problem of problems) console.error(problem);
console.log(`${from - Number(values.from)} answers of seed ${seed}, ${requests} requests, ${problems.length} problems`);
process.exitCode = problems.length > 0 ? 1 : 0;
