import { createHash, randomBytes } from 'node:crypto';
import type { CustomPrompt } from '../../../chat/prompts/custom-prompts.ts';
import type { Chats } from '../../../service/chats/chats.ts';
import type { LiveChat } from '../../../service/chats/live-chat.ts';
import type { Workspace } from '../../../service/kernel/workspace-types.ts';
import type { CallRoom } from '../../../tools/calls/outside-calls.ts';
import type { Asker } from '../../../tools/chain/run-call.ts';
import { ToolError } from '../../../tools/contract/errors.ts';
import { CHAT_OF_PROGRAM } from '../../../tools/contract/saved-names.ts';
import { NEVER } from '../../../tools/util/abort.ts';
import { CONSENT_FORMS } from '../server/consent-form.ts';
import type { ConsentForms } from '../server/guarded-calls.ts';
import { NotedCalls } from '../server/noted-calls.ts';
import type { McpClient } from './mcp-clients.ts';

export interface ClientCallsDeps {
  readonly chats: Chats;
  readonly workspace: Workspace;
  /** Milliseconds after which a call that waits for a person is answered with "pending". */
  readonly waitMs: number;
}

/** One client's calls, recorded in a chat of its own for each day, which has its name. */
export class ClientCalls extends NotedCalls {
  private readonly deps: ClientCallsDeps;
  private readonly client: McpClient;
  private readonly name: string;

  constructor(deps: ClientCallsDeps, client: McpClient, name: string) {
    super();
    this.deps = deps;
    this.client = client;
    this.name = name;
  }

  get consent(): ConsentForms | null {
    return this.client.mayElicit ? CONSENT_FORMS : null;
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

  protected get notes() {
    return this.client.tools.notes;
  }

  protected newId(): string {
    return randomBytes(12).toString('hex');
  }

  protected async room(): Promise<CallRoom> {
    const chat = await this.chat();
    await this.client.project?.read(NEVER);
    if (!this.client.isKnown()) throw new ToolError('no_right', 'the token of this client was taken away', 'ask the user for a new one');
    return { executor: chat.tools.executor, sessionId: chat.id, run: (call, watch) => chat.call(call, watch) };
  }

  protected async ownPrompts(): Promise<readonly CustomPrompt[]> {
    const { workspace } = this.deps;
    await workspace.refresh();
    return workspace.prompts();
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
