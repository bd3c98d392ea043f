// The tools, resources and prompts that the protocol's official suite asks a server for, as its scenarios describe them.
import { createHmac, randomBytes } from 'node:crypto';
import {
  type ClientCapabilities,
  type InputRequest,
  inputRequired,
  MissingRequiredClientCapabilityError,
  ProtocolError,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { fieldOf, isRecord } from '../../src/tools/util/plain-value.ts';

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';
const WAV = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQAAAAA=';
const text = (words: string) => ({ type: 'text' as const, text: words });
const says = (words: string) => ({ content: [text(words)] });
const IMAGE = { type: 'image' as const, data: PNG, mimeType: 'image/png' };
const pause = () => new Promise((resolve) => setTimeout(resolve, 50));

type Args = Readonly<Record<string, unknown>>;
type Context = ServerContext['mcpReq'];
type Run = (args: Args, asked: Context, server: Server) => object | Promise<object>;
interface SuiteTool {
  readonly run: Run;
  readonly properties?: object;
  readonly required?: readonly string[];
  readonly inputSchema?: object;
}

const form = (properties: object, required: readonly string[] = []) => ({ type: 'object' as const, properties, required });
const elicit = (message: string, requestedSchema: object): InputRequest =>
  inputRequired.elicit({ message, requestedSchema } as Parameters<typeof inputRequired.elicit>[0]);
const NAME = elicit('What is your name?', form({ name: { type: 'string' } }, ['name']));
const sample = (words: string, maxTokens: number): InputRequest =>
  inputRequired.createMessage({ messages: [{ role: 'user', content: text(words) }], maxTokens });

/** Asks the person in the way of the revisions before the newest. */
async function asks(asked: Context, message: string, requestedSchema: object): Promise<object> {
  const given = await asked.elicitInput({ message, requestedSchema } as Parameters<Context['elicitInput']>[0]);
  return says(`Elicitation completed: action=${given.action}, content=${JSON.stringify(given.content ?? {})}`);
}

/** A state that nobody else can write. */
const KEY = randomBytes(32);
const signed = (state: string): string => `${state}.${createHmac('sha256', KEY).update(state).digest('hex')}`;
function stateOf(asked: Context): string | undefined {
  const state = asked.requestState<string>();
  if (state === undefined) return undefined;
  const [plain = ''] = state.split('.');
  if (signed(plain) !== state) throw new ProtocolError(-32_602, 'the state is not one of this server');
  return plain;
}

const given = (asked: Context, ...names: readonly string[]): boolean => names.every((name) => asked.inputResponses?.[name] !== undefined);
const accepted = (asked: Context, name: string): Args | undefined => {
  const content = fieldOf(asked.inputResponses?.[name], 'content');
  return fieldOf(asked.inputResponses?.[name], 'action') === 'accept' && isRecord(content) ? content : undefined;
};
/** Asks once, and again until it is answered. */
const round = (inputRequests: Readonly<Record<string, InputRequest>>, state?: string) =>
  inputRequired({ inputRequests, ...(state === undefined ? {} : { requestState: signed(state) }) });

function needs(server: Server, name: keyof ClientCapabilities): void {
  if (!server.getClientCapabilities()?.[name]) throw new MissingRequiredClientCapabilityError({ requiredCapabilities: { [name]: {} } });
}

const CHOICES = ['option1', 'option2', 'option3'];
const titled = (...titles: readonly string[]) => titles.map((title, at) => ({ const: `value${at + 1}`, title }));
const SCHEMA_2020 = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  $defs: { address: { $anchor: 'addressDef', type: 'object', properties: { street: { type: 'string' }, city: { type: 'string' } } } },
  properties: {
    name: { type: 'string' },
    address: { $ref: '#/$defs/address' },
    contactMethod: { type: 'string', enum: ['phone', 'email'] },
    phone: { type: 'string' },
    email: { type: 'string' },
  },
  allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
  if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
  // biome-ignore lint/suspicious/noThenProperty: a word of JSON Schema
  then: { required: ['phone'] },
  else: { required: ['email'] },
  additionalProperties: false,
};

async function progress(_args: Args, { _meta, notify }: Context): Promise<object> {
  const progressToken = _meta?.progressToken;
  for (const done of [0, 50, 100]) {
    if (progressToken !== undefined)
      await notify({ method: 'notifications/progress', params: { progressToken, progress: done, total: 100 } });
    await pause();
  }
  return says('The tool has ended.');
}

async function multiRound(_args: Args, asked: Context): Promise<object> {
  const state = stateOf(asked);
  const answer = accepted(asked, state === 'round 2' ? 'step2' : 'step1');
  if (state === undefined || !answer)
    return round({ step1: elicit('Step 1: What is your name?', form({ name: { type: 'string' } }, ['name'])) }, 'round 1');
  if (state === 'round 2') return says('Both steps are answered.');
  return round({ step2: elicit('Step 2: What is your favorite color?', form({ color: { type: 'string' } }, ['color'])) }, 'round 2');
}

