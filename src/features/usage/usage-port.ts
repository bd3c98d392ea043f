import type { UsageReport } from '../../model/budget/usage.ts';

/** What requests to models used, on all devices. What rejects rejects with ToolError. */
export interface UsagePort {
  report(): Promise<UsageReport>;
  /** Puts an empty record in the place of a damaged one; its copy stays. */
  startAnew(path: string): Promise<void>;
  /** YYYY-MM-DD, local: the day under which a request is recorded now. */
  today(): string;
}

export const USAGE: { readonly name: string; readonly type?: UsagePort } = { name: 'usage' };
