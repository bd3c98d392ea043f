import { type AgentContext, type AnyMessage, agent, methods, type PromptRequest, RequestError } from '@agentclientprotocol/sdk';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { AgentLink, type AgentStream } from '../../src/features/guests/agent-link.ts';
import { openAgentDoor } from '../../src/features/guests/desktop/create-guests.ts';
import { createGuestModel } from '../../src/features/guests/guest-model.ts';

/** What an agent of a test does with a prompt. */
interface Played {
  readonly text: string;
  readonly signal: AbortSignal;
  say(text: string): Promise<void>;
  think(text: string): Promise<void>;
  /** Calls a tool of the server that the session was given. */
  use(name: string, args: object): Promise<string>;
  readonly client: AgentContext;
  readonly sessionId: string;
}
export type Play = (played: Played) => Promise<string>;

/** Two ends of a pipe, as a program and who started it have them. */
function pipe(): readonly [AgentStream, AgentStream] {
  const [there, back] = [new TransformStream<AnyMessage>(), new TransformStream<AnyMessage>()];
  let ended = (): void => undefined;
  const closed = new Promise<void>((resolve) => {
    ended = resolve;
  });
  const close = async () => ended();
  return [
    { writable: there.writable, readable: back.readable, closed, close },
    { writable: back.writable, readable: there.readable, closed, close },
  ];
}

interface GivenServer {
  readonly url: string;
  readonly headers: readonly { readonly name: string; readonly value: string }[];
}

async function connectTo(server: GivenServer): Promise<Client> {
  const client = new Client({ name: 'test-agent', version: '1' });
  const headers = Object.fromEntries(server.headers.map((header) => [header.name, header.value]));
  await client.connect(new StreamableHTTPClientTransport(new URL(server.url), { requestInit: { headers } }));
  return client;
}

async function listTools(server: GivenServer): Promise<void> {
  const client = await connectTo(server);
  await client.listTools();
  await client.close();
}

async function useTool(server: GivenServer, name: string, args: object) {
  const client = await connectTo(server);
  const { content } = await client.callTool({ name, arguments: { ...args } });
  await client.close();
  return content.map((part) => (part.type === 'text' ? part.text : '')).join('');
}

const textOf = (prompt: PromptRequest['prompt']): string =>
  prompt.map((block) => (block.type === 'text' ? block.text : `[${block.type}]`)).join('\n');

export interface AgentParts {
  readonly http?: boolean;
  /** As the program calls itself. */
  readonly name?: string;
  /** Refuses a session with this code. */
  readonly refuse?: number;
  /** Looks for its tools by itself, so many milliseconds after it answered that a session is there; else only when it calls one. */
  readonly listsAfter?: number;
  /** Milliseconds in which that is waited for; default: it is not. */
  readonly listMs?: number;
}

/** An agent in this process, over the official library of the protocol. */
function startAgent(play: Play, { http = true, refuse, name = 'test-agent', listsAfter }: AgentParts = {}) {
  const seen = { starts: 0, listed: 0, folders: [] as string[], servers: [] as unknown[], capabilities: undefined as unknown };
  const servers = new Map<string, Parameters<typeof useTool>[0]>();
  const stops = new Map<string, AbortController>();
  const start = async (): Promise<AgentStream> => {
    seen.starts += 1;
    const [ours, theirs] = pipe();
    agent({ name: 'test-agent' })
      .onRequest(methods.agent.initialize, ({ params }) => {
        seen.capabilities = params.clientCapabilities;
        return {
          protocolVersion: params.protocolVersion,
          agentInfo: { name, version: '1' },
          agentCapabilities: { mcpCapabilities: { http }, promptCapabilities: { image: true } },
        };
      })
      .onRequest(methods.agent.session.new, ({ params }) => {
        if (refuse !== undefined) throw new RequestError(refuse, 'no');
        seen.folders.push(params.cwd);
        seen.servers.push(...params.mcpServers);
        const sessionId = `s${seen.folders.length}`;
        const [server] = params.mcpServers;
        if (!server || !('type' in server) || server.type !== 'http') return { sessionId };
        servers.set(sessionId, server);
        const list = async (): Promise<void> => {
          await listTools(server);
          seen.listed += 1;
        };
        if (listsAfter !== undefined) setTimeout(() => void list(), listsAfter);
        return { sessionId };
      })
      .onNotification(methods.agent.session.cancel, ({ params }) => stops.get(params.sessionId)?.abort())
      .onRequest(methods.agent.session.prompt, async ({ params: { sessionId, prompt }, client }) => {
        const stop = new AbortController();
        stops.set(sessionId, stop);
        const update = (sessionUpdate: 'agent_message_chunk' | 'agent_thought_chunk', text: string) =>
          client.notify(methods.client.session.update, { sessionId, update: { sessionUpdate, content: { type: 'text', text } } });
        const server = servers.get(sessionId);
        const stopReason = await play({
          ...{ text: textOf(prompt), signal: stop.signal, client, sessionId },
          say: (text) => update('agent_message_chunk', text),
          think: (text) => update('agent_thought_chunk', text),
          use: (name, args) => (server ? useTool(server, name, args) : Promise.reject(new Error('no server'))),
        });
        return { stopReason: stopReason as 'end_turn' };
      })
      .connect(theirs);
    return ours;
  };
  return { start, seen };
}

/** A model over such an agent, with a door on this machine. */
export function guestModel(play: Play, parts: AgentParts = {}) {
  const { start, seen } = startAgent(play, parts);
  const link = new AgentLink({ name: 'Guest', version: '1', folder: async () => '/empty', start, listMs: parts.listMs ?? 0 });
  return { model: createGuestModel({ name: 'Guest', version: '1', link, openDoor: openAgentDoor }), link, seen };
}
