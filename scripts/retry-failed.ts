import type { FileResult } from './run-tests.ts';

/** A failure in more files than this is no accident of one machine: nothing is run again. */
const MAX_RETRIED = 12;

export interface Retried {
  readonly results: readonly FileResult[];
  /** `file: name of the test` of what failed among the others and passed alone. */
  readonly flaky: readonly string[];
}

/** Runs the failed files again, one by one. What passes then replaces the failure, and is flaky; what fails again stays failed. */
export function retryFailed(results: readonly FileResult[], run: (file: string) => readonly FileResult[]): Retried {
  const failed = results.filter((result) => result.failed > 0);
  if (failed.length > MAX_RETRIED) return { results, flaky: [] };
  const passed = new Map<string, FileResult>();
  for (const { file } of failed) {
    for (const again of run(file)) if (again.file === file && again.failed === 0) passed.set(file, again);
  }
  return {
    results: results.map((result) => passed.get(result.file) ?? result),
    flaky: failed.flatMap(({ file, failures }) => (passed.has(file) ? failures : [])),
  };
}
