import { deserializeMessage, type JSONRPCMessage, serializeMessage, type Transport } from '@modelcontextprotocol/client';
import { ToolError } from '../../tools/contract/errors.ts';

/** A running program; see desktop/processes/program-pipe.ts. */
interface Pipe {
  write(text: string): Promise<void>;
  close(): Promise<void>;
}

export type OpenPipe = (listener: { readonly onText: (text: string) => void; readonly onEnd: () => void }) => Promise<Pipe>;

/** UTF-16 units of one message. */
const MAX_MESSAGE = 10 * 1024 * 1024;

/** The protocol over the standard streams of a program: a message on each line. Lines that are none are passed over. */
export class ProgramTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  private readonly openPipe: OpenPipe;
  private pipe: Pipe | undefined;
  private rest = '';

  constructor(openPipe: OpenPipe) {
    this.openPipe = openPipe;
  }

  async start(): Promise<void> {
    this.pipe = await this.openPipe({ onText: (text) => this.take(text), onEnd: () => this.onclose?.() });
  }

  async send(message: JSONRPCMessage): Promise<void> {
    await this.pipe?.write(serializeMessage(message));
  }

  async close(): Promise<void> {
    const { pipe } = this;
    this.pipe = undefined;
    await pipe?.close();
    this.onclose?.();
  }

  private take(text: string): void {
    const lines = `${this.rest}${text}`.split('\n');
    this.rest = lines.pop() ?? '';
    for (const line of lines) this.read(line.trim());
    if (this.rest.length <= MAX_MESSAGE) return;
    this.rest = '';
    this.onerror?.(new ToolError('too_large', 'a message of the program has no end', 'use another server'));
    void this.close();
  }

  private read(line: string): void {
    if (line === '') return;
    try {
      this.onmessage?.(deserializeMessage(line));
    } catch (error) {
      this.onerror?.(error instanceof Error ? error : new Error(String(error)));
    }
  }
}
