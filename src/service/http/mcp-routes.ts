import type { HttpBindings } from '@hono/node-server';
import { type Handler, Hono } from 'hono';
import { ServiceError } from '../contract/errors.ts';
import { type McpClient, rightsFormat } from '../mcp/clients.ts';
import type { McpPrograms } from '../mcp/programs.ts';
import { readBody } from './body.ts';
import { bearerOf, type GuardOptions, isToken } from './guard.ts';
import { answerLeniently } from './lenient-request.ts';

export const MCP_PATH = '/mcp';

/** Whose token it is; null if it is nobody's. */
function clientOf({ clients }: McpPrograms, guard: Pick<GuardOptions, 'token'>, authorization: string | undefined): McpClient | null {
  const token = bearerOf(authorization);
  if (token === undefined) return null;
  return isToken(guard, token) ? clients.owner : clients.find(token);
}

/** The tools by MCP (docs/service.md), for whoever has the service's token or one of their own. */
export function mcpRoute(programs: McpPrograms, guard: Pick<GuardOptions, 'token'>): Handler<{ Bindings: HttpBindings }> {
  return (context) => {
    const client = clientOf(programs, guard, context.req.header('authorization'));
    const isOfSession = context.req.header('mcp-session-id') !== undefined;
    if (client && context.req.method !== 'POST' && !isOfSession) {
      context.header('Allow', 'POST');
      const next =
        'send JSON-RPC with POST /mcp: "initialize" first, or "tools/list" with the headers of revision 2026-07-28 (docs/service.md, “MCP”)';
      throw new ServiceError(405, 'bad_method', `without a session there is no ${context.req.method} here`, next);
    }
    if (client) return answerLeniently(context.req.raw, (request) => programs.handler.handle(request, client));
    context.header('WWW-Authenticate', 'Bearer');
    throw new ServiceError(401, 'bad_token', 'the token is missing or wrong', 'send “Authorization: Bearer” with a token of an MCP client');
  };
}

/** Clients with tokens of their own: a token is shown once, when it is made. */
export function clientRoutes(programs: McpPrograms): Hono {
  const routes = new Hono();
  routes.get('/clients', (context) => context.json(programs.clients.list()));
  routes.post('/clients', async (context) => context.json(programs.clients.add(await readBody(context.req.raw, rightsFormat)), 201));
  routes.delete('/clients/:id', (context) => context.json({ removed: programs.clients.remove(context.req.param('id')) }));
  return routes;
}
