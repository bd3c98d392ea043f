// Answers of servers as the SDK takes them: it refuses a whole list, or a whole result, for one entry that is not by the protocol.
import { specTypeSchemas } from '@modelcontextprotocol/client';
import { withoutNulls } from '../../tools/connections/absent-nulls.ts';
import { WholePieces } from '../../tools/connections/program-pipe.ts';
import { fieldOf, isRecord, textOrEmpty, whyNotPlain } from '../../tools/util/plain-value.ts';

type Fields = Readonly<Record<string, unknown>>;

const texts = (item: unknown, ...names: readonly string[]): Fields =>
  Object.fromEntries(names.flatMap((name) => (typeof fieldOf(item, name) === 'string' ? [[name, fieldOf(item, name)]] : [])));

const hints = (item: unknown, ...names: readonly string[]): Fields =>
  Object.fromEntries(names.flatMap((name) => (typeof fieldOf(item, name) === 'boolean' ? [[name, fieldOf(item, name)]] : [])));

/** No schema counts as one without fields. */
function inputSchema(schema: unknown): unknown {
  if (schema === undefined) return { type: 'object' };
  if (!isRecord(schema)) return schema;
  const { properties, required, ...rest } = schema;
  return {
    type: 'object',
    ...rest,
    ...(isRecord(properties) ? { properties } : {}),
    ...(Array.isArray(required) ? { required: required.filter((name) => typeof name === 'string') } : {}),
  };
}

/** What is used of a tool. One that cannot be offered has no name, so that it is counted. */
function tool(item: unknown): unknown {
  const made = {
    ...texts(item, 'name', 'description'),
    inputSchema: inputSchema(fieldOf(item, 'inputSchema')),
    annotations: hints(fieldOf(item, 'annotations'), 'readOnlyHint', 'destructiveHint'),
  };
  const isOdd = whyNotPlain(made) !== undefined || 'issues' in specTypeSchemas.Tool['~standard'].validate(made);
  return isOdd ? { name: '', inputSchema: { type: 'object' } } : made;
}

const named = (item: unknown, id: string): Fields => ({
  name: textOrEmpty(fieldOf(item, id)),
  ...texts(item, 'name', id, 'title', 'description', 'mimeType'),
});

function prompt(item: unknown): Fields {
  const fields = fieldOf(item, 'arguments');
  const made = (Array.isArray(fields) ? fields : []).map((field: unknown) => ({
    ...texts(field, 'name', 'description'),
    ...hints(field, 'required'),
  }));
  return { ...texts(item, 'name', 'title', 'description'), arguments: made.filter((field) => 'name' in field) };
}

/** A part of a result or of a prompt. One that the protocol does not have is named. */
function part(item: unknown): unknown {
  if (typeof item === 'string') return { type: 'text', text: item };
  const type = textOrEmpty(fieldOf(item, 'type'));
  const resource = fieldOf(item, 'resource');
  const made = {
    ...(type === 'resource_link' ? named(item, 'uri') : {}),
    ...texts(item, 'type', 'text', 'data', 'mimeType'),
    ...(isRecord(resource) ? { resource: texts(resource, 'uri', 'text', 'blob', 'mimeType') } : {}),
  };
  if (!('issues' in specTypeSchemas.ContentBlock['~standard'].validate(made))) return made;
  return { type: 'text', text: type === 'text' ? '' : `[${type || 'a part'}, not shown]` };
}

function message(item: unknown): readonly unknown[] {
  const content = fieldOf(item, 'content');
  const role = fieldOf(item, 'role') === 'assistant' ? 'assistant' : 'user';
  return (Array.isArray(content) ? content : [content]).map((one) => ({ role, content: part(one) }));
}

const only =
  (id: string, make: (item: unknown) => Fields) =>
  (item: unknown): readonly unknown[] => {
    const made = make(item);
    return made[id] === undefined ? [] : [made];
  };

