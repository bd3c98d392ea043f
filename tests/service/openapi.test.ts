// The description of the routes, held to the routes and to what they answer.
import { type Schema, Validator } from '@cfworker/json-schema';
import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serviceApp } from '../../src/service/http/server.ts';
import { routed } from '../support/routed-model.ts';
import { ROUTES, SERVED } from './served-features.ts';
import { allEvents, eventsOf, nextEvent, type ServiceBench, type ServiceEvent, startServiceBench } from './support.ts';

interface Content {
  readonly content?: Readonly<Record<string, { readonly schema: Schema; readonly example?: unknown }>>;
}

interface Operation {
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly schema: Schema; readonly example?: unknown }[];
  readonly requestBody?: Content;
  readonly responses: Readonly<Record<string, Content>>;
}

interface Description {
  readonly openapi: string;
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

let bench: ServiceBench;
let description: Description;
beforeAll(async () => {
  bench = await startServiceBench();
  description = await bench.json<Description>('/openapi.json');
});
afterAll(() => bench.close());

/** The same where nothing may stand that is not described. */
function strict(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(strict);
  if (typeof schema !== 'object' || schema === null) return schema;
  const inner = Object.fromEntries(Object.entries(schema).map(([name, value]) => [name, strict(value)]));
  return 'properties' in inner ? { ...inner, additionalProperties: false } : inner;
}

function problems(schema: Schema | undefined, value: unknown): readonly string[] {
  if (!schema) return ['there is no schema'];
  const { errors } = new Validator(strict(schema) as Schema, '2020-12').validate(value);
  return errors.map(({ instanceLocation, error }) => `${instanceLocation}: ${error}`);
}

const operation = (method: string, path: string): Operation | undefined => description.paths[path]?.[method.toLowerCase()];

it('names every route of the service, and no other', () => {
  const described = Object.entries(description.paths).flatMap(([path, operations]) =>
    Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
  );
  const app = serviceApp({ token: '', hosts: [], origins: [], served: SERVED, log: () => undefined } as unknown as Parameters<
    typeof serviceApp
  >[0]);
  const served = app.routes
    .filter(({ path }) => path !== '/*')
    .map(({ method, path }) => `${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`);
  expect(described.sort()).toEqual([...new Set(served)].sort());
  expect(description.openapi).toBe('3.1.0');
});

describe.each(ROUTES.map((route) => [`${route.method} ${route.path}`, route] as const))('%s', (_name, route) => {
  it('has examples that its schema and the service take', () => {
    const { parameters = [], requestBody } = operation(route.method, route.path) ?? {};
    const { body, query, example } = route;
    const said = requestBody?.content?.['application/json'];
    if (body) {
      expect(problems(said?.schema, said?.example)).toEqual([]);
      expect(v.safeParse(body, said?.example).success).toBe(true);
    }
    for (const { name, schema, example: value } of parameters.filter((one) => one.in === 'query')) {
      const given = schema.type === 'integer' ? Number(value) : value;
      if (value !== undefined) expect(problems(schema, given), name).toEqual([]);
    }
    if (query) expect(v.safeParse(query, example?.query ?? {}).success).toBe(true);
    expect([body ? example?.body : {}, query ? example?.query : {}]).not.toContain(undefined);
  });
});

describe('what the service answers is as described', () => {
  const seen: ServiceEvent[] = [];
  const answers = async (path: string, described = path.split('?')[0] ?? '', init: RequestInit = {}) => {
    const answer = await bench.fetch(path, init);
    const status = String(answer.status);
    const { responses } = operation(init.method ?? 'GET', described) ?? { responses: {} };
    expect([described, problems(responses[status]?.content?.['application/json']?.schema, await answer.json())]).toEqual([described, []]);
  };

  it('to questions, in events and whole; to whoever approves', async () => {
    const append = { name: 'daily_note', args: { op: 'append', notebook: 'Work', markdown: 'x' } };
    const read = [
      { name: 'read_doc', args: { id: bench.note } },
      { name: 'read_doc', args: { id: '20200101000000-nothere' } },
    ];
    bench.model.push({ text: 'I look.', calls: read }, { text: 'Read.' });
    seen.push(...(await allEvents(await bench.send({ session_id: 'one', message: 'Read.' }))));
    bench.model.push({ calls: [append] }, { text: 'No.' });
    const events = eventsOf(await bench.send({ session_id: 'two', message: 'Note.' }));
    const asked = await nextEvent(events, 'approval_request');
    await answers('/api/chat/approvals');
    const decision = { method: 'POST', body: '{"decision":"reject","reason":"no"}' };
    await answers(`/api/chat/approvals/${asked.data.id}`, '/api/chat/approvals/{id}', decision);
    seen.push(asked);
    for await (const event of events) seen.push(event);
    bench.model.push({ calls: read }, { text: 'Read.' });
    await answers('/api/chat/send', '/api/chat/send', { method: 'POST', body: '{"message":"Whole?","stream":false}' });
    bench.model.push({ status: 400, body: '{"error":{"message":"no"}}' });
    seen.push(...(await allEvents(await bench.send({ message: 'Fail.' }))));
    await bench.settings({ groups: { agents: true } });
    const spawn = { name: 'spawn', args: { task: 'find', label: 'Find' } };
    bench.model.otherwise(routed({ chat: [{ calls: [spawn] }, { text: 'Found.' }], find: [{ calls: read }, { text: 'Here.' }] }));
    seen.push(...(await allEvents(await bench.send({ session_id: 'three', message: 'Find.' }))));
    const { schemas } = description.components;
    for (const { event, data } of seen) expect([event, problems(schemas[`Event_${event}`], data)]).toEqual([event, []]);
    const kinds = Object.keys(schemas).flatMap((name) => (name.startsWith('Event_') ? [name.slice(6)] : []));
    // Only what is slow is told of while it is written: turn-events.test.ts.
    expect(kinds.filter((kind) => !seen.some(({ event }) => event === kind))).toEqual(['tool_writing', 'reconnect']);
  });

  it('to who reads chats and records, and where it refuses', async () => {
    await answers('/api/chat/sessions');
    for (const query of ['', '?tool_mode=summary&limit=1'])
      await answers(`/api/chat/sessions/one/messages${query}`, '/api/chat/sessions/{id}/messages');
    await answers('/api/chat/sessions/three/messages', '/api/chat/sessions/{id}/messages');
    const nobody = '/api/chat/sessions/one/calls/some/abort';
    await answers(nobody, '/api/chat/sessions/{id}/calls/{call}/abort', { method: 'POST' });
    await answers('/api/chat/sessions/one/abort', '/api/chat/sessions/{id}/abort', { method: 'POST' });
    await answers('/api/tools/conversations');
    await answers('/api/tools/conversations/stats');
    const [{ id } = { id: '' }] = await bench.json<{ id: string }[]>('/api/tools/conversations?tool_name=read_doc&offset=1');
    await answers(`/api/chat/tool-calls/${id}`, '/api/chat/tool-calls/{id}');
    await answers('/api/tools/conversations?session_id=two', undefined, { method: 'DELETE' });
    await answers('/');
    await answers('/healthz');
    const refused = await bench.fetch('/api/tools/conversations?limit=0');
    expect(problems(description.components.schemas.Error, await refused.json())).toEqual([]);
  });
});
