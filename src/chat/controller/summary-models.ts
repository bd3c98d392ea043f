import type { Attachment, LeftOut } from '../session/types.ts';
import type { SummaryModels, SummaryOutcome } from '../turn/chat-summaries.ts';
import { modalTypeOf } from '../turn/modal-types.ts';
import type { ChatSession } from '../turn/session.ts';
import { type ChatControllerDeps, modelOfChat } from './controller-deps.ts';

/** null: no model answers, or the question is none for a chat. `attachments`: of the question. */
export function summaryModels(
  { model, summaryModel }: Pick<ChatControllerDeps, 'model' | 'summaryModel'>,
  { id: sessionId, own }: Pick<ChatSession, 'id' | 'own'>,
  attachments: readonly Attachment[] = [],
): SummaryModels | null {
  const use = { sessionId, purpose: 'summary' } as const;
  const { model: chat } = modelOfChat(model, { sessionId, purpose: 'answer' }, own.model);
  if (!chat || modalTypeOf(chat, attachments) !== 'chat') return null;
  return { chat, writer: summaryModel?.(use, own.model) ?? modelOfChat(model, use, own.model).model ?? chat };
}

/** Whether older messages had to be summarized was looked up; why they could not be. */
export interface SummaryCheck {
  readonly unsummarized?: LeftOut['summary'];
}

export function summaryCheck(outcome: SummaryOutcome | null): SummaryCheck {
  if (outcome?.kind !== 'failed') return {};
  return { unsummarized: ['budget_reached', 'model_no_price'].includes(outcome.error.code) ? 'budget' : 'failed' };
}
