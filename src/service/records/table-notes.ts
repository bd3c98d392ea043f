import type { StatementSync } from 'node:sqlite';
import type { PendingNotes } from '../../chat/activity/pending-calls.ts';

interface Tables {
  of(sql: string): StatementSync;
  together<T>(work: () => T): T;
}

/** What no file of the workspace has yet; survives a crash. Many notes are removed at once: in one transaction, a moment later. */
export class TableNotes implements PendingNotes {
  private readonly tables: Tables;
  private readonly name: 'notes' | 'unsaved';
  private readonly going = new Set<string>();

  constructor(tables: Tables, name: 'notes' | 'unsaved') {
    this.tables = tables;
    this.name = name;
  }

  keys(): readonly string[] {
    const rows = this.tables.of(`SELECT key FROM ${this.name}`).all();
    return rows.map(({ key }) => String(key)).filter((key) => !this.going.has(key));
  }

  get(key: string): string | null {
    const row = this.going.has(key) ? undefined : this.tables.of(`SELECT line FROM ${this.name} WHERE key = ?`).get(key);
    return row ? String(row.line) : null;
  }

  set(key: string, line: string): void {
    this.going.delete(key);
    this.tables.of(`INSERT OR REPLACE INTO ${this.name} VALUES (?, ?)`).run(key, line);
  }

  remove(key: string): void {
    if (this.going.size === 0) setImmediate(() => this.flush());
    this.going.add(key);
  }

  /** To be called before the tables are closed. What cannot be removed is written again, and read as one. */
  flush(): void {
    const keys = [...this.going];
    this.going.clear();
    try {
      if (keys.length > 0)
        this.tables.together(() => {
          for (const key of keys) this.tables.of(`DELETE FROM ${this.name} WHERE key = ?`).run(key);
        });
    } catch {
      // The storage will report it with the next record.
    }
  }
}
