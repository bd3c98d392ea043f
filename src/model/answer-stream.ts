import type OpenAI from 'openai';
import { Stream } from 'openai/streaming';

/** What a server sent back, as chunks; `sawEnd` tells after the last chunk whether the stream was closed by `[DONE]`. */
export interface AnswerChunks {
  readonly chunks: AsyncIterable<unknown>;
  readonly sawEnd: () => boolean;
}

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

const TAIL_BYTES = 64;

/** Passes bytes through and remembers the last few: only they tell a stream that ended from one that was cut. */
function withTail(response: Response): { response: Response; tail: () => string } {
  if (!response.body) return { response, tail: () => '' };
  let last = new Uint8Array(0);
  const keep = new TransformStream<Uint8Array, Uint8Array>({
    transform(bytes, controller) {
      const joined = new Uint8Array(last.length + Math.min(bytes.length, TAIL_BYTES));
      joined.set(last);
      joined.set(bytes.subarray(Math.max(0, bytes.length - TAIL_BYTES)), last.length);
      last = joined.slice(Math.max(0, joined.length - TAIL_BYTES));
      controller.enqueue(bytes);
    },
  });
  const body = response.body.pipeThrough(keep);
  return { response: new Response(body, { headers: response.headers }), tail: () => new TextDecoder().decode(last) };
}

function parseJson(body: string): { readonly value: unknown } | null {
  try {
    return { value: JSON.parse(body) };
  } catch {
    return null;
  }
}

async function* one(value: unknown): AsyncGenerator<unknown> {
  yield value;
}

/**
 * Reads a successful response of `/chat/completions`. Servers without streaming answer JSON although a stream was asked
 * for, and some forget the content type: both are read. Rejects with NotAnAnswer for anything else.
 */
export async function readAnswer(response: Response, controller: AbortController, client: OpenAI): Promise<AnswerChunks> {
  const contentType = response.headers.get('content-type') ?? '';
  if (/event-stream/i.test(contentType)) return readEvents(response, controller, client);
  const body = await response.text();
  if (/^\s*(?:data|event|id|:)/.test(body)) return readEvents(new Response(body), controller, client);
  const json = parseJson(body);
  if (!json) throw new NotAnAnswer(contentType, body.slice(0, 200));
  return { chunks: one(json.value), sawEnd: () => true };
}

/** The client is passed for its log level only: without it a broken line is printed to the console. */
function readEvents(response: Response, controller: AbortController, client: OpenAI): AnswerChunks {
  const watched = withTail(response);
  return { chunks: Stream.fromSSEResponse<unknown>(watched.response, controller, client), sawEnd: () => watched.tail().includes('[DONE]') };
}
