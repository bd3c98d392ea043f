import { tmpdir } from 'node:os';
import { describe, expect, it } from 'vitest';
import { openProgramPipe } from './program-pipe.ts';

const folder = tmpdir();
const listener = { onText: () => undefined, onEnd: () => undefined };

/** How a program ends by itself. */
const endOf = (file: string, args: readonly string[]): Promise<string | undefined> =>
  new Promise((resolve, reject) => {
    openProgramPipe({ file, args, folder }, { onText: () => undefined, onEnd: resolve }).catch(reject);
  });

describe.skipIf(process.platform === 'win32')('a program that cannot run', () => {
  it('is named where there is none of its name or path', async () => {
    for (const file of ['no-such-program-7', '/nowhere/agent', './agent'])
      await expect(openProgramPipe({ file, args: [], folder }, listener)).rejects.toMatchObject({
        code: 'program_missing',
        message: `no program named ${file} was found`,
      });
  });

  it('because of what it starts in turn, says so with the last lines of its errors', async () => {
    expect(await endOf('sh', ['-c', 'no-such-program-7'])).toMatch(
      /^sh, or a program that it starts, was not found .*\(exit 127\): .*no-such-program-7/su,
    );
    expect(await endOf('sh', ['-c', 'cd /; ./etc'])).toMatch(/\(exit 126\): /u);
    const lines = await endOf('sh', ['-c', 'for n in 1 2 3 4 5 6 7 8; do echo "line $n" >&2; done; exit 3']);
    expect(lines).toBe('sh ended (exit 3): line 4\nline 5\nline 6\nline 7\nline 8');
    expect(await endOf('sh', ['-c', 'exit 0'])).toBeUndefined();
  });
});
