import { ToolError } from '../../contract/errors.ts';
import type { ApprovedPlan, Progress } from '../../contract/plans.ts';
import type { NotesPort, WriteReport } from '../../contract/ports.ts';
import type { Tool, ToolContext } from '../../contract/types.ts';

/** What is over at once needs no telling. */
const MANY_BLOCKS = 50;

/** Tells the person how far a change or a reading of many blocks is. */
export const progressOf =
  (report: ToolContext['report']): Progress =>
  (done, total) => {
    if (total > MANY_BLOCKS) report(`${done} of ${total} blocks`, { done, total });
  };

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
  const report = await notes.apply(approved, { sessionId, nodeId, callId }, context.signal, progressOf(context.report));
  return { approved, report };
}

/** "Allow for this chat" allows the tool in the plan's notebook. */
export const NOTEBOOK_SCOPE: NonNullable<Tool['approvalScope']> = (_args, plan) => plan?.notebook.id ?? '*';
