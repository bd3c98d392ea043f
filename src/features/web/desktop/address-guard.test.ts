import { describe, expect, it } from 'vitest';
import { createAddressGuard, type GuardOptions, REFUSED_RANGES, type Resolved } from './address-guard.ts';

const resolvesTo =
  (...addresses: string[]) =>
  async (): Promise<readonly Resolved[]> =>
    addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));

/** Every spelling by which an address that is not public is named. `range`: the one rule that refuses it. */
const SPELLINGS: readonly (readonly [address: string, range: string])[] = [
  ['http://127.0.0.1/', '127.0.0.0'],
  ['http://127.1/', '127.0.0.0'],
  ['http://2130706433/', '127.0.0.0'],
  ['http://0x7f000001/', '127.0.0.0'],
  ['http://0x7f.1/', '127.0.0.0'],
  ['http://0177.0.0.1/', '127.0.0.0'],
  ['http://127.0.0.1./', '127.0.0.0'],
  ['http://①②⑦.0.0.1/', '127.0.0.0'],
  ['http://127。0。0。1/', '127.0.0.0'],
  ['http://%31%32%37.0.0.1/', '127.0.0.0'],
  ['http:\\\\127.0.0.1\\', '127.0.0.0'],
  ['http:127.0.0.1', '127.0.0.0'],
  ['  http://127.0.0.1/\n', '127.0.0.0'],
  ['http://0/', '0.0.0.0'],
  ['http://10.1.2.3/', '10.0.0.0'],
  ['http://100.100.100.200/latest/meta-data/', '100.64.0.0'],
  ['http://168.63.129.16/', '168.63.129.16'],
  ['http://169.254.169.254/latest/meta-data/', '169.254.0.0'],
  ['http://2852039166/', '169.254.0.0'],
  ['http://172.31.255.255/', '172.16.0.0'],
  ['http://192.0.0.192/', '192.0.0.0'],
  ['http://192.0.2.1/', '192.0.2.0'],
  ['http://192.88.99.1/', '192.88.99.0'],
  ['http://192.168.0.1/', '192.168.0.0'],
  ['http://198.19.0.1/', '198.18.0.0'],
  ['http://198.51.100.1/', '198.51.100.0'],
  ['http://203.0.113.1/', '203.0.113.0'],
  ['http://239.255.255.250/', '224.0.0.0'],
  ['http://255.255.255.255/', '240.0.0.0'],
  ['http://[::]/', '::'],
  ['http://[::1]/', '::'],
  ['http://[0:0:0:0:0:0:0:1]/', '::'],
  ['http://[::ffff:127.0.0.1]/', '::'],
  ['http://[::ffff:7f00:1]/', '::'],
  ['http://[::127.0.0.1]/', '::'],
  ['http://[64:ff9b::a9fe:a9fe]/', '::'],
  ['http://[64:ff9b:1::10.0.0.1]/', '::'],
  ['http://[2001:0:7f00:1::]/', '2001::'],
  ['http://[2001:db8::1]/', '2001:db8::'],
  ['http://[2002:7f00:1::]/', '2002::'],
  ['http://[3fff::1]/', '3fff::'],
  ['http://[5f00::1]/', '4000::'],
  ['http://[fc00::1]/', '8000::'],
  ['http://[fd00:ec2::254]/', '8000::'],
  ['http://[fe80::1]/', '8000::'],
  ['http://[fec0::1]/', '8000::'],
  ['http://[ff02::1]/', '8000::'],
];

const codeOf = async (address: string, options: GuardOptions = {}): Promise<string> => {
  const guard = createAddressGuard({ ownAddresses: () => [], ...options });
  try {
    await guard.resolve(guard.parse(address));
    return 'asked';
  } catch (error) {
    return error instanceof Error && 'code' in error ? String(error.code) : String(error);
  }
};

describe('an address that is not public', () => {
  it.each(SPELLINGS)('%s is refused, and by one range alone', async (address, range) => {
    expect(await codeOf(address)).toBe('address_refused');
    // Without its range it would be asked: no other rule stands behind it, so each is needed.
    expect(await codeOf(address, { ranges: REFUSED_RANGES.filter(({ net }) => net !== range) })).toBe('asked');
  });

  it('is refused in every range there is', () => {
    expect(new Set(SPELLINGS.map(([, range]) => range))).toEqual(new Set(REFUSED_RANGES.map(({ net }) => net)));
  });

  it('is refused behind a name, also where only one of its addresses is such', async () => {
    expect(await codeOf('https://example.org/', { lookup: resolvesTo('93.184.215.14', '2606:2800:21f::1') })).toBe('asked');
    for (const address of ['127.0.0.1', '169.254.169.254', '::1', '::ffff:10.0.0.1', 'fe80::1%eth0', 'not an address'])
      expect([address, await codeOf('https://example.org/', { lookup: resolvesTo('93.184.215.14', address) })]).toEqual([
        address,
        'address_refused',
      ]);
    expect(await codeOf('http://localhost/')).toBe('address_refused');
  });

  it('is that of SiYuan, by name and by address, and each of this computer', async () => {
    const lookup = async (name: string) => (name === 'notes.example.org' ? resolvesTo('93.184.215.14')() : resolvesTo('93.184.215.14')());
    const kernel = 'https://notes.example.org:6806';
    expect(await codeOf('https://NOTES.example.org./', { kernel, lookup: resolvesTo('1.1.1.1') })).toBe('address_refused');
    expect(() => createAddressGuard({ kernel }).parse('https://notes.example.org/')).toThrow(/SiYuan's own/u);
    expect(await codeOf('https://other.example.org/', { kernel, lookup })).toBe('address_refused');
    expect(await codeOf('https://other.example.org/', { lookup })).toBe('asked');
    expect(await codeOf('https://other.example.org/', { lookup, ownAddresses: () => ['93.184.215.14'] })).toBe('address_refused');
  });
});

describe('an address that is no page', () => {
  it.each([
    ['ftp://example.org/', 'bad_address'],
    ['file:///etc/passwd', 'bad_address'],
    ['data:text/html,x', 'bad_address'],
    ['javascript:alert(1)', 'bad_address'],
    ['example.org', 'bad_address'],
    ['', 'bad_address'],
    ['http://', 'bad_address'],
    ['http://./', 'bad_address'],
    ['http://1.2.3.4.5.999999999999/', 'bad_address'],
    ['https://user:secret@example.org/', 'bad_address'],
    ['http://example.org@127.0.0.1/', 'bad_address'],
    ['http://example.org:22/', 'address_refused'],
    ['http://example.org:6806/', 'address_refused'],
    ['http://example.org:443/', 'asked'],
  ])('%s: %s', async (address, code) => {
    expect(await codeOf(address, { lookup: resolvesTo('93.184.215.14') })).toBe(code);
  });

  it('is one whose name nobody knows', async () => {
    const lookup = () => Promise.reject(new Error('ENOTFOUND'));
    expect(await codeOf('https://nobody.example/', { lookup })).toBe('site_unreachable');
  });

  it('is told without what stands behind its #', () => {
    expect(createAddressGuard().parse('https://example.org/a#secret').href).toBe('https://example.org/a');
  });
});
