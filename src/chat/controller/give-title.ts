import type { ModelUse } from '../../model/budget/usage.ts';
import type { LanguageModel } from '../../model/language-model.ts';
import { modelTitle, untitledQuestion } from '../turn/model-title.ts';
import type { ChatSession } from '../turn/session.ts';

/** Titles a chat after its first answer, unless the user did; a failure keeps the default. `stays`: the chat is still open. */
export async function giveTitle(
  session: ChatSession,
  model: (use: ModelUse) => LanguageModel | null,
  signal: AbortSignal,
  stays: () => boolean,
): Promise<void> {
  const question = session.readOnly ? null : untitledQuestion(session.tree, session.title);
  const writer = question === null ? null : model({ sessionId: session.id, purpose: 'title' });
  if (question === null || writer === null) return;
  const title = await modelTitle(writer, question, signal).catch(() => '');
  // Meanwhile the user may have given one.
  if (title !== '' && stays() && untitledQuestion(session.tree, session.title) !== null) await session.change({ title });
}
