import { Client, type FetchLike, StreamableHTTPClientTransport, type Transport } from '@modelcontextprotocol/client';
import { isToolError, ToolError } from '../../tools/contract/errors.ts';
import { linkSignals } from '../../tools/util/abort.ts';
import { fieldOf } from '../../tools/util/plain-value.ts';
import { foreignText } from './foreign-result.ts';
import { type ForeignTool, MAX_TOOLS } from './foreign-tool.ts';
import type { McpServerConfig } from './server-config.ts';

/** Bytes of one answer of a server. */
const MAX_ANSWER = 10 * 1024 * 1024;
const CONNECT_MS = 15_000;
const MAX_PAGES = 10;

export interface ConnectionDeps {
  /** A server that is a program; absent: none can be started here. */
  readonly startProgram?: ((config: McpServerConfig) => Transport) | undefined;
  readonly version: string;
  /** The server says that its tools have changed. */
  readonly onToolsChanged: () => void;
}

export interface ForeignCall {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly signal: AbortSignal;
  readonly onProgress: (message: string) => void;
}

/** An answer that ends when it becomes too long: an endless one would fill the memory. */
const limitedFetch =
  (most = MAX_ANSWER, send: typeof fetch = fetch): FetchLike =>
  async (url, init) => {
    const response = await send(url, init);
    let size = 0;
    const counted = new TransformStream<Uint8Array, Uint8Array>({
      transform(part, controller) {
        size += part.byteLength;
        if (size > most) controller.error(new ToolError('too_large', `the server sent more than ${most} bytes`, 'ask for less'));
        else controller.enqueue(part);
      },
    });
    const { status, statusText, headers } = response;
    const body = response.body?.pipeThrough(counted) ?? null;
    return new Response(body, { status, statusText, headers });
  };

/** The connection to one server: opened when it is needed, and again when it broke. */
export class McpConnection {
  private readonly config: McpServerConfig;
  private readonly deps: ConnectionDeps;
  private opening: Promise<Client> | undefined;

  constructor(config: McpServerConfig, deps: ConnectionDeps) {
    this.config = config;
    this.deps = deps;
  }

  /** Rejects with ToolError. */
  async tools(signal: AbortSignal): Promise<readonly ForeignTool[]> {
    return this.ask(async (client) => {
      const found: ForeignTool[] = [];
      let cursor: string | undefined;
      for (let page = 0; page < MAX_PAGES && found.length < MAX_TOOLS; page += 1) {
        const listed = await client.request(
          { method: 'tools/list', params: cursor === undefined ? {} : { cursor } },
          { signal, timeout: CONNECT_MS },
        );
        found.push(...listed.tools);
        cursor = listed.nextCursor;
        if (cursor === undefined) break;
      }
      return found.slice(0, MAX_TOOLS);
    });
  }

  /** The text of its result. Rejects with ToolError; what the server says of its failure is `quoted`. */
  async call({ tool, args, signal, onProgress }: ForeignCall): Promise<string> {
    const result = await this.ask((client) =>
      client.request(
        { method: 'tools/call', params: { name: tool, arguments: { ...args } } },
        // The executor limits its time.
        { signal, timeout: 24 * 60 * 60 * 1000, onprogress: ({ message }) => onProgress(message ?? '') },
      ),
    );
    const text = foreignText(result);
    if (fieldOf(result, 'isError') !== true) return text;
    throw new ToolError('tool_failed', `${tool} failed at the server`, 'try other arguments, or tell the user', undefined, text);
  }

  async close(): Promise<void> {
    const { opening } = this;
    this.opening = undefined;
    await (await opening?.catch(() => undefined))?.close();
  }

  private async ask<T>(work: (client: Client) => Promise<T>): Promise<T> {
    try {
      this.opening ??= this.open();
      return await work(await this.opening);
    } catch (error) {
      if (isToolError(error)) throw error;
      if (error instanceof Error && error.name === 'AbortError') throw error;
      const why = error instanceof Error ? error.message : String(error);
      throw new ToolError(
        'site_unreachable',
        `the MCP server “${this.config.name}” failed`,
        'go on without it, or tell the user',
        why,
        why.slice(0, 500),
      );
    }
  }

  private async open(): Promise<Client> {
    const client = new Client(
      { name: 'marginalia', version: this.deps.version },
      // It can ask us for nothing: no answers of people, no models, no folders.
      { capabilities: {}, versionNegotiation: { mode: 'auto' } },
    );
    const forget = (): void => {
      this.opening = undefined;
    };
    client.onclose = forget;
    client.setNotificationHandler('notifications/tools/list_changed', () => this.deps.onToolsChanged());
    const time = linkSignals([], CONNECT_MS);
    try {
      await client.connect(this.transport(), { signal: time.signal, timeout: CONNECT_MS });
      return client;
    } catch (error) {
      forget();
      await client.close().catch(() => undefined);
      throw error;
    } finally {
      time.release();
    }
  }

  private transport(): Transport {
    const { url, headers, command, name } = this.config;
    if (url !== undefined)
      return new StreamableHTTPClientTransport(new URL(url), { fetch: limitedFetch(), requestInit: { headers: { ...headers } } });
    if (command !== undefined && this.deps.startProgram) return this.deps.startProgram(this.config);
    throw new ToolError('program_missing', `the MCP server “${name}” is a program, and none can be started here`, 'go on without it');
  }
}
