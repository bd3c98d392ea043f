import type { OutputExcerpt } from '../../tools/contract/programs-port.ts';

/** Keeps the beginning and the end of a stream of bytes, and counts the rest. */
export class OutputKeeper {
  total = 0;
  private readonly limits: { readonly head: number; readonly tail: number };
  private readonly head: Uint8Array[] = [];
  private headSize = 0;
  private tail: Uint8Array[] = [];
  private tailSize = 0;

  constructor(limits: { readonly head: number; readonly tail: number }) {
    this.limits = limits;
  }

  add(chunk: Uint8Array): void {
    this.total += chunk.length;
    const room = this.limits.head - this.headSize;
    const first = chunk.subarray(0, room);
    const rest = chunk.subarray(room);
    if (first.length > 0) this.head.push(first);
    this.headSize += first.length;
    if (rest.length === 0) return;
    this.tail.push(rest);
    this.tailSize += rest.length;
    // Joined at intervals: many small pieces are not kept beyond twice the limit.
    if (this.tailSize > 2 * this.limits.tail || this.tail.length > 1000) this.trim();
  }

  kept(): OutputExcerpt {
    this.trim();
    const omitted = this.total - this.headSize - this.tailSize;
    if (omitted === 0) return { head: decode(Buffer.concat([...this.head, ...this.tail])), tail: '', omitted };
    return { head: decode(Buffer.concat(this.head)), tail: decode(Buffer.concat(this.tail)), omitted };
  }

  private trim(): void {
    const all = Buffer.concat(this.tail);
    const end = all.subarray(Math.max(0, all.length - this.limits.tail));
    this.tail = [Uint8Array.from(end)];
    this.tailSize = end.length;
  }
}

/** Text, without halves of characters at its ends. */
function decode(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes).replace(/^\uFFFD{1,3}|\uFFFD{1,3}$/gu, '');
}
