import type { Message, MessageImage, ToolCall } from '../../tools/contract/messages.ts';
import { legalCall, readCall } from '../../tools/executor/legal-calls.ts';
import { inOrder, partsFor } from '../answer/signed-thoughts.ts';

type Fields = Readonly<Record<string, unknown>>;
export type Block = Fields & { readonly type: string };

export interface Turn {
  readonly role: 'user' | 'assistant';
  readonly content: readonly Block[];
}

export const ANTHROPIC = 'anthropic-messages';

/** Blocks without a visible character are refused. */
const textBlocks = (text: string): readonly Block[] => (text.trim() === '' ? [] : [{ type: 'text', text }]);

function imageBlock({ url }: MessageImage): Block {
  const [, mime, data] = /^data:([^;,]+)[^,]*;base64,(.*)$/su.exec(url) ?? [];
  const source = mime === undefined ? { type: 'url', url } : { type: 'base64', media_type: mime, data };
  return { type: 'image', source };
}

/** Ids take letters, digits, `_` and `-`; those of other servers may have more. */
const legalId = (id: string): string => id.replace(/[^\w-]/gu, (sign) => `_${sign.codePointAt(0)?.toString(16) ?? ''}`);

function callBlock(call: ToolCall): Block {
  const legal = legalCall(readCall(call));
  // What legalCall writes is JSON of an object.
  return { type: 'tool_use', id: legalId(legal.id), name: legal.function.name, input: JSON.parse(legal.function.arguments) as unknown };
}

/** Gateways begin a thought that never comes; servers refuse it back. */
const isEmptyThought = ({ type, thinking, signature }: Fields): boolean => type === 'thinking' && !thinking && !signature;

function blocksOf(message: Message, model: string, signed: boolean): readonly Block[] {
  if (message.role === 'tool') {
    const failed = message.outcome?.status === 'error' ? { is_error: true } : {};
    const content = message.content === '' ? {} : { content: message.content };
    return [{ type: 'tool_result', tool_use_id: legalId(message.tool_call_id), ...content, ...failed }];
  }
  if (message.role !== 'assistant') {
    const images = message.role === 'user' ? (message.images ?? []) : [];
    return [...images.map(imageBlock), ...textBlocks(message.content)];
  }
  const [text, calls] = [textBlocks(message.content.trimEnd()), (message.tool_calls ?? []).map(callBlock)];
  const parts = signed
    ? partsFor(message, ANTHROPIC, model)?.filter((part) => !('thought' in part && isEmptyThought(part.thought)))
    : undefined;
  return parts === undefined ? [...text, ...calls] : (inOrder(parts, text, calls) as readonly Block[]);
}

/** Whether the calls that are answered last come without the thoughts that a thinking model has to have before them. */
export function lacksThoughts(turns: readonly Turn[]): boolean {
  const last = turns.findLast(({ role }) => role === 'assistant');
  const isOpen = turns.at(-1)?.content.some(({ type }) => type === 'tool_result') ?? false;
  return isOpen && !/^(?:redacted_)?thinking$/u.test(last?.content[0]?.type ?? '');
}

/** A conversation as turns that alternate, its system messages apart. `signed`: thoughts go along with the calls that came of them. */
export function turnsOf(
  messages: readonly Message[],
  model: string,
  signed: boolean,
): { readonly system: string; readonly turns: readonly Turn[] } {
  const turns: { role: Turn['role']; content: Block[] }[] = [];
  for (const message of messages) {
    if (message.role === 'system') continue;
    const role = message.role === 'assistant' ? 'assistant' : 'user';
    const blocks = blocksOf(message, model, signed);
    if (blocks.length === 0) continue;
    const last = turns.at(-1);
    if (last?.role === role) last.content.push(...blocks);
    else turns.push({ role, content: [...blocks] });
  }
  // What was before it may have been left out; a conversation begins with the user.
  if (turns[0]?.role === 'assistant') turns.unshift({ role: 'user', content: [{ type: 'text', text: '(earlier messages left out)' }] });
  const system = messages.flatMap(({ role, content }) => (role === 'system' && content.trim() !== '' ? [content] : [])).join('\n\n');
  return { system, turns };
}

const CACHED = { cache_control: { type: 'ephemeral' } };
/** Thoughts take no mark. */
const mayBeMarked = ({ type }: Block): boolean => !/thinking$/u.test(type);

function markLast(blocks: readonly Block[]): readonly Block[] {
  const at = blocks.findLastIndex(mayBeMarked);
  return blocks.map((block, index) => (index === at ? { ...block, ...CACHED } : block));
}

/** Marks the end, and the text before the last question, which stays when the notes around a question change, for the provider's cache. */
export function withCacheMarks(turns: readonly Turn[]): readonly Turn[] {
  const question = turns.findLastIndex(({ role, content }) => role === 'user' && content.every(({ type }) => type !== 'tool_result'));
  const marked = [turns.length - 1, question - 1];
  return turns.map((turn, index) => (marked.includes(index) ? { ...turn, content: markLast(turn.content) } : turn));
}

export const cachedText = (text: string): readonly Block[] => textBlocks(text).map((block) => ({ ...block, ...CACHED }));
