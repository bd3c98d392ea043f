import { ToolError } from '../tools/contract/errors.ts';
import { linkSignals } from '../tools/util/abort.ts';
import { fieldOf, isRecord, parsedJson } from '../tools/util/plain-value.ts';
import { anthropicHeaders, anthropicRoute } from './anthropic/anthropic-server.ts';
import { failureIn, readFailure } from './failure-words.ts';
import { modelEntries } from './model-entries.ts';
import { bareName, type ListedModel, marksOf, shownName } from './model-marks.ts';
import type { Provider } from './provider.ts';
import type { CustomProvider } from './providers.ts';
import { addressOf, keyHeader, readAddress, type ServerAddress } from './server/server-address.ts';

const EFFORTS = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const;
const EFFORT_LISTS = ['supported_efforts', 'reasoning_efforts', 'supported_reasoning_efforts'] as const;

/** The efforts that an entry lists (OpenRouter and others), or says of one by one (Anthropic); undefined where it says nothing. */
function effortsIn(entry: unknown): readonly string[] | undefined {
  const capabilities = fieldOf(entry, 'capabilities');
  const places = [entry, fieldOf(entry, 'reasoning'), capabilities, fieldOf(capabilities, 'reasoning')];
  const list = places.flatMap((place) => EFFORT_LISTS.map((name) => fieldOf(place, name))).find(Array.isArray);
  const each = fieldOf(capabilities, 'effort');
  const found = EFFORTS.filter((effort) => (list ? list.includes(effort) : fieldOf(fieldOf(each, effort), 'supported') === true));
  return found.length > 0 ? found : undefined;
}

type Server = Pick<Provider, 'baseURL' | 'apiKey' | 'protocol'>;

/** Servers that people run on their own machine, at their default ports. */
const LOCAL_SERVERS: readonly CustomProvider[] = [
  { id: 'ollama', name: 'Ollama', baseURL: 'http://127.0.0.1:11434/v1', apiKey: '' },
  { id: 'lm-studio', name: 'LM Studio', baseURL: 'http://127.0.0.1:1234/v1', apiKey: '' },
  { id: 'llama-server', name: 'llama.cpp', baseURL: 'http://127.0.0.1:8080/v1', apiKey: '' },
];
const PATIENCE_MS = 8000;
const MAX_WORDS = 300;
const LOCAL_PATIENCE_MS = 1500;

/** Models that are not for chats, by name: for embeddings, moderation or ranking. */
const NOT_TALKING =
  /(?:^|[-_])(?:embed|embedding|embeddings|rerank|reranker|moderation|bge|guard)(?:[-_:.]|$)|^(?:text-embedding|omni-moderation|babbage|davinci)/i;

/** The models of an answer to `GET /models`, by name; those that only embed or rank are left out. */
export function readModelList(answer: unknown): readonly ListedModel[] {
  const byId = new Map(modelEntries(answer).map(({ id, entry }) => [id, entry] as const));
  const ids = [...byId.keys()].filter((id) => !NOT_TALKING.test(bareName(id)));
  return ids
    .sort((one, other) => one.localeCompare(other, 'en', { numeric: true }))
    .map((id) => {
      const efforts = effortsIn(byId.get(id));
      return { id, model: id, name: shownName(id), ...marksOf(id, byId.get(id)), ...(efforts ? { efforts } : {}) };
    });
}

/** Of the protocol that lists its models in pages: more than any provider has. */
const MAX_PAGES = 20;

interface ListRequest {
  readonly address: string;
  readonly headers: Readonly<Record<string, string>>;
}

function listRequest(server: ServerAddress, { protocol, apiKey }: Server, after: string): ListRequest {
  const { base, query } = server;
  if (protocol !== 'anthropic-messages') return { address: addressOf(server, '/models'), headers: keyHeader(base, apiKey) };
  const page = { ...query, limit: '1000', ...(after === '' ? {} : { after_id: after }) };
  return {
    address: addressOf({ base, query: page }, anthropicRoute(base, '/models')),
    headers: anthropicHeaders(base, apiKey),
  };
}

async function requestList(
  server: ServerAddress,
  { address, headers }: ListRequest,
  fetch: typeof globalThis.fetch,
  signal: AbortSignal,
): Promise<Response> {
  try {
    return await fetch(address, { signal, redirect: 'error', headers });
  } catch (error) {
    throw new ToolError(
      'model_unreachable',
      `no connection to ${server.base}`,
      'check the network and that the server runs at this address; if it does, let it accept requests from this page (CORS; Ollama: OLLAMA_ORIGINS)',
      String(error),
    );
  }
}

/** The models that a provider lists. Rejects with `model_unreachable`, `model_unauthorized` or `model_bad_answer`. */
export async function listModels(
  provider: Server,
  fetch: typeof globalThis.fetch,
  signal: AbortSignal,
  patienceMs = PATIENCE_MS,
): Promise<readonly ListedModel[]> {
  const { baseURL } = provider;
  const server = readAddress(baseURL);
  if (server === null) throw new ToolError('model_unreachable', `"${baseURL}" is not a web address`, 'enter the provider’s address');
  const limited = linkSignals([signal], patienceMs);
  try {
    const entries: unknown[] = [];
    let after = '';
    for (let pages = 0; pages < MAX_PAGES; pages += 1) {
      const request = listRequest(server, provider, after);
      const answer = await readList(server.base, await requestList(server, request, fetch, limited.signal));
      const next =
        provider.protocol === 'anthropic-messages' && fieldOf(answer, 'has_more') === true ? fieldOf(answer, 'last_id') : undefined;
      entries.push(answer);
      if (typeof next !== 'string' || next === '' || next === after) break;
      after = next;
    }
    return readModelList(
      entries.flatMap((answer) => modelEntries(answer).map(({ id, entry }) => ({ ...(isRecord(entry) ? entry : {}), id }))),
    );
  } finally {
    limited.release();
  }
}

async function readList(address: string, response: Response): Promise<unknown> {
  const body = await response.text().catch(() => '');
  const answer = parsedJson(body);
  const failure = response.ok ? failureIn(answer) : (answer ?? body);
  const said = failure === undefined ? '' : readFailure(failure).words.slice(0, MAX_WORDS);
  const words = said === '' ? '' : `: ${said}`;
  if (response.status === 401 || response.status === 403)
    throw new ToolError('model_unauthorized', `the provider does not accept the key${words}`, 'enter a valid key');
  if (!response.ok)
    throw new ToolError('model_bad_answer', `${address} has no list of models (${response.status})${words}`, 'type the name of the model');
  if (readModelList(answer).length > 0) return answer;
  throw new ToolError('model_bad_answer', `${address} answered without a list of models${words}`, 'type the name of the model');
}

export interface ListedServer extends CustomProvider {
  readonly listed: readonly ListedModel[];
}

/** Ollama, llama-server and LM Studio, if they run on this machine. Rejects only on abort. */
export async function findLocalServers(fetch: typeof globalThis.fetch, signal: AbortSignal): Promise<readonly ListedServer[]> {
  const found = await Promise.all(
    LOCAL_SERVERS.map(async (server): Promise<ListedServer[]> => {
      try {
        const listed = await listModels(server, fetch, signal, LOCAL_PATIENCE_MS);
        return [{ ...server, listed }];
      } catch (error) {
        if (signal.aborted) throw error;
        return []; // Not running, or not open to web pages: then it is set up by hand.
      }
    }),
  );
  return found.flat();
}
