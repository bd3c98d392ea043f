import type { AnyMessage } from '@agentclientprotocol/sdk';
import { ToolError } from '../tools/contract/errors.ts';
import type { AgentStream } from './agent-link.ts';

/** A running program; see desktop/processes/program-pipe.ts. */
interface Pipe {
  write(text: string): Promise<void>;
  close(): Promise<void>;
}
export type OpenPipe = (listener: { readonly onText: (text: string) => void; readonly onEnd: () => void }) => Promise<Pipe>;

/** UTF-16 units of one message. */
const MAX_MESSAGE = 10 * 1024 * 1024;

function messageIn(line: string): AnyMessage | undefined {
  try {
    const parsed: unknown = JSON.parse(line);
    return parsed !== null && typeof parsed === 'object' && !Array.isArray(parsed) ? (parsed as AnyMessage) : undefined;
  } catch {
    // What a program prints besides, such as a greeting.
    return undefined;
  }
}

/** The protocol over the standard streams of a program: a message on each line. Lines that are none are passed over. */
export async function openAgentStream(openPipe: OpenPipe): Promise<AgentStream> {
  let rest = '';
  let ended = (): void => undefined;
  const closed = new Promise<void>((resolve) => {
    ended = resolve;
  });
  const received: { controller?: ReadableStreamDefaultController<AnyMessage> } = {};
  const readable = new ReadableStream<AnyMessage>({
    start: (controller) => {
      received.controller = controller;
    },
  });
  let isOpen = true;
  const end = (error?: Error): void => {
    if (!isOpen) return;
    isOpen = false;
    if (error) received.controller?.error(error);
    else received.controller?.close();
    ended();
  };
  const onText = (text: string): void => {
    const lines = `${rest}${text}`.split('\n');
    rest = lines.pop() ?? '';
    for (const message of lines.map((line) => messageIn(line.trim()))) if (message && isOpen) received.controller?.enqueue(message);
    if (rest.length > MAX_MESSAGE) end(new ToolError('too_large', 'a message of the program has no end', 'use another program'));
  };
  const pipe = await openPipe({ onText, onEnd: () => end() });
  return {
    readable,
    writable: new WritableStream<AnyMessage>({ write: (message) => pipe.write(`${JSON.stringify(message)}\n`) }),
    closed,
    async close() {
      end();
      await pipe.close();
    },
  };
}
