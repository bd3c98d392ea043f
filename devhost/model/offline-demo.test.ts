import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createOfflineDemo } from './offline-demo.ts';
import { demoTools } from './scripted-notes.test-support.ts';
import { replyChunks, wordChunks } from './stream.ts';

let server: Server;
let base: string;

beforeAll(async () => {
  const demo = createOfflineDemo({ chunkDelayMs: 0 });
  server = createServer((request, response) => void demo.handle(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => new Promise<void>((resolve) => server.close(() => resolve())));

const post = (body: unknown) =>
  fetch(`${base}/v1/chat/completions`, {
    method: 'POST',
    body: typeof body === 'string' ? body : JSON.stringify(body),
    headers: { 'content-type': 'application/json' },
  });

type Chunk = {
  choices: {
    delta: {
      role?: string;
      content?: string;
      tool_calls?: { index: number; id?: string; function: { name?: string; arguments: string } }[];
    };
    finish_reason: string | null;
  }[];
  usage?: { total_tokens: number };
};

async function chunksOf(response: Response): Promise<Chunk[]> {
  const events = (await response.text()).split('\n\n').filter((event) => event !== '');
  expect(events.at(-1)).toBe('data: [DONE]');
  return events.slice(0, -1).map((event) => JSON.parse(event.slice('data: '.length)) as Chunk);
}

describe('GET /v1/models', () => {
  it('names the one model', async () => {
    const answer = (await (await fetch(`${base}/v1/models`)).json()) as { data: { id: string }[] };
    expect(answer.data.map((model) => model.id)).toEqual(['offline-demo']);
  });
});

describe('POST /v1/chat/completions', () => {
  const question = [{ role: 'user', content: 'What do my notes say about urban heat?' }];

  it('answers in one piece', async () => {
    const response = await post({ model: 'offline-demo', messages: question, tools: demoTools });
    const answer = (await response.json()) as {
      choices: { message: { content: null; tool_calls: { function: { name: string; arguments: string } }[] }; finish_reason: string }[];
    };
    expect(answer.choices[0]?.finish_reason).toBe('tool_calls');
    expect(answer.choices[0]?.message.content).toBeNull();
    expect(answer.choices[0]?.message.tool_calls[0]?.function).toEqual({ name: 'search_notes', arguments: '{"query":"urban heat"}' });
  });

  it('streams calls in fragments that join to JSON, then the usage', async () => {
    const chunks = await chunksOf(
      await post({ model: 'offline-demo', messages: question, tools: demoTools, stream: true, stream_options: { include_usage: true } }),
    );
    const deltas = chunks.flatMap((chunk) => chunk.choices.flatMap((choice) => choice.delta.tool_calls ?? []));
    expect(deltas[0]).toMatchObject({ index: 0, id: 'call_1_1', function: { name: 'search_notes', arguments: '' } });
    expect(deltas.length).toBeGreaterThan(2);
    expect(JSON.parse(deltas.map((delta) => delta.function.arguments).join(''))).toEqual({ query: 'urban heat' });
    expect(chunks.at(-2)?.choices[0]?.finish_reason).toBe('tool_calls');
    expect(chunks.at(-1)?.choices).toEqual([]);
    expect(chunks.at(-1)?.usage?.total_tokens).toBeGreaterThan(0);
  });

  it('streams text word by word, with the note at its end', async () => {
    const chunks = await chunksOf(await post({ messages: [{ role: 'user', content: '你好' }], stream: true }));
    const words = chunks.map((chunk) => chunk.choices[0]?.delta.content ?? '');
    expect(words.filter((word) => word !== '').length).toBeGreaterThan(20);
    expect(words.join('')).toMatch(/Offline demo: no language model/);
    expect(chunks.at(-1)?.choices[0]?.finish_reason).toBe('stop');
  });

  it.each([
    ['{', 400, 'invalid_json'],
    ['{"messages":1}', 400, 'invalid_request'],
    ['{"messages":[1]}', 400, 'invalid_request'],
    ['{"messages":[],"tools":{}}', 400, 'invalid_request'],
    ['{"model":"gpt-9","messages":[]}', 404, 'model_not_found'],
  ])('refuses %s', async (body, status, code) => {
    const response = await post(body);
    expect(response.status).toBe(status);
    expect(((await response.json()) as { error: { code: string } }).error.code).toBe(code);
  });

  it('answers 404 elsewhere and help to an empty talk', async () => {
    expect((await fetch(`${base}/v1/embeddings`)).status).toBe(404);
    const answer = (await (await post({ messages: [] })).json()) as { choices: { message: { content: string } }[] };
    expect(answer.choices[0]?.message.content).toContain('Offline demo');
  });

  it('stops writing when the reader goes away', async () => {
    const controller = new AbortController();
    const response = await fetch(`${base}/v1/chat/completions`, {
      method: 'POST',
      body: JSON.stringify({ messages: [{ role: 'user', content: 'hello' }], stream: true }),
      signal: controller.signal,
    });
    controller.abort();
    await expect(response.text()).rejects.toThrow();
    expect((await fetch(`${base}/v1/models`)).status).toBe(200);
  });
});

describe('wordChunks', () => {
  it('joins to the text again', () => {
    const text = 'Two words,\n\n两个词语 end. ';
    expect(wordChunks(text).join('')).toBe(text);
    expect(wordChunks(text).length).toBeGreaterThan(5);
  });
});

describe('replyChunks', () => {
  it('leaves the usage out unless it is asked for', () => {
    const reply = {
      content: 'a b',
      toolCalls: [],
      finishReason: 'stop',
      usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
    } as const;
    expect(replyChunks(reply, { id: 'x', created: 0 }, false)).toHaveLength(4);
    expect(replyChunks(reply, { id: 'x', created: 0 }, true)).toHaveLength(5);
  });
});
