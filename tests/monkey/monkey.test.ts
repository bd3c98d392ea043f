// A random user over the built plugin: see walk.ts. More of it: npm run monkey -- --seed S --steps N.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AppFactory, chromiumPath, createAppFactory } from '../support/app.ts';
import { walk } from './walk.ts';

describe.skipIf(!chromiumPath)('a random user', () => {
  let factory: AppFactory;
  beforeAll(async () => {
    factory = await createAppFactory();
  });
  afterAll(() => factory?.close());

  for (const seed of [1, 2, 3, 4, 5]) {
    it(`meets nothing that must not be: seed ${seed}`, async () => {
      const { faults, steps } = await walk(factory, { seed, steps: 150, firstOnly: true });
      const told = faults.map(({ step, text }) => `step ${step}: ${text}\n${steps.slice(-12).join('\n')}`);
      expect(told, `npm run monkey -- --seed ${seed} --steps 150 --verbose`).toEqual([]);
    }, 600_000);
  }
});
