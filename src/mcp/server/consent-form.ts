import type { ElicitInputParams } from '@modelcontextprotocol/server';
import { diffLines } from 'diff';
import * as v from 'valibot';
import type { PlanOperation } from '../../tools/contract/plans.ts';
import type { ApprovalDecision, ApprovalRequest } from '../../tools/contract/types.ts';

/** UTF-16 units of a change in a question; what is longer cannot be consented to there. */
const MAX_SHOWN = 20_000;

const lines = (text: string): readonly string[] => text.replace(/\n$/, '').split('\n');

function signOf({ added, removed }: { readonly added?: boolean; readonly removed?: boolean }): string {
  if (added) return '+';
  return removed ? '-' : ' ';
}

/** Before and after as lines of a diff. */
function changedLines(before: string, after: string): string {
  return diffLines(before === '' ? '' : `${before}\n`, after === '' ? '' : `${after}\n`)
    .flatMap((part) => lines(part.value).map((line) => `${signOf(part)} ${line}`))
    .join('\n');
}

function operationText({ action, blockId, before, after, from, to, removes }: PlanOperation): string {
  const where = from === undefined && to === undefined ? '' : ` ${from ?? ''} → ${to ?? ''}`;
  const also = removes ? ` (removes ${removes} blocks)` : '';
  return `${action} ${blockId}${where}${also}\n${changedLines(before ?? '', after ?? '')}`;
}

/** All that a person consents to, as text. */
function changeText({ tool, args, plan, outgoing, program, resultText }: ApprovalRequest): string {
  if (plan)
    return [
      `${plan.notebook.name} › ${plan.document.title}`,
      ...plan.operations.map(operationText),
      ...plan.notices.map(({ code, count }) => `! ${code}: ${count}`),
    ].join('\n\n');
  if (outgoing) return `sent to ${outgoing.destination}:\n${outgoing.body}`;
  if (program) return `runs in ${program.folder}, at most ${program.timeoutSeconds} s:\n${program.code}`;
  return resultText ?? `${tool} ${JSON.stringify(args)}`;
}

const answerFormat = v.object({
  action: v.picklist(['accept', 'decline', 'cancel']),
  content: v.optional(v.object({ decision: v.picklist(['approve', 'reject']), reason: v.optional(v.string()) })),
});

/**
 * The question for a person at the client; null if they could not see all of it there, if it takes more than a yes, or if a part of it is
 * for a person alone, since the client may show its model what it gets.
 */
export function consentForm(client: string, request: ApprovalRequest): ElicitInputParams | null {
  const text = changeText(request);
  const { plan } = request;
  const isForPanel = plan?.needsRight !== undefined || plan?.notices.some(({ personOnly }) => personOnly);
  if (text.length > MAX_SHOWN || isForPanel) return null;
  return {
    message: `${client} wants to call ${request.tool}:\n\n${text}`,
    requestedSchema: {
      type: 'object',
      properties: {
        decision: { type: 'string', title: 'Decision', enum: ['approve', 'reject'], description: 'Nothing is written before you approve' },
        reason: { type: 'string', title: 'Reason', description: 'Of a rejection; the model is told' },
      },
      required: ['decision'],
    },
  };
}

/** What the person decided; null if they did not. */
export function decisionIn(answer: unknown): ApprovalDecision | null {
  const read = v.safeParse(answerFormat, answer);
  if (!read.success || read.output.action === 'cancel') return null;
  const { action, content } = read.output;
  if (action === 'accept' && content?.decision === 'approve') return { approved: true };
  return action === 'accept' && !content ? null : { approved: false, reason: content?.reason };
}
