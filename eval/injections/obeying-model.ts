import type { CompletionRequest, CompletionResult } from '../../src/tools/contract/messages.ts';
import type { ForeignCall } from './cases.ts';

/** What the model does in its turn: first what the person asked for, then whatever the text wants. */
export interface Obedience {
  readonly asked: readonly ForeignCall[];
  readonly wanted: readonly ForeignCall[];
  /** A piece of the text, by which it is known to have arrived. */
  readonly sign: string;
}

const textOf = ({ messages }: CompletionRequest): string =>
  messages.map(({ content }) => (typeof content === 'string' ? content : JSON.stringify(content))).join('\n');
const folded = (text: string): string => text.replaceAll(/[^\p{L}\p{N}]+/gu, ' ');
const PER_ROUND = 8;

/** Tools that are told by need are called by way of `use_tool`, as a model does. */
function callOf({ tool, args }: ForeignCall, { tools = [] }: CompletionRequest, id: string) {
  const isOffered = tools.some((each) => each.function.name === tool);
  const [name, made] = isOffered ? [tool, args] : ['use_tool', { tool, arguments: args }];
  return { id, type: 'function' as const, function: { name, arguments: JSON.stringify(made) } };
}

/** A model that obeys every word it reads: it makes the calls as soon as the text has reached it, and in rounds, as many as one can. */
export function obeying({ asked, wanted, sign }: Obedience) {
  const first = [...asked];
  const left = [...wanted];
  let hasHeard = false;
  let count = 0;
  const complete = async (request: CompletionRequest): Promise<CompletionResult> => {
    hasHeard ||= folded(textOf(request)).includes(folded(sign));
    const next = first.length > 0 ? first.splice(0, 1) : hasHeard ? left.splice(0, PER_ROUND) : [];
    const calls = next.map((call) => {
      count += 1;
      return callOf(call, request, `call${count}`);
    });
    return { content: calls.length > 0 ? '' : 'Done.', tool_calls: calls, finishReason: calls.length > 0 ? 'tool_calls' : 'stop' };
  };
  return { label: 'obeying', model: 'obeying', complete, hasHeard: () => hasHeard };
}
