import type { ModelDelta } from '../contract/messages.ts';
import { PartialArguments } from '../util/partial-arguments.ts';

/** What is known of a call that the model is still writing. */
export interface CallInWriting {
  /** Index of the call within its answer. */
  readonly index: number;
  /** '' while it is unknown. */
  readonly tool: string;
  /** By name, as far as they have arrived: text as it is, anything else as JSON; of long values only the end, after "…". */
  readonly arguments: Readonly<Record<string, string>>;
}

type CallDelta = Extract<ModelDelta, { readonly type: 'toolCallStart' | 'toolCallArgs' }>;

/** Milliseconds between two reports of one call: nobody can read faster. */
const PAUSE_MS = 100;

/** Follows the calls of one answer while they arrive: a fragment costs time in proportion to its length. */
export class CallsInWriting {
  private readonly now: () => number;
  private readonly report: (call: CallInWriting) => void;
  private readonly calls = new Map<number, { tool: string; readonly args: PartialArguments; reportedAt: number }>();

  constructor(now: () => number, report: (call: CallInWriting) => void) {
    this.now = now;
    this.report = report;
  }

  take(delta: CallDelta): void {
    const call = this.calls.get(delta.index) ?? { tool: '', args: new PartialArguments(), reportedAt: Number.NEGATIVE_INFINITY };
    this.calls.set(delta.index, call);
    if (delta.type === 'toolCallStart') call.tool = delta.name;
    else {
      call.args.take(delta.argumentsDelta);
      const now = this.now();
      if (now - call.reportedAt < PAUSE_MS) return;
      call.reportedAt = now;
    }
    this.report({ index: delta.index, tool: call.tool, arguments: call.args.known() });
  }
}
