import type { Usage } from '../../tools/contract/messages.ts';
import { subAgentsUsage, wholeUsage } from '../session/saved-sub-agent.ts';
import type { Node, Payload } from '../session/types.ts';

/** Cost and speed of an answer; a figure that the model's service did not report is absent. */
export interface MessageFigures {
  readonly promptTokens?: number;
  readonly completionTokens?: number;
  readonly totalTokens?: number;
  readonly firstToken?: number;
  readonly total?: number;
  /** Over the time in which tokens arrived; with tools, including theirs. */
  readonly tokensPerSecond?: number;
}

export function messageFigures({ usage, time }: Pick<Payload, 'usage' | 'time'>): MessageFigures {
  const seconds = time ? (time.total - time.firstToken) / 1000 : 0;
  return {
    ...(usage ? { promptTokens: usage.prompt_tokens, completionTokens: usage.completion_tokens, totalTokens: usage.total_tokens } : {}),
    ...(time ? { firstToken: time.firstToken, total: time.total } : {}),
    tokensPerSecond: usage && seconds > 0 && usage.completion_tokens > 0 ? usage.completion_tokens / seconds : undefined,
  };
}

export interface ChatFigures {
  /** Answers in all versions and branches: each was paid for, deleted or not. */
  readonly answers: number;
  /** Answers for which the service sent no usage: the sums lack them. */
  readonly unknown: number;
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly totalTokens: number;
  readonly agentsTokens: number;
  /** The usage of each answer with its model, from which its cost follows. */
  readonly usages: readonly { readonly model: string; readonly usage: Usage }[];
  /** Median in milliseconds; absent if no answer was timed. */
  readonly firstToken?: number;
  /** Tokens of all timed answers divided by their time. */
  readonly tokensPerSecond?: number;
}

function median(values: readonly number[]): number | undefined {
  const sorted = [...values].sort((left, right) => left - right);
  const upper = sorted[sorted.length >> 1];
  const lower = sorted[(sorted.length - 1) >> 1];
  return upper === undefined || lower === undefined ? undefined : (upper + lower) / 2;
}

export function chatFigures(nodes: Readonly<Record<string, Node>>): ChatFigures {
  const answers = Object.values(nodes)
    .filter((node) => node.role === 'assistant')
    .flatMap((node) => Object.values(node.versions))
    .filter((payload) => payload.usage !== undefined || payload.message.content !== '');
  const summaries = Object.values(nodes).flatMap((node) => (node.role === 'separator' ? Object.values(node.versions) : []));
  const all = [...answers, ...summaries].flatMap((payload) => wholeUsage(payload) ?? []);
  const sum = (count: (usage: Usage) => number): number => all.reduce((total, usage) => total + count(usage), 0);
  const timed = answers.filter(({ usage, time }) => usage && time && time.total > time.firstToken);
  const seconds = timed.reduce((all, { time }) => all + ((time?.total ?? 0) - (time?.firstToken ?? 0)) / 1000, 0);
  const tokens = timed.reduce((all, { usage }) => all + (usage?.completion_tokens ?? 0), 0);
  const firstToken = median(answers.flatMap(({ time }) => (time ? [time.firstToken] : [])));
  return {
    answers: answers.length,
    unknown: answers.filter((payload) => payload.usage === undefined).length,
    promptTokens: sum((usage) => usage.prompt_tokens),
    completionTokens: sum((usage) => usage.completion_tokens),
    totalTokens: sum((usage) => usage.total_tokens),
    agentsTokens: answers.reduce((all, payload) => all + (subAgentsUsage(payload)?.total_tokens ?? 0), 0),
    usages: answers.flatMap((payload) => {
      const usage = wholeUsage(payload);
      return usage ? [{ model: payload.author, usage }] : [];
    }),
    firstToken,
    tokensPerSecond: seconds > 0 && tokens > 0 ? tokens / seconds : undefined,
  };
}
