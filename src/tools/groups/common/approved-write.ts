import { ToolError } from '../../contract/errors.ts';
import { type ApprovedPlan, effectsOf, type Progress } from '../../contract/plans.ts';
import type { NotesPort, WriteReport } from '../../contract/ports.ts';
import type { Tool, ToolContext } from '../../contract/types.ts';

/** Fewer are reported only after this many milliseconds. */
const MANY_BLOCKS = 50;
const SLOW_MS = 500;

/** Reports the progress of a change or a reading of many blocks to the person, and restarts the time limit of the call. */
export function progressOf(report: ToolContext['report']): Progress {
  const started = performance.now();
  return (done, total) => {
    if (total > MANY_BLOCKS || performance.now() - started > SLOW_MS) report(`${done} of ${total} blocks`, { done, total });
  };
}

/** Applies the approved plan of this call's context. A write tool that is called without the executor has nothing to apply. */
export async function applyApproved(
  notes: NotesPort,
  context: ToolContext,
): Promise<{ readonly approved: ApprovedPlan; readonly report: WriteReport }> {
  const approved = context.approvedPlan;
  if (approved === undefined) {
    throw new ToolError('not_approved', 'nothing was approved for this call', 'call the tool through the executor');
  }
  const { sessionId, nodeId, callId, byPerson } = context;
  const report = await notes.apply(approved, { sessionId, nodeId, callId, byPerson }, context.signal, progressOf(context.report));
  return { approved, report };
}

/** "Allow for this chat" allows changes of the same kinds by the tool in the plan's notebook: its id, then the kinds. */
export const NOTEBOOK_SCOPE: NonNullable<Tool['approvalScope']> = (_args, plan) =>
  plan ? [plan.notebook.id, ...effectsOf(plan.operations)].join(' ') : '*';
