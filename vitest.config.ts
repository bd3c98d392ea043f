import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** See tests/support/shared.ts. Limits are for what hangs; no test is about time. */
const slow = process.env.MARGINALIA_SLOW !== undefined;

/** Files that take long for their size. Vitest begins with the largest files; what takes long must not be left to one worker at the end. */
const LONG =
  /structure-failures|user-guide|content-fuzz|non-interference|block-failures|soak|monkey|many-chats|edit-programs|variable-bomb/;

class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return [...sorted.filter(({ moduleId }) => LONG.test(moduleId)), ...sorted.filter(({ moduleId }) => !LONG.test(moduleId))];
  }
}

export default defineConfig({
  test: {
    environment: 'node',
    sequence: { sequencer: LongFirst },
    globalSetup: ['tests/support/temp-folder.ts'],
    // Files share their worker: modules hold no state of their own, and loading them anew for each file took most of the time.
    // A real SiYuan has one workspace for all tests (tests/support/real-host.ts).
    ...(process.env.SIYUAN_URL === undefined
      ? { isolate: false, setupFiles: ['tests/support/leaves-nothing.ts'] }
      : { fileParallelism: false, setupFiles: ['tests/support/real-host.ts'] }),
    include: ['src/**/*.test.ts', 'devhost/**/*.test.ts', 'scripts/**/*.test.ts', 'eval/**/*.test.ts', 'tests/**/*.test.ts'],
    testTimeout: slow ? 400_000 : 120_000,
    hookTimeout: slow ? 400_000 : 120_000,
    // The default of one second is shorter than what a busy machine takes to write a file.
    expect: { poll: { timeout: slow ? 60_000 : 20_000 } },
  },
});
