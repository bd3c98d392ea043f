// npm start: builds the plugin and the page, starts the development host over a sample workspace, keeps serving, and runs standing orders.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { type RunningHost, startHost } from '../devhost/host.ts';
import { createOfflineDemo } from '../devhost/model/offline-demo.ts';
import { buildShell } from '../devhost/shell/build.ts';
import { buildPlugin } from '../esbuild.config.mjs';
import { type RunningService, startService } from '../src/service/service.ts';
import { inBackground } from '../src/tools/util/notify.ts';
import { chooseModel } from './model-choice.ts';
import { seedWorkspace } from './sample-workspace.ts';

const root = dirname(import.meta.dirname);
const cache = join(root, '.cache');
const FIRST_PORT = 6811;
const PORTS_TRIED = 50;
/** The first visit shows the panel beside a note. */
const FIRST_LAYOUT = { document: '20260211100000-urbheat', dock: 'siyuan-marginaliapanel' };

/** What `--port` names; undefined: the first that is free. Prints how it is called, and ends, where that is wrong. */
function portAsked(): number | undefined {
  try {
    const { port } = parseArgs({ options: { port: { type: 'string' } } }).values;
    if (port === undefined) return undefined;
    if (/^\d{1,5}$/.test(port) && Number(port) <= 65_535) return Number(port);
    throw new Error(`${port} is no port`);
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : String(error)}\nusage: npm start [-- --port P]`);
    process.exit(1);
  }
}

async function startOnFreePort(options: Parameters<typeof startHost>[0]): Promise<RunningHost> {
  for (let port = FIRST_PORT; port < FIRST_PORT + PORTS_TRIED; port++) {
    try {
      return await startHost({ ...options, port });
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')) throw error;
    }
  }
  throw new Error(`ports ${FIRST_PORT} to ${FIRST_PORT + PORTS_TRIED - 1} are taken: end one of the programs that hold them`);
}

/** Milliseconds between two looks at what is due. */
const ORDERS_EVERY_MS = 2000;

/** The service, which runs standing orders: a browser runs none. Its folder is gone when it ends. */
async function runOrders(url: string): Promise<Pick<RunningService, 'close'>> {
  const data = mkdtempSync(join(tmpdir(), 'marginalia-start-'));
  const service = await startService({
    ...{ kernel: url.replace(/\/$/, ''), data, log: (line: string) => console.error(line), orders: { everyMs: ORDERS_EVERY_MS } },
    // Without a token no port is opened.
    ...{ host: '127.0.0.1', port: 0, hosts: [], origins: [] },
  });
  return { close: () => service.close().finally(() => rmSync(data, { recursive: true, force: true })) };
}

async function main(): Promise<void> {
  const port = portAsked();
  const workspace = join(cache, 'workspace');
  const shellDir = join(cache, 'shell');
  // Built into a folder of its own, so that it can serve while dist/ is built again for something else.
  const plugins = join(cache, 'start-plugins');
  await Promise.all([
    buildPlugin({ outDir: join(plugins, 'siyuan-marginalia') }),
    buildShell(shellDir, FIRST_LAYOUT),
    seedWorkspace(workspace),
  ]);
  const model = await chooseModel();
  // The demo answers only where there is nothing better: the plugin would find it beside a real model too.
  const answering = Object.keys(model.ai).length
    ? { ai: model.ai }
    : { ai: { servesModels: true }, services: { '/v1/': createOfflineDemo().handle } };
  const parts = { workspace, shellDir, plugins, ...answering };
  const host = await (port === undefined ? startOnFreePort(parts) : startHost({ ...parts, port }));
  const orders = await runOrders(host.url);
  console.log(`model: ${model.label}`);
  console.log(`ready ${host.url}`);
  const stop = (): void =>
    inBackground(
      orders
        .close()
        .then(host.close)
        .finally(() => process.exit(0)),
    );
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
}

await main();
