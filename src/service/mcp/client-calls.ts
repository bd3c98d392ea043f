import { createHash, randomBytes } from 'node:crypto';
import { ACTION_NAMES, actionInfo } from '../../chat/editor-task/editor-actions.ts';
import type { CallEnd, CallState, GuardedCalls, NoteView, OfferedTool, PromptView, WaitOptions } from '../../mcp/server/guarded-calls.ts';
import { ToolError } from '../../tools/contract/errors.ts';
import { CHAT_OF_PROGRAM } from '../../tools/contract/saved-names.ts';
import type { ApprovalDecision, ToolArguments, ToolExecuteResult } from '../../tools/contract/types.ts';
import type { ToolExecutor } from '../../tools/executor/executor.ts';
import { Turns } from '../../tools/util/turns.ts';
import type { Chats } from '../chats/chats.ts';
import type { LiveChat } from '../chats/live-chat.ts';
import type { Workspace } from '../kernel/workspace.ts';
import type { McpClient } from './clients.ts';
import { OpenCall } from './open-call.ts';

/** Calls of one client that have not ended. */
const MAX_OPEN = 20;
/** Calls whose results can still be asked for. */
const MAX_KEPT = 100;
/** Calls of one client that read at the same time. */
const MAX_READS = 50;
/** Between two reports of progress, which keep a client from giving up. */
const REPORT_MS = 10_000;
const MAX_RECENT = 50;
/** Of the tools that write. */
const ONLY_ADDS: ReadonlySet<string> = new Set(['create_doc', 'insert_blocks', 'daily_note', 'WriteVar']);

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

const tooMany = (): ToolError =>
  new ToolError('too_many', `${MAX_OPEN} calls of this client have not ended`, 'wait until a person has decided about them');

const noCall = (): ToolError => new ToolError('not_found', 'there is no such call of this client', 'make the call again');

/** One client's calls, in a chat of its own for each day, which has its name: whatever needs consent is a turn there. */
export class ClientCalls implements GuardedCalls {
  private readonly deps: ClientCallsDeps;
  private readonly client: McpClient;
  private readonly name: string;
  private readonly calls = new Map<string, OpenCall>();
  /** Of results that nobody has to wait for. */
  private readonly ends = new Map<string, CallEnd>();
  private readonly turns = new Turns(1);
  private reading = 0;

  constructor(deps: ClientCallsDeps, client: McpClient, name: string) {
    this.deps = deps;
    this.client = client;
    this.name = name;
  }

  get mayElicit(): boolean {
    return this.client.mayElicit;
  }

  async tools(): Promise<readonly OfferedTool[]> {
    const { executor } = (await this.chat()).tools;
    return executor.getEnabledToolDefinitions().flatMap((definition) => {
      const tool = executor.getTool(definition.function.name);
      if (!tool || !this.mayCall(executor, definition.function.name)) return [];
      return [{ definition, effect: tool.effect, destroys: tool.effect === 'write' && !ONLY_ADDS.has(definition.function.name) }];
    });
  }

  async begin(tool: string, args: ToolArguments, signal: AbortSignal): Promise<string> {
    const chat = await this.chat();
    const { executor } = chat.tools;
    if (!this.mayCall(executor, tool)) throw new ToolError('no_right', `this client may not call ${tool}`, 'ask the user to allow it');
    const id = randomBytes(12).toString('hex');
    const effect = executor.effectOf(tool, args);
    if (effect === 'read' && executor.readsUnasked(tool)) {
      this.ends.set(id, await this.readNow(chat, tool, args, signal));
      return id;
    }
    if (effect !== 'read' && !this.client.writes)
      throw new ToolError('no_right', 'this client may only read', 'ask the user for a token that may write');
    if ([...this.calls.values()].filter(({ end }) => !end).length >= MAX_OPEN) throw tooMany();
    const call = new OpenCall(this.name, { id, tool, args });
    this.calls.set(id, call);
    this.forgetOld();
    void this.turns.take(async () => call.run(await this.chat()));
    return id;
  }

  async wait(id: string, { signal, stopAtApproval, onProgress }: WaitOptions): Promise<CallState> {
    const end = this.ends.get(id);
    if (end) {
      this.ends.delete(id);
      return { kind: 'ended', end };
    }
    const call = this.calls.get(id);
    if (!call) throw noCall();
    return new Promise((resolve) => {
      const done = (): void => {
        stop();
        clearTimeout(timer);
        clearInterval(reports);
        signal.removeEventListener('abort', done);
        resolve(stateOf(call));
      };
      const stop = call.changes.add((progress) => {
        if (progress !== undefined) onProgress(progress);
        if (call.end || (stopAtApproval && call.asked)) done();
      });
      const timer = setTimeout(done, this.deps.waitMs);
      const reports = setInterval(() => onProgress(call.asked ? 'a person decides' : 'it waits for an earlier call'), REPORT_MS);
      signal.addEventListener('abort', done, { once: true });
      if (call.end || signal.aborted || (stopAtApproval && call.asked)) done();
    });
  }

