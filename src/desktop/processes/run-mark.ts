// Identifies the processes of a run, wherever they moved.
import { hasInEnvironment, lockLimitOf } from './process-list.ts';

const VARIABLE = 'MARGINALIA_RUN';

/** For its environment. */
export const markVariable = (mark: string): Readonly<Record<string, string>> => ({ [VARIABLE]: mark });

/** Far above what any program asks for: 2^40 and more. */
const lockLimit = (mark: string): number => 2 ** 40 + Number.parseInt(mark.slice(0, 10), 16);

/**
 * On Linux a program that clears its environment still passes on its limits, and this one has no effect: the kernel has not checked
 * the number of file locks since 2.4. The shell that sets it becomes the program; one that cannot runs it without.
 */
export function markedCommand(mark: string, file: string, args: readonly string[]): readonly [string, readonly string[]] {
  if (process.platform !== 'linux') return [file, args];
  const line = '{ ulimit -w "$0" || ulimit -x "$0"; } 2>/dev/null; exec "$@"';
  return ['/bin/sh', ['-c', line, String(lockLimit(mark)), file, ...args]];
}

export const carriesMark = async (pid: number, mark: string): Promise<boolean> =>
  (await hasInEnvironment(pid, `${VARIABLE}=${mark}`)) || (await lockLimitOf(pid)) === lockLimit(mark);
