import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { LookupFunction } from 'node:net';
import type { Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import type { RawPage } from '../../../desktop/web/page-messages.ts';
import { ToolError } from '../../../tools/contract/errors.ts';
import type { AddressGuard, Resolved } from './address-guard.ts';

/** Maximum bytes of a page, as received and as decompressed. */
export const MAX_BYTES = 5 * 1024 * 1024;
const MAX_REDIRECTS = 5;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/** No cookies, no referrer, and nothing more about the user than that somebody reads the page with this program. */
const HEADERS = {
  'user-agent': 'Marginalia/0.1 (+https://github.com/marginalia-notes/siyuan-marginalia)',
  accept: 'text/markdown, text/html;q=0.9, text/plain;q=0.8, */*;q=0.5',
  'accept-encoding': 'gzip, deflate, br',
};

/** It redirects to a page on another site, which nobody approved. */
export interface Elsewhere {
  readonly elsewhere: URL;
}

const withoutWww = (host: string): string => host.replace(/^www\./u, '');

/** The same site, with no less protection: the approval covers it. */
function isSameSite(from: URL, to: URL): boolean {
  const safe = from.protocol === to.protocol || to.protocol === 'https:';
  return safe && withoutWww(from.hostname) === withoutWww(to.hostname) && (from.port === to.port || from.protocol !== to.protocol);
}

/** A name that resolves to the checked address only: another DNS answer a moment later has no effect. */
function pinnedLookup(addresses: readonly Resolved[]): LookupFunction {
  return (_name, options, callback) => {
    const [first] = addresses;
    if (options.all === true) callback(null, [...addresses]);
    else callback(first ? null : new Error('no address'), first?.address ?? '', first?.family);
  };
}

function openRequest(url: URL, addresses: readonly Resolved[], signal: AbortSignal): Promise<IncomingMessage> {
  const secure = url.protocol === 'https:';
  return new Promise((resolve, reject) => {
    const options = { method: 'GET', headers: HEADERS, lookup: pinnedLookup(addresses), signal, maxHeaderSize: 65_536 };
    // Separate agents: the program's own may keep connections for another purpose, or use a proxy.
    const asked = secure
      ? httpsRequest(url, { ...options, agent: new HttpsAgent({ keepAlive: false }) }, resolve)
      : httpRequest(url, { ...options, agent: new HttpAgent({ keepAlive: false }) }, resolve);
    asked.on('error', reject);
    asked.end();
  });
}

function decoded(response: IncomingMessage, host: string): Readable {
  const encoding = (response.headers['content-encoding'] ?? 'identity').trim().toLowerCase();
  if (encoding === 'identity' || encoding === '') return response;
  const decoders = { gzip: createGunzip, 'x-gzip': createGunzip, deflate: createInflate, br: createBrotliDecompress };
  const decoder = Object.entries(decoders).find(([name]) => name === encoding)?.[1]();
  if (!decoder) throw new ToolError('site_error', `${host} sends the page in an unknown encoding`, 'use another page');
  response.on('error', (error) => decoder.destroy(error));
  return response.pipe(decoder);
}

const tooLarge = (host: string): ToolError =>
  new ToolError('too_large', `the page of ${host} is larger than ${MAX_BYTES / 1024 / 1024} MB`, 'use another page, or a part of it');

/** Its bytes, counted as they arrive: a page that claims to be small, or unpacks to too much, is aborted. */
async function readBody(response: IncomingMessage, host: string): Promise<Uint8Array> {
  if (Number(response.headers['content-length'] ?? 0) > MAX_BYTES) throw tooLarge(host);
  let raw = 0;
  let size = 0;
  const parts: Buffer[] = [];
  const stream = decoded(response, host);
  response.on('data', (part: Buffer) => {
    raw += part.length;
    if (raw > MAX_BYTES) stream.destroy(tooLarge(host));
  });
  for await (const part of stream) {
    const bytes = Buffer.from(part);
    size += bytes.length;
    if (size > MAX_BYTES) throw tooLarge(host);
    parts.push(bytes);
  }
  return Buffer.concat(parts);
}

function targetOf(response: IncomingMessage, url: URL, guard: AddressGuard): URL {
  const { location } = response.headers;
  if (location === undefined) throw new ToolError('site_error', `${url.host} redirects without an address`, 'use another address');
  return guard.parse(location, url);
}

/**
 * Requests a page, following redirects on the same site, each checked again. Rejects with ToolError `address_refused`,
 * `site_unreachable`, `site_error` or `too_large`, and with Node's error if the connection fails.
 */
export async function askPage(start: URL, guard: AddressGuard, signal: AbortSignal): Promise<RawPage | Elsewhere> {
  let url = start;
  for (let step = 0; step <= MAX_REDIRECTS; step++) {
    const response = await openRequest(url, await guard.resolve(url), signal);
    try {
      const status = response.statusCode ?? 0;
      if (REDIRECTS.has(status)) {
        const target = targetOf(response, url, guard);
        if (!isSameSite(url, target)) return { elsewhere: target };
        url = target;
        continue;
      }
      if (status < 200 || status > 299)
        throw new ToolError('site_error', `${url.host} answered ${status}`, status === 404 ? 'check the address' : 'try another page');
      return { url, contentType: response.headers['content-type'] ?? '', bytes: await readBody(response, url.host) };
    } finally {
      response.destroy();
    }
  }
  throw new ToolError('site_error', `${start.host} redirects too often`, 'use another address');
}
