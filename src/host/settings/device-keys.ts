/** Device-local store for keys, outside `data/`, since `data/` is synced to every device. */
export interface SecretStore {
  get(reference: string): string | undefined;
  set(reference: string, value: string): void;
}

/** In the place of an origin, and none itself. */
const NO_SERVER = 'none';

/** The server of a web address; undefined for what is none. */
function serverOf(address: string): string | undefined {
  try {
    const { protocol, origin } = new URL(address.trim());
    return protocol === 'http:' || protocol === 'https:' ? origin : undefined;
  } catch {
    return undefined;
  }
}

const isNone = (address: string): boolean => address.trim() === '';

/**
 * What this device keeps for a server: keys, and that a provider may be asked under "Local only". Each stays with the origin that it was
 * given for, since the address is in a file that is synced. What earlier versions kept has no origin: it gets that of its first use. What
 * was given while there was no address is for none, until the person says so.
 */
export class DeviceKeys {
  private readonly secrets: SecretStore;

  constructor(secrets: SecretStore) {
    this.secrets = secrets;
  }

  /** The key for an address; undefined where there is none, or it was given for another server. `adopts`: one without an origin gets this one. */
  get(reference: string, address: string, adopts: boolean): string | undefined {
    const key = this.secrets.get(reference);
    const server = serverOf(address);
    // Whoever sends a request may read more as an address than this does: "host.test" is one there.
    if (!key) return key;
    if (server === undefined) return isNone(address) ? key : undefined;
    const origin = this.originOf(reference);
    if (origin === undefined && adopts) this.adopt(reference, server);
    return origin === server || (origin === undefined && adopts) ? key : undefined;
  }

  set(reference: string, key: string, address: string): void {
    const origin = key === '' ? '' : (serverOf(address) ?? NO_SERVER);
    // First, so that no key is ever stored under the origin of the one before.
    if (origin !== '' || this.originOf(reference) !== undefined) this.secrets.set(originName(reference), origin);
    this.secrets.set(reference, key);
  }

  /** Where a key was stored for that is not given to this address, '' where there was no address; undefined where none is held back. */
  heldFor(reference: string, address: string): string | undefined {
    const [origin, server] = [this.originOf(reference), serverOf(address)];
    if (!this.secrets.get(reference) || isNone(address) || (server !== undefined && origin === server)) return undefined;
    return origin === NO_SERVER ? '' : origin;
  }

  /** Whether something that is no key was given for this address; what has no origin yet gets it. */
  isFor(reference: string, address: string): boolean {
    const server = serverOf(address);
    if (server === undefined) return isNone(address);
    if (this.originOf(reference) === undefined) this.adopt(reference, server);
    return (this.originOf(reference) ?? server) === server;
  }

  bind(reference: string, address: string): void {
    this.secrets.set(originName(reference), serverOf(address) ?? NO_SERVER);
  }

  private adopt(reference: string, server: string): void {
    try {
      this.secrets.set(originName(reference), server);
    } catch {
      // No room on the device: it is tried again with the next use.
    }
  }

  private originOf(reference: string): string | undefined {
    return this.secrets.get(originName(reference)) || undefined;
  }
}

/** In front, since a reference may end in anything: it holds the id of a provider, which is in the synced file. */
const originName = (reference: string): string => `origin:${reference}`;
