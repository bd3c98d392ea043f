import { createParser } from 'eventsource-parser';
import { APIError } from 'openai';
import { fieldOf } from '../tools/util/plain-value.ts';

/** The answer is neither an event stream nor JSON; `excerpt` is its beginning. */
export class NotAnAnswer extends Error {
  readonly contentType: string;
  readonly excerpt: string;

  constructor(contentType: string, excerpt: string) {
    super(`unexpected ${contentType || 'content without a type'}`);
    this.name = 'NotAnAnswer';
    this.contentType = contentType;
    this.excerpt = excerpt;
  }
}

/** Called for each chunk in the moment when it arrives. */
type TakeChunk = (chunk: unknown) => void;

const END = '[DONE]';

function parseJson(body: string): { readonly value: unknown } | null {
  try {
    return { value: JSON.parse(body) };
  } catch {
    return null;
  }
}

/**
 * Reads a successful response of `/chat/completions` to its end. Resolves with whether that was the end of the answer: a stream that is
 * cut says no more. Servers without streaming answer JSON although a stream was asked for, and some forget the content type: both are
 * read. Rejects with NotAnAnswer for anything else, with APIError for a failure that the server tells in the stream, with SyntaxError for
 * a chunk that is not JSON.
 */
export async function readAnswer(response: Response, take: TakeChunk): Promise<boolean> {
  const contentType = response.headers.get('content-type') ?? '';
  if (/event-stream/i.test(contentType)) return readEvents(response, take);
  const body = await response.text();
  if (/^\s*(?:data|event|id|:)/.test(body)) return readEvents(new Response(body, { headers: response.headers }), take);
  const json = parseJson(body);
  if (!json) throw new NotAnAnswer(contentType, body.slice(0, 200));
  take(json.value);
  return true;
}

async function readEvents(response: Response, take: TakeChunk): Promise<boolean> {
  let sawEnd = false;
  const parser = createParser({
    onEvent({ event, data }) {
      if (sawEnd) return;
      sawEnd = data === END;
      if (!sawEnd) take(chunkOf(event, data, response.headers));
    },
  });
  const reader = response.body?.getReader();
  const decoder = new TextDecoder();
  try {
    while (reader && !sawEnd) {
      const { done, value } = await reader.read();
      // The last event of some servers has no empty line after it.
      parser.feed(done ? `${decoder.decode()}\n\n` : decoder.decode(value, { stream: true }));
      if (done) break;
    }
    return sawEnd;
  } finally {
    // Nothing more is read of it; that it may have broken already has been told.
    reader?.cancel().catch(() => undefined);
  }
}

function chunkOf(event: string | undefined, data: string, headers: Headers): unknown {
  const json = parseJson(data);
  if (!json) throw new SyntaxError('an event of the stream is not JSON');
  const error = fieldOf(json.value, 'error');
  if (event === 'error' || error) throw new APIError(undefined, detailsOf(error ?? json.value), undefined, headers);
  return json.value;
}

const detailsOf = (failure: unknown): object => (typeof failure === 'object' && failure !== null ? failure : { message: String(failure) });
