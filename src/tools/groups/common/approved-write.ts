import { ToolError } from '../../contract/errors.ts';
import type { ApprovedPlan } from '../../contract/plans.ts';
import type { NotesPort, WriteReport } from '../../contract/ports.ts';
import type { Tool, ToolContext } from '../../contract/types.ts';

/** Applies what was approved in this call's context. A write tool that is called past the executor has nothing to apply. */
export async function applyApproved(
  notes: NotesPort,
  context: ToolContext,
): Promise<{ readonly approved: ApprovedPlan; readonly report: WriteReport }> {
  const approved = context.approvedPlan;
  if (approved === undefined) {
    throw new ToolError('not_approved', 'nothing was approved for this call', 'call the tool through the executor');
  }
  const { sessionId, nodeId, callId } = context;
  const report = await notes.apply(approved, { sessionId, nodeId, callId }, context.signal);
  return { approved, report };
}

/** "Allow for this chat" allows the tool in the plan's notebook. */
export const NOTEBOOK_SCOPE: NonNullable<Tool['approvalScope']> = (_args, plan) => plan?.notebook.id ?? '*';
