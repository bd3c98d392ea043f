// A test door for the protocol's official suite (tests/mcp/README.md): our server, sessions, revisions and checks of callers, with the
// suite's own tools, resources and prompts in place of notes, and without a token, which the suite does not send:
//   node tests/mcp/conformance-server.ts 7100
//   npx @modelcontextprotocol/conformance@0.2.0-alpha.12 server --url http://127.0.0.1:7100/mcp --requirements 2026-07-28
import { randomUUID } from 'node:crypto';
import { type HttpBindings, serve } from '@hono/node-server';
import type { Server } from '@modelcontextprotocol/server';
import { Hono } from 'hono';
import { CONSENT_FORMS } from '../../src/features/programs/server/consent-form.ts';
import type { GuardedCalls } from '../../src/features/programs/server/guarded-calls.ts';
import { McpHandler } from '../../src/features/programs/server/mcp-handler.ts';
import { createMcpServer } from '../../src/features/programs/server/server.ts';
import type { McpClient } from '../../src/features/programs/service/mcp-clients.ts';
import { MCP_HEADERS, type McpPrograms, programRoutes } from '../../src/features/programs/service/mcp-routes.ts';
import { ServiceError } from '../../src/service/contract/errors.ts';
import { checkCaller } from '../../src/service/http/guard.ts';
import { ToolError } from '../../src/tools/contract/errors.ts';
import { mountSuite } from './suite-tools.ts';

const none = (): never => {
  throw new ToolError('not_found', 'there are no notes here', 'read what is listed');
};
const noNotes: GuardedCalls = {
  ...{ consent: CONSENT_FORMS, tools: async () => [], recentNotes: async () => [], prompts: async () => [] },
  ...{ begin: none, wait: none, withdraw: none, decide: none, read: async () => none() },
};

class SuiteHandler extends McpHandler<McpClient> {
  override async serverFor(_client: McpClient): Promise<Server> {
    return mountSuite(createMcpServer({ version: '0.1.0', callsFor: () => noNotes }));
  }
}

const port = Number(process.argv[2] ?? 7100);
const calls = { of: () => noNotes as never };
const handler = new SuiteHandler({ calls, newId: randomUUID, now: Date.now, log: (line) => console.error(line) });
const clients = { owner: { id: 'suite' } as McpClient, find: () => null };
const token = 'suite';
const app = new Hono<{ Bindings: HttpBindings }>();
app.onError((error, context) =>
  error instanceof ServiceError ? context.json({ error: error.code }, error.status) : context.text(String(error), 500),
);
// As `--allow-origin` does.
app.use(checkCaller({ hosts: [], origins: ['localhost', '127.0.0.1'].map((host) => `http://${host}:${port}`) }, [MCP_HEADERS]));
const { open = new Hono() } = programRoutes({ clients, handler } as unknown as McpPrograms, (given) => given === token);
app.route('/', open);
const fetch = (request: Request, env: object): Response | Promise<Response> => {
  const withToken = new Request(request);
  withToken.headers.set('Authorization', `Bearer ${token}`);
  return app.fetch(withToken, env);
};
serve({ fetch, port, hostname: '127.0.0.1' }, () => console.log(`http://127.0.0.1:${port}/mcp`));
