// Ratio S1: from the model's chunk to the client's event.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { startRunningService } from '../tests/soak/running-service.ts';
import { type Figure, median } from './figures.ts';

/** Of the median and of the slowest twentieth of all chunks. */
const LIMITS = { p50: 1.3, p95: 3 } as const;
const CHATS = [1, 10, 50] as const;
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

/** Two words: a title, which the service asks besides for each chat. */
export function answerShortly(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.end(`${piece({ index: 0, delta: { content: 'A talk' }, finish_reason: 'stop' })}data: [DONE]\n\n`);
}

async function startModel(): Promise<Server> {
  const server = createServer(async (asking, response) => {
    // What it is asked about itself (`/props`, `/models`) it does not say, as a server far away.
    if (asking.method !== 'POST') {
      response.writeHead(404).end();
      return;
    }
    const { tools, message } = JSON.parse(await text(asking));
    // Models do not speak in step: fifty chunks at the same moment would measure the queue that they stand in.
    if (tools || message) setTimeout(talk, Math.random() * PACE, response);
    else answerShortly(response);
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

type Delays = Record<keyof typeof LIMITS, number>;

/** Over all chunks of all chats. */
async function round(chats: number, one: (chat: number) => Promise<number[]>): Promise<Delays> {
  const delays = (await Promise.all(Array.from({ length: chats }, (_, chat) => one(chat)))).flat().sort((left, right) => left - right);
  return { p50: median(delays), p95: delays[Math.floor(delays.length * 0.95)] ?? 0 };
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

interface Side {
  readonly bare: Delays[];
  readonly ours: Delays[];
}

function figuresOf(chats: number, { bare, ours }: Side): Figure[] {
  return (['p50', 'p95'] as const).flatMap((which) => [
    {
      name: `S1: chunk to event, ${which} at ${chats} chats, for each of a bare pipe`,
      value: median(ours.map((own, run) => own[which] / (bare[run]?.[which] ?? 1))),
      unit: '',
      limit: LIMITS[which],
    },
    { name: '   the service', value: median(ours.map((own) => own[which])), unit: ' ms' },
    { name: '   the pipe', value: median(bare.map((own) => own[which])), unit: ' ms' },
  ]);
}

export async function benchPipe(runs: number, counts: readonly number[] = CHATS): Promise<Figure[]> {
  const model = await startModel();
  const { port } = model.address() as AddressInfo;
  const address = `http://127.0.0.1:${port}/v1`;
  const service = await startRunningService(address);
  const pipe = await startPipe(address);
  const ask = (run: number, chats: number) => (chat: number) =>
    delaysOf(`${service.url}/api/chat/send`, service.headers, { session_id: `bench-${run}-${chats}-${chat}`, message: 'Go.' });
  try {
    const sides = new Map<number, Side>(counts.map((chats) => [chats, { bare: [], ours: [] }]));
    // Both compile first, at the largest number.
    await round(Math.max(...counts), () => delaysOf(pipe.url, {}, { message: 'Go.' }));
    await round(Math.max(...counts), ask(0, 0));
    for (let run = 1; run <= runs; run++) {
      for (const [chats, { bare, ours }] of sides) {
        bare.push(await round(chats, () => delaysOf(pipe.url, {}, { message: 'Go.' })));
        ours.push(await round(chats, ask(run, chats)));
      }
    }
    return [...sides].flatMap(([chats, side]) => figuresOf(chats, side));
  } finally {
    pipe.end();
    await service.close();
    model.closeAllConnections();
    model.close();
  }
}
