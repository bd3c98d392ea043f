import { buildPlugin } from '../../esbuild.config.mjs';
import { createAppFactory } from '../../tests/support/app.ts';
import { type Opening, openDock, watchComposer, writeChats } from '../../tests/support/opening.ts';
import { drive } from '../../tests/support/panel.ts';
import type { Figure } from '../figures.ts';

const STORES = [
  { chats: 0, deleted: 0 },
  { chats: 1000, deleted: 0 },
  { chats: 10_000, deleted: 0 },
  { chats: 0, deleted: 1000 },
] as const;
const MOST_REQUESTS = 20;
const MOST_MS = 1000;
const WARM_STARTS = 3;

/**
 * The dock of the built plugin over stores of many chats that have no index yet: what the first opening asks, and how soon the next ones can be
 * used while the index is still being made.
 */
export async function measureOpening(): Promise<readonly Figure[]> {
  await buildPlugin();
  const factory = await createAppFactory();
  const figures: Figure[] = [];
  try {
    for (const { chats, deleted } of STORES) {
      const app = await factory.open({ init: watchComposer });
      try {
        writeChats(app.workspace, chats, deleted);
        const panel = drive(app.page);
        const openings: Opening[] = [];
        for (let start = 0; start <= WARM_STARTS; start += 1) openings.push(await openDock(app, panel));
        const name = `opening with ${chats} chats and ${deleted} deleted ones`;
        const most = Math.max(...openings.map(({ requests }) => requests.length));
        const [first, ...warm] = openings.map(({ ms }) => ms);
        figures.push(
          { name: `${name}: requests`, value: most, unit: '', limit: MOST_REQUESTS },
          { name: `${name}: first start, until it can be used`, value: first ?? Number.NaN, unit: ' ms' },
          { name: `${name}: warm start, until it can be used`, value: Math.min(...warm), unit: ' ms', limit: MOST_MS },
        );
      } finally {
        await app.close();
      }
    }
    return figures;
  } finally {
    await factory.close();
  }
}
