import * as v from 'valibot';
import { fromBase64, toBase64 } from '../../tools/util/base64.ts';
import type { KernelClient } from './kernel-client.ts';

/** Milliseconds: the kernel answers only when the whole answer has arrived, and a model may think for minutes. */
export const FORWARD_TIMEOUT_MS = 300_000;

const forwarded = v.object({ status: v.number(), body: v.string(), headers: v.nullish(v.record(v.string(), v.array(v.string())), {}) });

interface Deps {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

/** Sends a request through the kernel, past CORS rules, without redirects; bytes travel as base64, since as text they would be dropped. */
export function createForward(client: KernelClient) {
  return async ({ url, method, headers, body }: Deps & { readonly url: string; readonly method: string }, signal: AbortSignal) => {
    const { 'content-type': contentType = 'application/json', ...others } = headers;
    const sent = {
      url,
      method,
      contentType,
      redirect: false,
      timeout: FORWARD_TIMEOUT_MS,
      headers: Object.entries(others).map(([name, value]) => ({ [name]: value })),
      payload: toBase64(body),
      payloadEncoding: 'base64',
      responseEncoding: 'base64',
    };
    const answer = await client.call('/api/network/forwardProxy', sent, (data) => v.parse(forwarded, data), signal);
    const received: Deps = {
      headers: Object.fromEntries(Object.entries(answer.headers).map(([name, values]) => [name, values.join(', ')])),
      body: fromBase64(answer.body),
    };
    return { status: answer.status, ...received };
  };
}
