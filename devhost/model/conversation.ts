import type { ChatMessage, ChatRequest, ToolSpec } from './types.ts';

/** One call of this turn with its answer. */
export interface Exchange {
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly result: string;
  readonly problem: Problem | null;
}

/** Why a call gave nothing: said to the user as it is. */
export interface Problem {
  /** `withheld`: the call ran, but the user keeps its result. */
  readonly kind: 'rejected' | 'withheld' | 'error';
  readonly message: string;
}

/** All that the planner knows: the request alone, nothing is kept between requests. */
export interface Conversation {
  readonly question: string;
  /** Earlier questions, oldest first. */
  readonly earlierQuestions: readonly string[];
  /** Number of this question, from 1: makes call ids unique in a chat. */
  readonly turn: number;
  readonly exchanges: readonly Exchange[];
  /** Names of result variables of earlier turns, in the order of their appearance. */
  readonly variables: readonly string[];
  /** Text of earlier answers, to tell what was already shown. */
  readonly earlierAnswers: string;
  readonly tools: ReadonlyMap<string, ToolSpec>;
}

function textOf(message: ChatMessage): string {
  if (typeof message.content === 'string') return message.content;
  return (message.content ?? []).map((part) => part.text ?? '').join('\n');
}

function parseArguments(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    // Only our own calls come back here, but a client may have shortened them: then nothing is known of the arguments.
    return {};
  }
}

function firstString(record: Record<string, unknown>, keys: readonly string[]): string | undefined {
  for (const key of keys) {
    const value = record[key];
    if (typeof value === 'string' && value !== '') return value;
  }
  return undefined;
}

/** What the executor tells a model of a rejection, cut down to the user's own reason. */
function rejection(status: string, message: string): Problem {
  const kind = /^result_/.test(status) || /keeps its result/.test(message) ? 'withheld' : 'rejected';
  if (!/Do not repeat it/.test(message)) return { kind, message };
  return { kind, message: /Reason:\s*(.*?)\s*Do not repeat it/s.exec(message)?.[1] ?? '' };
}

/**
 * Reads a failure out of a tool message: JSON with a status, `Error: …`, or the house form
 * `code: what happened → what to do next` in its first line.
 */
export function problemIn(result: string): Problem | null {
  const text = result.trim();
  if (text.startsWith('{')) {
    const record = parseArguments(text);
    const status = typeof record.status === 'string' ? record.status : '';
    const message = firstString(record, ['message', 'error', 'reason', 'rejectReason']) ?? status;
    if (/reject/i.test(status)) return rejection(status, message);
    if (/^(error|not_found|aborted|interrupted|unknown)$/i.test(status) || 'error' in record) return { kind: 'error', message };
    return null;
  }
  const line = text.split('\n', 1)[0] ?? '';
  if (/^(?:\W{0,3}(?:execution|result)?[_ ]?rejected\b|(?:the )?user rejected|⊘|用户拒绝|已拒绝)/i.test(line)) {
    return { kind: 'rejected', message: line };
  }
  if (/^(?:error\b|✗|错误)/i.test(line) || /^(?:[a-z][a-z0-9]*(?:_[a-z0-9]+)+|stale|raced|aborted|timeout): .+ → /.test(line))
    return { kind: 'error', message: line };
  return null;
}

/** Names of results that `<SYSTEM-CONTEXT>` blocks offer (src/tools/util/markers.ts). */
function variablesIn(text: string): string[] {
  const names: string[] = [];
  for (const [, block = ''] of text.matchAll(/<SYSTEM-CONTEXT>([\s\S]*?)(?:<\/SYSTEM-CONTEXT>|$)/g)) {
    for (const match of block.matchAll(/(?:\$VAR_REF\{\{|`)([\p{L}\d_\-/.]+_result)(?=[}:`])/gu)) names.push(match[1] ?? '');
  }
  return [...new Set(names)];
}

/** A note that the user attached to the question, as the chat sends it: `<attached-note kind id title>text</attached-note>`. */
export interface AttachedNote {
  readonly kind: string;
  readonly id: string;
  readonly title: string;
  readonly text: string;
}

export function attachedNotes(question: string): AttachedNote[] {
  return [...question.matchAll(/<attached-note\b([^>]*)>\n?([\s\S]*?)\n?<\/attached-note>/g)].map(([, attributes = '', text = '']) => {
    const read = (name: string) => new RegExp(`\\b${name}="([^"]*)"`).exec(attributes)?.[1] ?? '';
    return { kind: read('kind'), id: read('id'), title: read('title'), text };
  });
}

/** A user message that the tool chain wrote, not the user: the `[SYSTEM]` prompt after the last round. */
function isQuestion(message: ChatMessage): boolean {
  return message.role === 'user' && !/^\s*\[SYSTEM\]/.test(textOf(message));
}

export function readConversation(request: ChatRequest): Conversation {
  const { messages } = request;
  const questions = messages.flatMap((message, index) => (isQuestion(message) ? [index] : []));
  const last = questions.at(-1) ?? -1;
  const before = messages.slice(0, Math.max(last, 0));
  const after = messages.slice(last + 1);
  const results = new Map(after.filter((message) => message.role === 'tool').map((message) => [message.tool_call_id, textOf(message)]));
  const exchanges = after.flatMap((message) =>
    (message.tool_calls ?? []).map((call): Exchange => {
      const result = results.get(call.id) ?? 'error: no answer came back → ask again';
      return { name: call.function.name, args: parseArguments(call.function.arguments), result, problem: problemIn(result) };
    }),
  );
  const earlierAnswers = before
    .filter((message) => message.role === 'assistant' || message.role === 'system')
    .map(textOf)
    .join('\n');
  const offered = request.tool_choice === 'none' ? [] : (request.tools ?? []);
  const question = last < 0 ? undefined : messages[last];
  return {
    question: question ? textOf(question) : '',
    earlierQuestions: questions.slice(0, -1).flatMap((index) => {
      const message = messages[index];
      return message ? [textOf(message)] : [];
    }),
    turn: Math.max(questions.length, 1),
    exchanges,
    variables: variablesIn(earlierAnswers),
    earlierAnswers,
    tools: new Map(offered.map((tool) => [tool.function.name, tool])),
  };
}
