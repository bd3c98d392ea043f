import { expect, it } from 'vitest';
import { soak } from './soak.ts';

it('200 chats at one time lose, double and reorder nothing; a stalled client holds nobody back; a killed service goes on', async () => {
  const { turns, problems } = await soak({ seconds: 10, chats: 200, print: () => undefined });
  expect(problems).toEqual([]);
  expect(turns).toBeGreaterThanOrEqual(200);
});
