import type { MiddlewareHandler } from 'hono';
import { isSameHash, tokenHash } from '../../desktop/same-token.ts';
import { ServiceError } from '../contract/errors.ts';
import type { ServedFeature } from './served-feature.ts';

export interface GuardOptions {
  /** The bearer token that every route except /healthz requires. */
  readonly token: string;
  /** Names in addition to the machine's own by which the service may be addressed, without ports. */
  readonly hosts: readonly string[];
  /** Origins of pages that may use the service. */
  readonly origins: readonly string[];
}

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

/** The name in a Host header, without its port; null if it is invalid. */
function hostName(header: string | undefined): string | null {
  return /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(:\d{1,5})?$/i.exec(header ?? '')?.[1]?.toLowerCase() ?? null;
}

/**
 * Any web page in the browser of this machine may send requests here. It can make its own name resolve to this machine
 * (DNS rebinding), but it cannot change the Host header, and it cannot omit its origin. Null if the request is allowed.
 */
export function callerProblem(
  { hosts, origins }: Pick<GuardOptions, 'hosts' | 'origins'>,
  host: string | undefined,
  origin: string | undefined,
): ServiceError | null {
  const name = hostName(host);
  const names = [...LOOPBACK, ...hosts.map((one) => one.toLowerCase())];
  if (name === null || !names.includes(name))
    return new ServiceError(
      403,
      'foreign_host',
      'the service does not answer to this host name',
      'use its own address, or start it with --allow-host NAME',
    );
  if (origin === undefined || origins.includes(origin)) return null;
  return new ServiceError(403, 'foreign_origin', 'pages of this origin may not call the service', 'start it with --allow-origin ORIGIN');
}

/** `headers`: of features, beside ours. */
export function checkCaller(
  options: Pick<GuardOptions, 'hosts' | 'origins'>,
  headers: readonly NonNullable<ServedFeature['headers']>[] = [],
): MiddlewareHandler {
  const read = ['X-Session-Id', 'X-Total-Count', ...headers.flatMap((each) => each.read)].join(', ');
  const sent = ['Authorization', 'Content-Type', 'Last-Event-ID', ...headers.flatMap((each) => each.sent)].join(', ');
  return async (context, next) => {
    const origin = context.req.header('origin');
    const problem = callerProblem(options, context.req.header('host'), origin);
    if (problem) throw problem;
    if (origin === undefined) return next();
    context.header('Access-Control-Allow-Origin', origin);
    context.header('Access-Control-Expose-Headers', read);
    context.header('Vary', 'Origin');
    if (context.req.method !== 'OPTIONS') return next();
    context.header('Access-Control-Allow-Methods', 'GET, POST, DELETE');
    context.header('Access-Control-Allow-Headers', sent);
    return context.body(null, 204);
  };
}

export const isToken = ({ token }: Pick<GuardOptions, 'token'>, given: string): boolean => isSameHash(tokenHash(given), tokenHash(token));

/** The token of an Authorization header. */
export const bearerOf = (authorization: string | undefined): string | undefined => /^Bearer (\S+)$/i.exec(authorization ?? '')?.[1];

/** Null if an Authorization header has the token. */
export function tokenProblem(options: Pick<GuardOptions, 'token'>, authorization: string | undefined): ServiceError | null {
  const given = bearerOf(authorization);
  if (given !== undefined && isToken(options, given)) return null;
  return new ServiceError(401, 'bad_token', 'the token is missing or wrong', 'send “Authorization: Bearer” with the token of the service');
}

export function checkToken(options: Pick<GuardOptions, 'token'>): MiddlewareHandler {
  return async (context, next) => {
    const problem = tokenProblem(options, context.req.header('authorization'));
    if (!problem) return next();
    context.header('WWW-Authenticate', 'Bearer');
    throw problem;
  };
}
