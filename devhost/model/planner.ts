import { joinParts } from './answers.ts';
import { type Exchange, readConversation } from './conversation.ts';
import { partialAnswer, stepAsk } from './flow-ask.ts';
import { answerEditorTask, readEditorTask } from './flow-editor.ts';
import { stepEarlier, stepFind, stepListNotebooks } from './flow-others.ts';
import { stepSort } from './flow-sort.ts';
import { stepSummarize } from './flow-summarize.ts';
import { languageOf, ownWords, readIntent } from './intents.ts';
import { phrasesFor } from './phrases.ts';
import type { Step, Turn } from './turn.ts';
import type { ChatRequest, DemoReply, DemoUsage, Intent, ToolSpec, WantedCall, WireToolCall } from './types.ts';

function stepFor(turn: Turn, intent: Intent): Step {
  switch (intent.kind) {
    case 'ask':
      return stepAsk(turn, intent);
    case 'summarize':
      return stepSummarize(turn, intent);
    case 'find':
      return stepFind(turn, intent.query);
    case 'list-notebooks':
      return stepListNotebooks(turn);
    case 'sort':
      return stepSort(turn, intent.document);
    case 'earlier':
      return stepEarlier(turn, intent.topic);
    case 'help':
      return { text: turn.say.help };
  }
}

function isWrite(exchange: Exchange): boolean {
  return (
    /^(?:insert_blocks|create_doc|edit_block|move_blocks)$/.test(exchange.name) ||
    (exchange.name === 'daily_note' && exchange.args.op === 'append')
  );
}

/** The first rejected or failed call ends the turn: it is told as it is, and nothing more is called. */
function stepAfterProblem(turn: Turn, intent: Intent): Step | null {
  const failed = turn.conversation.exchanges.find((exchange) => exchange.problem !== null);
  if (!failed?.problem) return null;
  const written = turn.conversation.exchanges.some((exchange) => isWrite(exchange) && exchange.problem === null);
  const wanted = 'write' in intent && intent.write !== null;
  // The kernel did not answer after a write, or only its result was kept back: then nobody may say that nothing was written.
  const uncertain = isWrite(failed) && (failed.problem.kind === 'withheld' || failed.problem.message.startsWith('outcome_unknown'));
  return {
    text: joinParts(
      turn.say.problem(failed.name, { ...failed.problem, message: failed.problem.message.slice(0, 400) }),
      wanted && !written && !uncertain ? turn.say.nothingWritten : null,
      intent.kind === 'ask' ? partialAnswer(turn, intent) : null,
    ),
  };
}

function schemaOf(tool: ToolSpec, argument: string): Record<string, unknown> {
  const schema = tool.function.parameters?.properties?.[argument];
  return typeof schema === 'object' && schema !== null ? { ...schema } : {};
}

/** Keeps the arguments that the tool declares and numbers below its maximum. */
export function fitArguments(tool: ToolSpec, args: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const properties = tool.function.parameters?.properties;
  const entries = Object.entries(args).filter(([name]) => properties === undefined || name in properties);
  return Object.fromEntries(
    entries.map(([name, value]) => {
      const { maximum } = schemaOf(tool, name);
      return [name, typeof value === 'number' && typeof maximum === 'number' ? Math.min(value, maximum) : value];
    }),
  );
}

/** About four Latin letters or one Chinese character a token: good enough to show that usage is counted. */
export function estimateTokens(text: string): number {
  const han = text.match(/\p{Script=Han}/gu)?.length ?? 0;
  return Math.ceil(han + (text.length - han) / 4);
}

function usageOf(request: ChatRequest, produced: string): DemoUsage {
  const prompt = estimateTokens(JSON.stringify(request.messages)) + (request.tools ? estimateTokens(JSON.stringify(request.tools)) : 0);
  const completion = estimateTokens(produced);
  return { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion };
}

function wireCalls(turn: Turn, calls: readonly WantedCall[]): WireToolCall[] {
  const { conversation } = turn;
  return calls.flatMap((call, index) => {
    const tool = conversation.tools.get(call.name);
    if (!tool) return [];
    const id = `call_${conversation.turn}_${conversation.exchanges.length + index + 1}`;
    return [{ id, type: 'function', function: { name: call.name, arguments: JSON.stringify(fitArguments(tool, call.args)) } }];
  });
}

const systemText = ({ messages }: ChatRequest): string =>
  messages.flatMap(({ role, content }) => (role === 'system' && typeof content === 'string' ? [content] : [])).join('\n');

/** What is copied from a note names its block. */
const CITES = /\(\(\d{14}-/;

/**
 * Answers a request by rules. Pure: the same request gives the same reply, and nothing is kept. A reply has calls and no text,
 * or a text that ends with the note that no language model wrote it.
 */
export function planReply(request: ChatRequest): DemoReply {
  const conversation = readConversation(request);
  const task = readEditorTask(systemText(request), conversation.question);
  if (task) {
    const content = answerEditorTask(task);
    return { content, toolCalls: [], finishReason: 'stop', usage: usageOf(request, content) };
  }
  const say = phrasesFor(languageOf(ownWords(conversation.question)));
  const turn: Turn = { conversation, say };
  const intent = readIntent(conversation.question);
  const ended = stepAfterProblem(turn, intent);
  const noTools = conversation.tools.size === 0 && conversation.exchanges.length === 0 && intent.kind !== 'help';
  const step = ended ?? (noTools ? { text: say.noTools } : stepFor(turn, intent));
  const calls = 'calls' in step ? wireCalls(turn, step.calls) : [];
  if (calls.length > 0) {
    const produced = calls.map((call) => call.function.arguments).join('');
    return { content: '', toolCalls: calls, finishReason: 'tool_calls', usage: usageOf(request, produced) };
  }
  const wanted = 'calls' in step ? [...new Set(step.calls.map((call) => `\`${call.name}\``))].join(', ') : '';
  const text = 'text' in step ? step.text : say.missingTool(wanted);
  const content = `${text}\n\n*${CITES.test(text) ? say.copied : say.note}*`;
  return { content, toolCalls: [], finishReason: 'stop', usage: usageOf(request, content) };
}
