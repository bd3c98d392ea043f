// Many chats at one time: each client compares every event with what the model said.
import { connect, type Socket } from 'node:net';
import type { MessageView } from '../../src/service/chats/messages.ts';
import { eventsOf, type ServiceEvent } from '../service/support.ts';
import type { ModelRequest, ScriptedReply } from '../support/model-server.ts';
import { type RunningService, startRunningService } from './running-service.ts';

export interface SoakOptions {
  readonly seconds: number;
  readonly chats: number;
  readonly print: (line: string) => void;
}

export interface SoakReport {
  readonly turns: number;
  readonly events: number;
  /** What was lost, doubled, out of order, or did not end. */
  readonly problems: readonly string[];
  /** MB of the service's heap after a collection: at the end, for each that it had after a third of the time. */
  readonly heapGrowth: number;
}

/** Turns of a chat before its client begins another, not all at one time: chats that grow for ever would be no measure of memory. */
const TURNS = 2;
const WORDS = 12;
const STALLED = 'the-stalled-client-asks';

/** What the model says to a question: its own words, numbered. */
const answerTo = (question: string): string => Array.from({ length: WORDS }, (_, word) => `${question}/${word}`).join(' ');

/** Every other question needs a tool first. */
function reply({ messages }: ModelRequest): ScriptedReply {
  const last = messages.at(-1);
  // A question that got no answer before a kill is before the next one, in the same message.
  const question =
    messages
      .findLast(({ role }) => role === 'user')
      ?.content?.trim()
      .split(/\s+/)
      .at(-1) ?? '';
  if (question === STALLED) return { text: `${'word'.repeat(250)} `.repeat(4000) };
  if (last?.role === 'user' && /[02468]$/.test(question)) return { calls: [{ name: 'calculate', args: { expression: '20+22' } }] };
  return { text: answerTo(question) };
}

/** What is wrong with the events of a turn, which may have come over several connections. */
function problemsOf(question: string, events: readonly ServiceEvent[]): readonly string[] {
  const kinds = events.map(({ event }) => event);
  const calls = /[02468]$/.test(question) ? ['tool_start', 'tool_complete'] : [];
  const expected = ['start', ...calls, ...Array(WORDS).fill('message'), 'done'];
  const places = events.map(({ id }) => Number(id.split('-')[1]));
  const text = events.flatMap(({ event, data }) => (event === 'message' ? [data.content] : [])).join('');
  return [
    ...(kinds.join() === expected.join() ? [] : [`${question}: came as ${kinds.join().slice(0, 300)}`]),
    ...(places.every((place, index) => place === (places[0] ?? 0) + index)
      ? []
      : [`${question}: in the order ${places.join().slice(0, 300)}`]),
    ...(text === answerTo(question) ? [] : [`${question}: said ${text.slice(0, 300)}`]),
  ];
}

async function readTurn(service: RunningService, session: string, question: string, leaves: boolean): Promise<ServiceEvent[]> {
  const { headers } = service;
  const body = JSON.stringify({ session_id: session, message: question });
  const events: ServiceEvent[] = [];
  const leaving = new AbortController();
  try {
    const sent = await fetch(`${service.url}/api/chat/send`, { method: 'POST', headers, body, signal: leaving.signal });
    if (sent.status !== 200) throw new Error(`${question}: ${sent.status} ${(await sent.text()).slice(0, 300)}`);
    for await (const event of eventsOf(sent)) {
      events.push(event);
      if (!leaves || events.length < 5) continue;
      leaving.abort();
      break;
    }
  } catch (error) {
    if (!leaving.signal.aborted) throw error;
  }
  while (events.at(-1)?.event !== 'done') {
    const seen = { ...headers, 'Last-Event-ID': events.at(-1)?.id ?? '' };
    const back = await fetch(`${service.url}/api/chat/sessions/${session}/events`, { headers: seen });
    if (back.status !== 200) throw new Error(`${question}: came back to ${back.status}`);
    for await (const event of eventsOf(back)) events.push(event);
  }
  return events;
}

