import type { CompletionRequest, ToolDefinition } from '../../src/tools/contract/messages.ts';

/** SiYuan's own tools, as the kernel serves them: definitions and answers as they arrive. */
export interface SiYuanTools {
  readonly definitions: readonly ToolDefinition[];
  call(name: string, args: object): Promise<string>;
}

interface Listed {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: ToolDefinition['function']['parameters'];
}

export async function openSiYuanTools(url: string, token: string): Promise<SiYuanTools> {
  let session: string | null = null;
  const ask = async <T>(method: string, params: object): Promise<T> => {
    const response = await fetch(`${url}/mcp`, {
      method: 'POST',
      headers: {
        ...{ 'content-type': 'application/json', accept: 'application/json, text/event-stream', authorization: `Token ${token}` },
        ...(session === null ? {} : { 'mcp-session-id': session }),
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    });
    session ??= response.headers.get('mcp-session-id');
    const { result, error } = (await response.json()) as { result?: T; error?: { message: string } };
    if (result === undefined) throw new Error(`eval_failed: ${method}: ${error?.message}`);
    return result;
  };
  await ask('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'eval', version: '1' } });
  const { tools } = await ask<{ tools: readonly Listed[] }>('tools/list', {});
  return {
    definitions: tools.map(({ name, description, inputSchema }) => ({
      ...{ type: 'function', function: { name, description, parameters: inputSchema } },
    })),
    async call(name, args) {
      const { content, isError } = await ask<{ content: { text: string }[]; isError?: boolean }>('tools/call', { name, arguments: args });
      const text = content.map((each) => each.text).join('\n');
      if (isError === true) throw new Error(`eval_failed: ${name} ${JSON.stringify(args)}: ${text}`);
      return text;
    },
  };
}

/** The requests of a task: the question, then each call with what came of it. */
export async function requestsOf(
  { definitions, call }: SiYuanTools,
  question: string,
  calls: readonly (readonly [tool: string, args: object])[],
): Promise<readonly CompletionRequest[]> {
  const messages: CompletionRequest['messages'][number][] = [{ role: 'user', content: question }];
  const requests: CompletionRequest[] = [{ messages: [...messages], tools: definitions }];
  for (const [index, [name, args]] of calls.entries()) {
    const id = `call${index}`;
    const made = { id, type: 'function', function: { name, arguments: JSON.stringify(args) } } as const;
    messages.push(
      { role: 'assistant', content: '', tool_calls: [made] },
      { role: 'tool', tool_call_id: id, content: await call(name, args) },
    );
    requests.push({ messages: [...messages], tools: definitions });
  }
  return requests;
}
