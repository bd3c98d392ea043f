import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** Cookie that a page gets which was opened with `?token=`; represents SiYuan's session cookie. */
export const SESSION_COOKIE = 'devhost-session';

function same(given: string, wanted: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(wanted)];
  return a.length === b.length && timingSafeEqual(a, b);
}

function cookieOf(request: IncomingMessage): string | undefined {
  const found = (request.headers.cookie ?? '').split(/;\s*/).find((c) => c.startsWith(`${SESSION_COOKIE}=`));
  return found && decodeURIComponent(found.slice(SESSION_COOKIE.length + 1));
}

/** Why a request may not come in, or undefined when it may. Ways in: `Authorization: Token x`, `?token=x`, the session cookie. */
export function refusal(request: IncomingMessage, url: URL, token: string | undefined): string | undefined {
  if (token === undefined || token === '') return undefined;
  const header = request.headers.authorization;
  if (header !== undefined) {
    const given = /^(?:Token|Bearer) (.*)$/i.exec(header)?.[1] ?? '';
    return same(given, token) ? undefined : 'Auth failed [header: Authorization]';
  }
  const query = url.searchParams.get('token');
  if (query !== null) return same(query, token) ? undefined : 'Auth failed [query: token]';
  const cookie = cookieOf(request);
  return cookie !== undefined && same(cookie, token) ? undefined : 'Auth failed [session]';
}

/** A page of another origin may not use an open host; without an Origin header it is no page. */
export function foreignOrigin(request: IncomingMessage): boolean {
  const { origin, host } = request.headers;
  if (origin === undefined) return false;
  return !URL.canParse(origin) || new URL(origin).host !== host;
}
