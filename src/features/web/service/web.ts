import { SEARCH_KEY } from '../../../service/kernel/bound-secrets.ts';
import type { StartServiceFeature } from '../../../service/service-feature.ts';
import { isAbort, ToolError } from '../../../tools/contract/errors.ts';
import { linkSignals } from '../../../tools/util/abort.ts';
import { joinBytes } from '../../../tools/util/base64.ts';
import { createWebPages } from '../desktop/web-pages.ts';
import { ENDPOINTS } from '../search-request.ts';
import { createSettingsSearch } from '../settings-search.ts';
import { createWebGroup } from '../web.ts';
import { createWebFetch } from '../web-fetch.ts';
import type { WebSearch } from '../web-search.ts';

const TIMEOUT_MS = 20_000;
/** The maximum size of an answer in bytes. */
const MAX_ANSWER = 2_000_000;

declare module '../../../service/kernel/workspace-types.ts' {
  interface WorkspaceOptions {
    /** For tests only: `host:port` of servers on this computer that web_fetch may read. */
    readonly webAllowed?: readonly string[] | undefined;
    /** For tests only: the addresses of the search services. */
    readonly searchEndpoints?: Readonly<Record<'brave' | 'tavily', string>> | undefined;
  }
}

/** Group `web` of each chat: pages that this computer reads, and the search service of the workspace's settings. */
export const start: StartServiceFeature = ({ options, settings, secrets, reader, report }) => {
  const { kernel, searchKey, webAllowed, searchEndpoints } = options;
  const key = (): string | undefined => {
    const { provider } = settings.get().search;
    if (searchKey === undefined || (provider !== 'brave' && provider !== 'tavily')) return undefined;
    const place = (searchEndpoints ?? ENDPOINTS)[provider];
    const problem = secrets.withheld(SEARCH_KEY, place);
    if (problem !== undefined) report(`search: ${problem}`);
    return secrets.get(SEARCH_KEY, place);
  };
  const pages = createWebPages({ kernel, allowed: webAllowed, reader });
  const search = createSettingsSearch({ settings, send, key, endpoints: searchEndpoints });
  return { groups: () => [createWebGroup(search, createWebFetch(pages))] };
};

const send: WebSearch['send'] = async ({ url, method, headers, body }, signal) => {
  const time = linkSignals([signal], TIMEOUT_MS);
  try {
    const answer = await fetch(url, {
      method,
      headers,
      signal: time.signal,
      redirect: 'manual',
      body: method === 'POST' ? body : undefined,
    });
    return { status: answer.status, body: await readAtMost(answer.body, MAX_ANSWER) };
  } catch (error) {
    if (error instanceof ToolError || (isAbort(error) && !time.timedOut())) throw error;
    // Node's message may contain the address with the query; the host is enough.
    throw new ToolError(
      'site_unreachable',
      `the search service at ${new URL(url).host} cannot be reached`,
      'try again later, or ask the user to test it in the settings',
    );
  } finally {
    time.release();
  }
};

async function readAtMost(stream: ReadableStream<Uint8Array> | null, limit: number): Promise<string> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of stream ?? []) {
    size += part.length;
    if (size > limit) throw new ToolError('search_failed', 'the search service’s answer is too long', 'ask for fewer results');
    parts.push(part);
  }
  return new TextDecoder().decode(joinBytes(parts));
}
