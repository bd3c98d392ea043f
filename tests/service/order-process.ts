// The service as a process of its own, whose parent says when it looks after orders, and what time it is (order-processes.test.ts).
import { startService } from '../../src/service/service.ts';
import { TOKEN } from './support.ts';

const [kernel = '', kernelToken = '', model = '', data = ''] = process.argv.slice(2);
let clock = 0;
const service = await startService({
  ...{ kernel, kernelToken, token: TOKEN, hosts: [], origins: [], port: 0, host: '127.0.0.1', data, log: console.error },
  model: { baseURL: model, apiKey: 'the-key-of-the-model', model: 'scripted' },
  orders: { everyMs: 0, now: () => clock },
});
process.on('message', async ({ now, settle }: { readonly now: number; readonly settle: boolean }) => {
  clock = now;
  await service.orders.look();
  if (settle) await service.orders.orders.settled();
  process.send?.({ looked: true });
});
process.once('SIGTERM', () => void service.close().then(() => process.exit(0)));
process.send?.({ url: service.url });
