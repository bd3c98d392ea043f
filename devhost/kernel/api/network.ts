import { ApiError } from '../api-error.ts';
import { type RequestBody, type RouteTable, textField } from '../router.ts';

const DEFAULT_TIMEOUT_MS = 7000;

/** Base64 that Go would refuse is refused; the empty text is empty bytes. */
function fromBase64(text: string): Buffer<ArrayBuffer> {
  if (!/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(text))
    throw new ApiError(3, 'decode base64-std payload failed: illegal base64 data');
  return Buffer.from(text, 'base64');
}

/** What is sent on; `text` is known to the kernel, and drops the payload. */
function payloadOf(body: RequestBody): string | Buffer<ArrayBuffer> | undefined {
  const { payload } = body;
  const encoding = textField(body, 'payloadEncoding') ?? 'json';
  if (encoding === 'text') return undefined;
  if (encoding.startsWith('base64')) return fromBase64(typeof payload === 'string' ? payload : '');
  return typeof payload === 'string' ? payload : JSON.stringify(payload);
}

function addressOf(body: RequestBody): string {
  const address = textField(body, 'url') ?? '';
  if (!URL.canParse(address)) throw new ApiError(1, 'invalid [url]');
  if (!/^https?:$/.test(new URL(address).protocol)) throw new ApiError(2, 'only http/https is allowed');
  return address;
}

function headersOf(body: RequestBody): Headers {
  const headers = new Headers();
  const given: readonly unknown[] = Array.isArray(body.headers) ? body.headers : [];
  for (const pair of given)
    for (const [name, value] of Object.entries(typeof pair === 'object' && pair !== null ? pair : {})) headers.set(name, String(value));
  headers.set('content-type', textField(body, 'contentType') ?? 'application/json');
  return headers;
}

export const networkRoutes: RouteTable = {
  '/api/network/forwardProxy': async (body, { signal }) => {
    const url = addressOf(body);
    const method = textField(body, 'method')?.toUpperCase() ?? 'POST';
    const payload = payloadOf(body);
    const timeout = typeof body.timeout === 'number' && body.timeout >= 1 ? body.timeout : DEFAULT_TIMEOUT_MS;
    const started = Date.now();
    try {
      const response = await fetch(url, {
        method,
        headers: headersOf(body),
        redirect: body.redirect === false ? 'manual' : 'follow',
        signal: AbortSignal.any([signal, AbortSignal.timeout(timeout)]),
        body: payload === undefined || method === 'GET' || method === 'HEAD' ? undefined : payload,
      });
      const bytes = Buffer.from(await response.arrayBuffer());
      const asBase64 = textField(body, 'responseEncoding')?.startsWith('base64') ?? false;
      return {
        url,
        status: response.status,
        contentType: response.headers.get('content-type') ?? '',
        body: bytes.toString(asBase64 ? 'base64' : 'utf8'),
        bodyEncoding: asBase64 ? 'base64' : 'text',
        headers: Object.fromEntries([...response.headers].map(([name, value]) => [name, [value]])),
        elapsed: Date.now() - started,
      };
    } catch (error) {
      throw new ApiError(8, `forward request failed: ${String(error)}`);
    }
  },
};
