import type { LanguageModel } from '../../model/language-model.ts';
import type { ToolExecutor } from '../../tools/executor/executor.ts';
import { isRead } from './contexts.ts';
import type { TreeModel } from './tree-model.ts';
import type { ChatContext } from './types.ts';

/** The best passages for a question, as a context of kind `found`; undefined where nothing matches. Rejects with ToolError. */
export type FindFirst = (question: string, signal: AbortSignal) => Promise<ChatContext | undefined>;

/** The equivalent tool: if it is off, or its calls or results need approval, nothing is searched automatically. */
const SEARCH = 'search_notes';

export interface SearchFirst {
  readonly tree: TreeModel;
  readonly executor: Pick<ToolExecutor, 'readsUnasked'>;
  readonly findFirst?: FindFirst | undefined;
}

/** Attaches passages of the notes to a question without attachments, if its model needs them; rejects if the search fails. */
export async function attachFound(
  { tree, executor, findFirst }: SearchFirst,
  question: string,
  model: LanguageModel,
  signal: AbortSignal,
): Promise<void> {
  if (!findFirst || !model.searchFirst?.(executor.readsUnasked(SEARCH))) return;
  const { context = [], attachments = [] } = tree.node(question);
  if (context.some(isRead) || attachments.length > 0) return;
  const found = await findFirst(tree.payload(question).message.content, signal);
  if (!found) return;
  tree.attach(question, found);
}
