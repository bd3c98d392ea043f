import {
  Client,
  type FetchLike,
  InsufficientScopeError,
  ProtocolError,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  StreamableHTTPClientTransport,
  type Transport,
  UrlElicitationRequiredError,
} from '@modelcontextprotocol/client';
import { takePlainMessages } from '../../tools/connections/plain-messages.ts';
import { describeThrown, isToolError, ToolError } from '../../tools/contract/errors.ts';
import type { AskForm } from '../../tools/contract/types.ts';
import { linkSignals } from '../../tools/util/abort.ts';
import { frameName } from '../../tools/util/markers.ts';
import { fieldOf } from '../../tools/util/plain-value.ts';
import { foreignText, type KeepPicture } from './foreign-result.ts';
import type { ForeignTool } from './foreign-tool.ts';
import { lenientResponse } from './lenient-messages.ts';
import { destinationOf, type McpServerConfig } from './server-config.ts';
import { ServerForms } from './server-forms.ts';
import { type ServerSignIn, signInWanted } from './sign-in/server-sign-in.ts';
import { limited } from './sign-in/sign-in-fetch.ts';

/** Bytes of one answer of a server. */
const MAX_ANSWER = 10 * 1024 * 1024;
export const CONNECT_MS = 15_000;
const MAX_PAGES = 10;
/** Tools that are counted of a list without end. */
const MAX_LISTED = 1000;

export interface ConnectionDeps {
  /** A server that is a program; absent: none can be started here. */
  readonly startProgram?: ((config: McpServerConfig) => Transport) | undefined;
  readonly version: string;
  /** Sends requests to an address; default: the program's own `fetch`. */
  readonly fetchFor?: ((address: string) => typeof fetch) | undefined;
  /** The login of this server; absent: it takes a key, or none. */
  readonly signIn?: ServerSignIn | undefined;
  /** Pictures in results are shown; absent: they are only named. */
  readonly keepPicture?: KeepPicture | undefined;
  /** The server says that its tools have changed. */
  readonly onToolsChanged: () => void;
  /** The server says that its resources or prompts have changed, or was connected to again. */
  readonly onOffersChanged: () => void;
}

export interface ForeignCall {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly signal: AbortSignal;
  readonly onProgress: (message: string) => void;
  /** Shows the person what the server asks; absent: nobody can answer. */
  readonly askForm?: AskForm | undefined;
}

