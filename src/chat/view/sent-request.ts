import { IMAGE_TOKENS } from '../../tools/chain/context-budget.ts';
import { estimateTokens } from '../../tools/util/estimate-tokens.ts';
import { textOrEmpty } from '../../tools/util/plain-value.ts';

export interface SentPart {
  readonly kind: 'system' | 'user' | 'assistant' | 'tool' | 'definition';
  readonly name: string;
  /** Pictures are named, not shown; tool calls follow the text as JSON. */
  readonly text: string;
  readonly tokens: number;
}

export interface SentRequest {
  readonly model: string;
  /** All fields except model, messages and tools, as JSON. */
  readonly options: string;
  readonly parts: readonly SentPart[];
  readonly tokens: number;
}

type Fields = Readonly<Record<string, unknown>>;
const fields = (value: unknown): Fields => (typeof value === 'object' && value !== null ? (value as Fields) : {});
const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Overhead tokens of a message or a definition, as documented for chat formats. */
const AROUND = 4;

function contentOf(content: unknown): { readonly text: string; readonly pictures: number } {
  if (!Array.isArray(content)) return { text: textOrEmpty(content), pictures: 0 };
  const parts = content.map(fields);
  const pictures = parts.filter(({ type }) => type === 'image_url').length;
  return {
    text: parts.map((part) => (part.type === 'text' ? textOrEmpty(part.text) : `[${textOrEmpty(part.type)}]`)).join('\n'),
    pictures,
  };
}

function messagePart(message: unknown): SentPart {
  const { role, content, tool_calls } = fields(message);
  const said = contentOf(content);
  const calls = list(tool_calls).map((call) => {
    const { name, arguments: args } = fields(fields(call).function);
    return `${textOrEmpty(name)}(${textOrEmpty(args)})`;
  });
  const whole = [said.text, ...calls].filter((each) => each !== '').join('\n');
  const kind = role === 'system' || role === 'assistant' || role === 'tool' ? role : 'user';
  return { kind, name: '', text: whole, tokens: estimateTokens(whole) + AROUND + said.pictures * IMAGE_TOKENS };
}

function definitionPart(tool: unknown): SentPart {
  const { name, description, parameters } = fields(fields(tool).function);
  const shown = [textOrEmpty(description), JSON.stringify(parameters ?? {})].filter((each) => each !== '').join('\n');
  return { kind: 'definition', name: textOrEmpty(name), text: shown, tokens: estimateTokens(JSON.stringify(tool)) + AROUND };
}

/** Parses the body of a request to a chat model. Throws if it is not JSON, since it was made here. */
export function readSentRequest(body: string): SentRequest {
  const { model, messages, tools, ...options } = fields(JSON.parse(body));
  const parts = [...list(messages).map(messagePart), ...list(tools).map(definitionPart)];
  return {
    model: textOrEmpty(model),
    options: JSON.stringify(options, null, 1),
    parts,
    tokens: parts.reduce((sum, part) => sum + part.tokens, 0),
  };
}
