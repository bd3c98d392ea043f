import type { StatementSync } from 'node:sqlite';
import type { PendingNotes } from '../../chat/activity/pending-calls.ts';

interface Tables {
  of(sql: string): StatementSync;
  together<T>(work: () => T): T;
}

/** What the panel does not have yet, kept over a crash. Many notes go at one time: in one transaction, a moment later. */
export class TableNotes implements PendingNotes {
  private readonly tables: Tables;
  private readonly going = new Set<string>();

  constructor(tables: Tables) {
    this.tables = tables;
  }

  keys(): readonly string[] {
    const rows = this.tables.of('SELECT key FROM notes').all();
    return rows.map(({ key }) => String(key)).filter((key) => !this.going.has(key));
  }

  get(key: string): string | null {
    const row = this.going.has(key) ? undefined : this.tables.of('SELECT line FROM notes WHERE key = ?').get(key);
    return row ? String(row.line) : null;
  }

  set(key: string, line: string): void {
    this.going.delete(key);
    this.tables.of('INSERT OR REPLACE INTO notes VALUES (?, ?)').run(key, line);
  }

  remove(key: string): void {
    if (this.going.size === 0) setImmediate(() => this.flush());
    this.going.add(key);
  }

  /** To be called before the tables are closed. What cannot be removed is written once more, and read as one. */
  flush(): void {
    const keys = [...this.going];
    this.going.clear();
    try {
      if (keys.length > 0)
        this.tables.together(() => {
          for (const key of keys) this.tables.of('DELETE FROM notes WHERE key = ?').run(key);
        });
    } catch {
      // The storage will report it with the next record.
    }
  }
}
