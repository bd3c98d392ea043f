// A server of tools that answers only whoever signed in, and the login (OAuth 2.1) that it names: small, exact, and rude where a test asks.
import { createHash, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface LoginOptions {
  /** Whether programs can register by themselves. Default: yes. */
  readonly registers?: boolean;
  /** Clients made by hand. */
  readonly clients?: readonly string[];
  /** What the documents say otherwise. */
  readonly login?: Readonly<Record<string, unknown>>;
  readonly resource?: Readonly<Record<string, unknown>>;
  /** The `iss` of what comes back: of another server. */
  readonly answersAs?: string;
  /** The login's own name ends with a slash, which the resource leaves out. */
  readonly slash?: boolean;
  /** Whether the browser comes back with a refusal. */
  readonly denies?: boolean;
  /** Scope without which a call is refused. */
  readonly callScope?: string;
  /** No token that makes others. */
  readonly noRefresh?: boolean;
}

interface Grant {
  readonly client: string;
  readonly challenge: string;
  readonly redirect: string;
  readonly resource: string;
  readonly scope: string;
}

const json = (response: ServerResponse, body: object, status = 200, headers: Readonly<Record<string, string>> = {}): void =>
  void response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));

async function textOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const part of request) text += part;
  return text;
}

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const token = (): string => randomBytes(12).toString('hex');

/** What both servers know of. */
function createGrants(first: LoginOptions) {
  const now = { options: first };
  const codes = new Map<string, Grant>();
  const refreshes = new Map<string, Grant>();
  const tokens = new Map<string, Grant>();
  const clients = new Set<string>(first.clients);
  const issue = (grant: Grant): object => {
    const [access, refresh] = [`access-${token()}`, `refresh-${token()}`];
    tokens.set(access, grant);
    const { noRefresh } = now.options;
    if (!noRefresh) refreshes.set(refresh, grant);
    return { access_token: access, token_type: 'Bearer', scope: grant.scope, ...(noRefresh ? {} : { refresh_token: refresh }) };
  };
  /** Once each. */
  const take = (from: Map<string, Grant>, key: string): Grant | undefined => {
    const grant = from.get(key);
    from.delete(key);
    return grant;
  };
  const redeem = (form: URLSearchParams): Grant | string => {
    const isRefresh = form.get('grant_type') === 'refresh_token';
    const grant = isRefresh ? take(refreshes, form.get('refresh_token') ?? '') : take(codes, form.get('code') ?? '');
    if (!grant || grant.client !== form.get('client_id')) return 'invalid_grant';
    const verifier = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    if (!isRefresh && (verifier !== grant.challenge || form.get('redirect_uri') !== grant.redirect)) return 'invalid_grant';
    return form.get('resource') === grant.resource ? grant : 'invalid_target';
  };
  return { now, codes, refreshes, tokens, clients, issue, redeem };
}

type Grants = ReturnType<typeof createGrants>;

const issuerOf = ({ slash }: LoginOptions, login: string): string => (slash ? `${login}/` : login);

/** The person in front of the browser agrees at once, or refuses. */
function authorize({ now, clients, codes }: Grants, login: string, url: URL, response: ServerResponse): unknown {
  const asks = (name: string): string => url.searchParams.get(name) ?? '';
  if (!clients.has(asks('client_id')) || asks('code_challenge_method') !== 'S256') return response.writeHead(400).end();
  const back = new URL(asks('redirect_uri'));
  back.searchParams.set('state', asks('state'));
  back.searchParams.set('iss', now.options.answersAs ?? issuerOf(now.options, login));
  const code = `code-${token()}`;
  if (now.options.denies) back.searchParams.set('error', 'access_denied');
  else {
    back.searchParams.set('code', code);
    const [client, challenge, resource, scope, redirect] = [
      ...[asks('client_id'), asks('code_challenge'), asks('resource')],
      ...[asks('scope'), asks('redirect_uri')],
    ] as [string, string, string, string, string];
    codes.set(code, { client, challenge, resource, scope, redirect });
  }
  return response.writeHead(302, { location: back.href }).end();
}

interface Asked {
  readonly path: string;
  readonly authorization: string | undefined;
  readonly body: string;
}

