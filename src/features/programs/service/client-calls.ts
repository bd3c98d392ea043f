import { createHash, randomBytes } from 'node:crypto';
import { actionInfo } from '../../../chat/prompts/action-info.ts';
import { ACTION_NAMES } from '../../../chat/prompts/editor-actions.ts';
import type { Chats } from '../../../service/chats/chats.ts';
import type { LiveChat } from '../../../service/chats/live-chat.ts';
import type { Workspace } from '../../../service/kernel/workspace-types.ts';
import { type CallEnd, type CallRoom, OutsideCalls } from '../../../tools/calls/outside-calls.ts';
import type { Asker } from '../../../tools/chain/run-call.ts';
import { ToolError } from '../../../tools/contract/errors.ts';
import { CHAT_OF_PROGRAM } from '../../../tools/contract/saved-names.ts';
import type { ToolArguments } from '../../../tools/contract/types.ts';
import { hiddenLines } from '../../../tools/groups/common/format-reading.ts';
import type { GuardedCalls, NoteView, PromptView } from '../server/guarded-calls.ts';
import type { McpClient } from './mcp-clients.ts';

const MAX_RECENT = 50;
const RECENT_NOTES = 'recent_docs';

export interface ClientCallsDeps {
  readonly chats: Chats;
  readonly workspace: Workspace;
  /** Milliseconds after which a call that waits for a person is answered with "pending". */
  readonly waitMs: number;
}

/** As long as a client waits by default is 60 s. */
export const WAIT_MS = 50_000;

/** A name for people: what it was given, without what a line cannot show. */
export function nameOf(given: string): string {
  const name = given
    .replaceAll(/[\p{C}\s]+/gu, ' ')
    .trim()
    .slice(0, 60);
  return name === '' ? 'MCP client' : name;
}

/** One client's calls, recorded in a chat of its own for each day, which has its name. */
export class ClientCalls extends OutsideCalls implements GuardedCalls {
  private readonly deps: ClientCallsDeps;
  private readonly client: McpClient;
  private readonly name: string;

  constructor(deps: ClientCallsDeps, client: McpClient, name: string) {
    super();
    this.deps = deps;
    this.client = client;
    this.name = name;
  }

  get mayElicit(): boolean {
    return this.client.mayElicit;
  }

  protected get asker(): Asker {
    return this.client.writes ? 'program' : 'reader';
  }

  protected get waitMs(): number {
    return this.deps.waitMs;
  }

  protected get pending() {
    return this.deps.chats.pending;
  }

  protected newId(): string {
    return randomBytes(12).toString('hex');
  }

  protected async room(): Promise<CallRoom> {
    const chat = await this.chat();
    if (!this.client.isKnown()) throw new ToolError('no_right', 'the token of this client was taken away', 'ask the user for a new one');
    return { executor: chat.tools.executor, sessionId: chat.id, run: (call, watch) => chat.call(call, watch) };
  }

  async recentNotes(signal: AbortSignal): Promise<readonly NoteView[]> {
    const { executor } = await this.room();
    if (!executor.readsUnasked(RECENT_NOTES)) return [];
    const { documents } = await this.client.tools.notes.recentDocuments({ days: 365, limit: MAX_RECENT }, signal);
    return documents.map(({ id, title, path }) => ({ id, title, path }));
  }

  async read(where: { readonly id: string } | { readonly path: string }, signal: AbortSignal): Promise<CallEnd> {
    const reading = await this.readNow('read_doc', { ...where, blocks: 500, tokens: 20_000 }, signal);
    if (reading.status !== 'success') return reading;
    const { markdown, hidden } = await this.client.tools.notes.exportMarkdown('id' in where ? { block: where.id } : where, signal);
    return { ...reading, text: [markdown, ...hiddenLines(hidden, 'blocks')].join('\n\n') };
  }

  async prompts(): Promise<readonly PromptView[]> {
    await this.deps.workspace.refresh();
    const ours = ACTION_NAMES.map((name) => {
      const { instruction } = actionInfo(name);
      return { name, title: name, description: instruction, text: instruction };
    });
    const own = this.deps.workspace.prompts().map(({ id, name, prompt }) => ({
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

  /** Its chat of today. */
  private async chat(): Promise<LiveChat> {
    const { chats, workspace } = this.deps;
    const { id, tools } = this.client;
    const named = createHash('sha256').update(this.name).digest('hex').slice(0, 8);
    const day = workspace.clock.today().replaceAll('-', '');
    const chat = await chats.ofProgram(`${CHAT_OF_PROGRAM}${id}-${named}-${day}`, {
      ...{ title: this.name, owner: id, executorFactory: tools.executorFactory },
    });
    workspace.applySettings(chat.tools.executor);
    return chat;
  }
}
