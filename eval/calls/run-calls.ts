// Calls as a model writes them, through the wire, the protocol, the chain and the executor, to tools that record what reaches them.
import { callMemory } from '../../src/app/workspace/call-memory.ts';
import { withTextCalls } from '../../src/app/workspace/text-calls.ts';
import { foreignSchema, foreignToolNames } from '../../src/features/mcp-client/foreign-tool.ts';
import { newCallId } from '../../src/model/call-id.ts';
import { loadModel } from '../../src/model/server/load-model.ts';
import { executeToolChain, HeadlessApprovalAdapter, type Tool, toolExecutorFactory } from '../../src/tools/index.ts';

export const FORMS = ['vcp', 'json', 'native'] as const;
export type Form = (typeof FORMS)[number];

/** As another program's server describes it. */
export interface OfferedTool {
  readonly name: string;
  readonly inputSchema: unknown;
}
export interface GivenCall {
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
}
export interface Reached {
  /** What reached the tools, by the names that they were given. */
  readonly calls: readonly GivenCall[];
  /** Why calls were refused. */
  readonly refusals: readonly string[];
}

const clock = { now: () => Date.parse('2026-11-30T08:00:00Z'), today: () => '2026-11-30' };
/** Characters of a piece of a stream. */
const PIECE = 7;
const pieces = (text: string): readonly string[] => text.match(new RegExp(`[^]{1,${PIECE}}`, 'gu')) ?? [];
const inText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

function vcp({ name, args }: GivenCall): string {
  const fields = Object.entries(args).map(([key, value]) => `${key}:「始」${inText(value)}「末」`);
  return ['<<<[TOOL_REQUEST]>>>', `tool_name:「始」${name}「末」`, ...fields, '<<<[END_TOOL_REQUEST]>>>'].join('\n');
}

const json = ({ name, args }: GivenCall): string => `<tool_call>\n${JSON.stringify({ name, arguments: args })}\n</tool_call>`;

const chunk = (delta: object, reason: string | null = null): string =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: reason }] })}\n\n`;

function answerOf(form: Form, calls: readonly GivenCall[]): string {
  if (form !== 'native') {
    const text = calls.map(form === 'vcp' ? vcp : json).join('\n');
    return [...pieces(text).map((content) => chunk({ content })), chunk({}, 'stop'), 'data: [DONE]\n\n'].join('');
  }
  const parts = calls.flatMap(({ name, args }, index) => [
    { index, id: `call_${index}`, type: 'function', function: { name, arguments: '' } },
    ...pieces(JSON.stringify(args)).map((text) => ({ index, function: { arguments: text } })),
  ]);
  return [...parts.map((part) => chunk({ tool_calls: [part] })), chunk({}, 'tool_calls'), 'data: [DONE]\n\n'].join('');
}

/** The tools of a server, recording; null for those whose schema is not taken. */
export function recordingTools(offered: readonly OfferedTool[], calls: GivenCall[]): readonly (Tool | null)[] {
  const names = foreignToolNames(
    'eval',
    offered.map(({ name }) => name),
  );
  return offered.map(({ inputSchema }, index): Tool | null => {
    const parameters = foreignSchema(inputSchema);
    const name = names[index] ?? '';
    return (
      parameters && {
        permission: { executionPolicy: 'auto', resultApprovalPolicy: 'never' },
        effect: 'read',
        isForeign: true,
        definition: { type: 'function', function: { name, description: name, parameters } },
        execute: async (args) => {
          calls.push({ name, args });
          return { status: 'success', data: 'done' };
        },
      }
    );
  });
}

export const executorOf = (tools: readonly Tool[]) =>
  toolExecutorFactory({
    approvalAdapter: new HeadlessApprovalAdapter(() => ({ approved: true })),
    clock,
    groups: [{ name: 'eval', tools }],
    groupDefaults: { eval: true },
  });

/** Runs one answer with these calls in it, written in the form. */
export async function runCalls(form: Form, tools: readonly Tool[], given: readonly GivenCall[], calls: GivenCall[]): Promise<Reached> {
  const bodies = [answerOf(form, given), `${chunk({ content: 'Done.' }, 'stop')}data: [DONE]\n\n`];
  const fetch = async () => new Response(bodies.shift() ?? null, { headers: { 'content-type': 'text/event-stream' } });
  const inner = (await loadModel('openai'))({ baseURL: 'https://eval.example/v1', apiKey: 'k', model: 'm', fetch, newCallId });
  const deps = { choice: () => form, callsTools: form === 'native', key: 'm', memory: callMemory(), options: undefined };
  const { complete } = withTextCalls(inner, deps);
  const refusals: string[] = [];
  await executeToolChain(executorOf(tools), undefined, {
    ...{ complete, clock, sessionId: 's', turnId: 'u', nodeId: 'n', contextMessages: [{ role: 'user', content: 'Go on.' }] },
    onEvent: (event) => {
      if (event.type === 'tool-end' && event.status !== 'success') refusals.push(event.error?.message ?? event.status);
      if (event.type === 'error') refusals.push(event.message);
    },
  });
  return { calls, refusals };
}
