import { toJsonSchema } from '@valibot/to-json-schema';
import * as v from 'valibot';
import { EVENTS, errorAnswer } from './answers.ts';
import { numbersOf } from './query.ts';
import type { RouteDescription } from './served-feature.ts';

type Json = Readonly<Record<string, unknown>>;

/** valibot's JSON Schema of what is sent; checks by functions are left out. */
function schemaOf(schema: v.GenericSchema): Json {
  const { $schema: _said, ...made } = toJsonSchema(schema, { typeMode: 'input', errorMode: 'ignore', target: 'draft-2020-12' });
  return made;
}

/** In an address numbers are digits; a description calls them numbers. */
function parameterSchema(schema: v.GenericSchema): Json {
  const numbers = numbersOf(schema);
  if (!numbers) return schemaOf(schema);
  const { default: given } = schemaOf(schema);
  return { type: 'integer', minimum: numbers.from, maximum: numbers.to, ...(given === undefined ? {} : { default: Number(given) }) };
}

const pathParameters = (path: string): readonly Json[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({ name, in: 'path', required: true, schema: { type: 'string' } }));

function queryParameters({ query, example }: RouteDescription): readonly Json[] {
  return Object.entries(query?.entries ?? {}).map(([name, schema]) => {
    const value = example?.query?.[name];
    const description = v.getDescription(schema);
    return {
      name,
      in: 'query',
      required: false,
      schema: parameterSchema(schema),
      description,
      example: value,
    };
  });
}

const EVENT_WORDS = Object.keys(EVENTS)
  .map((name) => `\`${name}\``)
  .join(', ');
const EVENT_STREAM = {
  description: `Server-sent events ${EVENT_WORDS}; \`data\` is JSON, of the schema \`Event_<name>\``,
  content: { 'text/event-stream': { schema: { type: 'string' } } },
};

function answerOf({ answer, events }: RouteDescription): Json {
  const whole = answer ? { 'application/json': { schema: schemaOf(answer) } } : {};
  if (!events) return { description: 'Done', content: whole };
  return { description: EVENT_STREAM.description, content: { ...EVENT_STREAM.content, ...whole } };
}

function operationOf(route: RouteDescription): Json {
  const { summary, body, example, status = '200', open = false, headers = {}, alsoStatus = {} } = route;
  const parameters = [...pathParameters(route.path), ...queryParameters(route), ...(route.headerParameters ?? [])];
  return {
    summary,
    operationId: `${route.method.toLowerCase()}${route.path.replaceAll(/[^a-z]+(\w)/gi, (_, letter: string) => letter.toUpperCase()).replaceAll(/\W/g, '')}`,
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(body
      ? { requestBody: { required: true, content: { 'application/json': { schema: schemaOf(body), example: example?.body } } } }
      : {}),
    responses: {
      [status]: { ...answerOf(route), ...(Object.keys(headers).length > 0 ? { headers } : {}) },
      ...alsoStatus,
      default: { $ref: '#/components/responses/Refused' },
    },
    ...(open ? { security: [] } : {}),
  };
}

function pathsOf(described: readonly RouteDescription[]): Json {
  const byPath = Map.groupBy(described, ({ path }) => path);
  const entries = [...byPath].map(
    ([path, routes]) => [path, routes.map((route) => [route.method.toLowerCase(), operationOf(route)])] as const,
  );
  return Object.fromEntries(entries.map(([path, operations]) => [path, Object.fromEntries(operations)]));
}

/** The description of the service's routes, as OpenAPI 3.1. */
export function openApiDescription(routes: readonly RouteDescription[]): Json {
  const events = Object.entries(EVENTS).map(([name, schema]) => [`Event_${name}`, schemaOf(schema)]);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Marginalia service',
      version: '0.1.0',
      summary: 'A chat whose model reads and edits the notes of a SiYuan workspace',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }],
    security: [{ token: [] }],
    paths: pathsOf(routes),
    components: {
      securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
      schemas: { Error: schemaOf(errorAnswer), ...Object.fromEntries(events) },
      responses: {
        Refused: {
          description: 'Refused; next says what to do',
          content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
        },
      },
    },
  };
}
