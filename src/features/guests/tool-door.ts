import { createMcpHandler, ProtocolError, ProtocolErrorCode, Server, type Tool } from '@modelcontextprotocol/server';
import { overPlainMessages } from '../../tools/connections/plain-messages.ts';
import { errorText, toToolError } from '../../tools/contract/errors.ts';
import type { ToolDefinition } from '../../tools/contract/messages.ts';

export interface ToolDoorOptions {
  readonly version: string;
  readonly tools: readonly ToolDefinition[];
  /** Resolves with what a model reads of the result. */
  readonly call: (name: string, args: unknown, signal: AbortSignal) => Promise<string>;
  /** The agent has asked which tools there are. */
  readonly onListed?: () => void;
}

/** Answers a request of the Model Context Protocol. */
export type ToolDoor = (request: Request) => Promise<Response>;

const MAX_BODY_BYTES = 10 * 1024 * 1024;

/** Agents ask their person about tools that do not say that they read. */
const toolOf = ({ effect, function: { name, description, parameters } }: ToolDefinition): Tool => ({
  ...{ name, description },
  inputSchema: { ...parameters, type: 'object' },
  annotations: { readOnlyHint: effect === 'read', openWorldHint: effect === 'outgoing' },
});

/** The tools of one turn for the agent that answers it; a call waits until the chat has carried it out. */
export function createToolDoor({ version, tools, call, onListed }: ToolDoorOptions): ToolDoor {
  const serve = (): Server => {
    const server = new Server({ name: 'marginalia', title: 'Marginalia: notes of SiYuan', version }, { capabilities: { tools: {} } });
    server.setRequestHandler('tools/list', () => {
      onListed?.();
      return { tools: tools.map(toolOf) };
    });
    server.setRequestHandler('tools/call', async ({ params }, { mcpReq }) => {
      if (!tools.some((tool) => tool.function.name === params.name))
        throw new ProtocolError(ProtocolErrorCode.InvalidParams, `there is no tool ${JSON.stringify(params.name.slice(0, 80))}`);
      try {
        return { content: [{ type: 'text', text: await call(params.name, params.arguments, mcpReq.signal) }] };
      } catch (error) {
        return { content: [{ type: 'text', text: errorText(toToolError(error)) }], isError: true };
      }
    });
    return overPlainMessages(server);
  };
  const handler = createMcpHandler(serve, { maxRequestBodySize: MAX_BODY_BYTES });
  return (request) => handler.fetch(request);
}
