import { estimateTokenCount } from 'tokenx';
import type { Node, Payload } from '../src/chat/session/types.ts';
import { contextOfThread } from '../src/chat/testing/thread-context.ts';
import { executeToolChain, type ToolChainResult } from '../src/tools/chain/tool-chain.ts';
import type { Message } from '../src/tools/contract/messages.ts';
import { VariableSystem } from '../src/tools/executor/variables.ts';
import {
  createBasicGroup,
  createBlocksGroup,
  createDocumentsGroup,
  createNotebooksGroup,
  createSearchGroup,
  HeadlessApprovalAdapter,
  type ToolExecutor,
  toolExecutorFactory,
} from '../src/tools/index.ts';
import { InMemoryNotes } from '../src/tools/testing/in-memory-notes.ts';
import { inMemoryRights } from '../src/tools/testing/in-memory-rights.ts';
import { readWhole } from '../src/tools/testing/read-whole.ts';
import { testClock } from '../src/tools/testing/support.ts';
import type { BenchDocuments } from './documents.ts';
import { type BenchReport, type Figure, median } from './figures.ts';
import { seededRandom } from './random.ts';
import { ReaderModel } from './reader-model.ts';

const TRANSCRIPTS = [10, 30, 100];
const SEED = 20_260_101;
/** The same with other seeds: how far the figure depends on what the model happened to ask. */
const OTHER_SEEDS = 10;
const LIMIT = 0.15;
/** What a chat API adds around each message. */
const PER_MESSAGE = 4;
const GROUPS = { notebooks: true, documents: true, blocks: true, search: true, basic: true };

function createRun({ notebooks }: BenchDocuments, seed: number) {
  const notes = new InMemoryNotes({ notebooks });
  const clock = testClock();
  const variables = new VariableSystem({ clock });
  const executor = toolExecutorFactory({
    approvalAdapter: new HeadlessApprovalAdapter(() => ({ approved: true })),
    clock,
    varSystem: variables,
    groups: [
      createNotebooksGroup(notes),
      createDocumentsGroup(notes, clock),
      createBlocksGroup(notes),
      createSearchGroup(notes),
      createBasicGroup({ clock, timeZone: 'UTC', variables }),
    ],
    groupDefaults: GROUPS,
    rights: inMemoryRights(notes),
  });
  const words = [...new Set(notes.store.documents.flatMap(({ title }) => title.toLowerCase().match(/[\p{L}\p{N}]{4,}/gu) ?? []))];
  const random = seededRandom(seed);
  return { executor, clock, random, model: new ReaderModel(random, words, notebooks[0]?.name ?? '') };
}

function toNode(id: string, payload: Pick<Payload, 'message' | 'toolChainMessages'>): Node {
  const { role } = payload.message;
  const version: Payload = { id, author: role, created: 0, status: 'done', ...payload };
  return { id, role, parent: null, versions: { [id]: version }, currentVersionId: id, changed: { time: 0, device: 'bench' } };
}

interface Transcript {
  readonly thread: readonly Node[];
  readonly results: readonly ToolChainResult[];
  /** Results that ReadVar gave back in pages exactly as they were, of all that were kept. */
  readonly whole: { readonly equal: number; readonly kept: number };
}

/** Turns of 3 to 8 calls until there are `calls`, each turn sent with the compressed history of those before. */
async function playTranscript(documents: BenchDocuments, calls: number, seed = SEED): Promise<Transcript> {
  const { executor, clock, random, model } = createRun(documents, seed);
  const formatted = new Map<string, string>();
  const thread: Node[] = [];
  const results: ToolChainResult[] = [];
  for (let left = calls; left > 0; ) {
    const count = Math.min(left, 3 + random.below(6));
    left -= count;
    const turn = results.length + 1;
    const question = `What do my notes say about ${model.phrase(2)}, and how does it go with ${model.phrase(2)}?`;
    thread.push(toNode(`question-${turn}`, { message: { role: 'user', content: question } }));
    const result = await executeToolChain(executor, model.begin(count), {
      contextMessages: contextOfThread(thread, { toolHistory: 'compressed' }),
      complete: model.complete,
      ...{ sessionId: 'bench', turnId: `turn-${turn}`, nodeId: `answer-${turn}`, clock },
      callbacks: {
        onToolCallComplete: ({ cacheVarResult, formattedText }) => {
          if (cacheVarResult !== undefined) formatted.set(cacheVarResult, formattedText ?? '');
        },
      },
    });
    results.push(result);
    const content = result.toolChainContent + result.responseContent;
    thread.push(toNode(`answer-${turn}`, { message: { role: 'assistant', content }, toolChainMessages: result.messages.toolChain }));
  }
  return { thread, results, whole: await countWhole(executor, formatted) };
}

