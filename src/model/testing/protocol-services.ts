// Streams of `/messages` and `/responses` with the same answer as in provider-matrix.test.ts: thoughts, "Grüße 👋", one call. Written from
// the documentation of the services and the public types of their clients, not from recordings.

export interface ProtocolService {
  readonly name: string;
  readonly source: string;
  readonly protocol: 'anthropic-messages' | 'openai-responses';
  /** Objects become an `event:` and a `data:` line; text is sent as it is. */
  readonly lines: readonly (object | string)[];
  readonly newline?: '\r\n';
  readonly silent?: boolean;
  /** The stream ends without `[DONE]`, which neither protocol has. */
  readonly noDone: boolean;
  /** A whole answer as JSON, in the place of a stream. */
  readonly whole?: object;
}

const ARGS = '{"query":"Grüße"}';
const [HEAD, TAIL] = [ARGS.slice(0, 7), ARGS.slice(7)];
const ANTHROPIC = { protocol: 'anthropic-messages', noDone: true } as const;
const RESPONSES = { protocol: 'openai-responses', noDone: true } as const;

const start = (usage: object): object => ({
  type: 'message_start',
  message: { id: 'msg_1', type: 'message', role: 'assistant', model: 'm', content: [], stop_reason: null, stop_sequence: null, usage },
});
const block = (index: number, content_block: object): object => ({ type: 'content_block_start', index, content_block });
const grow = (index: number, type: string, fields: object): object => ({ type: 'content_block_delta', index, delta: { type, ...fields } });
const close = (index: number): object => ({ type: 'content_block_stop', index });
const stop = (usage: object, reason = 'tool_use'): object => ({
  type: 'message_delta',
  delta: { stop_reason: reason, stop_sequence: null },
  usage,
});
const end = { type: 'message_stop' };
const ping = { type: 'ping' };

const thinking = (index: number, signature?: string): object[] => [
  block(index, { type: 'thinking', thinking: '', ...(signature === undefined ? {} : { signature: '' }) }),
  grow(index, 'thinking_delta', { thinking: 'Hm' }),
  grow(index, 'thinking_delta', { thinking: 'm.' }),
  ...(signature === undefined ? [] : [grow(index, 'signature_delta', { signature })]),
  close(index),
];
const words = (index: number): object[] => [
  block(index, { type: 'text', text: '' }),
  grow(index, 'text_delta', { text: 'Grü' }),
  grow(index, 'text_delta', { text: 'ße 👋' }),
  close(index),
];
const called = (index: number): object[] => [
  block(index, { type: 'tool_use', id: 'toolu_01ABCDEFGH', name: 'search', input: {} }),
  grow(index, 'input_json_delta', { partial_json: '' }),
  grow(index, 'input_json_delta', { partial_json: HEAD }),
  grow(index, 'input_json_delta', { partial_json: TAIL }),
  close(index),
];

const REASONING = { type: 'reasoning', id: 'rs_1', summary: [{ type: 'summary_text', text: 'Hmm.' }], encrypted_content: 'gAAAA=' };
const MESSAGE = {
  type: 'message',
  id: 'msg_1',
  role: 'assistant',
  status: 'completed',
  content: [{ type: 'output_text', text: 'Grüße 👋', annotations: [] }],
};
const CALL = { type: 'function_call', id: 'fc_1', call_id: 'call_ABCDEFGH', name: 'search', arguments: ARGS, status: 'completed' };
const USED = {
  input_tokens: 12,
  input_tokens_details: { cached_tokens: 0 },
  output_tokens: 7,
  output_tokens_details: { reasoning_tokens: 3 },
  total_tokens: 19,
};
const response = (status: string, output: readonly object[], more: object = {}): object => ({
  ...{ id: 'resp_1', object: 'response', created_at: 1, model: 'm', status, output, error: null, incomplete_details: null },
  ...more,
});
const created = { type: 'response.created', sequence_number: 0, response: response('in_progress', [], { usage: null }) };
const added = (output_index: number, item: object): object => ({ type: 'response.output_item.added', output_index, item });
const done = (output_index: number, item: object): object => ({ type: 'response.output_item.done', output_index, item });
const thought = (output_index: number, type = 'reasoning_summary_text'): object[] => [
  { type: `response.${type}.delta`, item_id: 'rs_1', output_index, summary_index: 0, delta: 'Hm' },
  { type: `response.${type}.delta`, item_id: 'rs_1', output_index, summary_index: 0, delta: 'm.' },
  { type: `response.${type}.done`, item_id: 'rs_1', output_index, summary_index: 0, text: 'Hmm.' },
];
const said = (output_index: number): object[] => [
  { type: 'response.output_text.delta', item_id: 'msg_1', output_index, content_index: 0, delta: 'Grü' },
  { type: 'response.output_text.delta', item_id: 'msg_1', output_index, content_index: 0, delta: 'ße 👋' },
  { type: 'response.output_text.done', item_id: 'msg_1', output_index, content_index: 0, text: 'Grüße 👋' },
];
const argued = (output_index: number): object[] => [
  { type: 'response.function_call_arguments.delta', item_id: 'fc_1', output_index, delta: HEAD },
  { type: 'response.function_call_arguments.delta', item_id: 'fc_1', output_index, delta: TAIL },
  { type: 'response.function_call_arguments.done', item_id: 'fc_1', output_index, arguments: ARGS },
];
const completed = (output: readonly object[], usage: object = USED): object => ({
  type: 'response.completed',
  response: response('completed', output, { usage }),
});
const OPEN_CALL = { ...CALL, arguments: '', status: 'in_progress' };

