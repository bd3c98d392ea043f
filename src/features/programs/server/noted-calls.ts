import { actionInfo } from '../../../chat/prompts/action-info.ts';
import type { CustomPrompt } from '../../../chat/prompts/custom-prompts.ts';
import { ACTION_NAMES } from '../../../chat/prompts/editor-actions.ts';
import { type CallEnd, OutsideCalls } from '../../../tools/calls/outside-calls.ts';
import type { NotesPort } from '../../../tools/contract/ports.ts';
import type { ToolArguments } from '../../../tools/contract/types.ts';
import { hiddenLines } from '../../../tools/groups/common/format-reading.ts';
import type { ConsentForms, GuardedCalls, NoteView, PromptView } from './guarded-calls.ts';

const MAX_RECENT = 50;
const RECENT_NOTES = 'recent_docs';

/** How long a call waits for a person before "pending" is its answer: clients wait 60 s by default. */
export const WAIT_MS = 50_000;

/** The calls of one client, with the notes and prompts that it may look at besides. */
export abstract class NotedCalls extends OutsideCalls implements GuardedCalls {
  abstract readonly consent: ConsentForms | null;
  protected abstract readonly notes: Pick<NotesPort, 'recentDocuments' | 'exportMarkdown'>;
  /** The user's own. */
  protected abstract ownPrompts(): Promise<readonly CustomPrompt[]>;

  /** Withdraws what waits. */
  close(): void {
    this.withdrawAll();
  }

  async recentNotes(signal: AbortSignal): Promise<readonly NoteView[]> {
    const { executor } = await this.room();
    if (!executor.readsUnasked(RECENT_NOTES)) return [];
    const { documents } = await this.notes.recentDocuments({ days: 365, limit: MAX_RECENT }, signal);
    return documents.map(({ id, title, path }) => ({ id, title, path }));
  }

  async read(where: { readonly id: string } | { readonly path: string }, signal: AbortSignal): Promise<CallEnd> {
    const reading = await this.readNow('read_doc', { ...where, blocks: 500, tokens: 20_000 }, signal);
    if (reading.status !== 'success') return reading;
    const { markdown, hidden } = await this.notes.exportMarkdown('id' in where ? { block: where.id } : where, signal);
    return { ...reading, text: [markdown, ...hiddenLines(hidden, 'blocks')].join('\n\n') };
  }

  async prompts(): Promise<readonly PromptView[]> {
    const ours = ACTION_NAMES.map((name) => {
      const { instruction } = actionInfo(name);
      return { name, title: name, description: instruction, text: instruction };
    });
    const own = (await this.ownPrompts()).map(({ id, name, prompt }) => ({
      ...{ name: `my-${id}`, title: name, description: prompt.slice(0, 200), text: prompt },
    }));
    return [...ours, ...own];
  }

  /** The reading passes the gates of its tool, and is in the records; nobody could be asked about it. */
  private async readNow(tool: string, args: ToolArguments, signal: AbortSignal): Promise<CallEnd> {
    const { executor } = await this.room();
    if (!executor.readsUnasked(tool))
      return { status: 'error', text: `no_right: ${tool} is off, or a person is asked before it runs → call ${tool} instead`, links: [] };
    const id = await this.begin(tool, args);
    const withdraw = (): void => this.withdraw(id);
    signal.addEventListener('abort', withdraw, { once: true });
    const state = await this.wait(id, { signal, stopAtApproval: true, onProgress: () => undefined });
    signal.removeEventListener('abort', withdraw);
    return state.kind === 'ended' ? state.end : { status: 'aborted', text: 'aborted: the call was stopped', links: [] };
  }
}