function contents(item: unknown): readonly unknown[] {
  const made = texts(item, 'uri', 'text', 'blob', 'mimeType');
  const { TextResourceContents: text, BlobResourceContents: blob } = specTypeSchemas;
  return [text, blob].some((schema) => !('issues' in schema['~standard'].validate(made))) ? [made] : [];
}

/** The lists of results, each entry by itself. */
const LISTS: ReadonlyMap<string, (item: unknown) => readonly unknown[]> = new Map(
  Object.entries({
    tools: (item) => [tool(item)],
    resources: only('uri', (item) => named(item, 'uri')),
    resourceTemplates: only('uriTemplate', (item) => named(item, 'uriTemplate')),
    prompts: only('name', prompt),
    content: (item) => [part(item)],
    messages: message,
    contents,
  }),
);

function lenientResult(result: Fields): Fields {
  const { structuredContent, ...rest } = result;
  const lists = Object.entries(rest).map(([name, value]) => {
    const make = LISTS.get(name);
    const made = make ? (Array.isArray(value) ? value : [value]).flatMap(make) : [];
    // Where nothing is left, the SDK says what is wrong.
    return [name, made.length === 0 ? value : made] as const;
  });
  const clean = Object.fromEntries(lists);
  if (structuredContent === undefined || structuredContent === null) return clean;
  if (isRecord(structuredContent)) return { ...clean, structuredContent };
  const isEmpty = !Array.isArray(clean.content) || clean.content.length === 0;
  return isEmpty ? { ...clean, content: [part(JSON.stringify(structuredContent))] } : clean;
}

/** A list that is null is empty, and so is a result. */
function lenientMessage(message: unknown): unknown {
  const clean = withoutNulls(message);
  if (!isRecord(message) || !isRecord(clean) || message.result === undefined || clean.error !== undefined) return clean;
  const empty = [...LISTS.keys()].filter((name) => fieldOf(message.result, name) === null);
  const result = { ...Object.fromEntries(empty.map((name) => [name, []])), ...(isRecord(clean.result) ? clean.result : {}) };
  return { ...clean, result: lenientResult(result) };
}

/** A message as JSON, or a list of them, as the SDK takes it. What is no JSON, or cannot be written as it, stays as it is. */
export function lenientJson(text: string): string {
  try {
    const value: unknown = JSON.parse(text);
    return JSON.stringify(Array.isArray(value) ? value.map(lenientMessage) : lenientMessage(value));
  } catch {
    return text; // The SDK says what is wrong with it.
  }
}

/** An event of a stream, without the blank line behind it. */
function lenientEvent(event: string): string {
  const lines = event.split(/\r?\n/);
  const data = lines.filter((line) => line.startsWith('data:')).map((line) => line.slice(5).replace(/^ /, ''));
  if (data.join('').trim() === '') return event;
  return [...lines.filter((line) => !line.startsWith('data:')), `data: ${lenientJson(data.join('\n'))}`].join('\n');
}

/** An answer over HTTP, of one message or a stream of events. */
export function lenientResponse(response: Response): Response {
  const { status, statusText, headers, body } = response;
  const isStream = headers.get('content-type')?.includes('text/event-stream') ?? false;
  if (!body || status < 200 || (!isStream && !headers.get('content-type')?.includes('json'))) return response;
  // What is no stream is one piece.
  const pieces = new WholePieces(isStream ? /\r?\n\r?\n/ : /(?!)/, 4);
  const lines = new TransformStream<string, string>({
    transform(text, controller) {
      for (const event of pieces.take(text)) controller.enqueue(`${lenientEvent(event)}\n\n`);
    },
    flush: (controller) => controller.enqueue(isStream ? lenientEvent(pieces.end()) : lenientJson(pieces.end())),
  });
  const text = body.pipeThrough(new TextDecoderStream()).pipeThrough(lines).pipeThrough(new TextEncoderStream());
  return new Response(text, { status, statusText, headers });
}
