// The service as a program (docs/service.md): the command line, the start, the end.

import { isToolError } from '../tools/contract/errors.ts';
import { inBackground } from '../tools/util/notify.ts';
import { parseArguments, USAGE, wantsHelp } from './arguments.ts';
import { UsageError } from './contract/errors.ts';
import { awaitKernel } from './kernel/await-kernel.ts';
import { startService } from './service.ts';

const log = (line: string): void => console.error(line);

/** What could not start, as text that never contains a token. */
function reasonOf(error: unknown): string {
  if (error instanceof UsageError) return error.message;
  if (isToolError(error)) return `${error.code}: ${error.message} → ${error.next}`;
  if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')
    return 'port_taken: the port is taken → name another with --port';
  return `the service could not start: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`;
}

const nothing = async (): Promise<void> => undefined;

/** Starts the service, which runs until the process gets a signal to end; its address. `after`: what ends with it. */
export async function main(list: readonly string[], environment: NodeJS.ProcessEnv, after = nothing): Promise<string> {
  if (wantsHelp(list)) {
    console.log(USAGE);
    process.exit(0);
  }
  try {
    const options = parseArguments(list, environment);
    // A program starts its servers when it starts itself, which may be before SiYuan does.
    const parent = process.ppid;
    if (options.stdio && !(await awaitKernel({ kernel: options.kernel, log, isOrphan: () => process.ppid !== parent }))) process.exit(0);
    const service = await startService({ ...options, log });
    // The last net: what nobody handled ends no chat of somebody else.
    process.on('unhandledRejection', (error) =>
      log(`a failure that nobody handled: ${error instanceof Error ? error.stack : String(error)}`),
    );
    // With --stdio the output is the protocol's.
    if (!options.stdio) console.log(`ready ${service.url}`);
    else log(`ready ${service.url}`.trim());
    const stop = (): void =>
      inBackground(
        service
          .close()
          .then(after)
          .then(() => process.exit(0)),
        (error) => {
          log(reasonOf(error));
          process.exit(1);
        },
      );
    process.once('SIGINT', stop);
    process.once('SIGTERM', stop);
    if (options.stdio) process.stdin.once('close', stop);
    return service.url;
  } catch (error) {
    log(reasonOf(error));
    process.exit(error instanceof UsageError ? 2 : 1);
  }
}
