// Test files share their worker and its modules (vitest.config.ts), so each has to leave the process as it was.
import { afterAll, beforeAll, expect, vi } from 'vitest';

/** Lute, which sets `fs` too, comes once in a process and is shared: a copy for each file takes seconds. */
const LUTE = /^(?:Lute|fs|__lutePackages|\$\w+|go\$\w+)$/u;

const processState = () => ({
  globals: Object.getOwnPropertyNames(globalThis).filter((name) => !LUTE.test(name)),
  environment: { ...process.env },
  folder: process.cwd(),
  fakeTimers: vi.isFakeTimers(),
});

let before: ReturnType<typeof processState>;
beforeAll(() => {
  before = processState();
});
afterAll(() => expect(processState(), 'this file leaves something to the files after it').toEqual(before));
