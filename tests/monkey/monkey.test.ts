// A random user over the built plugin: see walk.ts. A short walk, to see that it still works: `npm run monkey` is the
// real search for faults, and is run before a change is called done.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AppFactory, chromiumPath, createAppFactory } from '../support/app.ts';
import { walk } from './walk.ts';

describe.skipIf(!chromiumPath)('a random user', () => {
  let factory: AppFactory;
  beforeAll(async () => {
    factory = await createAppFactory();
  });
  afterAll(() => factory?.close());

  it('meets nothing that must not be', async () => {
    const { faults, steps } = await walk(factory, { seed: 1, steps: 60, firstOnly: true });
    const reports = faults.map(({ step, text }) => `step ${step}: ${text}\n${steps.slice(-12).join('\n')}`);
    expect(reports).toEqual([]);
  }, 600_000);
});
