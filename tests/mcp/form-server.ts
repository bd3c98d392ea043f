// A server that asks the person while its tool `ask` is called, its prompt taken or its resource read: by a request of its own, or by a
// result, as the newest revision has it.
import { randomUUID } from 'node:crypto';
import { getRequestListener } from '@hono/node-server';
import {
  createMcpHandler,
  inputRequired,
  ProtocolError,
  Server,
  type ServerContext,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import { serve } from './support.ts';

export type Era = 'legacy' | 'modern';

export interface FormServer {
  readonly url: string;
  /** What it was answered, in order: who the call was for, and what it got. */
  readonly answers: readonly (readonly [who: string, answer: unknown])[];
  readonly close: () => Promise<void>;
}

/** `ask`: what `elicitation/create` has, by who is asked about. `wants`: a page that is wanted before any call. */
export async function serveForms(era: Era, ask: (who: string) => object, wants?: string): Promise<FormServer> {
  const answers: (readonly [string, unknown])[] = [];
  const answered = async (who: string, context: ServerContext) => {
    const form = ask(who) as Parameters<typeof context.mcpReq.elicitInput>[0];
    const given = era === 'modern' ? context.mcpReq.inputResponses?.form : await context.mcpReq.elicitInput(form);
    // The state is the server's own: it has to come back as it was.
    if (era === 'modern' && !given) {
      const asked = form.mode === 'url' ? inputRequired.elicitUrl(form) : inputRequired.elicit(form);
      return inputRequired({ inputRequests: { form: asked }, requestState: `of ${who}` });
    }
    if (era === 'modern' && context.mcpReq.requestState<string>() !== `of ${who}`) throw new Error('another state came back');
    answers.push([who, given]);
    return given;
  };
  const make = (): Server => {
    const server = new Server({ name: 'forms', version: '1' }, { capabilities: { tools: {}, prompts: {}, resources: {} } });
    const properties = { who: { type: 'string' } } as const;
    server.setRequestHandler('tools/list', () => ({ tools: [{ name: 'ask', inputSchema: { type: 'object', properties } }] }));
    server.setRequestHandler('tools/call', async ({ params }, context) => {
      if (wants !== undefined) {
        const page = { mode: 'url' as const, message: 'Pay first.', elicitationId: 'e1', url: wants };
        throw new ProtocolError(-32042, 'a page is wanted', { elicitations: [page] });
      }
      const given = await answered(String(params.arguments?.who ?? 'nobody'), context);
      return given && 'resultType' in Object(given)
        ? (given as ReturnType<typeof inputRequired>)
        : { content: [{ type: 'text', text: `It got ${JSON.stringify(given)}` }] };
    });
    server.setRequestHandler('prompts/list', () => ({ prompts: [{ name: 'ask' }] }));
    server.setRequestHandler('prompts/get', async (_request, context) => {
      const given = await answered('prompt', context);
      if (given && 'resultType' in Object(given)) return given as ReturnType<typeof inputRequired>;
      throw new ProtocolError(-32602, `it got ${JSON.stringify(given)}`);
    });
    return server;
  };
  const sessions = new Map<string, WebStandardStreamableHTTPServerTransport>();
  const modern = createMcpHandler(make, { legacy: 'reject' });
  const server = await serve(
    getRequestListener(async (request) => {
      if (era === 'modern') return modern.fetch(request);
      const known = sessions.get(request.headers.get('mcp-session-id') ?? '');
      if (known) return known.handleRequest(request);
      const transport: WebStandardStreamableHTTPServerTransport = new WebStandardStreamableHTTPServerTransport({
        sessionIdGenerator: randomUUID,
        onsessioninitialized: (id) => void sessions.set(id, transport),
      });
      await make().connect(transport);
      return transport.handleRequest(request);
    }),
  );
  const close = async (): Promise<void> => {
    await modern.close();
    await Promise.all([...sessions.values()].map((transport) => transport.close()));
    await server.close();
  };
  return { url: server.url, answers, close };
}
