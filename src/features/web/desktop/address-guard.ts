import { lookup as systemLookup } from 'node:dns/promises';
import { BlockList, isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import { ToolError } from '../../../tools/contract/errors.ts';

/** A checked address: a connection uses it, whatever its name resolves to a moment later. */
export interface Resolved {
  readonly address: string;
  readonly family: 4 | 6;
}

export interface Range {
  readonly net: string;
  readonly prefix: number;
  /** What the address is, for the error: "is … address". */
  readonly what: string;
}

/**
 * Ranges without public web pages: the registries of special addresses (RFC 6890 and later), and those by which a cloud answers its
 * machines. Of IPv6, everything is refused except the ranges assigned to networks (2000::/3), and of those, what embeds an IPv4 address.
 */
export const REFUSED_RANGES: readonly Range[] = [
  { net: '0.0.0.0', prefix: 8, what: 'an unspecified' },
  { net: '10.0.0.0', prefix: 8, what: 'a private' },
  { net: '100.64.0.0', prefix: 10, what: "a provider's private" },
  { net: '127.0.0.0', prefix: 8, what: 'a loopback' },
  { net: '168.63.129.16', prefix: 32, what: "a cloud's metadata" },
  { net: '169.254.0.0', prefix: 16, what: 'a link-local' },
  { net: '172.16.0.0', prefix: 12, what: 'a private' },
  { net: '192.0.0.0', prefix: 24, what: 'a reserved' },
  { net: '192.0.2.0', prefix: 24, what: 'a reserved' },
  { net: '192.88.99.0', prefix: 24, what: 'a reserved' },
  { net: '192.168.0.0', prefix: 16, what: 'a private' },
  { net: '198.18.0.0', prefix: 15, what: 'a reserved' },
  { net: '198.51.100.0', prefix: 24, what: 'a reserved' },
  { net: '203.0.113.0', prefix: 24, what: 'a reserved' },
  { net: '224.0.0.0', prefix: 4, what: 'a multicast' },
  { net: '240.0.0.0', prefix: 4, what: 'a reserved' },
  // Loopback, IPv4-mapped, IPv4-compatible, NAT64.
  { net: '::', prefix: 3, what: 'no public' },
  { net: '2001::', prefix: 23, what: 'a tunnelled' },
  { net: '2001:db8::', prefix: 32, what: 'a reserved' },
  { net: '2002::', prefix: 16, what: 'a tunnelled' },
  { net: '3fff::', prefix: 20, what: 'a reserved' },
  { net: '4000::', prefix: 2, what: 'no public' },
  // Private, link-local, multicast.
  { net: '8000::', prefix: 1, what: 'no public' },
];

const DEFAULT_PORTS = new Set(['', '80', '443']);
const WHOLE = 'give a whole address, such as https://example.org/page';
const PUBLIC = 'only pages of the public web are read; use another address, or ask the user for the text';

export interface GuardOptions {
  /** The address of SiYuan; neither its name nor its addresses are requested, whatever the port. */
  readonly kernel?: string | undefined;
  /** For tests only: `host:port` as in the address. It is requested without any check. */
  readonly allowed?: readonly string[] | undefined;
  /** All addresses of a name; rejects if it has none. Default: the system's. */
  readonly lookup?: ((name: string) => Promise<readonly Resolved[]>) | undefined;
  readonly ranges?: readonly Range[] | undefined;
  /** Addresses of this computer. Default: those of its interfaces. */
  readonly ownAddresses?: (() => readonly string[]) | undefined;
}

export interface AddressGuard {
  /** The address as it is requested. Throws ToolError `bad_address` or `address_refused`; sends nothing. */
  parse(text: string, base?: URL): URL;
  /** Every address of its host, each checked. Rejects with ToolError `address_refused` or `site_unreachable`. */
  resolve(url: URL): Promise<readonly Resolved[]>;
}

const familyOf = (address: string): 4 | 6 | 0 => {
  const family = isIP(address);
  return family === 4 || family === 6 ? family : 0;
};

/** The host of an address without brackets and without the trailing dot, which names the same host. */
const hostOf = (url: URL): string => url.hostname.replace(/^\[|\]$/gu, '').replace(/\.+$/u, '');

function rangeCheck(ranges: readonly Range[]): (address: string) => string | undefined {
  const lists = ranges.map(({ net, prefix, what }) => {
    const list = new BlockList();
    list.addSubnet(net, prefix, net.includes(':') ? 'ipv6' : 'ipv4');
    return { list, what, family: net.includes(':') ? 6 : 4 };
  });
  return (address) => {
    const [plain = ''] = address.split('%');
    const family = familyOf(plain);
    if (family === 0) return 'no';
    return lists.find((each) => each.family === family && each.list.check(plain, family === 4 ? 'ipv4' : 'ipv6'))?.what;
  };
}

async function systemAddresses(name: string): Promise<readonly Resolved[]> {
  const found = await systemLookup(name, { all: true, verbatim: true });
  return found.map(({ address, family }) => ({ address, family: family === 6 ? 6 : 4 }));
}

const interfaceAddresses = (): readonly string[] =>
  Object.values(networkInterfaces()).flatMap((each) => (each ?? []).map(({ address }) => address));

/** Parses an address like a browser, so that every spelling of a host is one: 2130706433, 0x7f.1 and ①②⑦.0.0.1 are 127.0.0.1. */
function parseAddress(text: string, base?: URL): URL {
  let url: URL;
  try {
    url = new URL(text.trim(), base);
  } catch {
    throw new ToolError('bad_address', 'this is not the address of a web page', WHOLE);
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw new ToolError('bad_address', `addresses that begin with ${url.protocol.slice(0, 20)} are not read`, WHOLE);
  if (url.username !== '' || url.password !== '')
    throw new ToolError('bad_address', 'addresses with a user name are not read', 'leave out everything before the @');
  url.hash = '';
  return url;
}

export function createAddressGuard(options: GuardOptions = {}): AddressGuard {
  const { lookup = systemAddresses, ranges = REFUSED_RANGES, ownAddresses = interfaceAddresses } = options;
  const allowed = new Set(options.allowed);
  const kernel = options.kernel !== undefined && URL.canParse(options.kernel) ? hostOf(new URL(options.kernel)) : undefined;
  const refusedRange = rangeCheck(ranges);
  const refuse = (host: string, what: string): never => {
    throw new ToolError('address_refused', `${host} is ${what} address, which is not allowed`, PUBLIC);
  };
  const addressesOf = async (host: string): Promise<readonly Resolved[]> => {
    const family = familyOf(host);
    return family === 0 ? lookup(host) : [{ address: host, family }];
  };
  const kernelAddresses = async (): Promise<readonly Resolved[]> => {
    // If its name does not resolve here, no page can be read from it either.
    return kernel === undefined ? [] : addressesOf(kernel).catch(() => []);
  };
  return {
    parse(text, base) {
      const url = parseAddress(text, base);
      if (allowed.has(url.host)) return url;
      const host = hostOf(url);
      if (host === '') throw new ToolError('bad_address', 'this address names no host', WHOLE);
      if (!DEFAULT_PORTS.has(url.port))
        throw new ToolError('address_refused', `port ${url.port} is not allowed`, 'only ports 80 and 443 are; use another address');
      if (host === kernel) refuse(host, "SiYuan's own");
      const what = familyOf(host) === 0 ? undefined : refusedRange(host);
      if (what !== undefined) refuse(host, what);
      return url;
    },
    async resolve(url) {
      const host = hostOf(url);
      const found = await addressesOf(host).catch(() => []);
      if (found.length === 0)
        throw new ToolError('site_unreachable', `there is no host ${host}`, 'check the address, or search for the page');
      if (allowed.has(url.host)) return found;
      const own = new Set([...ownAddresses(), ...(await kernelAddresses()).map(({ address }) => address)]);
      for (const { address } of found) {
        const what = refusedRange(address) ?? (own.has(address) ? "this computer's own" : undefined);
        if (what !== undefined) refuse(host, what);
      }
      return found;
    },
  };
}
