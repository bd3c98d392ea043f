// Ratio S3: what closed chats leave in memory.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startRunningService } from '../tests/soak/running-service.ts';
import type { Figure } from './figures.ts';
import { answerShortly } from './service-delay.ts';

/** More than are kept open, and three times as many. */
const [FEW, MANY] = [400, 800];
const LIMIT = 1.2;

/** The heap after many chats of a question each, for each of the heap after some. */
export async function benchMemory(): Promise<Figure[]> {
  const model = createServer((asked, answer) => void asked.resume().once('end', () => answerShortly(answer)));
  await new Promise<void>((resolve) => model.listen(0, '127.0.0.1', resolve));
  const service = await startRunningService(`http://127.0.0.1:${(model.address() as AddressInfo).port}/v1`);
  const headers = { 'content-type': 'application/json', ...service.headers };
  const heaps: number[] = [];
  try {
    for (let chat = 1; chat <= MANY; chat += 1) {
      const body = JSON.stringify({ session_id: `memory-${chat}`, message: 'Go.' });
      await (await fetch(`${service.url}/api/chat/send`, { method: 'POST', headers, body })).text();
      if (chat === FEW || chat === MANY) heaps.push((await service.memory()).heap);
    }
  } finally {
    await service.close();
    model.closeAllConnections();
    model.close();
  }
  const [few = 1, many = 0] = heaps;
  return [
    { name: `S3: heap after ${MANY} chats, for each of ${FEW}`, value: many / few, unit: '', limit: LIMIT },
    { name: '   after all of them', value: many, unit: ' MB' },
  ];
}
