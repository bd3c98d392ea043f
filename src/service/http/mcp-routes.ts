import type { HttpBindings } from '@hono/node-server';
import { type Handler, Hono } from 'hono';
import { ServiceError } from '../contract/errors.ts';
import { type McpClient, rightsFormat } from '../mcp/mcp-clients.ts';
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
export function clientRoutes(programs: McpPrograms): Hono {
  const routes = new Hono();
  routes.get('/clients', (context) => context.json(programs.clients.list()));
  routes.post('/clients', async (context) => {
    const rights = await readBody(context.req.raw, rightsFormat);
    await requireNotebooks(programs, Object.keys(rights.notebooks ?? {}));
    return context.json(programs.clients.add(rights), 201);
  });
  routes.delete('/clients/:id', (context) => context.json({ removed: programs.clients.remove(context.req.param('id')) }));
  return routes;
}
