import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { createChatHandler } from '../src/chat/turn/handlers.ts';
import { executeToolChain } from '../src/tools/chain/tool-chain.ts';
import type { CompletionRequest, CompletionResult } from '../src/tools/contract/messages.ts';
import { NOTE_CONTENTS } from '../src/tools/contract/note-queries.ts';
import { GROUP_DEFAULTS } from '../src/tools/groups/notes-groups.ts';
import { testClock } from '../src/tools/testing/support.ts';
import { NEVER } from '../src/tools/util/abort.ts';
import { closeNotes, openNotes } from '../tests/host/open-notes.ts';
import type { BenchReport } from './figures.ts';

const LIMIT_OF_ALL = 0.8;
const LIMIT_FIRST = 4000;

type Bench = Awaited<ReturnType<typeof openNotes>>;
export type Step<B = Bench> = readonly [tool: string, args: (bench: B) => object];
interface Task {
  readonly question: string;
  readonly steps: readonly Step[];
}

const search = (query: string): Step => ['search_notes', () => ({ query })];
const read = (path: string): Step => ['read_doc', ({ id }) => ({ id: id(path) })];

/** What a model does in each: ten questions as the guide has them. */
const TASKS: readonly Task[] = [
  { question: 'When is the launch?', steps: [search('launch'), read('/Apollo')] },
  {
    question: 'Who is in the crew, and what else is about them?',
    steps: [search('crew'), read('/Apollo/Crew'), ['backlinks', ({ id }) => ({ id: id('/Apollo/Crew') })]],
  },
  {
    question: 'Write a summary of Apollo beside it.',
    steps: [read('/Apollo'), ['create_doc', () => ({ notebook: 'Work', path: '/Summary', markdown: 'Launch in May.' })]],
  },
  {
    question: 'Move the launch to June.',
    steps: [
      read('/Apollo'),
      [
        'edit_block',
        ({ block }) => ({ id: block('/Apollo', 1).id, expectHash: block('/Apollo', 1).hash, edits: [{ old: 'May', new: 'June' }] }),
      ],
    ],
  },
  { question: 'Put into today’s note that Anna called.', steps: [['daily_note', () => ({ op: 'append', markdown: 'Anna called.' })]] },
  { question: 'What did I change this week?', steps: [['recent_docs', () => ({})], read('/Zeta')] },
  {
    question: 'Add a paragraph on the budget to Apollo.',
    steps: [
      read('/Apollo'),
      ['insert_blocks', ({ id }) => ({ anchor: id('/Apollo'), position: 'append', markdown: 'Budget: 3 million.' })],
    ],
  },
  {
    question: 'Rename Zeta to Party.',
    steps: [search('Zeta'), ['organize_doc', ({ id }) => ({ op: 'rename', ids: [id('/Zeta')], target: 'Party' })]],
  },
  {
    question: 'Mark the launch as done.',
    steps: [
      search('launch'),
      ['attributes', ({ block }) => ({ op: 'set', ids: [block('/Apollo', 1).id], attrs: { 'custom-state': 'done' } })],
    ],
  },
  {
    question: 'Make a card of when the launch is.',
    steps: [
      read('/Apollo'),
      ['flashcards', ({ id }) => ({ op: 'create', id: id('/Apollo'), cards: [{ question: 'When is the launch?', answer: 'May.' }] })],
    ],
  },
];

export const sizeOf = ({ messages, tools = [] }: CompletionRequest): number =>
  countTokens(JSON.stringify([...messages, ...tools.map(({ type, function: told }) => ({ type, function: told }))]));

/** A model that makes the calls of a task; where a tool is not offered, it asks for its arguments first. */
export function playing<B>(bench: B, steps: readonly Step<B>[], requests: CompletionRequest[]) {
  const left = [...steps];
  const asked = new Set<string>();
  return async (request: CompletionRequest): Promise<CompletionResult> => {
    requests.push(request);
    const [next] = left;
    if (!next) return { content: 'Done.', tool_calls: [], finishReason: 'stop' };
    const [tool, args] = next;
    const isOffered = request.tools?.some((each) => each.function.name === tool) === true;
    const asks = !isOffered && !asked.has(tool);
    if (asks) asked.add(tool);
    else left.shift();
    const made = isOffered ? args(bench) : asks ? { tool } : { tool, arguments: args(bench) };
    const call = { name: isOffered ? tool : 'use_tool', arguments: JSON.stringify(made) };
    return { content: '', tool_calls: [{ id: '', type: 'function', function: call }], finishReason: 'tool_calls' };
  };
}

/** Tokens of all requests of a task, and of the first. Throws if a call failed. */
async function play(task: Task, isChosen: boolean): Promise<{ readonly all: number; readonly first: number }> {
  const bench = await openNotes();
  try {
    const { executor } = bench;
    const contents: readonly string[] = NOTE_CONTENTS;
    for (const { name } of executor.groups()) executor.toggleGroupEnabled(name, GROUP_DEFAULTS[name] === true || contents.includes(name));
    const tools = Object.fromEntries(executor.groups().flatMap((group) => group.tools.map(({ name }) => [name, isChosen])));
    const settings = () => ({ systemPrompt: '', chatOption: {}, toolCallMaxRounds: 20, tools });
    const handler = createChatHandler({ executor, settings, today: () => '2026-01-15', timeZone: 'Europe/Berlin' });
    await handler.fitTools(undefined, NEVER);
    const requests: CompletionRequest[] = [];
    const { toolCallHistory } = await executeToolChain(executor, undefined, {
      ...{ complete: playing(bench, task.steps, requests), sessionId: 'bench', turnId: 't', nodeId: 'n', clock: testClock() },
      contextMessages: [{ role: 'user', content: task.question }],
      systemPrompt: handler.buildSystemPrompt(),
    });
    const failed = toolCallHistory.find(({ result }) => result.status !== 'success');
    if (failed) throw new Error(`bench_failed: ${failed.toolName}: ${failed.result.finalText} → mend the benchmark`);
    return { all: requests.reduce((sum, request) => sum + sizeOf(request), 0), first: sizeOf(requests[0] ?? { messages: [] }) };
  } finally {
    await closeNotes();
  }
}

/** Ratio 9: tokens of ten tasks with rare tools told by need, against every tool in each request. */
export async function measureTaskTokens(): Promise<BenchReport> {
  const sum = { need: 0, all: 0, first: 0 };
  for (const task of TASKS) {
    const need = await play(task, false);
    sum.need += need.all;
    sum.first = Math.max(sum.first, need.first);
    sum.all += (await play(task, true)).all;
  }
  return {
    notes: [`${TASKS.length} tasks: ${sum.need} tokens, ${sum.all} with every tool in each request`],
    figures: [
      { name: 'tokens of ten tasks, rare tools by need / all in each request', value: sum.need / sum.all, unit: '', limit: LIMIT_OF_ALL },
      { name: 'tokens of the first request', value: sum.first, unit: '', limit: LIMIT_FIRST },
    ],
  };
}