function byCapabilities(_args: Args, asked: Context, server: Server): object {
  if (given(asked, 'question') || given(asked, 'user_name')) return says('It was answered.');
  const { sampling, elicitation } = server.getClientCapabilities() ?? {};
  return round({
    ...(sampling ? { question: sample('What is the capital of France?', 100) } : {}),
    ...(elicitation ? { user_name: NAME } : {}),
  });
}

const ALL = { user_name: NAME, greeting: sample('Generate a greeting', 50), client_roots: inputRequired.listRoots() };

const SUITE_TOOLS: Readonly<Record<string, SuiteTool>> = {
  test_simple_text: { run: () => says('This is a simple text response for testing.') },
  test_image_content: { run: () => ({ content: [IMAGE] }) },
  test_audio_content: { run: () => ({ content: [{ type: 'audio', data: WAV, mimeType: 'audio/wav' }] }) },
  test_embedded_resource: {
    run: () => ({
      content: [
        {
          type: 'resource',
          resource: { uri: 'test://embedded-resource', mimeType: 'text/plain', text: 'This is an embedded resource content.' },
        },
      ],
    }),
  },
  test_multiple_content_types: {
    run: () => {
      const resource = { uri: 'test://mixed-content-resource', mimeType: 'application/json', text: '{"test":"data","value":123}' };
      return { content: [text('Multiple content types test:'), IMAGE, { type: 'resource', resource }] };
    },
  },
  test_error_handling: { run: () => ({ ...says('This tool intentionally returns an error for testing'), isError: true }) },
  test_tool_with_progress: { run: progress },
  test_tool_with_logging: {
    run: async (_args, { log }) => {
      for (const words of ['Tool execution started', 'Tool processing data', 'Tool execution completed']) {
        await log('info', words);
        await pause();
      }
      return says('The tool has ended.');
    },
  },
  test_logging_tool: { run: () => says('Nothing is logged.') },
  test_sampling: {
    properties: { prompt: { type: 'string' } },
    required: ['prompt'],
    run: async ({ prompt }, asked, server) => {
      needs(server, 'sampling');
      const answer = await asked.requestSampling({ messages: [{ role: 'user', content: text(String(prompt)) }], maxTokens: 100 });
      return says(`LLM response: ${JSON.stringify(answer.content)}`);
    },
  },
  test_elicitation: {
    properties: { message: { type: 'string' } },
    required: ['message'],
    run: ({ message }, asked) =>
      asks(asked, String(message), form({ username: { type: 'string' }, email: { type: 'string' } }, ['username', 'email'])),
  },
  test_elicitation_sep1034_defaults: {
    run: (_args, asked) =>
      asks(
        asked,
        'Please check these.',
        form({
          name: { type: 'string', default: 'John Doe' },
          age: { type: 'integer', default: 30 },
          score: { type: 'number', default: 95.5 },
          status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
          verified: { type: 'boolean', default: true },
        }),
      ),
  },
  test_elicitation_sep1330_enums: {
    run: (_args, asked) =>
      asks(
        asked,
        'Please choose.',
        form({
          untitledSingle: { type: 'string', enum: CHOICES },
          titledSingle: { type: 'string', oneOf: titled('First Option', 'Second Option', 'Third Option') },
          legacyEnum: { type: 'string', enum: ['opt1', 'opt2', 'opt3'], enumNames: ['Option One', 'Option Two', 'Option Three'] },
          untitledMulti: { type: 'array', items: { type: 'string', enum: CHOICES } },
          titledMulti: { type: 'array', items: { anyOf: titled('First Choice', 'Second Choice', 'Third Choice') } },
        }),
      ),
  },
  json_schema_2020_12_tool: { run: () => says('ok'), inputSchema: SCHEMA_2020 },
  test_headers: {
    properties: { region: { type: 'string', 'x-mcp-header': 'Region' } },
    required: ['region'],
    run: ({ region }) => says(String(region)),
  },
  test_missing_capability: {
    run: (_args, _asked, server) => {
      needs(server, 'sampling');
      return says('ok');
    },
  },
  test_streaming_elicitation: { run: (_args, asked) => (given(asked, 'user_name') ? says('ok') : round({ user_name: NAME })) },
  test_input_required_result_elicitation: {
    run: (_args, asked) => {
      const name = accepted(asked, 'user_name')?.name;
      return typeof name === 'string' ? says(`Hello, ${name}!`) : round({ user_name: NAME });
    },
  },
  test_input_required_result_sampling: {
    run: (_args, asked) =>
      given(asked, 'capital_question')
        ? says(JSON.stringify(asked.inputResponses?.capital_question))
        : round({ capital_question: sample('What is the capital of France?', 100) }),
  },
  test_input_required_result_list_roots: {
    run: (_args, asked) =>
      given(asked, 'client_roots')
        ? says(JSON.stringify(asked.inputResponses?.client_roots))
        : round({ client_roots: inputRequired.listRoots() }),
  },
  test_input_required_result_request_state: {
    run: (_args, asked) =>
      stateOf(asked) !== undefined && given(asked, 'confirm')
        ? says('state-ok')
        : round({ confirm: elicit('Please confirm', form({ ok: { type: 'boolean' } }, ['ok'])) }, 'asked'),
  },
  test_input_required_result_multiple_inputs: {
    run: (_args, asked) =>
      stateOf(asked) !== undefined && given(asked, ...Object.keys(ALL)) ? says('All is answered.') : round(ALL, 'asked'),
  },
  test_input_required_result_multi_round: { run: multiRound },
  test_input_required_result_tampered_state: {
    run: (_args, asked) =>
      stateOf(asked) !== undefined
        ? says('ok')
        : round({ confirm: elicit('Please confirm', form({ ok: { type: 'boolean' } }, ['ok'])) }, 'asked'),
  },
  test_input_required_result_capabilities: { run: byCapabilities },
};

