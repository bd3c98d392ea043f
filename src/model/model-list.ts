import { ToolError } from '../tools/contract/errors.ts';
import { linkSignals } from '../tools/util/abort.ts';
import { parsedJson } from '../tools/util/plain-value.ts';
import { failureIn, readFailure } from './failure-words.ts';
import type { ListedModel } from './listed-model.ts';
import { modelEntries } from './model-entries.ts';
import { bareName, marksOf, shownName } from './model-marks.ts';
import type { CustomProvider, Provider } from './providers.ts';
import { addressOf, keyHeader, readAddress, type ServerAddress } from './server-address.ts';

type Server = Pick<Provider, 'baseURL' | 'apiKey'>;

/** Servers that people run on their own machine, at their default ports. */
const LOCAL_SERVERS: readonly CustomProvider[] = [
  { id: 'ollama', name: 'Ollama', baseURL: 'http://127.0.0.1:11434/v1', apiKey: '' },
  { id: 'lm-studio', name: 'LM Studio', baseURL: 'http://127.0.0.1:1234/v1', apiKey: '' },
  { id: 'llama-server', name: 'llama.cpp', baseURL: 'http://127.0.0.1:8080/v1', apiKey: '' },
];
const PATIENCE_MS = 8000;
/** Maximum characters of a server's message. */
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
    .map((id) => ({ id, model: id, name: shownName(id), ...marksOf(id, byId.get(id)) }));
}

async function requestList(server: ServerAddress, apiKey: string, fetch: typeof globalThis.fetch, signal: AbortSignal): Promise<Response> {
  try {
    return await fetch(addressOf(server, '/models'), { signal, redirect: 'error', headers: keyHeader(server.base, apiKey) });
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
  { baseURL, apiKey }: Server,
  fetch: typeof globalThis.fetch,
  signal: AbortSignal,
  patienceMs = PATIENCE_MS,
): Promise<readonly ListedModel[]> {
  const server = readAddress(baseURL);
  if (server === null) throw new ToolError('model_unreachable', `"${baseURL}" is not a web address`, 'enter the provider’s address');
  const limited = linkSignals([signal], patienceMs);
  try {
    return await readList(server.base, await requestList(server, apiKey, fetch, limited.signal));
  } finally {
    limited.release();
  }
}

async function readList(address: string, response: Response): Promise<readonly ListedModel[]> {
  const body = await response.text().catch(() => '');
  const answer = parsedJson(body);
  const failure = response.ok ? failureIn(answer) : (answer ?? body);
  const said = failure === undefined ? '' : readFailure(failure).words.slice(0, MAX_WORDS);
  const words = said === '' ? '' : `: ${said}`;
  if (response.status === 401 || response.status === 403)
    throw new ToolError('model_unauthorized', `the provider does not accept the key${words}`, 'enter a valid key');
  if (!response.ok)
    throw new ToolError('model_bad_answer', `${address} has no list of models (${response.status})${words}`, 'type the name of the model');
  const models = readModelList(answer);
  if (models.length > 0) return models;
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
