import { parseArguments, UsageError } from './arguments.ts';
import { type RunningHost, startHost } from './host.ts';

/** Ports that are tried, from the wanted one on, before giving up. */
const PORTS_TRIED = 50;

async function startOnFreePort(options: ReturnType<typeof parseArguments>): Promise<RunningHost> {
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
  const host = await startOnFreePort(parseArguments(process.argv.slice(2)));
  console.log(`ready ${host.url}`);
  const stop = (): void => void host.close().then(() => process.exit(0));
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
}

main().catch((error: unknown) => {
  if (error instanceof UsageError) console.error(error.message);
  else console.error('devhost: could not start', error);
  process.exitCode = error instanceof UsageError ? 2 : 1;
});
