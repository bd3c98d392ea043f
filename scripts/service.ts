// npm run service: the service from its source; with --demo over a sample workspace, with a model that follows rules.
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { startHost } from '../devhost/host.ts';
import { createOfflineDemo } from '../devhost/model/offline-demo.ts';
import { wantsHelp } from '../src/service/arguments.ts';
import { main } from '../src/service/main.ts';
import { seedWorkspace } from './sample-workspace.ts';

const DEMO = '--demo';

const list = process.argv.slice(2);

/** The service in front of the development host with its sample. */
async function demo(flags: readonly string[]): Promise<void> {
  const cache = join(import.meta.dirname, '..', '.cache');
  const workspace = join(cache, 'service-workspace');
  await seedWorkspace(workspace);
  const services = { '/v1/': createOfflineDemo().handle };
  const host = await startHost({ workspace, port: 0, ai: { servesModels: true }, services });
  const hasToken = flags.some((flag) => /^--token(-file)?(=|$)/.test(flag)) || process.env.MARGINALIA_SERVICE_TOKEN !== undefined;
  const token = randomBytes(18).toString('hex');
  const own = ['--kernel', host.url.replace(/\/$/, ''), '--data', join(cache, 'service-data'), ...(hasToken ? [] : ['--token', token])];
  const url = await main([...own, ...flags], process.env, host.close);
  // With --stdio the output is the protocol's.
  const say = flags.includes('--stdio') ? console.error : console.log;
  say(`workspace ${workspace}`);
  const body = JSON.stringify({ message: 'What do my notes say about spaced repetition?' });
  const headers = `-H 'Authorization: Bearer ${hasToken ? 'YOUR-TOKEN' : token}' -H 'Content-Type: application/json'`;
  say(`curl -N ${url}/api/chat/send ${headers} -d '${body}'`);
}

if (list.includes(DEMO) && !wantsHelp(list)) await demo(list.filter((flag) => flag !== DEMO));
else
  await main(
    list.filter((flag) => flag !== DEMO),
    process.env,
  );