/** Asks, and reads nothing of the answer. */
function stalledClient(service: RunningService): Socket {
  const { hostname, port } = new URL(service.url);
  const body = JSON.stringify({ session_id: 'stalled', message: STALLED });
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  socket.pause();
  const head = ['POST /api/chat/send HTTP/1.1', 'Host: localhost', `Authorization: ${service.headers.Authorization}`];
  socket.write([...head, `Content-Length: ${body.length}`, '', body].join('\r\n'));
  return socket;
}

/** After the end of all: killed in the middle of many calls and answers, and started again. */
async function killedProblems(service: RunningService, chats: number): Promise<readonly string[]> {
  const sessions = Array.from({ length: Math.min(chats, 50) }, (_, index) => `killed-${index}`);
  let started = 0;
  let halfway: () => void = () => undefined;
  const busy = new Promise<void>((resolve) => {
    halfway = resolve;
  });
  const cut = sessions.map(async (session) => {
    for await (const { event } of eventsOf(
      await fetch(`${service.url}/api/chat/send`, {
        method: 'POST',
        headers: service.headers,
        body: JSON.stringify({ session_id: session, message: 'cut-0' }),
      }),
    )) {
      if (event === 'tool_start') started += 1;
      if (started > sessions.length / 2) halfway();
    }
  });
  await busy;
  const ended = Promise.allSettled(cut);
  await service.killAndStart();
  await ended;
  const get = async <T>(path: string): Promise<T> => (await (await fetch(service.url + path, { headers: service.headers })).json()) as T;
  const { by_status } = await get<{ by_status: Record<string, number> }>('/api/tools/conversations/stats');
  const problems = by_status.running === undefined ? [] : [`after the kill ${by_status.running} records still run`];
  for (const session of sessions) {
    const events = await readTurn(service, session, 'after-1', false);
    problems.push(...problemsOf('after-1', events));
    const messages = await get<MessageView[]>(`/api/chat/sessions/${session}/messages`);
    if (messages.at(-1)?.content !== answerTo('after-1')) problems.push(`${session}: its last message is another`);
  }
  return problems;
}

class Soak {
  turns = 0;
  events = 0;
  readonly problems: string[] = [];
  private readonly service: RunningService;
  private readonly until: number;

  constructor(service: RunningService, until: number) {
    this.service = service;
    this.until = until;
  }

  /** One client: question after question, the next as soon as an answer is whole; at times it leaves and comes back. */
  async client(number: number): Promise<void> {
    for (let turn = 0; Date.now() < this.until; turn++) {
      const question = `client-${number}-turn-${turn}`;
      try {
        const session = `soak-${number}-${Math.floor((turn + number) / TURNS)}`;
        const events = await readTurn(this.service, session, question, (number + turn) % 5 === 0);
        this.problems.push(...problemsOf(question, events));
        this.turns += 1;
        this.events += events.length;
      } catch (error) {
        this.problems.push(`${question}: ${error instanceof Error ? error.message : error}`);
        return;
      }
      // What the scripted model was sent is not looked at.
      this.service.model.requests.length = 0;
      this.service.model.bodies.length = 0;
    }
  }
}

/** Runs so many chats for so long. */
export async function soak({ seconds, chats, print }: SoakOptions): Promise<SoakReport> {
  const service = await startRunningService();
  service.model.otherwise(reply);
  try {
    const begin = Date.now();
    const run = new Soak(service, begin + seconds * 1000);
    const stalled = stalledClient(service);
    const clients = Promise.all(Array.from({ length: chats }, (_, number) => run.client(number)));
    const heaps: number[] = [];
    for (let sample = 1; sample <= 6; sample++) {
      const at = begin + (sample * seconds * 1000) / 6;
      await new Promise((resolve) => setTimeout(resolve, Math.max(0, at - Date.now() - 100)));
      const { heap, resident } = await service.memory();
      heaps.push(heap);
      print(
        `${((Date.now() - begin) / 1000).toFixed(0)} s: ${run.turns} turns, ${run.events} events, heap ${heap.toFixed(0)} MB, resident ${resident.toFixed(0)} MB`,
      );
    }
    await clients;
    stalled.destroy();
    run.problems.push(...(await killedProblems(service, chats)));
    const { turns, events, problems } = run;
    return { turns, events, problems, heapGrowth: (heaps.at(-1) ?? 0) / (heaps[1] ?? 1) };
  } finally {
    await service.close();
  }
}
