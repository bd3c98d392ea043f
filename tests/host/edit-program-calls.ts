// Calls of the tools as the chat makes them: through the executor, with an approval in between.

import { ToolError } from '../../src/tools/contract/errors.ts';
import type { ChangePlan } from '../../src/tools/contract/plans.ts';
import type { ApprovalDecision, ToolExecuteResult } from '../../src/tools/contract/types.ts';
import { createNotesGroups, HeadlessApprovalAdapter, type ToolExecutor, toolExecutorFactory } from '../../src/tools/index.ts';
import type { ToolRequest } from './edit-program-requests.ts';
import { signal, type TestBench } from './support.ts';

/** A call whose plan waits for consent. */
export interface PlannedCall {
  readonly plan: ChangePlan;
  /** Rejects with the error that the model would be told of. Undefined: turned down. */
  decide(accepted: readonly string[] | undefined): Promise<ToolExecuteResult>;
}

interface Asked {
  readonly plan: ChangePlan;
  readonly answer: (decision: ApprovalDecision) => void;
}

function succeeded(result: ToolExecuteResult): ToolExecuteResult {
  const { status, error, finalText = '' } = result;
  if (status === 'success') return result;
  if (error) throw new ToolError(error.code, error.message, error.next);
  throw new ToolError(status === 'execution_rejected' ? 'not_approved' : 'internal', finalText, '');
}

export class ToolCaller {
  private readonly executor: ToolExecutor;
  private readonly asked = new Map<string, (asked: Asked) => void>();
  private calls = 0;

  constructor(bench: TestBench) {
    const clock = { now: () => Date.now(), today: () => new Date().toLocaleDateString('sv-SE') };
    const write = async (name: string) => ({ path: name });
    const groups = createNotesGroups(bench.host.notes, clock, { files: { write } });
    this.executor = toolExecutorFactory({
      approvalAdapter: new HeadlessApprovalAdapter(({ callId, plan }) => {
        if (!plan) return { approved: true };
        return new Promise((answer) => this.asked.get(callId)?.({ plan, answer }));
      }),
      clock,
      groups,
      groupDefaults: Object.fromEntries(groups.map(({ name }) => [name, true])),
      rights: bench.host.rights,
    });
  }

  /** Up to the approval. Rejects with the error that the model would be told of. */
  async plan({ tool, args }: ToolRequest, origin: { readonly sessionId: string; readonly nodeId: string }): Promise<PlannedCall> {
    this.calls += 1;
    const callId = `c${this.calls}`;
    const asked = new Promise<Asked>((resolve) => this.asked.set(callId, resolve));
    const done = this.executor.execute(tool, { ...args }, { callId, ...origin, signal });
    const first = await Promise.race([asked, done.then(succeeded)]);
    this.asked.delete(callId);
    if (!('plan' in first)) throw new Error(`${tool} wrote without a plan: ${first.finalText}`);
    const decide = async (accepted: readonly string[] | undefined): Promise<ToolExecuteResult> => {
      first.answer(accepted === undefined ? { approved: false } : { approved: true, acceptedOperations: accepted, beyondRight: true });
      return succeeded(await done);
    };
    return { plan: first.plan, decide };
  }
}
