import type { FetchLike } from '@modelcontextprotocol/client';
import { withoutNulls } from '../../../tools/connections/absent-nulls.ts';
import { ToolError } from '../../../tools/contract/errors.ts';
import { linkSignals } from '../../../tools/util/abort.ts';
import { isRecord, parsedJson } from '../../../tools/util/plain-value.ts';
import { SignInError } from './sign-in-error.ts';

/** Bytes of a document about a login, or of its answer. */
const MAX_DOCUMENT = 256 * 1024;
const MAX_ADDRESS = 8_000;
const ANSWER_MS = 20_000;

/** Names that lead to this machine or its network. Without a dot, a name is of the network that the machine happens to be in. */
const LOCAL_NAME = /(?:^|\.)(?:localhost|local|localdomain|localnet|lan|internal|intranet|home|corp|private|svc|test|arpa)$/i;

const hostOf = ({ hostname }: URL): string => hostname.replace(/\.+$/, '');

const isLoopback = (url: URL): boolean => /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/i.test(hostOf(url));

/** Whether an address is one by name, of the public web; numbers never are. */
const isPublic = (url: URL): boolean => /\.[a-z][a-z0-9-]*$/i.test(hostOf(url)) && !LOCAL_NAME.test(hostOf(url));

/** Secrets travel over https, or stay on this machine. */
export const isSafe = (url: URL): boolean => url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url));

/**
 * Throws SignInError for an address that a server of other people must not make this device ask, or show a person: of its own network, or
 * of this machine, unless the server is there itself; without encryption; with a name and a password in it.
 */
export function requireAllowed(url: URL, server: URL): void {
  const refuse = (): never => {
    throw new SignInError('address', `${url.protocol}//${url.host}`);
  };
  if (url.href.length > MAX_ADDRESS || url.username !== '' || url.password !== '') refuse();
  if (!/^https?:$/.test(url.protocol)) refuse();
  if (!isSafe(url)) throw new SignInError('insecure', url.host);
  if (url.origin === server.origin || isPublic(url)) return;
  if (isLoopback(url) !== isLoopback(server) || isPublic(server)) refuse();
}

/** An answer that ends when it becomes too long: an endless one would fill the memory. */
export function limited(response: Response, most: number): Response {
  const { status, statusText, headers, body } = response;
  // What the page may not see of a redirect has none.
  if (!body) return response;
  let size = 0;
  const counted = new TransformStream<Uint8Array, Uint8Array>({
    transform(part, controller) {
      size += part.byteLength;
      if (size > most) controller.error(new ToolError('too_large', `the server sent more than ${most} bytes`, 'ask for less'));
      else controller.enqueue(part);
    },
  });
  return new Response(body.pipeThrough(counted), { status, statusText, headers });
}

/**
 * A document of a login as the SDK takes it: null is absent. The SDK wants the issuer exactly as the resource names it, except for a slash at
 * the end of what the resource says: many logins have one at the end of theirs alone.
 */
function lenientDocument(bytes: ArrayBuffer): ArrayBuffer | string {
  const value = parsedJson(new TextDecoder().decode(bytes));
  if (!isRecord(value)) return bytes;
  const { authorization_servers: logins, ...rest } = value;
  const slashed = Array.isArray(logins) && logins.map((login) => (typeof login === 'string' ? login.replace(/\/?$/, '/') : login));
  return JSON.stringify(withoutNulls({ ...rest, ...(slashed ? { authorization_servers: slashed } : {}) }));
}

/** Requests of a login: each address is a stranger's word. They carry nothing that belongs to the server's own requests. */
export function signInFetch(server: string, send: typeof fetch, signal: AbortSignal): FetchLike {
  return async (address, init) => {
    requireAllowed(new URL(address), new URL(server));
    const time = linkSignals([signal], ANSWER_MS);
    try {
      const response = await send(address, { ...init, redirect: 'manual', credentials: 'omit', signal: time.signal });
      const body = response.body ? await limited(response, MAX_DOCUMENT).arrayBuffer() : null;
      const { status, statusText, headers } = response;
      return status < 200 || body === null ? response : new Response(lenientDocument(body), { status, statusText, headers });
    } finally {
      time.release();
    }
  };
}
