import { Listeners } from '../util/notify.ts';
/** A tool in a scope that is allowed for this chat, e.g. `insert_blocks` in a notebook id. */
export interface ApprovalRecord {
  readonly tool: string;
  readonly scope: string;
}

export const WHOLE_TOOL = '*';

/** Visible and revocable; only consent is saved, a rejection is for one call. */
export class ApprovalRecords {
  private records: readonly ApprovalRecord[] = [];
  private readonly listeners = new Listeners<[]>();

  list(): readonly ApprovalRecord[] {
    return this.records;
  }

  allows(tool: string, scope: string): boolean {
    return this.records.some((record) => record.tool === tool && record.scope === scope);
  }

  allow(tool: string, scope: string): void {
    if (!this.allows(tool, scope)) this.replace([...this.records, { tool, scope }]);
  }

  revoke(tool: string, scope: string): void {
    this.replace(this.records.filter((record) => record.tool !== tool || record.scope !== scope));
  }

  forget(tool: string): void {
    if (this.records.some((record) => record.tool === tool)) this.replace(this.records.filter((record) => record.tool !== tool));
  }

  clear(): void {
    this.replace([]);
  }

  restore(records: readonly ApprovalRecord[]): void {
    this.replace(records.map(({ tool, scope }) => ({ tool, scope })));
  }

  /** Calls back after every change; returns a function that stops listening. */
  subscribe(listener: () => void): () => void {
    return this.listeners.add(listener);
  }

  private replace(records: readonly ApprovalRecord[]): void {
    this.records = records;
    this.listeners.call();
  }
}
