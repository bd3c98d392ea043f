import type { SQLInputValue, StatementSync } from 'node:sqlite';

interface ToolStatistics {
  readonly tool_name: string;
  readonly calls: number;
  /** Calls that ended without success. */
  readonly failed: number;
  /** Milliseconds of finished calls; null if there are none. */
  readonly duration_ms: { readonly average: number; readonly longest: number } | null;
}

export interface RecordStatistics {
  readonly total: number;
  /** Calls by status. */
  readonly by_status: Readonly<Record<string, number>>;
  /** The most called ones first. */
  readonly by_tool: readonly ToolStatistics[];
  /** Newest first; days in UTC, YYYY-MM-DD. */
  readonly by_day: readonly { readonly day: string; readonly calls: number; readonly failed: number }[];
}

const FAILED = "sum(status NOT IN ('success', 'running')) AS failed";

/** Counts the records of a chat, or of all. Reads each of them once: rare requests do not justify counters. */
export function readStatistics(prepare: (sql: string) => StatementSync, sessionId: string | undefined): RecordStatistics {
  const where = sessionId === undefined ? '' : 'WHERE session_id = ?';
  const values: SQLInputValue[] = sessionId === undefined ? [] : [sessionId];
  const rows = (columns: string, group: string, order: string) =>
    prepare(`SELECT ${columns}, count(*) AS calls, ${FAILED} FROM records ${where} GROUP BY ${group} ORDER BY ${order}`).all(...values);
  const byStatus = rows('status', 'status', 'status');
  return {
    total: byStatus.reduce((sum, { calls }) => sum + Number(calls), 0),
    by_status: Object.fromEntries(byStatus.map(({ status, calls }) => [String(status), Number(calls)])),
    by_tool: rows('tool_name, avg(duration_ms) AS average, max(duration_ms) AS longest', 'tool_name', 'calls DESC, tool_name').map(
      (row) => ({
        tool_name: String(row.tool_name),
        calls: Number(row.calls),
        failed: Number(row.failed),
        duration_ms: row.average === null ? null : { average: Math.round(Number(row.average)), longest: Number(row.longest) },
      }),
    ),
    by_day: rows("date(timestamp / 1000, 'unixepoch') AS day", 'day', 'day DESC').map(({ day, calls, failed }) => ({
      day: String(day),
      calls: Number(calls),
      failed: Number(failed),
    })),
  };
}
