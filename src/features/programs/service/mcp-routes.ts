import { type Handler, Hono } from 'hono';
import { askedProject } from '../../../service/chats/asked-project.ts';
import { ServiceError } from '../../../service/contract/errors.ts';
import { readBody, readBodyText } from '../../../service/http/body.ts';
import { bearerOf } from '../../../service/http/guard.ts';
import type { Door, ServedFeature } from '../../../service/http/served-feature.ts';
import type { Workspace } from '../../../service/kernel/workspace-types.ts';
import type { ServiceEnvironment } from '../../../service/service-feature.ts';
import { answerLeniently } from '../server/lenient-request.ts';
import { type McpHandler, RequestRefused } from '../server/mcp-handler.ts';
import { PROGRAM_ROUTES } from './described-programs.ts';
import { type McpClient, type McpClients, rightsFormat } from './mcp-clients.ts';

export interface McpPrograms {
  readonly clients: McpClients;
  readonly handler: McpHandler<McpClient>;
  /** All of the workspace, also those that are hidden or closed. */
  readonly notebooks: Workspace['notebooks'];
  readonly projects: Workspace['projects'];
}

const MCP_PATH = '/mcp';

export const MCP_HEADERS = { read: ['Mcp-Session-Id'], sent: ['Mcp-Session-Id', 'Mcp-Protocol-Version', 'Mcp-Method', 'Mcp-Name'] };

const DOOR: Door = {
  ...{ name: 'tools', at: `POST ${MCP_PATH}`, label: 'tools (MCP)' },
  tried: /(?:^|\/)(?:mcp|tools?|sse|messages?|jsonrpc|rpc)(?:\/|$)/i,
  next: `the tools are at POST ${MCP_PATH} (Model Context Protocol, streamable HTTP)`,
};

type IsToken = ServiceEnvironment['isToken'];

/** Whose token it is; null if it is nobody's. */
function clientOf({ clients }: McpPrograms, isToken: IsToken, authorization: string | undefined): McpClient | null {
  const token = bearerOf(authorization);
  if (token === undefined) return null;
  return isToken(token) ? clients.owner : clients.find(token);
}

/** Rejects with ServiceError. */
async function answered({ handler }: McpPrograms, request: Request, client: McpClient): Promise<Response> {
  try {
    return await handler.handle(request, client);
  } catch (error) {
    throw error instanceof RequestRefused ? new ServiceError(error.status, error.code, error.message, error.next) : error;
  }
}

/** For whoever has the service's token or one of their own. */
function mcpRoute(programs: McpPrograms, isToken: IsToken): Handler {
  return (context) => {
    const client = clientOf(programs, isToken, context.req.header('authorization'));
    const isOfSession = context.req.header('mcp-session-id') !== undefined;
    if (client && context.req.method !== 'POST' && !isOfSession) {
      context.header('Allow', 'POST');
      const next =
        'send JSON-RPC with POST /mcp: "initialize" first, or "tools/list" with the headers of revision 2026-07-28 (docs/service.md, “MCP”)';
      throw new ServiceError(405, 'bad_method', `without a session there is no ${context.req.method} here`, next);
    }
    if (client) return answerLeniently(context.req.raw, (request) => answered(programs, request, client), readBodyText);
    context.header('WWW-Authenticate', 'Bearer');
    throw new ServiceError(401, 'bad_token', 'the token is missing or wrong', 'send “Authorization: Bearer” with a token of an MCP client');
  };
}

/** A right for a notebook that is not there, such as one named by its title, would open nothing and say so nowhere. */
async function requireNotebooks({ notebooks }: McpPrograms, wanted: readonly string[]): Promise<void> {
  const known = new Map((await notebooks()).map(({ id, name }) => [id, name]));
  const [missing] = wanted.filter((id) => id !== '*' && !known.has(id));
  if (missing === undefined) return;
  const [named] = [...known].find(([, name]) => name === missing) ?? [];
  const next = named === undefined ? `name notebooks by their ids: ${[...known.keys()].join(', ')}` : `give its id, ${named}`;
  throw new ServiceError(400, 'bad_request', `there is no notebook with the id ${JSON.stringify(missing.slice(0, 80))}`, next);
}

/** Clients with tokens of their own: a token is shown once, when it is made. */
function clientRoutes(programs: McpPrograms): Hono {
  const routes = new Hono();
  routes.get('/clients', (context) => context.json(programs.clients.list()));
  routes.post('/clients', async (context) => {
    const rights = await readBody(context.req.raw, rightsFormat);
    await requireNotebooks(programs, Object.keys(rights.notebooks ?? {}));
    // Another note may get its name.
    const kept = rights.project === undefined ? {} : { project: (await askedProject(programs.projects, rights.project)).id };
    return context.json(programs.clients.add({ ...rights, ...kept }), 201);
  });
  routes.delete('/clients/:id', (context) => context.json({ removed: programs.clients.remove(context.req.param('id')) }));
  return routes;
}

/** The tools by MCP, and the tokens of its clients (docs/service.md). */
export function programRoutes(programs: McpPrograms, isToken: IsToken): ServedFeature {
  return {
    ...{ path: '/api/mcp', routes: clientRoutes(programs) },
    open: new Hono().on(['POST', 'GET', 'DELETE'], MCP_PATH, mcpRoute(programs, isToken)),
    ...{ described: PROGRAM_ROUTES, door: DOOR, headers: MCP_HEADERS },
  };
}
