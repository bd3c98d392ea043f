import type { ActivityRecord } from './activity.ts';
import { activityLine, readActivityLine } from './activity-lines.ts';
import { interruptedRecord } from './recorder.ts';

/** The part of `localStorage` that is used: written synchronously, survives the page, and is shared by the windows of one device. */
export interface PendingNotes {
  keys(): readonly string[];
  get(key: string): string | null;
  set(key: string, value: string): void;
  remove(key: string): void;
}

interface PendingCallsOptions {
  readonly notes: PendingNotes;
  readonly prefix: string;
  readonly writer: string;
}

const NO_ONE: ReadonlySet<string> = new Set();

export class PendingCalls {
  private readonly options: PendingCallsOptions;
  /** Those of this window, and those adopted from closed windows. */
  private readonly own = new Map<string, { readonly record: ActivityRecord; readonly key: string }>();

  constructor(options: PendingCallsOptions) {
    this.options = options;
  }

  put(record: ActivityRecord): void {
    const { prefix, writer } = this.options;
    const key = `${prefix}${writer}:${record.id}`;
    this.own.set(record.id, { record, key });
    try {
      this.options.notes.set(key, activityLine(record));
    } catch {
      // No room: only this page has it until it is written.
    }
  }

  drop(id: string): void {
    const known = this.own.get(id);
    this.own.delete(id);
    if (known) this.options.notes.remove(known.key);
  }

  /** Called when the record is in a file. A later state of the same call stays. */
  written(record: ActivityRecord): void {
    if (this.own.get(record.id)?.record === record) this.drop(record.id);
  }

  ended(): readonly ActivityRecord[] {
    return [...this.own.values()].map(({ record }) => record).filter(({ status }) => status !== 'running');
  }

  all(): readonly ActivityRecord[] {
    const own = [...this.own.values()].map(({ record }) => record);
    return [
      ...this.noted(NO_ONE)
        .map(({ record }) => record)
        .filter(({ id }) => !this.own.has(id)),
      ...own,
    ];
  }

  /** Adopts what closed windows left: their running calls were cut off. `open`: the other open windows. */
  takeLeft(open: ReadonlySet<string>): void {
    for (const { key, record } of this.noted(open))
      if (!this.own.has(record.id))
        this.own.set(record.id, { record: record.status === 'running' ? interruptedRecord(record) : record, key });
  }

  /** Nothing of a chat runs in this window: its records with status `running` were cut off. */
  cutOff(sessionId: string): void {
    for (const { record } of [...this.own.values()])
      if (record.sessionId === sessionId && record.status === 'running') this.put(interruptedRecord(record));
  }

  private noted(without: ReadonlySet<string>): readonly { readonly key: string; readonly record: ActivityRecord }[] {
    const { notes, prefix, writer } = this.options;
    return notes.keys().flatMap((key) => {
      if (!key.startsWith(prefix)) return [];
      const [by = ''] = key.slice(prefix.length).split(':');
      const read = by === writer || without.has(by) ? null : readActivityLine(notes.get(key) ?? '');
      return read?.kind === 'record' ? [{ key, record: read.record }] : [];
    });
  }
}
