import { isLocalAddress } from '../local-address.ts';

export interface ServerAddress {
  /** What paths such as `/chat/completions` are appended to. */
  readonly base: string;
  /** Query parameters of every address (Azure: the version of its API). */
  readonly query: Readonly<Record<string, string>>;
}

/** The API addresses of servers that people know by name. */
const ROOTS: readonly (readonly [RegExp, string])[] = [
  [/^openrouter\.ai$/, 'api/v1'],
  [/^api\.groq\.com$/, 'openai/v1'],
  [/^api\.fireworks\.ai$/, 'inference/v1'],
  [/^generativelanguage\.googleapis\.com$/, 'v1beta/openai'],
  [/^dashscope(?:-intl|-us)?\.aliyuncs\.com$/, 'compatible-mode/v1'],
  [/^(?:open\.bigmodel\.cn|api\.z\.ai)$/, 'api/paas/v4'],
  [/^ark\.[\w-]+\.volces\.com$/, 'api/v3'],
  [/^qianfan\.baidubce\.com$/, 'v2'],
  [/^api\.(?:openai\.com|anthropic\.com|mistral\.ai|x\.ai|together\.xyz|siliconflow\.cn|moonshot\.(?:cn|ai))$/, 'v1'],
];
/** Ollama and LM Studio, whose API is at `/v1`. */
const LOCAL_PORTS: ReadonlySet<string> = new Set(['11434', '1234']);
const AZURE = /\.(?:openai\.azure\.(?:com|us|cn)|cognitiveservices\.azure\.(?:com|us|cn)|services\.ai\.azure\.com)$/;
const AZURE_VERSION = '2024-10-21';
/** Endings that people copy along: the address of one route. */
const ROUTE =
  /\/(?:(?:chat\/)?completions|responses|models|embeddings|messages|images\/(?:generations|edits)|audio\/(?:speech|transcriptions|translations))$/iu;

/** An address with its scheme, which few people type. */
export const withScheme = (typed: string): string =>
  /^[a-z][\w+.-]*:\/\//iu.test(typed) ? typed : `${isLocalAddress(`http://${typed}`) ? 'http' : 'https'}://${typed}`;

/** As people type it, or copy it from a manual; null if it is not a web address. */
export function readAddress(text: string): ServerAddress | null {
  const typed = text
    .trim()
    .replace(/^["'`<]+|["'`>]+$/gu, '')
    .replace(/^(https?)：\/?\/?/iu, '$1://')
    .replaceAll('／', '/');
  // A single word is not an address yet.
  if (!/^[a-z][\w+.-]*:\/\/|^localhost|[.:]/iu.test(typed) || /\s/u.test(typed)) return null;
  try {
    const url = new URL(withScheme(typed));
    if (url.protocol !== 'http:' && url.protocol !== 'https:') return null;
    return AZURE.test(url.hostname) ? azure(url) : { base: `${url.origin}${rootOf(url)}`, query: queryOf(url) };
  } catch {
    return null;
  }
}

const queryOf = ({ searchParams }: URL): Readonly<Record<string, string>> => Object.fromEntries(searchParams);
const withoutEnd = (path: string): string => path.replace(/\/{2,}/gu, '/').replace(/\/+$/u, '');

function rootOf({ hostname, port, pathname }: URL): string {
  const path = withoutEnd(pathname);
  if (LOCAL_PORTS.has(port) && /^(?:|\/api(?:\/\w+)?)$/u.test(path)) return '/v1';
  const bare = withoutEnd(path.replace(ROUTE, ''));
  const root = path === '' ? ROOTS.find(([host]) => host.test(hostname)) : undefined;
  return root ? `/${root[1]}` : bare;
}

/** Azure has a place for each deployment, which wants the version, and one for all of them. */
function azure(url: URL): ServerAddress {
  const path = withoutEnd(url.pathname);
  const [deployment] = /^\/openai\/deployments\/[^/]+/iu.exec(path) ?? [];
  if (deployment !== undefined) return { base: `${url.origin}${deployment}`, query: { 'api-version': AZURE_VERSION, ...queryOf(url) } };
  if (/^\/models(?:\/chat\/completions)?$/iu.test(path)) return { base: `${url.origin}/models`, query: queryOf(url) };
  if (/^(?:|\/openai(?:\/(?:chat\/completions|responses|deployments|models))?)$/iu.test(path))
    return { base: `${url.origin}/openai/v1`, query: {} };
  return { base: `${url.origin}${withoutEnd(path.replace(ROUTE, ''))}`, query: queryOf(url) };
}

export const normalizeBaseURL = (text: string): string | null => readAddress(text)?.base ?? null;

export function addressOf({ base, query }: ServerAddress, route: string): string {
  const search = new URLSearchParams(query).toString();
  return `${base}${route}${search === '' ? '' : `?${search}`}`;
}

export function keyHeader(base: string, apiKey: string): Readonly<Record<string, string>> {
  if (apiKey === '') return {};
  const authorization = `Bearer ${apiKey}`;
  return AZURE.test(new URL(base).hostname) ? { authorization, 'api-key': apiKey } : { authorization };
}

function serverOf(baseURL: string): string | null {
  const address = normalizeBaseURL(baseURL);
  return address === null ? null : new URL(address).origin;
}

/** Tells if a provider's new address is another server, for which its key and permissions do not apply. */
export const isAnotherServer = (before: string, after: string): boolean =>
  serverOf(before) !== null && serverOf(after) !== serverOf(before);
