// Ratio S1: from the model's chunk to the client's event.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { startRunningService } from '../tests/soak/running-service.ts';
import { type Figure, median } from './figures.ts';

const LIMIT = 1.3;
const CHATS = 50;
/** An answer of a page. */
const CHUNKS = 300;
/** Milliseconds between two chunks: a quick model's. */
const PACE = 20;

const piece = (choice: object): string =>
  `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [choice] })}\n\n`;

/** Chunks that say when they were written. */
function talk(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  let said = 0;
  const timer = setInterval(() => {
    if (said++ < CHUNKS) response.write(piece({ index: 0, delta: { content: `${performance.now()} ` }, finish_reason: null }));
    else {
      clearInterval(timer);
      response.end(`${piece({ index: 0, delta: {}, finish_reason: 'stop' })}data: [DONE]\n\n`);
    }
  }, PACE);
}

/** What the service asks besides: a title for each chat. */
function title(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.end(`${piece({ index: 0, delta: { content: 'A talk' }, finish_reason: 'stop' })}data: [DONE]\n\n`);
}

async function startModel(): Promise<Server> {
  const server = createServer(async (asking, response) => {
    const { tools, message } = JSON.parse(await text(asking));
    // Models do not speak in step: fifty chunks at the same moment would measure the queue that they stand in.
    if (tools || message) setTimeout(talk, Math.random() * PACE, response);
    else title(response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

/** Delays of one client's chunks, in milliseconds. A bare client: what it costs itself is part of both figures. */
async function delaysOf(url: string, headers: Readonly<Record<string, string>>, body: object): Promise<number[]> {
  const asked = request(url, { method: 'POST', headers: { 'content-type': 'application/json', ...headers } });
  asked.end(JSON.stringify(body));
  const [response]: IncomingMessage[] = await once(asked, 'response');
  const delays: number[] = [];
  let rest = '';
  response?.setEncoding('utf8').on('data', (part: string) => {
    const now = performance.now();
    rest += part;
    const frames = rest.split('\n\n');
    rest = frames.pop() ?? '';
    for (const frame of frames) {
      const written = /"content":"([\d.]+) "/.exec(frame)?.[1];
      if (written !== undefined) delays.push(now - Number(written));
    }
  });
  await once(response ?? asked, 'end');
  if (delays.length !== CHUNKS) throw new Error(`${url}: ${delays.length} of ${CHUNKS} chunks came`);
  return delays;
}

/** The median over all chunks of all chats. */
async function round(one: (chat: number) => Promise<number[]>): Promise<number> {
  return median((await Promise.all(Array.from({ length: CHATS }, (_, chat) => one(chat)))).flat());
}

async function startPipe(model: string) {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'service-pipe.ts'), model], { stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  for await (const part of child.stdout) {
    output += part;
    const url = /ready (\S+)/.exec(output)?.[1];
    if (url) return { url, end: () => child.kill('SIGTERM') };
  }
  throw new Error('the pipe did not start');
}

export async function benchPipe(runs: number): Promise<Figure[]> {
  const model = await startModel();
  const { port } = model.address() as AddressInfo;
  const address = `http://127.0.0.1:${port}/v1`;
  const service = await startRunningService(address);
  const pipe = await startPipe(address);
  try {
    const ours: number[] = [];
    const bare: number[] = [];
    // The first of each only compiles.
    for (let run = 0; run <= runs; run++) {
      const through = await round(() => delaysOf(pipe.url, {}, { message: 'Go.' }));
      const own = await round((chat) =>
        delaysOf(`${service.url}/api/chat/send`, service.headers, { session_id: `bench-${run}-${chat}`, message: 'Go.' }),
      );
      if (run === 0) continue;
      bare.push(through);
      ours.push(own);
    }
    return [
      {
        name: `S1: chunk to event at ${CHATS} chats, for each of a bare pipe`,
        value: median(ours.map((own, run) => own / (bare[run] ?? 1))),
        unit: '',
        limit: LIMIT,
      },
      { name: '   the service', value: median(ours), unit: ' ms' },
      { name: '   the pipe', value: median(bare), unit: ' ms' },
    ];
  } finally {
    pipe.end();
    await service.close();
    model.closeAllConnections();
    model.close();
  }
}
