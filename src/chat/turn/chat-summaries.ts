import { type LanguageModel, type PreparedRequest, prepareOf } from '../../model/language-model.ts';
import { type EventError, ToolError, toEventError, toToolError } from '../../tools/contract/errors.ts';
import type { ToolExecutor } from '../../tools/executor/executor.ts';
import { orAborted } from '../../tools/util/abort.ts';
import { checkCitations } from '../session/citations.ts';
import { isDivider, summaryOf } from '../session/summary.ts';
import type { TreeModel } from '../session/tree-model.ts';
import type { Summarize, SummaryWish } from './summarize.ts';
import type { TurnDeps } from './turn.ts';

export interface SummaryModels {
  readonly chat: LanguageModel;
  readonly writer: LanguageModel;
}

export type SummaryOutcome = { readonly kind: 'made' | 'none' } | { readonly kind: 'stopped' | 'failed'; readonly error: EventError };

interface ChatSummariesOptions extends Pick<TurnDeps, 'tree' | 'handler' | 'settings' | 'newId' | 'knownIds'> {
  readonly executor: Pick<ToolExecutor, 'rights'>;
  readonly now: () => number;
  readonly load: (() => Promise<Summarize>) | undefined;
}

/** The minimum number of turns for a summary: the last two stay verbatim. */
const TURNS = 3;
/** Failures that a retry with the same model would repeat. */
const NOT_RETRIED: ReadonlySet<string> = new Set(['model_bad_answer', 'model_context_overflow']);

export class ChatSummaries {
  private readonly options: ChatSummariesOptions;
  /** Models whose summaries could not be used, and why: retried only by hand, since each try costs. */
  private readonly unfit = new Map<string, EventError>();

  constructor(options: ChatSummariesOptions) {
    this.options = options;
  }

  /** There are older messages that a summary could replace. */
  get possible(): boolean {
    if (!this.options.load) return false;
    let turns = 0;
    let covered: string | undefined;
    for (const node of this.options.tree.newestFirst()) {
      if (summaryOf(node)) covered ??= node.covers ?? node.id;
      if (isDivider(node) || node.id === covered || turns === TURNS) break;
      if (node.role === 'user' && !node.hidden) turns += 1;
    }
    return turns === TURNS;
  }

  /** A cheap test whether older messages may have to be summarized before a question. */
  get mayBeNeeded(): boolean {
    return this.possible && this.options.settings().summaries !== false;
  }

  /** Never rejects. `onBegin`: called directly before the model is asked, if there is something to summarize. */
  async make(wish: SummaryWish, models: SummaryModels, onBegin: () => void, signal: AbortSignal): Promise<SummaryOutcome> {
    const { load, tree } = this.options;
    const known = wish.kind === 'if-needed' ? this.unfit.get(models.writer.model) : undefined;
    if (known) return { kind: 'failed', error: known };
    try {
      if (!load) return { kind: 'none' };
      const summarize = await orAborted(load(), signal);
      const made = await summarize(wish, { ...this.parts(), ...models, tree, onBegin, signal });
      return { kind: made ? 'made' : 'none' };
    } catch (error) {
      const failure = toEventError(toToolError(error));
      if (NOT_RETRIED.has(failure.code)) this.unfit.set(models.writer.model, failure);
      return { kind: signal.aborted ? 'stopped' : 'failed', error: failure };
    }
  }

  /** The first request for a summary; null if none is needed, or it would fail before. `tree`: a copy. */
  async preview(wish: SummaryWish, models: SummaryModels, tree: TreeModel, signal: AbortSignal): Promise<PreparedRequest | null> {
    const { writer, chat } = models;
    const { load } = this.options;
    if (!load || !this.mayBeNeeded || this.unfit.has(writer.model)) return null;
    let prepared: PreparedRequest | null = null;
    const complete: LanguageModel['complete'] = async (request, stop) => {
      prepared = { ...(await prepareOf(writer)(request, stop)), summarizes: true };
      throw new ToolError('aborted', 'only a preview', '');
    };
    const parts = { chat, writer: { ...writer, complete }, tree, onBegin: () => undefined, signal };
    await load()
      .then((summarize) => summarize(wish, { ...this.parts(), ...parts }))
      .catch(() => false);
    return prepared;
  }

  /** Saves the user's version of a summary; older versions stay. Throws ToolError `empty_text`. */
  edit(nodeId: string, text: string): void {
    const content = text.trim();
    if (content === '') throw new ToolError('empty_text', 'a summary cannot be empty', 'write something, or undo the summary');
    const { newId, now, tree, knownIds } = this.options;
    const { withheld, isPrivate } = tree.payload(nodeId);
    const { cited } = checkCitations(content, knownIds());
    tree.addVersion(nodeId, {
      ...{ id: newId(), message: { role: 'user', content }, author: 'user', created: now(), status: 'done' },
      ...(cited.length > 0 ? { citations: cited } : {}),
      ...(withheld ? { withheld } : {}),
      ...(isPrivate === undefined ? {} : { isPrivate }),
    });
  }

  private parts() {
    const { executor, settings, handler, newId, now, knownIds } = this.options;
    return { rights: executor.rights, settings: settings(), handler, newId, now, knownIds };
  }
}
