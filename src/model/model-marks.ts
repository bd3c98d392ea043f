import { fieldOf } from '../tools/util/plain-value.ts';
import { guessModalType, type ModalType } from './modal-type.ts';
import { windowByName } from './model-window.ts';
import type { ProviderModel } from './provider.ts';
import { servedWindow } from './server/server-window.ts';

export type ListedModel = ProviderModel & ModelMarks;

export const withMarks = (models: readonly ProviderModel[]): readonly ListedModel[] =>
  models.map(({ window, ...model }) => ({ ...model, ...marksOf(model.model), ...(window === undefined ? {} : { context: window }) }));

export interface ModelMarks {
  readonly type: ModalType;
  readonly tools?: boolean | undefined;
  readonly vision?: boolean | undefined;
  readonly reasoning?: boolean;
  /** How hard it may be asked to think, as its provider lists it. */
  readonly efforts?: readonly string[];
  readonly context?: number;
}

type Mark = 'tools' | 'vision' | 'reasoning';

const VISION =
  /^(?:gpt-4o|gpt-4\.1|gpt-4-turbo|gpt-5|chatgpt-4o|o[134](?:-|$)|claude-(?!2|instant)|gemini|pixtral|llava|bakllava|moondream|minicpm-v|gemma-?3|llama-?3\.2-vision|llama-?4|mistral-(?:small-(?:latest|3\.[12]|25)|medium)|grok-(?:\d+-)?vision|grok-4|step-1v|kimi-k2\.5|qvq)|(?:-|:|\b)(?:vision|vl)(?:-|:|\b|\d)/i;
const REASONING =
  /^(?:o[134](?:-|$)|gpt-5|gpt-oss|deepseek-(?:r1|reasoner)|qwq|qvq|qwen-?3|magistral|claude-(?:3-7|opus-4|sonnet-4|haiku-4)|gemini-(?:2\.5|3)|grok-(?:3-mini|4)|kimi-k2-thinking|glm-(?:4\.[5-9]|z1|5)|minimax-m)|(?:thinking|reasoning|reasoner)/i;
const TOOLS =
  /^(?:gpt-(?:3\.5-turbo|4|5|oss)|chatgpt-4o|o[134](?:-|$)|claude-(?!2|instant)|gemini|mistral|ministral|codestral|devstral|magistral|pixtral|deepseek-(?:chat|reasoner|v3)|qwen|qwq|glm-[45]|grok|kimi|moonshot|llama-?(?:3\.[1-9]|4)|command-(?:r|a)|hermes|granite|minimax|nemotron|firefunction|phi-?4-mini)/i;
/** Families whose older or smaller members cannot. */
const NO_TOOLS =
  /^(?:gpt-4-vision|o1-(?:mini|preview)|chatgpt-4o|deepseek-r1|gemma-?[12]|llama-?2|phi-?[123]|qwen-?1|tinyllama|codellama)/i;

/** The name of a model for people: of a path, which a server with one file may use as id, the file name. */
export const shownName = (model: string): string => (/^(?:\.{0,2}|[a-z]:)[\\/]/i.test(model) ? model.replace(/^.*[\\/](?=.)/u, '') : model);

/** The name without its vendor (`openai/gpt-4o`) and any folder that a server adds. */
export const bareName = (model: string): string => shownName(model).replace(/^.*\//u, '').toLowerCase();

function byName(model: string): Partial<Record<Mark, boolean>> {
  const name = bareName(model);
  const tools = NO_TOOLS.test(name) ? false : TOOLS.test(name) || undefined;
  return {
    ...(tools === undefined ? {} : { tools }),
    ...(VISION.test(name) ? { vision: true } : {}),
    ...(REASONING.test(name) ? { reasoning: true } : {}),
  };
}

const has = (list: unknown, ...words: readonly string[]): boolean | undefined =>
  Array.isArray(list) ? list.some((each: unknown) => typeof each === 'string' && words.includes(each.toLowerCase())) : undefined;

const isFlag = (value: unknown): value is boolean => typeof value === 'boolean';
/** Anthropic says of each capability whether it is supported. */
const supports = (value: unknown): unknown => (isFlag(value) ? value : fieldOf(value, 'supported'));

/** What a model's entry in an answer to `GET /models` says: OpenRouter, Mistral, vLLM, LM Studio and others differ. */
function byEntry(entry: unknown): Partial<Record<Mark, boolean>> {
  const parameters = fieldOf(entry, 'supported_parameters');
  const capabilities = fieldOf(entry, 'capabilities');
  const modalities = fieldOf(fieldOf(entry, 'architecture'), 'input_modalities');
  const flag = (...names: readonly string[]): boolean | undefined =>
    names.map((name) => supports(fieldOf(capabilities, name))).find(isFlag);
  const tools = has(parameters, 'tools') ?? flag('function_calling', 'tools') ?? has(capabilities, 'tools', 'tool_use');
  const vision = has(modalities, 'image') ?? flag('vision', 'image_input') ?? has(capabilities, 'vision');
  const reasoning =
    has(parameters, 'reasoning', 'include_reasoning') ?? flag('reasoning', 'thinking') ?? has(capabilities, 'thinking', 'reasoning');
  return {
    ...(tools === undefined ? {} : { tools }),
    ...(vision === undefined ? {} : { vision }),
    ...(reasoning === undefined ? {} : { reasoning }),
  };
}

/** `entry`: the model in the provider's list; it takes precedence over the name. */
export function marksOf(model: string, entry?: unknown): ModelMarks {
  const type = guessModalType(model);
  const context = servedWindow({ data: [entry] }, model) ?? windowByName(model);
  if (type !== 'chat') return { type };
  return { type, ...byName(model), ...byEntry(entry), ...(context === undefined ? {} : { context }) };
}
