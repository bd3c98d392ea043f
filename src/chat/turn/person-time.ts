import type { ToolChainEvent } from '../../tools/contract/events.ts';

/** The time of a turn in which it waited for a person: for a decision, or for an answer. Concurrent waits count once. */
export class PersonTime {
  /** Milliseconds of the waits that are over. */
  total = 0;
  private readonly waits = new Set<string>();
  private since = 0;

  take(event: ToolChainEvent): void {
    if (event.type === 'approval-request') this.begin(event.approvalId, event.time);
    if (event.type === 'approval-end') this.end(event.approvalId, event.time);
    if (event.type === 'tool-start' && event.tool === 'ask_user') this.begin(event.callId, event.time);
    if (event.type === 'tool-end') this.end(event.callId, event.time);
  }

  private begin(id: string, time: number): void {
    if (this.waits.size === 0) this.since = time;
    this.waits.add(id);
  }

  private end(id: string, time: number): void {
    if (this.waits.delete(id) && this.waits.size === 0) this.total += Math.max(0, time - this.since);
  }
}
