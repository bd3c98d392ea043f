import { hideMessage, showMessage } from '../ui/message.ts';
import { siyuan } from './state.ts';
import type { Answer } from './types.ts';

/** Paths whose newest call wins: an older answer that arrives late is dropped, as in SiYuan. */
const latestOnly = new Set(['/api/search/searchRefBlock', '/api/block/getRecentUpdatedBlocks', '/api/search/fullTextSearchBlock']);

type Callback = (answer: Answer) => void;

/**
 * Handles answers and pushes that are messages for the user. Returns false when the caller's callback
 * must not run: `msg`, `cmsg`, `reloadui`, and negative codes (shown as a message).
 */
export function processMessage(answer: Answer): boolean {
  const data = (answer.data ?? {}) as { closeTimeout?: number; id?: string };
  if (answer.cmd === 'msg') {
    showMessage(answer.msg, data.closeTimeout ?? 6000, answer.code === 0 ? 'info' : 'error', data.id);
    return false;
  }
  if (answer.cmd === 'cmsg') {
    hideMessage(data.id);
    return false;
  }
  if (answer.cmd === 'reloadui') {
    location.reload();
    return false;
  }
  if (answer.code < 0) {
    showMessage(answer.msg, data.closeTimeout ?? 0, answer.code === -1 ? 'error' : 'info');
    return false;
  }
  return true;
}

function body(data: unknown): BodyInit | null {
  if (data === undefined || data === null) return null;
  return data instanceof FormData ? data : JSON.stringify(data);
}

function isAnswer(value: unknown): value is Answer {
  return (
    typeof value === 'object' &&
    value !== null &&
    'msg' in value &&
    typeof value.msg === 'string' &&
    'code' in value &&
    typeof value.code === 'number'
  );
}

async function readBody(response: Response): Promise<unknown> {
  if ([401, 403, 404].includes(response.status)) return { code: -response.status, msg: response.statusText, data: null };
  const isJson = response.headers.get('content-type')?.includes('application/json') ?? false;
  return isJson ? response.json() : response.text();
}

/** The plugin API's `fetchPost`: no callback on negative codes, text answers are passed through, `getFile` misses go to `failed`. */
export function fetchPost(
  url: string,
  data?: unknown,
  callback?: Callback | null,
  headers?: Record<string, string> | null,
  failed?: Callback,
): Promise<void> {
  const isGetFile = url === '/api/file/getFile';
  let started = 0;
  if (data && typeof data === 'object' && !(data instanceof FormData)) {
    if (url === '/api/transactions') Object.assign(data, { reqId: Date.now() });
    if (latestOnly.has(url)) {
      started = Date.now();
      siyuan.reqIds[url] = started;
    }
  }
  return fetch(url, { method: 'POST', body: body(data), headers: headers || undefined })
    .then(async (response) => {
      const value = await readBody(response);
      if (isGetFile && response.status === 202 && failed) {
        failed(value as Answer);
        return;
      }
      if (started && (siyuan.reqIds[url] ?? 0) > started) return;
      if (isAnswer(value) && !processMessage(value)) return;
      callback?.(value as Answer);
    })
    .catch((error: unknown) => {
      if (isGetFile && failed) failed({ code: 400, msg: String(error), data: null });
      else console.warn(`fetch post failed [${String(error)}], url [${url}]`);
    });
}

/** The plugin API's `fetchSyncPost`: resolves with the envelope whatever its code; a negative code is shown as well. */
export async function fetchSyncPost(url: string, data?: unknown, headers?: Record<string, string>): Promise<Answer> {
  const response = await fetch(url, { method: 'POST', body: body(data), headers });
  const answer = (await response.json()) as Answer;
  processMessage(answer);
  return answer;
}

export function fetchGet(url: string, callback: (answer: unknown) => void): Promise<void> {
  return fetch(url).then(async (response) => callback(await readBody(response)));
}

/** The shell's own calls: the data of a successful answer, or undefined. An unknown route answers with an empty body. */
export async function call<T>(url: string, data: unknown = {}): Promise<T | undefined> {
  const response = await fetch(url, { method: 'POST', body: JSON.stringify(data) });
  const raw = await response.text();
  if (!raw) return undefined;
  const answer = JSON.parse(raw) as Answer<T | null>;
  if (answer.code !== 0) console.warn(`${url}: ${answer.code} ${answer.msg}`);
  return answer.code === 0 ? (answer.data ?? undefined) : undefined;
}
