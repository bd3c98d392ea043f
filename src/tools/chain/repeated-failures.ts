import { ToolError } from '../contract/errors.ts';
import type { ToolExecuteResult } from '../contract/types.ts';
import type { ReadCall } from '../executor/legal-calls.ts';

const MAX_SAME_FAILURES = 3;

/** Stops a model that repeats a failing call: same tool, same arguments, however they are written. */
export class RepeatedFailures {
  private readonly counts = new Map<string, number>();
  private readonly unknown = new Set<string>();

  note({ key }: ReadCall, result: ToolExecuteResult): void {
    if (result.status === 'unknown') this.unknown.add(key);
    if (result.status === 'success') this.counts.delete(key);
    if (result.status === 'error' || result.status === 'not_found' || result.status === 'execution_rejected') {
      this.counts.set(key, (this.counts.get(key) ?? 0) + 1);
    }
  }

  refusal({ key }: ReadCall): ToolError | undefined {
    if (this.unknown.has(key)) {
      const next = 'read the document to see what is there now, and tell the user';
      return new ToolError('not_repeated', 'this write was interrupted before and is not repeated', next);
    }
    if ((this.counts.get(key) ?? 0) < MAX_SAME_FAILURES) return undefined;
    const next = 'try other arguments or another tool, or tell the user what is missing';
    return new ToolError('repeated_failure', `this same call has failed ${MAX_SAME_FAILURES} times and was not run again`, next);
  }
}
