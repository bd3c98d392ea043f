// npm start: builds the plugin and the page, starts the development host over a sample workspace, keeps serving.

import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { type RunningHost, startHost } from '../devhost/host.ts';
import { createOfflineDemo } from '../devhost/model/offline-demo.ts';
import { buildShell } from '../devhost/shell/build.ts';
import { buildPlugin } from '../esbuild.config.mjs';
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
  console.log(`model: ${model.label}`);
  console.log(`ready ${host.url}`);
  const stop = (): void => inBackground(host.close().finally(() => process.exit(0)));
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
}

await main();
