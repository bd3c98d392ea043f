// A program of its own (mcp-bridge.cjs): Claude Desktop and others start a command instead of calling an address. It hands their messages on to
// the app, and the answers back, a message a line. It needs nothing but Node, which SiYuan's own program is where ELECTRON_RUN_AS_NODE is set.
import { createInterface } from 'node:readline';

const { MARGINALIA_URL: url = '', MARGINALIA_TOKEN: token = '' } = process.env;
const CLOSED = 'SiYuan is not open, or does not let programs in: open it, and look at Marginalia → Settings → Other programs';

interface Message {
  readonly id?: unknown;
  readonly method?: string;
}

let session: string | undefined;
let protocol: string | undefined;
let isAnswered = false;

const write = (message: object | string): void =>
  void process.stdout.write(`${typeof message === 'string' ? message : JSON.stringify(message)}\n`);

/** A program that asked waits for an answer. */
function refuse({ id, method }: Message, why: string): void {
  process.stderr.write(`marginalia: ${why}\n`);
  if (id !== undefined && method !== undefined) write({ jsonrpc: '2.0', id, error: { code: -32_000, message: why } });
}

const headers = (): Record<string, string> => ({
  'Content-Type': 'application/json',
  Accept: 'application/json, text/event-stream',
  Authorization: `Bearer ${token}`,
  ...(session === undefined ? {} : { 'Mcp-Session-Id': session }),
  ...(protocol === undefined ? {} : { 'Mcp-Protocol-Version': protocol }),
});

/** One line, whatever the text of a message was broken into. */
const handOn = (text: string): void => write(JSON.stringify(JSON.parse(text)));

async function handOnEvents(body: ReadableStream<Uint8Array>): Promise<void> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const part of body as unknown as AsyncIterable<Uint8Array>) {
    const events = (rest + decoder.decode(part, { stream: true })).replaceAll('\r\n', '\n').split('\n\n');
    rest = events.pop() ?? '';
    for (const event of events) {
      const data = event.split('\n').flatMap((line) => (line.startsWith('data:') ? line.slice(5).replace(/^ /, '') : []));
      if (data.join('').trim() !== '') handOn(data.join('\n'));
    }
  }
}

/** What the app sends by itself. */
async function listen(): Promise<void> {
  const response = await fetch(url, { headers: { ...headers(), Accept: 'text/event-stream' } });
  if (response.ok && response.body) await handOnEvents(response.body);
}

async function send(line: string): Promise<void> {
  const message: Message & { readonly params?: { readonly protocolVersion?: string } } = JSON.parse(line);
  try {
    const response = await fetch(url, { method: 'POST', headers: headers(), body: line });
    const { status } = response;
    if (status === 401) return refuse(message, 'SiYuan does not know this token: copy the configuration again');
    isAnswered = true;
    session = response.headers.get('mcp-session-id') ?? session;
    if (message.method === 'initialize') protocol = message.params?.protocolVersion;
    if (message.method === 'notifications/initialized') void listen().catch(() => undefined);
    const isStream = response.headers.get('content-type')?.includes('event-stream') === true;
    if (isStream && response.body) return await handOnEvents(response.body);
    const text = await response.text();
    if (!response.ok && !text.includes('"jsonrpc"')) return refuse(message, `SiYuan answered ${status}: ${text.slice(0, 300)}`);
    if (text.trim() !== '') handOn(text);
  } catch (error) {
    refuse(message, `${CLOSED} (${error instanceof Error ? error.message : error})`);
  }
}

let sending: Promise<void> = Promise.resolve();
createInterface({ input: process.stdin })
  .on('line', (line) => {
    if (line.trim() === '') return;
    // A session is known after the first answer; from then on calls run beside one another.
    const isFirst = !isAnswered;
    const sent = sending.then(() => send(line)).catch((error: unknown) => process.stderr.write(`marginalia: ${error}\n`));
    if (isFirst) sending = sent.then(() => undefined);
  })
  .on('close', () => {
    const end = async (): Promise<void> => {
      await sending;
      if (session !== undefined) await fetch(url, { method: 'DELETE', headers: headers() }).catch(() => undefined);
      process.exit(0);
    };
    void end().catch(() => process.exit(1));
  });
