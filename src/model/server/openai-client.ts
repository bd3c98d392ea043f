import OpenAI from 'openai';
import { ToolError } from '../../tools/contract/errors.ts';
import type { ModelSettings } from '../language-model.ts';
import { keyHeader, readAddress } from './server-address.ts';

export interface ClientOptions extends Pick<ModelSettings, 'apiKey'> {
  readonly fetch?: typeof globalThis.fetch;
}

/** Headers that describe the library: a local server's CORS rules would have to allow each of them. */
const QUIET_HEADERS = Object.fromEntries(
  ['arch', 'lang', 'os', 'package-version', 'retry-count', 'runtime', 'runtime-version', 'timeout'].map((name) => [
    `x-stainless-${name}`,
    null,
  ]),
);

/** The maximum of a timer: practically never. */
export const LONGEST_MS = 2 ** 31 - 1;

/** How chat completions and responses take a key; without one there is no Authorization header. */
export const bearer = (baseURL: string, apiKey: string): Readonly<Record<string, string | null>> =>
  apiKey ? keyHeader(baseURL, apiKey) : { authorization: null };

/** A client without retries, logs or headers about itself. `headers`: null removes one. */
export function createClient(
  options: ClientOptions & Pick<ModelSettings, 'baseURL'>,
  baseURL: string,
  headers: Readonly<Record<string, string | null>> = bearer(baseURL, options.apiKey),
): OpenAI {
  return new OpenAI({
    baseURL,
    // The client requires some key; servers without one get no Authorization header at all.
    apiKey: options.apiKey || 'none',
    organization: null,
    project: null,
    maxRetries: 0,
    // The model decides how long a server may be silent.
    timeout: LONGEST_MS,
    logLevel: 'off',
    // A request is for this server only: another one was neither chosen nor allowed.
    fetchOptions: { redirect: 'error' },
    dangerouslyAllowBrowser: true,
    defaultQuery: { ...readAddress(options.baseURL)?.query },
    defaultHeaders: { ...QUIET_HEADERS, ...headers },
    fetch: options.fetch,
  });
}

export function noAddress(text: string): ToolError {
  return new ToolError(
    'model_unreachable',
    `"${text}" is not a web address`,
    'enter the provider’s address in the settings, for example https://api.openai.com/v1',
  );
}