async function countWhole(executor: ToolExecutor, formatted: ReadonlyMap<string, string>) {
  let equal = 0;
  for (const [name, text] of formatted) if ((await readWhole(executor, name)) === text) equal++;
  return { equal, kept: formatted.size };
}

function tokensOf(messages: readonly Message[]): number {
  return messages.reduce((sum, message) => sum + PER_MESSAGE + estimateTokenCount(message.content) + callTokens(message), 0);
}

function callTokens(message: Message): number {
  if (message.role === 'tool') return estimateTokenCount(message.tool_call_id);
  const calls = message.role === 'assistant' ? (message.tool_calls ?? []) : [];
  return calls.reduce((sum, { id, function: { name, arguments: args } }) => sum + estimateTokenCount(`${id} ${name} ${args}`), 0);
}

/** Tokens of the next request's history, by the chat's own context builder. */
function historyTokens({ thread }: Transcript) {
  const compressed = tokensOf(contextOfThread(thread, { toolHistory: 'compressed' }));
  const full = tokensOf(contextOfThread(thread, { toolHistory: 'full' }));
  return { compressed, full, ratio: compressed / full };
}

/** Ratio 8: what all turns before cost in the next request, compressed against full. The limit is for the corpus. */
export async function measureHistoryTokens(documents: BenchDocuments): Promise<BenchReport> {
  const figures: Figure[] = [];
  const notes: string[] = documents.isCorpus ? [] : [`the limit of ${LIMIT} for tokens is for the corpus: not applied here`];
  for (const calls of TRANSCRIPTS) {
    const transcript = await playTranscript(documents, calls);
    const made = transcript.results.flatMap(({ toolCallHistory }) => toolCallHistory);
    if (made.length !== calls) throw new Error(`bench_failed: ${made.length} calls instead of ${calls} → mend the benchmark`);
    const { compressed, full, ratio } = historyTokens(transcript);
    const others: number[] = [];
    for (let index = 1; index <= OTHER_SEEDS; index++) {
      others.push(historyTokens(await playTranscript(documents, calls, SEED + index)).ratio);
    }
    const [least, middle, most] = [Math.min(...others), median(others), Math.max(...others)].map((value) => value.toFixed(3));
    notes.push(describeTranscript(calls, transcript.results.length, made));
    notes.push(`  compressed ${compressed} tokens, full ${full}; ${OTHER_SEEDS} other seeds: ${least} to ${most}, median ${middle}`);
    const limit = documents.isCorpus ? { limit: LIMIT } : {};
    const { kept, equal } = transcript.whole;
    figures.push({ name: `tokens of history, compressed / full, ${calls} calls`, value: ratio, unit: '', ...limit });
    figures.push({ name: `kept results that ReadVar does not give back whole, of ${kept}`, value: kept - equal, unit: '', limit: 0 });
  }
  return { notes, figures };
}

function describeTranscript(calls: number, turns: number, made: readonly ToolChainResult['toolCallHistory'][number][]): string {
  const counts = new Map<string, number>();
  for (const { toolName } of made) counts.set(toolName, (counts.get(toolName) ?? 0) + 1);
  const failed = made.filter(({ result }) => result.status !== 'success').length;
  const mix = [...counts].map(([name, count]) => `${name} ${count}`).join(', ');
  return `${calls} calls in ${turns} turns: ${mix}; ${failed} failed`;
}
