// An agent that is a program of its own, over the official library of the protocol. What it does is in the question: a list of calls.
import { agent, methods, ndJsonStream } from '@agentclientprotocol/sdk';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';

interface Step {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
}
/** As Gemini CLI and Qwen Code do: it looks for its tools by itself, after it has answered that the session is there. */
const connections = new Map<string, Client>();
let count = 0;

const stepsIn = (text: string): readonly Step[] => JSON.parse(/STEPS (\[.*\])/u.exec(text)?.[1] ?? '[]');

const output = new WritableStream<Uint8Array>({ write: (chunk) => void process.stdout.write(chunk) });
const input = new ReadableStream<Uint8Array>({
  start: (controller) => {
    process.stdin.on('data', (chunk) => controller.enqueue(new Uint8Array(chunk)));
    process.stdin.on('end', () => process.exit(0));
  },
});

// What some programs print before they speak.
process.stdout.write('test agent 1.0\n');
agent({ name: 'test-agent' })
  .onRequest(methods.agent.initialize, ({ params: { protocolVersion } }) => ({
    protocolVersion,
    agentCapabilities: { mcpCapabilities: { http: true } },
  }))
  .onRequest(methods.agent.session.new, ({ params: { mcpServers } }) => {
    count += 1;
    const sessionId = `session-${count}`;
    const [server] = mcpServers;
    if (!server || !('type' in server) || server.type !== 'http') return { sessionId };
    const headers = Object.fromEntries(server.headers.map(({ name, value }) => [name, value]));
    const look = async (): Promise<void> => {
      const tools = new Client({ name: 'test-agent', version: '1' });
      await tools.connect(new StreamableHTTPClientTransport(new URL(server.url), { requestInit: { headers } }));
      await tools.listTools();
      connections.set(sessionId, tools);
    };
    setTimeout(() => void look(), 500);
    return { sessionId };
  })
  .onRequest(methods.agent.session.prompt, async ({ params: { sessionId, prompt }, client }) => {
    const say = (text: string) =>
      client.notify(methods.client.session.update, {
        sessionId,
        update: { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } },
      });
    const tools = connections.get(sessionId);
    if (!tools) await say('I have no tools.');
    for (const { tool, args } of stepsIn(prompt.map((block) => (block.type === 'text' ? block.text : '')).join('\n'))) {
      if (!tools) break;
      const { content } = await tools.callTool({ name: tool, arguments: args });
      await say(`${tool}: ${content.map((part) => (part.type === 'text' ? part.text : '')).join('')}\n`);
    }
    await say('Done.');
    return { stopReason: 'end_turn' };
  })
  .connect(ndJsonStream(output, input));