const RESOURCES = [
  {
    uri: 'test://static-text',
    name: 'text',
    description: 'A text',
    mimeType: 'text/plain',
    text: 'This is the content of the static text resource.',
  },
  { uri: 'test://static-binary', name: 'binary', description: 'A picture', mimeType: 'image/png', blob: PNG },
];
const said = (...content: readonly object[]) => ({ messages: content.map((part) => ({ role: 'user' as const, content: part })) });
const ask = (name: string, ...names: readonly string[]) => ({
  ...{ name, description: `${name} of the suite` },
  arguments: names.map((each) => ({ name: each, description: each, required: true })),
});
const PROMPTS: Readonly<Record<string, Run>> = {
  test_simple_prompt: () => said(text('This is a simple prompt for testing.')),
  test_prompt_with_arguments: ({ arg1, arg2 }) => said(text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)),
  test_prompt_with_embedded_resource: ({ resourceUri: uri }) =>
    said(
      { type: 'resource', resource: { uri, mimeType: 'text/plain', text: 'Embedded resource content for testing.' } },
      text('Please process the embedded resource above.'),
    ),
  test_prompt_with_image: () => said(IMAGE, text('Please analyze the image above.')),
  test_input_required_result_prompt: (_args, asked) => {
    const context = accepted(asked, 'user_context')?.context;
    if (typeof context === 'string') return said(text(context));
    return round({ user_context: elicit('What context should the prompt use?', form({ context: { type: 'string' } }, ['context'])) });
  },
};

/** Puts them into a server of ours, in place of its notes; what the suite does not name is left to it. */
export function mountSuite(server: Server): Server {
  const own: unknown = Reflect.get(server, '_requestHandlers');
  const readNote = own instanceof Map ? own.get('resources/read') : undefined;
  type Listed = { name: string; description: string; inputSchema: { type: 'object' } };
  server.setRequestHandler('tools/list', () => ({
    tools: Object.entries(SUITE_TOOLS).map(
      ([name, { properties = {}, required = [], inputSchema = form(properties, required) }]): Listed => ({
        ...{ name, description: `${name} of the suite`, inputSchema: inputSchema as Listed['inputSchema'] },
      }),
    ),
  }));
  server.setRequestHandler('tools/call', async ({ params }, { mcpReq }) => {
    const tool = SUITE_TOOLS[params.name];
    if (!tool) throw new ProtocolError(-32_602, 'there is no such tool');
    return (await tool.run(params.arguments ?? {}, mcpReq, server)) as { content: [] };
  });
  server.setRequestHandler('resources/list', () => ({ resources: RESOURCES.map(({ text: _text, blob: _blob, ...listed }) => listed) }));
  server.setRequestHandler('resources/templates/list', () => ({
    resourceTemplates: [{ uriTemplate: 'test://template/{id}/data', name: 'template' }],
  }));
  server.setRequestHandler('resources/read', async (request, context) => {
    const { uri } = request.params;
    const id = /^test:\/\/template\/([^/]+)\/data$/.exec(uri)?.[1];
    const data = JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` });
    if (id !== undefined) return { contents: [{ uri, mimeType: 'application/json', text: data }] };
    const known = RESOURCES.find((each) => each.uri === uri);
    const { mimeType, text: words, blob = '' } = known ?? {};
    if (known) return { contents: [words === undefined ? { uri, mimeType, blob } : { uri, mimeType, text: words }] };
    return readNote(request, context);
  });
  server.setRequestHandler('prompts/list', () => ({
    prompts: [
      ask('test_simple_prompt'),
      ask('test_prompt_with_arguments', 'arg1', 'arg2'),
      ask('test_prompt_with_embedded_resource', 'resourceUri'),
      ...[ask('test_prompt_with_image'), ask('test_input_required_result_prompt')],
    ],
  }));
  server.setRequestHandler('prompts/get', async ({ params }, { mcpReq }) => {
    const prompt = PROMPTS[params.name];
    if (!prompt) throw new ProtocolError(-32_602, 'there is no such prompt');
    return (await prompt(params.arguments ?? {}, mcpReq, server)) as { messages: [] };
  });
  return server;
}