  withdraw(id: string): void {
    this.calls.get(id)?.withdraw();
  }

  /** Whether all its calls have ended. */
  get isIdle(): boolean {
    return [...this.calls.values()].every(({ end }) => end);
  }

  withdrawAll(): void {
    for (const call of this.calls.values()) call.withdraw();
  }

  async decide(id: string, approvalId: string, decision: ApprovalDecision): Promise<void> {
    const call = this.calls.get(id);
    if (!call) throw noCall();
    // Of another call, or decided elsewhere meanwhile.
    if (call.asked?.id !== approvalId) return;
    await this.deps.chats.decide(approvalId, decision);
  }

  async recentNotes(signal: AbortSignal): Promise<readonly NoteView[]> {
    await this.deps.workspace.refresh();
    const { documents } = await this.client.tools.recentDocuments({ days: 365, limit: MAX_RECENT }, signal);
    return documents.map(({ id, title, path }) => ({ id, title, path }));
  }

  async read(where: { readonly id: string } | { readonly path: string }, signal: AbortSignal): Promise<CallEnd> {
    const chat = await this.chat();
    const note = await this.readNow(chat, 'read_doc', where, signal);
    return note.status === 'success' || 'path' in where ? note : this.readNow(chat, 'read_block', where, signal);
  }

  prompts(): readonly PromptView[] {
    const ours = ACTION_NAMES.map((name) => {
      const { instruction } = actionInfo(name);
      return { name, title: name, description: instruction, text: instruction };
    });
    const own = this.deps.workspace.prompts().map(({ id, name, prompt }) => ({
      ...{ name: `my-${id}`, title: name, description: prompt.slice(0, 200), text: prompt },
    }));
    return [...ours, ...own];
  }

  /** Its chat of today, with the current switches. */
  private async chat(): Promise<LiveChat> {
    const { chats, workspace } = this.deps;
    const { id, tools } = this.client;
    const named = createHash('sha256').update(this.name).digest('hex').slice(0, 8);
    const day = workspace.clock.today().replaceAll('-', '');
    const chat = await chats.ofProgram(`${CHAT_OF_PROGRAM}${id}-${named}-${day}`, {
      title: this.name,
      executorFactory: tools.executorFactory,
    });
    const { executor } = chat.tools;
    workspace.applySettings(executor);
    // Whatever it read before, here or elsewhere: what leaves the machine is always shown.
    executor.noteNotesRead();
    return chat;
  }

  /** Nobody is asked in the middle of a call, no model is here for sub-agents, and nobody comes through us to the servers of others. */
  private mayCall(executor: ToolExecutor, name: string): boolean {
    const tool = executor.getTool(name);
    if (!tool || !executor.isCallable(name) || tool.waitsForUser || name.startsWith('mcp_')) return false;
    return this.client.writes || tool.effect === 'read' || tool.traits !== undefined;
  }

  private async readNow(chat: LiveChat, tool: string, args: ToolArguments, signal: AbortSignal): Promise<CallEnd> {
    if (this.reading >= MAX_READS) throw new ToolError('too_many', `${MAX_READS} calls of this client are reading`, 'wait for them');
    const { executor, recorder } = chat.tools;
    const callId = randomBytes(8).toString('hex');
    this.reading += 1;
    try {
      recorder?.begin({ callId, nodeId: '', tool, arguments: args });
      const result = await executor.execute(tool, args, { callId, sessionId: chat.id, nodeId: '', signal });
      recorder?.end({ callId }, result);
      return endOf(result);
    } finally {
      this.reading -= 1;
    }
  }

  /** The oldest that have ended. */
  private forgetOld(): void {
    for (const [id, { end }] of this.calls) {
      if (this.calls.size <= MAX_KEPT) return;
      if (end) this.calls.delete(id);
    }
  }
}

function stateOf(call: OpenCall): CallState {
  if (call.end) return { kind: 'ended', end: call.end };
  const { asked } = call;
  return asked ? { kind: 'asked', approvalId: asked.id, request: asked.request } : { kind: 'open' };
}

/** Results of a call that asks nobody. */
function endOf({ status, finalText, found }: ToolExecuteResult): CallEnd {
  return { status, text: finalText ?? status, links: found?.notes.map(({ id, title }) => ({ id, name: title })) ?? [] };
}
