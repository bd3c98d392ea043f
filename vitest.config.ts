import { defineConfig } from 'vitest/config';

/** MARGINALIA_SLOW=1: see tests/support/app.ts. Limits are for what hangs; no test is about time. */
const slow = process.env.MARGINALIA_SLOW === '1';

export default defineConfig({
  test: {
    environment: 'node',
    // A real SiYuan has one workspace for all tests (tests/support/hosts.ts).
    ...(process.env.SIYUAN_URL === undefined ? {} : { fileParallelism: false, setupFiles: ['tests/support/hosts.ts'] }),
    include: ['src/**/*.test.ts', 'devhost/**/*.test.ts', 'scripts/**/*.test.ts', 'tests/**/*.test.ts'],
    testTimeout: slow ? 400_000 : 120_000,
    hookTimeout: slow ? 400_000 : 120_000,
    // The default of one second is shorter than what a busy machine takes to write a file.
    expect: { poll: { timeout: slow ? 60_000 : 20_000 } },
  },
});