function answerLogin(grants: Grants, login: string, url: URL, body: string, response: ServerResponse): unknown {
  const { now, clients, tokens, refreshes } = grants;
  const form = new URLSearchParams(body);
  switch (url.pathname) {
    case '/.well-known/oauth-authorization-server':
      return json(response, {
        ...{ issuer: issuerOf(now.options, login), authorization_endpoint: `${login}/authorize`, token_endpoint: `${login}/token` },
        ...{ revocation_endpoint: `${login}/revoke`, response_types_supported: ['code'], code_challenge_methods_supported: ['S256'] },
        ...{ authorization_response_iss_parameter_supported: true, token_endpoint_auth_methods_supported: ['none'] },
        ...(now.options.registers === false ? {} : { registration_endpoint: `${login}/register` }),
        ...now.options.login,
      });
    case '/register': {
      const id = `client-${token()}`;
      clients.add(id);
      return json(response, { ...JSON.parse(body), client_id: id }, 201);
    }
    case '/authorize':
      return authorize(grants, login, url, response);
    case '/token': {
      const grant = grants.redeem(form);
      return typeof grant === 'string' ? json(response, { error: grant }, 400) : json(response, grants.issue(grant));
    }
    case '/revoke':
      for (const each of [tokens, refreshes]) each.delete(form.get('token') ?? '');
      return json(response, {});
    default:
      return response.writeHead(404).end();
  }
}

const RESULTS: Readonly<Record<string, object>> = {
  initialize: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 'login', version: '1' } },
  'tools/list': { tools: [{ name: 'secret_word', description: 'The word.', inputSchema: { type: 'object', properties: {} } }] },
  'tools/call': { content: [{ type: 'text', text: 'swordfish' }] },
};

function answerTools(
  { now, tokens }: Grants,
  servers: { tools: string; login: string },
  asked: Asked & { method: string },
  response: ServerResponse,
): unknown {
  const { tools, login } = servers;
  const { path, authorization = '', body } = asked;
  const { callScope, resource } = now.options;
  if (path === '/.well-known/oauth-protected-resource/mcp')
    return json(response, { resource: `${tools}/mcp`, authorization_servers: [login], ...resource });
  if (path !== '/mcp') return response.writeHead(404).end();
  const described = `resource_metadata="${tools}/.well-known/oauth-protected-resource/mcp"`;
  const grant = tokens.get(authorization.replace('Bearer ', ''));
  const refuse = (status: number, why: string): void =>
    void response.writeHead(status, { 'www-authenticate': `Bearer ${why}, ${described}` }).end();
  if (!grant) return refuse(401, 'scope="read"');
  if (asked.method !== 'POST') return response.writeHead(405).end();
  const { id, method } = JSON.parse(body);
  if (method === 'tools/call' && callScope !== undefined && !grant.scope.split(' ').includes(callScope))
    return refuse(403, `error="insufficient_scope", scope="${callScope}"`);
  if (id === undefined) return response.writeHead(202).end();
  const result = RESULTS[String(method)];
  return json(response, { jsonrpc: '2.0', id, ...(result ? { result } : { error: { code: -32601, message: 'no such method' } }) });
}

export async function startLoginServer(first: LoginOptions = {}) {
  const grants = createGrants(first);
  const asked: Asked[] = [];
  const note = async (request: IncomingMessage): Promise<Asked & { method: string }> => {
    const { pathname } = new URL(request.url ?? '', 'http://127.0.0.1');
    const one = { path: pathname, authorization: request.headers.authorization, body: await textOf(request) };
    asked.push(one);
    return { ...one, method: request.method ?? '' };
  };
  const loginServer = createServer(async (request, response) => {
    const { body } = await note(request);
    answerLogin(grants, login, new URL(request.url ?? '', login), body, response);
  });
  const login = await listen(loginServer);
  const toolServer = createServer(async (request, response) => {
    answerTools(grants, { tools, login }, await note(request), response);
  });
  const tools = await listen(toolServer);
  return {
    ...{ url: `${tools}/mcp`, login },
    /** What was asked of both, in order. */
    asked,
    /** Paths that were asked for since the last call. */
    paths: () => asked.splice(0).map(({ path }) => path),
    change: (more: LoginOptions) => {
      grants.now.options = { ...grants.now.options, ...more };
    },
    /** Makes a client by hand. */
    allow: (client: string) => void grants.clients.add(client),
    /** Tokens are no longer good; those that make others are. */
    expire: () => grants.tokens.clear(),
    forgetAll: () => [grants.tokens, grants.refreshes].forEach((each) => void each.clear()),
    living: () => grants.tokens.size + grants.refreshes.size,
    /** The browser of somebody who agrees at once: the address at which it ends. */
    browser: async (address: string): Promise<string> => (await fetch(address, { redirect: 'manual' })).headers.get('location') ?? '',
    async close() {
      for (const server of [loginServer, toolServer]) {
        server.closeAllConnections();
        await new Promise((resolve) => server.close(resolve));
      }
    },
  };
}

export type LoginServer = Awaited<ReturnType<typeof startLoginServer>>;
