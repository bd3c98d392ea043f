import type { CallEnd } from '../../mcp/server/guarded-calls.ts';
import type { ToolChainEvent } from '../../tools/contract/events.ts';
import type { ToolExecuteStatus, WrittenBlocks } from '../../tools/contract/types.ts';
import { Listeners } from '../../tools/util/notify.ts';
import type { LiveChat } from '../chats/live-chat.ts';
import { callingModel, type ProgramCall } from './calling-model.ts';

const linksOf = ({ blockIds, title = '' }: WrittenBlocks) => blockIds.map((id) => ({ id, name: title }));

/** A call of a client that needs consent: a turn of its chat. */
export class OpenCall {
  readonly call: ProgramCall;
  /** Calls back when it asks, reports progress or has ended. */
  readonly changes = new Listeners<[progress?: string]>();
  end: CallEnd | undefined;
  private readonly name: string;
  private text = '';
  private status: ToolExecuteStatus = 'error';
  private written: WrittenBlocks | undefined;
  private isWithdrawn = false;
  private chat: LiveChat | undefined;

  constructor(name: string, call: ProgramCall) {
    this.name = name;
    this.call = call;
  }

  /** Resolves when it has ended; never rejects. */
  async run(chat: LiveChat): Promise<void> {
    if (this.isWithdrawn) return this.finish('aborted', 'the call was withdrawn');
    this.chat = chat;
    const model = callingModel(this.name, this.call, (text) => {
      this.text = text;
    });
    try {
      const watch = { onEvent: (event: ToolChainEvent) => this.take(event), onChange: () => this.changes.call() };
      const { ended } = chat.startCall(`${this.name}: ${this.call.tool}`, model, watch);
      const { message } = await ended;
      const { error } = message;
      if (this.text === '' && error) this.text = `${error.code}: ${error.message}`;
      this.finish(this.status, this.text === '' ? this.status : this.text, message.id);
    } catch (error) {
      this.finish('error', error instanceof Error ? error.message : String(error));
    } finally {
      this.chat = undefined;
    }
  }

  /** The approval that it waits for. */
  get asked() {
    return this.chat?.waiting()[0];
  }

  withdraw(): void {
    if (this.end) return;
    this.isWithdrawn = true;
    void this.chat?.stop();
  }

  private finish(status: ToolExecuteStatus, text: string, messageId = ''): void {
    const { written } = this;
    const links = written ? linksOf(written) : [];
    const change = written && { ...written, sessionId: this.sessionId, messageId };
    this.end = { status, text, links, ...(change ? { written: change } : {}) };
    this.changes.call();
  }

  private get sessionId(): string {
    return this.chat?.id ?? '';
  }

  private take(event: ToolChainEvent): void {
    if (event.type === 'write') this.written = event;
    if (event.type === 'tool-end') this.status = event.status;
    if (event.type === 'tool-progress') this.changes.call(event.message);
  }
}
