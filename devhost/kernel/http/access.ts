import { randomUUID, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** Cookie of a page that was opened with `?token=`, or that gave the access code; represents SiYuan's session cookie. */
const SESSION_COOKIE = 'devhost-session';
const LOCKED = 'Lock screen password authentication failed, please <button onclick="window.location.reload()">refresh</button> or reopen';
export const LOGIN = '/api/system/loginAuth';

export interface Locks {
  /** Asked of every request when it is set. */
  readonly token?: string | undefined;
  /** As SiYuan's: pages give it once, and sockets of pushes are for those that did. */
  readonly accessCode?: string | undefined;
}

export interface Refusal {
  readonly msg: string;
  /** Where a page goes instead. */
  readonly location?: string;
}

function same(given: string, wanted: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(wanted)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** Who may come in. Ways: `Authorization: Token x`, `?token=x`, the session cookie. */
export class Access {
  private readonly locks: Locks;
  private readonly session = randomUUID();

  constructor(locks: Locks) {
    this.locks = locks;
  }

  get setCookie(): string {
    return `${SESSION_COOKIE}=${this.session}; Path=/; HttpOnly; SameSite=Strict`;
  }

  /** Why a request may not come in, or undefined when it may. */
  refusal(request: IncomingMessage, url: URL): Refusal | undefined {
    const { token = '', accessCode = '' } = this.locks;
    if (token === '' && accessCode === '') return undefined;
    const header = request.headers.authorization;
    if (header !== undefined) {
      const given = /^(?:Token|Bearer) (.*)$/i.exec(header)?.[1] ?? '';
      return token !== '' && same(given, token) ? undefined : { msg: 'Auth failed [header: Authorization]' };
    }
    const query = url.searchParams.get('token');
    if (query !== null) return token !== '' && same(query, token) ? undefined : { msg: 'Auth failed [query: token]' };
    if (this.hasSession(request)) return undefined;
    const isPage = accessCode !== '' && (request.headers['user-agent'] ?? '').startsWith('Mozilla/');
    if (!isPage) return { msg: 'Auth failed [session]' };
    const to = new URLSearchParams({ to: `${url.pathname}${url.search}` });
    return { msg: LOCKED, ...(request.method === 'GET' && { location: `/check-auth?${to}` }) };
  }

  /** An access code keeps tokens from the socket of pushes. */
  hearsPushes(request: IncomingMessage): boolean {
    return !this.locks.accessCode || this.hasSession(request);
  }

  opens(code: unknown): boolean {
    const { accessCode = '' } = this.locks;
    return typeof code === 'string' && accessCode !== '' && same(code.trim(), accessCode);
  }

  private hasSession({ headers }: IncomingMessage): boolean {
    const found = (headers.cookie ?? '').split(/;\s*/).find((each) => each.startsWith(`${SESSION_COOKIE}=`));
    return found !== undefined && same(found.slice(SESSION_COOKIE.length + 1), this.session);
  }
}

/** A page of another origin may not use an open host; without an Origin header it is no page. */
export function foreignOrigin(request: IncomingMessage): boolean {
  const { origin, host } = request.headers;
  if (origin === undefined) return false;
  return !URL.canParse(origin) || new URL(origin).host !== host;
}
