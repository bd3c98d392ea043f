import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type HostArguments, parseArguments, UsageError } from './arguments.ts';
import { type HostOptions, type RunningHost, startHost } from './host.ts';
import { linkPlugin } from './plugin-folder.ts';
import { buildShell } from './shell/build.ts';

const root = dirname(import.meta.dirname);

/** Ports that are tried, from the wanted one on, before giving up. */
const PORTS_TRIED = 50;

/** The page, built now, and the plugin, where it has been built; folders that were named stay as they are. */
async function withPage(options: HostArguments): Promise<HostOptions & HostArguments> {
  if (options.kernelOnly) return options;
  const [shellDir, dist] = [join(root, '.cache', 'shell'), join(root, 'dist')];
  if (options.shellDir === undefined) await buildShell(shellDir);
  const built = existsSync(join(dist, 'index.js'));
  if (!built && options.plugins === undefined) console.log('the page comes without the plugin: npm run build makes it');
  return { shellDir, ...(built && { plugins: linkPlugin(dist, join(root, '.cache', 'plugins')) }), ...options };
}

async function startOnFreePort(options: HostOptions & HostArguments): Promise<RunningHost> {
  for (let port = options.port; port < options.port + PORTS_TRIED; port += 1) {
    try {
      return await startHost({ ...options, port });
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')) throw error;
    }
  }
  throw new UsageError(`no_free_port: ${options.port} to ${options.port + PORTS_TRIED - 1} are taken → pass --port with another one`);
}

async function main(): Promise<void> {
  const options = await withPage(parseArguments(process.argv.slice(2)));
  const host = await startOnFreePort(options);
  if (options.token !== undefined && options.shellDir !== undefined) console.log(`open the page as ${host.url}?token=<your token>`);
  console.log(`ready ${host.url}`);
  const stop = (): void =>
    void host.close().then(
      () => process.exit(0),
      (error) => {
        console.error(error);
        process.exit(1);
      },
    );
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
}

main().catch((error: unknown) => {
  if (error instanceof UsageError) console.error(error.message);
  else console.error('devhost: could not start', error);
  process.exitCode = error instanceof UsageError ? 2 : 1;
});