export const PROTOCOL_SERVICES: readonly ProtocolService[] = [
  {
    ...ANTHROPIC,
    name: 'Anthropic: signed thoughts, an empty input that grows, pings, the cache counted apart',
    source: 'https://platform.claude.com/docs/en/build-with-claude/streaming',
    lines: [
      ...[start({ input_tokens: 2, cache_creation_input_tokens: 4, cache_read_input_tokens: 6, output_tokens: 1 }), ping],
      ...[...thinking(0, 'EqQBCgIYAg=='), ...words(1), ...called(2), stop({ output_tokens: 7 }), end],
    ],
  },
  {
    ...ANTHROPIC,
    name: 'Anthropic: thoughts that are left out or redacted, only signed',
    source: 'https://platform.claude.com/docs/en/build-with-claude/extended-thinking',
    silent: true,
    lines: [
      ...[start({ input_tokens: 12, output_tokens: 1 }), block(0, { type: 'thinking', thinking: '', signature: '' })],
      ...[grow(0, 'signature_delta', { signature: 'EqQ=' }), close(0), block(1, { type: 'redacted_thinking', data: 'EmwK' }), close(1)],
      ...[...words(2), ...called(3), stop({ input_tokens: 12, output_tokens: 7 }), end],
    ],
  },
  {
    ...ANTHROPIC,
    name: 'DeepSeek: thoughts without a signature',
    source: 'https://api-docs.deepseek.com/guides/anthropic_api',
    lines: [start({ input_tokens: 12, output_tokens: 0 }), ...thinking(0), ...words(1), ...called(2), stop({ output_tokens: 7 }), end],
  },
  {
    ...ANTHROPIC,
    name: 'OpenRouter: comments while it works, the tokens read only at the end',
    source: 'https://openrouter.ai/docs/api-reference/messages',
    lines: [
      ...[': OPENROUTER PROCESSING', start({ input_tokens: 0, output_tokens: 0 }), ...thinking(0, 'EqQ='), ...words(1), ...called(2)],
      ...[stop({ input_tokens: 12, output_tokens: 7 }), end, 'data: [DONE]'],
    ],
  },
  {
    ...ANTHROPIC,
    name: 'Moonshot: the whole input with the block, CRLF',
    source: 'https://platform.moonshot.ai/docs/guide/agent-support',
    newline: '\r\n',
    lines: [
      ...[start({ input_tokens: 12, output_tokens: 0 }), ...thinking(0), ...words(1)],
      ...[
        block(2, { type: 'tool_use', id: 'search:0', name: 'search', input: JSON.parse(ARGS) }),
        close(2),
        stop({ output_tokens: 7 }),
        end,
      ],
    ],
  },
  {
    ...ANTHROPIC,
    name: 'Zhipu: the stream ends with why it ended',
    source: 'https://docs.z.ai/devpack/tool/claude',
    lines: [start({ input_tokens: 12, output_tokens: 0 }), ...thinking(0, ''), ...words(1), ...called(2), stop({ output_tokens: 7 })],
  },
  {
    ...ANTHROPIC,
    name: 'Ollama: data alone, no names of events',
    source: 'https://github.com/ollama/ollama/blob/main/docs/api/anthropic-compatibility.mdx',
    lines: [
      start({ input_tokens: 12, output_tokens: 0 }),
      ...thinking(0),
      ...words(1),
      ...called(2),
      stop({ input_tokens: 12, output_tokens: 7 }),
      end,
    ].map((line) => `data: ${JSON.stringify(line)}`),
  },
  {
    ...ANTHROPIC,
    name: 'LM Studio: the whole answer where a stream was asked for',
    source: 'https://lmstudio.ai/docs/developer/anthropic-compat',
    lines: [],
    whole: {
      ...{ id: 'msg_1', type: 'message', role: 'assistant', model: 'm', stop_reason: 'tool_use' },
      usage: { input_tokens: 12, output_tokens: 7 },
      content: [
        { type: 'thinking', thinking: 'Hmm.', signature: 'EqQ=' },
        { type: 'text', text: 'Grüße 👋' },
        { type: 'tool_use', id: 'toolu_01ABCDEFGH', name: 'search', input: JSON.parse(ARGS) },
      ],
    },
  },
  {
    ...RESPONSES,
    name: 'OpenAI: encrypted thoughts with a summary, everything again at the end',
    source: 'https://platform.openai.com/docs/api-reference/responses-streaming',
    lines: [
      ...[created, added(0, { ...REASONING, summary: [] }), ...thought(0), done(0, REASONING)],
      ...[added(1, { ...MESSAGE, content: [], status: 'in_progress' }), ...said(1), done(1, MESSAGE)],
      ...[added(2, OPEN_CALL), ...argued(2), done(2, CALL), completed([REASONING, MESSAGE, CALL])],
    ],
  },
  {
    ...RESPONSES,
    name: 'Azure OpenAI: no thoughts, the output of the end left empty, CRLF',
    source: 'https://learn.microsoft.com/azure/ai-foundry/openai/how-to/responses',
    silent: true,
    newline: '\r\n',
    lines: [created, added(0, MESSAGE), ...said(0), done(0, MESSAGE), added(1, OPEN_CALL), ...argued(1), done(1, CALL), completed([])],
  },
  {
    ...RESPONSES,
    name: 'OpenRouter: comments, [DONE] behind the end',
    source: 'https://openrouter.ai/docs/api-reference/responses-api/overview',
    lines: [
      ...[
        ': OPENROUTER PROCESSING',
        created,
        ...thought(0),
        done(0, REASONING),
        ...said(1),
        added(2, OPEN_CALL),
        ...argued(2),
        done(2, CALL),
      ],
      ...[completed([REASONING, MESSAGE, CALL]), 'data: [DONE]'],
    ],
  },
  {
    ...RESPONSES,
    name: 'vLLM: thoughts in their own words and no item of them',
    source: 'https://docs.vllm.ai/en/latest/serving/openai_compatible_server.html',
    lines: [created, ...thought(0, 'reasoning_text'), ...said(1), added(2, OPEN_CALL), ...argued(2), done(2, CALL), completed([])],
  },
  {
    ...RESPONSES,
    name: 'Groq: calls whole with their item, nothing in pieces',
    source: 'https://console.groq.com/docs/responses-api',
    lines: [created, done(0, REASONING), done(1, MESSAGE), added(2, CALL), done(2, CALL), completed([REASONING, MESSAGE, CALL])],
  },
  {
    ...RESPONSES,
    name: 'Ollama: everything in the last event alone, data without names',
    source: 'https://github.com/ollama/ollama/blob/main/docs/api/openai-compatibility.mdx',
    lines: [`data: ${JSON.stringify(created)}`, `data: ${JSON.stringify(completed([REASONING, MESSAGE, CALL]))}`],
  },
  {
    ...RESPONSES,
    name: 'xAI: thoughts and their summary both, told once',
    source: 'https://docs.x.ai/docs/api-reference#create-new-response',
    lines: [
      ...[created, ...thought(0), ...thought(0, 'reasoning_text'), done(0, REASONING), ...said(1), done(1, MESSAGE)],
      ...[added(2, OPEN_CALL), ...argued(2), done(2, CALL), completed([REASONING, MESSAGE, CALL])],
    ],
  },
  {
    ...RESPONSES,
    name: 'LM Studio: the whole answer where a stream was asked for',
    source: 'https://lmstudio.ai/docs/developer/openai-compat/responses',
    lines: [],
    whole: response('completed', [REASONING, MESSAGE, CALL], { usage: USED }),
  },
];
