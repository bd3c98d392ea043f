import { deserializeMessage, type JSONRPCMessage, serializeMessage, type Transport } from '@modelcontextprotocol/client';
import { lineReader, type OpenPipe, type Pipe } from '../../tools/connections/program-pipe.ts';
import { ToolError } from '../../tools/contract/errors.ts';
import { inBackground } from '../../tools/util/notify.ts';
import { lenientJson } from './lenient-messages.ts';

/** The protocol over the standard streams of a program: a message on each line. Lines that are none are passed over. */
export class ProgramTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  private readonly openPipe: OpenPipe;
  private pipe: Pipe | undefined;

  constructor(openPipe: OpenPipe) {
    this.openPipe = openPipe;
  }

  async start(): Promise<void> {
    this.pipe = await this.openPipe({
      onText: lineReader(
        (line) => this.read(line),
        () => this.giveUp(),
      ),
      onEnd: () => this.onclose?.(),
    });
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

  private giveUp(): void {
    this.onerror?.(new ToolError('too_large', 'a message of the program has no end', 'use another server'));
    inBackground(this.close());
  }

  private read(line: string): void {
    if (line === '') return;
    try {
      this.onmessage?.(deserializeMessage(lenientJson(line)));
    } catch (error) {
      this.onerror?.(error instanceof Error ? error : new Error(String(error)));
    }
  }
}
