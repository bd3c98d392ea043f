import { createHash, timingSafeEqual } from 'node:crypto';
import type { MiddlewareHandler } from 'hono';
import { ServiceError } from '../contract/errors.ts';

export interface GuardOptions {
  /** The bearer token that every route but /healthz asks for. */
  readonly token: string;
  /** Names besides the machine's own by which the service may be addressed, without ports. */
  readonly hosts: readonly string[];
  /** Origins of pages that may ask the service. */
  readonly origins: readonly string[];
}

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

const hash = (text: string): Buffer => createHash('sha256').update(text).digest();

/** In a time that tells nothing of the token. */
const isSame = (given: string, token: string): boolean => timingSafeEqual(hash(given), hash(token));

/** The name in a Host header, without its port; null for what is none. */
function hostName(header: string | undefined): string | null {
  return /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(:\d{1,5})?$/i.exec(header ?? '')?.[1]?.toLowerCase() ?? null;
}

/**
 * A page of somebody else, in the browser of this machine, may send requests here. It can give its own name this machine's address
 * (DNS rebinding), but it cannot change the Host header, and it cannot leave its origin out.
 */
export function checkCaller({ hosts, origins }: Pick<GuardOptions, 'hosts' | 'origins'>): MiddlewareHandler {
  const names = new Set([...LOOPBACK, ...hosts.map((name) => name.toLowerCase())]);
  return async (context, next) => {
    const name = hostName(context.req.header('host'));
    if (name === null || !names.has(name))
      throw new ServiceError(
        403,
        'foreign_host',
        'the service is not called that',
        'use its own address, or start it with --allow-host NAME',
      );
    const origin = context.req.header('origin');
    if (origin === undefined) return next();
    if (!origins.includes(origin))
      throw new ServiceError(403, 'foreign_origin', 'pages of this origin may not ask the service', 'start it with --allow-origin ORIGIN');
    context.header('Access-Control-Allow-Origin', origin);
    context.header('Access-Control-Expose-Headers', 'X-Session-Id, X-Total-Count');
    context.header('Vary', 'Origin');
    if (context.req.method !== 'OPTIONS') return next();
    context.header('Access-Control-Allow-Methods', 'GET, POST, DELETE');
    context.header('Access-Control-Allow-Headers', 'Authorization, Content-Type, Last-Event-ID');
    return context.body(null, 204);
  };
}

export function checkToken({ token }: Pick<GuardOptions, 'token'>): MiddlewareHandler {
  return async (context, next) => {
    const given = /^Bearer (\S+)$/i.exec(context.req.header('authorization') ?? '')?.[1];
    if (given === undefined || !isSame(given, token)) {
      context.header('WWW-Authenticate', 'Bearer');
      throw new ServiceError(
        401,
        'bad_token',
        'the token is missing or another one',
        'send “Authorization: Bearer” with the token of the service',
      );
    }
    return next();
  };
}
