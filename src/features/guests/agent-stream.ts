import type { AnyMessage } from '@agentclientprotocol/sdk';
import { lineReader, type OpenPipe } from '../../tools/connections/program-pipe.ts';
import { ToolError } from '../../tools/contract/errors.ts';
import { whyNotPlain } from '../../tools/util/plain-value.ts';
import type { AgentStream } from './agent-link.ts';

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
  const take = (line: string): void => {
    const message = messageIn(line);
    if (!message || !isOpen) return;
    const reason = whyNotPlain(message);
    if (reason === undefined) received.controller?.enqueue(message);
    else end(new ToolError('too_large', `the values of a message of the program cannot be used: ${reason}`, 'use another program'));
  };
  const onText = lineReader(take, () => end(new ToolError('too_large', 'a message of the program has no end', 'use another program')));
  const pipe = await openPipe({
    onText,
    onEnd: (why) => end(why === undefined ? undefined : new ToolError('program_missing', why, 'start it in a terminal to see more')),
  });
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
