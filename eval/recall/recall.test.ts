import { expect, it } from 'vitest';
import { part } from './recall.ts';

it('finds the right note, and says what was read until the answer was in sight', async () => {
  const [found, read] = await part.run({ full: false });
  expect(found).toMatchObject({ cases: 10, holds: true, failed: [] });
  expect(read?.ours).toMatch(/^\d+ a question in 1\.0 calls/);
}, 600_000);
