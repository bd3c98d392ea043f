import { fieldOf, isRecord } from '../../tools/util/plain-value.ts';
import { isLocalAddress } from '../local-address.ts';
import { modelEntries } from '../model-entries.ts';

export interface ServerFacts {
  /** Tokens that one request may have together with its answer. */
  readonly window?: number | undefined;
  readonly takesTools?: boolean | undefined;
}

/** GET without a body, else POST; returns the answer's JSON. Rejects like fetch, and if there is no such route. */
export type AskServer = (url: string, signal: AbortSignal, body?: unknown) => Promise<unknown>;

const FIELDS = [
  'loaded_context_length',
  'context_length',
  'context_window',
  'max_context_length',
  'max_model_len',
  'n_ctx',
  'max_input_tokens',
];
/** The window that Ollama and LM Studio give a model that is not loaded yet and has no setting. */
const LOADED_WITH = 4096;

const isSize = (size: unknown): size is number => typeof size === 'number' && Number.isInteger(size) && size >= 512;
const sizeIn = (place: unknown, names: readonly string[] = FIELDS): number | undefined =>
  names.map((name) => fieldOf(place, name)).find(isSize);
const entryOf = (answer: unknown, model: string): unknown => modelEntries(answer).find(({ id }) => id === model)?.entry;

/** The window of a model in a provider's `/models`; undefined if it gives none. */
export function servedWindow(answer: unknown, model: string): number | undefined {
  const entry = entryOf(answer, model);
  return [entry, fieldOf(entry, 'meta'), fieldOf(entry, 'top_provider')].map((place) => sizeIn(place)).find(isSize);
}

/** llama.cpp's `/props`: the window of one slot, which is what a request gets. */
export function readProps(props: unknown): ServerFacts {
  const caps = fieldOf(props, 'chat_template_caps');
  const takes = fieldOf(caps, 'supports_tools');
  return {
    window: sizeIn(fieldOf(props, 'default_generation_settings'), ['n_ctx']) ?? sizeIn(props, ['n_ctx']),
    takesTools: typeof takes === 'boolean' ? takes : undefined,
  };
}

/** Ollama: the loaded model, else its defaults. It truncates silently. */
export function readOllama(running: unknown, shown: unknown, model: string): ServerFacts {
  const named = (list: unknown): unknown => entryOf(list, model) ?? entryOf(list, `${model}:latest`);
  const set = /(?:^|\n)\s*num_ctx\s+(\d+)/u.exec(String(fieldOf(shown, 'parameters') ?? ''))?.[1];
  const info = fieldOf(shown, 'model_info');
  const trained = isRecord(info) ? Object.entries(info).find(([name]) => name.endsWith('.context_length'))?.[1] : undefined;
  const most = isSize(trained) ? trained : Number.POSITIVE_INFINITY;
  const loaded = sizeIn(named(running), ['context_length']);
  const capabilities = fieldOf(shown, 'capabilities');
  return {
    window: loaded ?? (isRecord(info) || set !== undefined ? Math.min(isSize(Number(set)) ? Number(set) : LOADED_WITH, most) : undefined),
    takesTools: Array.isArray(capabilities) && capabilities.length > 0 ? capabilities.includes('tools') : undefined,
  };
}

export function readLmStudio(list: unknown, model: string): ServerFacts {
  const entry = entryOf(list, model);
  const loaded = sizeIn(entry, ['loaded_context_length']);
  const most = sizeIn(entry, ['max_context_length']);
  const capabilities = fieldOf(entry, 'capabilities');
  return {
    window: loaded ?? (most === undefined ? undefined : Math.min(LOADED_WITH, most)),
    takesTools: Array.isArray(capabilities) ? capabilities.includes('tool_use') : undefined,
  };
}

/** The server program that answers, by its list and its default port. */
export function serverKind(base: string, list: unknown, model: string): 'llama.cpp' | 'ollama' | 'lm-studio' | 'other' {
  const owner = String(fieldOf(entryOf(list, model) ?? modelEntries(list)[0]?.entry, 'owned_by') ?? '');
  const { port } = new URL(base);
  if (/^llama[-_.]?cpp$/iu.test(owner)) return 'llama.cpp';
  if (port === '11434' || owner === 'library') return 'ollama';
  if (port === '1234' || /^organization[-_]owner$/iu.test(owner)) return 'lm-studio';
  return port === '8080' && owner === '' ? 'llama.cpp' : 'other';
}

/** Asks a local server for the window that the model was started with, not its maximum; rejects only like `list`. */
export async function askServerFacts(
  { base, model }: { readonly base: string; readonly model: string },
  list: unknown,
  ask: AskServer,
  signal: AbortSignal,
): Promise<ServerFacts> {
  if (!isLocalAddress(base)) return {};
  const { origin } = new URL(base);
  const quietly = (path: string, body?: unknown): Promise<unknown> => ask(`${origin}${path}`, signal, body).catch(() => undefined);
  const kind = serverKind(base, list, model);
  if (kind === 'llama.cpp') return readProps(await quietly(`/props?model=${encodeURIComponent(model)}&autoload=false`));
  if (kind === 'lm-studio') return readLmStudio(await quietly('/api/v0/models'), model);
  if (kind !== 'ollama') return {};
  const [running, shown] = await Promise.all([quietly('/api/ps'), quietly('/api/show', { model })]);
  return readOllama(running, shown, model);
}