/** Refusals that a login answers, and nothing else, go on to the SDK. */
const isForSignIn = ({ status, headers }: Response): boolean =>
  status === 401 || (status === 403 && /error="?insufficient_scope/i.test(headers.get('www-authenticate') ?? ''));

const limitedFetch =
  (send: typeof fetch = fetch, hasSignIn = false): FetchLike =>
  async (url, init) => {
    const response = await send(url, init);
    const { status } = response;
    if ((status === 401 || status === 403) && !(hasSignIn && isForSignIn(response)))
      throw new ToolError('mcp_refused', `the MCP server refused the request (${status})`, 'tell the user to check its key');
    return lenientResponse(limited(response, MAX_ANSWER));
  };

/** The session is gone, and nothing was done: by the protocol 404; the protocol's own example server answers 400. */
const hasForgotten = (error: unknown): boolean =>
  SdkHttpError.isInstance(error) && (error.status === 404 || (error.status === 400 && /session/i.test(error.message)));

const pageWanted = (pages: readonly string[]): ToolError =>
  new ToolError(
    'mcp_failed',
    'the server does this only after the user has done something on a page of it',
    'ask the user to say when that is done, and make the call again then',
    undefined,
    pages.join('\n').slice(0, 2000),
  );

/** A list of a server, page by page, as far as it is taken: pages can have no end. */
export async function allPages<Item>(
  most: number,
  read: (cursor: { readonly cursor?: string }) => Promise<{ readonly items: readonly Item[]; readonly next?: string | undefined }>,
): Promise<readonly Item[]> {
  const found: Item[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < MAX_PAGES && found.length < most; page += 1) {
    const { items, next } = await read(cursor === undefined ? {} : { cursor });
    found.push(...items.slice(0, most - found.length));
    cursor = next;
    if (cursor === undefined) break;
  }
  return found;
}

/** The connection to one server: opened when it is needed, and again when it broke. */
export class McpConnection {
  private readonly config: McpServerConfig;
  private readonly deps: ConnectionDeps;
  private readonly forms: ServerForms;
  private opening: Promise<Client> | undefined;

  constructor(config: McpServerConfig, deps: ConnectionDeps) {
    this.config = config;
    this.deps = deps;
    this.forms = new ServerForms({ server: config.name, destination: destinationOf(config) });
  }

  /** All of them. Rejects with ToolError. */
  async tools(signal: AbortSignal): Promise<readonly ForeignTool[]> {
    const options = { signal, timeout: CONNECT_MS };
    return this.use(async (client) => {
      // The SDK keeps what it lists, for the headers of calls; a list without end, or that is not announced, it does not read.
      const known = client.getServerCapabilities()?.tools && client.listTools(undefined, { ...options, cacheMode: 'refresh' });
      const listed = await known?.catch((error: unknown) => {
        if (!(error instanceof SdkError && error.code === SdkErrorCode.ListPaginationExceeded)) throw error;
      });
      if (listed) return listed.tools;
      return allPages(MAX_LISTED, async (params) => {
        const { tools, nextCursor } = await client.request({ method: 'tools/list', params }, options);
        return { items: tools, next: nextCursor };
      });
    });
  }

  /** The text of its result. Rejects with ToolError; what the server says of its failure is `quoted`. */
  async call({ tool, args, signal, onProgress, askForm }: ForeignCall): Promise<string> {
    const reported: string[] = [];
    const result = await this.answering({ askForm, stopped: signal, reported }, (client) =>
      client
        .callTool(
          { name: tool, arguments: { ...args } },
          // The executor limits its time.
          { signal, timeout: 24 * 60 * 60 * 1000, onprogress: ({ message }) => onProgress(message ?? '') },
        )
        .catch((error: unknown) => this.showPages(error, signal)),
    );
    const said = await foreignText(result, { tool, signal, keepPicture: this.deps.keepPicture });
    const text = [...reported.map((words) => `[${words}]`), said].join('\n');
    if (fieldOf(result, 'isError') !== true) return text;
    throw new ToolError(
      'tool_failed',
      `${frameName(tool, 80)} failed at the server`,
      'try other arguments, or tell the user',
      undefined,
      text,
    );
  }

  async close(): Promise<void> {
    const { opening } = this;
    this.opening = undefined;
    await (await opening?.catch(() => undefined))?.close();
  }

  /** Like `use`, while the server may ask the person; a failure says what became of that. */
  async answering<T>(asking: Parameters<ServerForms['during']>[0], work: (client: Client) => Promise<T>): Promise<T> {
    try {
      return await this.use((client) => this.forms.during(asking, () => work(client)));
    } catch (error) {
      if (asking.reported.length === 0 || !isToolError(error)) throw error;
      // Titles of its fields are its own words.
      const quoted = [...asking.reported, error.quoted ?? ''].join('\n');
      const code = asking.askForm ? error.code : 'mcp_asks';
      throw new ToolError(code, error.message, error.next, error.detail, quoted);
    }
  }

  /** The tool wants a page opened before it is called: the person is shown it. Rejects with any other error. */
  private async showPages(error: unknown, signal: AbortSignal): Promise<never> {
    if (!UrlElicitationRequiredError.isInstance(error)) throw error;
    for (const page of error.elicitations) await this.forms.answer({ ...page, mode: 'url' }, signal);
    throw error;
  }

  /** Works with the open connection, or opens one. Rejects with ToolError. */
  async use<T>(work: (client: Client) => Promise<T>): Promise<T> {
    const known = this.opening;
    try {
      this.opening ??= this.open();
      return await work(await this.opening);
    } catch (error) {
      if (error instanceof Error && error.name === 'AbortError') throw error;
      // It answered: the connection is good.
      if (UrlElicitationRequiredError.isInstance(error)) throw pageWanted(error.elicitations.map(({ url }) => url));
      if (ProtocolError.isInstance(error)) throw this.failure('mcp_failed', error);
      if (InsufficientScopeError.isInstance(error) && this.deps.signIn)
        throw this.deps.signIn.want({ scope: error.requiredScope, resourceMetadataUrl: error.resourceMetadataUrl });
      await this.close();
      // Refused with a token, too.
      if (SdkHttpError.isInstance(error) && error.status === 401 && this.deps.signIn) throw signInWanted();
      if (known && hasForgotten(error)) return this.use(work);
      const causes = [error, error instanceof Error ? error.cause : undefined];
      const own = causes.find(isToolError);
      throw own ?? this.failure(causes.some((cause) => cause instanceof TypeError) ? 'mcp_unreachable' : 'mcp_failed', error);
    }
  }

  private failure(code: 'mcp_failed' | 'mcp_unreachable', error: unknown): ToolError {
    const why = describeThrown(error);
    const what = code === 'mcp_failed' ? 'failed' : 'cannot be reached';
    return new ToolError(
      code,
      `the MCP server “${this.config.name}” ${what}`,
      'go on without it, or tell the user',
      why,
      why.slice(0, 500),
    );
  }

  private async open(): Promise<Client> {
    const client = new Client(
      { name: 'marginalia', version: this.deps.version },
      // It can ask the person by a form or a page, and us for nothing: no models, no folders.
      { capabilities: { elicitation: { form: {}, url: {} } }, versionNegotiation: { mode: 'auto' }, listMaxPages: MAX_PAGES },
    );
    const forget = (): void => {
      this.opening = undefined;
    };
    client.onclose = forget;
    client.setNotificationHandler('notifications/tools/list_changed', () => this.deps.onToolsChanged());
    client.setRequestHandler('elicitation/create', ({ params }, { mcpReq }) => this.forms.answer(params, mcpReq.signal));
    for (const list of ['resources', 'prompts'] as const)
      client.setNotificationHandler(`notifications/${list}/list_changed`, () => this.deps.onOffersChanged());
    const time = linkSignals([], CONNECT_MS);
    try {
      await client.connect(takePlainMessages(this.transport()), { signal: time.signal, timeout: CONNECT_MS });
      this.deps.onOffersChanged();
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
    const { signIn } = this.deps;
    if (url !== undefined)
      return new StreamableHTTPClientTransport(new URL(url), {
        fetch: limitedFetch(this.deps.fetchFor?.(url), signIn !== undefined),
        requestInit: { headers: { ...headers } },
        ...(signIn ? { authProvider: signIn.asAuthProvider() } : {}),
      });
    if (command !== undefined && this.deps.startProgram) return this.deps.startProgram(this.config);
    throw new ToolError('program_missing', `the MCP server “${name}” is a program, and none can be started here`, 'go on without it');
  }
}
