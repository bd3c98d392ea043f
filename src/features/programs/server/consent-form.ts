import type { ElicitInputParams } from '@modelcontextprotocol/server';
import * as v from 'valibot';
import english from '../../../../i18n/en_US.json' with { type: 'json' };
import type { ApprovalDecision, ApprovalRequest, ProgramRun } from '../../../tools/contract/types.ts';
import { createTranslate } from '../../../tools/plan-words/i18n.ts';
import { visibleText } from '../../../tools/safe-content/unseen.ts';
import type { ConsentForms } from './guarded-calls.ts';
import { planText, visibleLine } from './plan-text.ts';

/** UTF-16 units of a change in a question; what is longer cannot be consented to there. */
const MAX_SHOWN = 20_000;

const t = createTranslate(english);

/** A text that somebody else wrote, below its name; no line of it looks like one of ours. */
const quoted = (name: string, text: string): string =>
  `${name}:\n${text
    .split('\n')
    .map((line) => `  ${visibleText(line)}`)
    .join('\n')}`;

const argumentsText = (args: ApprovalRequest['args']): string => quoted(t('approval.arguments'), JSON.stringify(args, null, 2));

function programText({ language, code, folder, timeoutSeconds, file, manifest, isNew }: ProgramRun, args: ApprovalRequest['args']): string {
  const question = language === 'shell' ? t('approval.command') : t('approval.script');
  return [
    file === undefined ? question : t('approval.file', { file: visibleLine(file) }),
    quoted(t(`program.${language}`), code),
    ...(manifest === undefined ? [] : [quoted(t('program.manifest'), manifest)]),
    ...(file === undefined ? [] : [argumentsText(args)]),
    t('program.where', { folder: visibleLine(folder), n: timeoutSeconds }),
    t(isNew && file !== undefined ? 'program.new' : 'program.warning'),
  ].join('\n\n');
}

function outgoingText({ destination, body }: NonNullable<ApprovalRequest['outgoing']>): string {
  const sent =
    body === '' ? t('approval.sentNothing') : quoted(t('approval.sent', { size: `${new TextEncoder().encode(body).length} B` }), body);
  return `${quoted(t('approval.sendTo'), destination)}\n\n${sent}`;
}

/** All that a person consents to, as text. */
function changeText({ args, plan, outgoing, program }: ApprovalRequest): string {
  if (plan) return planText(plan, t);
  if (outgoing) return outgoingText(outgoing);
  return program ? programText(program, args) : argumentsText(args);
}

/** What a yes allows beyond this call. */
function lastingText({ lasting, outgoing, plan, scope = '', tool }: ApprovalRequest): string {
  if (!lasting) return '';
  const allowed = plan?.notebook.name ?? (scope === '' || scope === '*' ? tool : scope);
  return `\n\n${t(outgoing ? 'approval.lastingOutgoing' : 'approval.lasting', { scope: visibleLine(allowed) })}`;
}

const answerFormat = v.object({
  action: v.picklist(['accept', 'decline', 'cancel']),
  content: v.optional(v.object({ decision: v.picklist(['approve', 'reject']), reason: v.optional(v.string()) })),
});

/**
 * The question for a person at the client; null if they could not see all of it there, if it takes more than a yes, or if a part of it is
 * for a person alone, since the client may show its model what it gets: a result that waits is.
 */
function consentForm(client: string, request: ApprovalRequest): ElicitInputParams | null {
  const { kind, tool, plan, subAgent } = request;
  const isForPanel = kind === 'result' || plan?.needsRight !== undefined || plan?.notices.some(({ personOnly }) => personOnly);
  if (isForPanel) return null;
  const asker = subAgent ? `${client} (${t('approval.bySubAgent', { label: subAgent.label })})` : client;
  const text = `${changeText(request)}${lastingText(request)}`;
  if (text.length > MAX_SHOWN) return null;
  return {
    message: `${visibleLine(asker)} wants to call ${visibleLine(tool)}:\n\n${text}`,
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
function decisionIn(answer: unknown): ApprovalDecision | null {
  const read = v.safeParse(answerFormat, answer);
  if (!read.success || read.output.action === 'cancel') return null;
  const { action, content } = read.output;
  if (action === 'accept' && content?.decision === 'approve') return { approved: true };
  return action === 'accept' && !content ? null : { approved: false, reason: content?.reason };
}

export const CONSENT_FORMS: ConsentForms = { formOf: consentForm, decisionIn };
