import type { PreparedRequest } from '../../model/language-model.ts';
import { ToolError } from '../../tools/contract/errors.ts';
import type { Attached, Attachment, LeftOut } from '../session/types.ts';
import type { SummaryModels, SummaryOutcome } from '../turn/chat-summaries.ts';
import { modalTypeOf } from '../turn/modal-types.ts';
import type { ChatSession } from '../turn/session.ts';
import { answeringModel, type ChatControllerDeps, modelOfChat } from './controller-deps.ts';

/** null: no model answers, or the question is not for a chat model. `attachments`: of the question. */
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

/** The result of checking if older messages must be summarized, or why they could not be. */
export interface SummaryCheck {
  readonly unsummarized?: LeftOut['summary'];
}

export function summaryCheck(outcome: SummaryOutcome | null): SummaryCheck {
  if (outcome?.kind !== 'failed') return {};
  return { unsummarized: ['budget_reached', 'model_no_price'].includes(outcome.error.code) ? 'budget' : 'failed' };
}

/** The first request for a question; null if its model is not a chat model. Rejects with ToolError. */
export async function previewQuestion(
  deps: Pick<ChatControllerDeps, 'model' | 'summaryModel'>,
  session: ChatSession,
  { text, attached }: { readonly text: string; readonly attached: Attached },
  signal: AbortSignal,
): Promise<PreparedRequest | null> {
  const model = answeringModel(modelOfChat(deps.model, { sessionId: session.id, purpose: 'answer' }, session.own.model));
  if (model instanceof ToolError) throw model;
  if (modalTypeOf(model, attached.attachments) !== 'chat') return null;
  const models = summaryModels(deps, session) ?? { chat: model, writer: model };
  return session.preview(text, attached, { ...models, chat: model }, signal);
}
