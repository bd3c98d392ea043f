import type { IncomingHttpHeaders } from 'node:http';
import type { Kernel } from './kernel.ts';

export type AnswerBody = string | Uint8Array | AsyncIterable<string | Uint8Array>;

/** An answer that is not the usual envelope: a file's bytes, another HTTP status, or a stream that is sent as it comes. */
export class RawAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: AnswerBody;

  constructor(status: number, contentType: string, body: AnswerBody, headers: Readonly<Record<string, string>> = {}) {
    this.status = status;
    this.headers = { 'Content-Type': contentType, ...headers };
    this.body = body;
  }
}

export interface UploadedFile {
  readonly field: string;
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** What a handler may know of its request besides the JSON body. */
export interface RequestContext {
  readonly kernel: Kernel;
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  /** Aborted when the client goes away before the answer is complete. */
  readonly signal: AbortSignal;
  /** Files of a multipart form; its other fields are the body. */
  readonly files: readonly UploadedFile[];
}

/** The JSON body, or the text fields of a form. `{}` when the request had none. */
export type RequestBody = Record<string, unknown>;

/** Returns `data` of the envelope, or a RawAnswer; throws ApiError for an expected failure. */
export type Handler = (body: RequestBody, context: RequestContext) => unknown;

export interface Route {
  readonly handle: Handler;
  /** Changes the workspace: refused in read-only mode. */
  readonly writes?: boolean;
}

/** Path → handler. `{handle, writes: true}` marks a route that read-only mode refuses; a bare function only reads. */
export type RouteTable = Readonly<Record<string, Handler | Route>>;

export interface Envelope {
  readonly code: number;
  readonly msg: string;
  readonly data: unknown;
}

/** Joins tables into one; a path that two tables claim is a programmer error. */
export function joinRoutes(...tables: readonly RouteTable[]): Map<string, Route> {
  const routes = new Map<string, Route>();
  for (const table of tables) {
    for (const [path, entry] of Object.entries(table)) {
      if (routes.has(path)) throw new Error(`route ${path} is defined twice`);
      routes.set(path, typeof entry === 'function' ? { handle: entry } : entry);
    }
  }
  return routes;
}

/** A string field of a body, or undefined when it is missing or of another type. */
export function textField(body: RequestBody, key: string): string | undefined {
  const value = body[key];
  return typeof value === 'string' ? value : undefined;
}
