import type { Node } from '../../chat/session/types.ts';
import { ToolError } from '../../tools/contract/errors.ts';
import type { ChangePlan, PlanNotice } from '../../tools/contract/plans.ts';
import type { GatedCall, ToolArguments, ToolContext, ToolExecuteResult } from '../../tools/contract/types.ts';
import { PROPOSE_PLAN } from '../../tools/groups/common/beyond-notes.ts';
import { names, stepsOf } from './steps.ts';

interface Accepted {
  /** The message in which it was accepted. */
  readonly node: string;
  readonly steps: readonly string[];
}

const isAccepted = ({ toolName, result }: { readonly toolName: string; readonly result: Pick<ToolExecuteResult, 'status'> }): boolean =>
  toolName === PROPOSE_PLAN.name && result.status === 'success';

/** The last accepted list of a chat, as its messages have it. */
function lastAccepted(thread: readonly Node[]): Accepted | undefined {
  for (const { id, versions, currentVersionId } of thread.toReversed()) {
    const record = versions[currentVersionId]?.toolChainResult?.toolCallHistory.findLast(isAccepted);
    if (record) return { node: id, steps: stepsOf(record.args) };
  }
  return undefined;
}

/** Each note that a plan changes is named by a step. */
function isPlanned({ document, operations }: ChangePlan, steps: readonly string[]): boolean {
  const notes = [document, ...operations.flatMap((operation) => operation.document ?? [])];
  return notes.every((note) => steps.some((step) => names(step, note)));
}

/** The list of steps of one chat, and what may be written by it. */
export class PlannedSteps {
  private readonly thread: () => readonly Node[];
  /** Of a message that may still be running. */
  private latest: Accepted | undefined;

  constructor(thread: () => readonly Node[]) {
    this.thread = thread;
  }

  plan(args: ToolArguments, callId: string): ChangePlan {
    const after = stepsOf(args).join('\n');
    if (after === '') throw new ToolError('bad_arguments', 'there is no step', 'give the changes, one in each step');
    return {
      id: `steps-${callId}`,
      tool: PROPOSE_PLAN.name,
      notebook: { id: '', name: '' },
      document: { id: null, title: '', path: '' },
      operations: [{ id: 'steps', action: 'plan-steps', blockId: '', blockType: '', before: null, after, requires: [] }],
      anchorId: null,
      undo: { kind: 'exact' },
      notices: [],
    };
  }

  accept(args: ToolArguments, { nodeId }: Pick<ToolContext, 'nodeId'>): ToolExecuteResult {
    const steps = stepsOf(args);
    this.latest = { node: nodeId, steps };
    const list = steps.map((step, index) => `${index + 1}. ${step}`);
    return { status: 'success', data: ['The user accepted these steps and no others. Carry them out in order:', ...list].join('\n') };
  }

  /** What belongs to no step is said to the person in the answer of the list, and refused in any other. Throws ToolError. */
  gate({ tool, plan, nodeId }: GatedCall): readonly PlanNotice[] {
    if (tool === PROPOSE_PLAN.name) return [];
    const accepted = this.latest?.node === nodeId ? this.latest : lastAccepted(this.thread());
    if (accepted && plan && isPlanned(plan, accepted.steps)) return [];
    if (accepted?.node === nodeId) return [{ code: 'outside-plan', count: 1, personOnly: true }];
    const what = accepted ? 'this belongs to no step that the user accepted' : 'the user wants a plan first; nothing was written';
    throw new ToolError('not_approved', what, `call ${PROPOSE_PLAN.name} with all changes that you intend`);
  }
}
