import { expect, it } from 'vitest';
import { hasNode } from './lazy-desktop.ts';

it('is there in SiYuan’s desktop app alone', () => {
  const electron = { versions: { electron: '41.0.0' } };
  expect(hasNode({ require: () => ({}), process: electron })).toBe(true);
  // A browser; a page that has one of the two for another reason; Node without the app.
  for (const page of [{}, { process: electron }, { require: () => ({}) }, { require: () => ({}), process: { versions: { node: '24' } } }])
    expect(hasNode(page)).toBe(false);
});
