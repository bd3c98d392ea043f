// npm run monkey -- --seed S --steps N [--seeds K]: builds the plugin and lets a random user at it. Exits with 1 when something did
// not hold. --built takes the plugin as it was built last: several runs at a time must not build over each other.
import { parseArgs } from 'node:util';
import { buildPlugin } from '../../esbuild.config.mjs';
import { createAppFactory } from '../support/app.ts';
import { closeShared } from '../support/shared.ts';
import { walk } from './walk.ts';

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    steps: { type: 'string', default: '150' },
    seeds: { type: 'string', default: '1' },
    verbose: { type: 'boolean', default: false },
    built: { type: 'boolean', default: false },
    first: { type: 'boolean', default: false },
  },
});
const [seed, steps, seeds] = [Number(values.seed), Number(values.steps), Number(values.seeds)];
if (![seed, steps, seeds].every(Number.isInteger)) {
  console.error('use: npm run monkey -- --seed S --steps N [--seeds K] [--verbose] [--first] [--built]');
  process.exit(2);
}

if (!values.built) await buildPlugin();
const factory = await createAppFactory();
let failed = 0;
let done = 0;
for (let one = seed; one < seed + seeds; one++) {
  const began = Date.now();
  const result = await walk(factory, { seed: one, steps, firstOnly: values.first });
  done += result.steps.length;
  const seconds = ((Date.now() - began) / 1000).toFixed(0);
  console.log(`seed ${one}: ${result.steps.length} steps in ${seconds} s, ${result.faults.length} faults`);
  if (values.verbose) for (const [index, words] of result.steps.entries()) console.log(`  ${index + 1}. ${words}`);
  for (const { step, text } of result.faults) {
    console.log(`  FAULT at step ${step}: ${text}`);
    if (!values.verbose)
      for (const [back, words] of result.steps.slice(Math.max(0, step - 6), step).entries())
        console.log(`    ${Math.max(0, step - 6) + back + 1}. ${words}`);
  }
  if (result.faults.length > 0) {
    failed++;
    console.log(`  again: npm run monkey -- --seed ${one} --steps ${steps} --verbose`);
  }
}
await factory.close();
await closeShared();
console.log(`${done} steps, ${seeds} seeds, ${failed} with faults`);
process.exitCode = failed > 0 ? 1 : 0;
