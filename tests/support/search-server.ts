// The three search services that web_search knows, as their documentation has them, behind one local port.
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface SearchServer {
  /** `http://127.0.0.1:PORT` */
  readonly url: string;
  readonly endpoints: { readonly brave: string; readonly tavily: string };
  /** `METHOD path` with the key that came and the body. */
  readonly asked: { readonly line: string; readonly key: string; readonly body: string }[];
  close(): void;
}

/** The only key that Brave and Tavily take here. */
export const SEARCH_KEY = 'tvly-1234567890-the-key-of-the-search';

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const part of request) text += part;
  return text;
}

const PAGE = { title: 'High water', url: 'https://tides.example.org/' };

function answerOf(path: string, key: string): { readonly status: number; readonly body: unknown } {
  if (path.startsWith('/searx/search?') && path.includes('format=json'))
    return {
      status: 200,
      body: { query: 'x', number_of_results: 0, results: [{ ...PAGE, content: 'Says SearXNG.', engine: 'x', score: 1 }], answers: [] },
    };
  if (key !== SEARCH_KEY) return { status: 401, body: { detail: { error: 'Unauthorized: missing or invalid API key.' } } };
  if (path.startsWith('/brave?'))
    return {
      status: 200,
      body: {
        type: 'search',
        query: { original: 'x' },
        web: { type: 'search', results: [{ ...PAGE, description: 'Says <strong>Brave</strong>.' }] },
      },
    };
  return {
    status: 200,
    body: { query: 'x', answer: null, images: [], results: [{ ...PAGE, content: 'Says Tavily.', score: 0.9, raw_content: null }] },
  };
}

export async function startSearchServer(): Promise<SearchServer> {
  const asked: SearchServer['asked'] = [];
  const server = createServer(async (request, response) => {
    const { 'x-subscription-token': token, authorization = '' } = request.headers;
    const key = typeof token === 'string' ? token : authorization.replace(/^Bearer /u, '');
    const path = request.url ?? '';
    asked.push({ line: `${request.method} ${path}`, key, body: await bodyOf(request) });
    const { status, body } = answerOf(path, key);
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, asked, endpoints: { brave: `${url}/brave`, tavily: `${url}/tavily` }, close: () => server.close() };
}
