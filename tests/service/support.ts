// The real service over HTTP, in front of the development host, with a scripted model.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type HostOptions, type RunningHost, startHost } from '../../devhost/host.ts';
import { type RunningService, type ServiceOptions, startService } from '../../src/service/service.ts';
import { type ModelServer, startModelServer } from '../support/model-server.ts';

export const TOKEN = 'the-token-of-the-service';
export const KERNEL_TOKEN = 'the-token-of-the-kernel';

export interface ServiceEvent {
  readonly id: string;
  readonly event: string;
  readonly data: Readonly<Record<string, unknown>>;
}

export interface ServiceBench {
  readonly url: string;
  readonly service: RunningService;
  readonly host: RunningHost;
  readonly model: ModelServer;
  /** Id of the notebook “Work”, which may be written to. */
  readonly notebook: string;
  /** Of the note “README” in it. */
  readonly note: string;
  /** The folder of its own. */
  readonly data: string;
  /** Lines that the service logged. */
  readonly logged: string[];
  kernel<T = unknown>(path: string, body: object): Promise<T>;
  /** A file of the plugin's storage; null where there is none. */
  read(path: string): Promise<string | null>;
  write(path: string, text: string): Promise<void>;
  /** Writes the plugin's settings, as the panel would. */
  settings(settings: object): Promise<void>;
  /** With the token, unless `init` has an Authorization of its own. */
  fetch(path: string, init?: RequestInit): Promise<Response>;
  send(body: object, init?: RequestInit): Promise<Response>;
  json<T>(path: string, body?: object): Promise<T>;
  /** Ends the service as SIGTERM does, and starts it again. */
  restart(options?: Partial<ServiceOptions>): Promise<void>;
  close(): Promise<void>;
}

/** Reads server-sent events as they come; ends with the stream. */
export async function* eventsOf(response: Response): AsyncGenerator<ServiceEvent> {
  let rest = '';
  const decoder = new TextDecoder();
  for await (const part of response.body ?? []) {
    rest += decoder.decode(part, { stream: true });
    const frames = rest.split('\n\n');
    rest = frames.pop() ?? '';
    for (const frame of frames) {
      const fields = new Map(frame.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]));
      if (!fields.has('event')) continue;
      yield { id: fields.get('id') ?? '', event: fields.get('event') ?? '', data: JSON.parse(fields.get('data') ?? 'null') };
    }
  }
}

export async function allEvents(response: Response): Promise<ServiceEvent[]> {
  const events: ServiceEvent[] = [];
  for await (const event of eventsOf(response)) events.push(event);
  return events;
}

/** The first event of that kind; the stream stays open. */
export async function nextEvent(events: AsyncGenerator<ServiceEvent>, kind: string): Promise<ServiceEvent> {
  for (;;) {
    const { value, done } = await events.next();
    if (done) throw new Error(`the stream ended without ${kind}`);
    if (value.event === kind) return value;
  }
}

/** What an answer says, put together of its events. */
export const textOf = (events: readonly ServiceEvent[]): string =>
  events.flatMap(({ event, data }) => (event === 'message' ? [data.content] : [])).join('');

const STORAGE = '/data/storage/petal/siyuan-marginalia';

async function writeFile(host: RunningHost, path: string, text: string): Promise<void> {
  const body = new FormData();
  body.append('path', `${STORAGE}/${path}`);
  body.append('file', new Blob([text]));
  await fetch(`${host.url}api/file/putFile`, { method: 'POST', body, headers: { Authorization: `Token ${KERNEL_TOKEN}` } });
}

async function readFile(host: RunningHost, path: string): Promise<string | null> {
  const headers = { Authorization: `Token ${KERNEL_TOKEN}`, 'Content-Type': 'application/json' };
  const body = JSON.stringify({ path: `${STORAGE}/${path}` });
  const response = await fetch(`${host.url}api/file/getFile`, { method: 'POST', body, headers });
  return response.status === 200 ? response.text() : null;
}

function kernelOf(host: RunningHost) {
  return async <T>(path: string, body: object): Promise<T> => {
    const headers = { Authorization: `Token ${KERNEL_TOKEN}`, 'Content-Type': 'application/json' };
    const response = await fetch(new URL(path, host.url), { method: 'POST', body: JSON.stringify(body), headers });
    const answer = (await response.json()) as { code: number; msg: string; data: T };
    if (answer.code !== 0) throw new Error(`${path}: ${answer.msg}`);
    return answer.data;
  };
}

export async function startServiceBench(
  options: Partial<ServiceOptions> = {},
  locks: Pick<HostOptions, 'accessCode'> = {},
): Promise<ServiceBench> {
  const folder = mkdtempSync(join(tmpdir(), 'marginalia-service-'));
  const host = await startHost({ workspace: join(folder, 'workspace'), port: 0, indexDelayMs: 20, token: KERNEL_TOKEN, ...locks });
  const kernel = kernelOf(host);
  const model = await startModelServer();
  const { notebook } = await kernel<{ notebook: { id: string } }>('/api/notebook/createNotebook', { name: 'Work' });
  const markdown = '# Marginalia\n\nA chat in the margin.';
  const note = await kernel<string>('/api/filetree/createDocWithMd', { notebook: notebook.id, path: '/README', markdown });
  const settings = (more: object) =>
    writeFile(host, 'settings.json', JSON.stringify({ schema: 1, modelTitles: false, notebooks: { [notebook.id]: 'write' }, ...more }));
  await settings({});
  const logged: string[] = [];
  const start = (changed: Partial<ServiceOptions>) =>
    startService({
      ...{ kernel: host.url.replace(/\/$/, ''), kernelToken: KERNEL_TOKEN, token: TOKEN, hosts: [], origins: [] },
      ...{ port: 0, host: '127.0.0.1', data: join(folder, 'data'), log: (line: string) => void logged.push(line) },
      model: { baseURL: model.baseURL, apiKey: 'the-key-of-the-model', model: 'scripted' },
      ...options,
      ...changed,
    });
  let service = await start({});
  const request = (path: string, init: RequestInit = {}): Promise<Response> =>
    fetch(`${service.url}${path}`, { ...init, headers: { Authorization: `Bearer ${TOKEN}`, ...init.headers } });
  const post = (path: string, body: object, init: RequestInit = {}): Promise<Response> =>
    request(path, { ...init, method: 'POST', body: JSON.stringify(body) });
  return {
    get url() {
      return service.url;
    },
    get service() {
      return service;
    },
    ...{ host, model, note, logged, kernel, settings, data: join(folder, 'data') },
    notebook: notebook.id,
    read: (path) => readFile(host, path),
    write: (path, text) => writeFile(host, path, text),
    fetch: request,
    send: (body, init) => post('/api/chat/send', body, init),
    json: async <T>(path: string, body?: object) => (await (body ? post(path, body) : request(path))).json() as Promise<T>,
    async restart(changed = {}) {
      await service.close();
      service = await start(changed);
    },
    async close() {
      await service.close();
      await model.close();
      await host.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
