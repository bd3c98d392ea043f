/** Device-local store for keys. It is outside `data/`, which is synced to every device. */
export interface SecretStore {
  get(reference: string): string | undefined;
  set(reference: string, value: string): void;
}

const NO_SERVER = 'none';

/** The place of the address of the service, as it was typed on this device. */
export const SERVICE_ADDRESS = 'local:service:address';

/** Begins the place of a secret that a program gets; the command follows. */
export const PROGRAM = 'program:';

/** The origin of a web address, or the whole of a program; undefined for anything else. */
function serverOf(address: string): string | undefined {
  if (address.startsWith(PROGRAM)) return address;
  try {
    const { protocol, origin } = new URL(address.trim());
    return protocol === 'http:' || protocol === 'https:' ? origin : undefined;
  } catch {
    return undefined;
  }
}

const isNone = (address: string): boolean => address.trim() === '';

/** Keys and consents per server, bound to the origin they were given for: the address is in a synced file, which others may change. */
export class DeviceKeys {
  private readonly secrets: SecretStore;

  constructor(secrets: SecretStore) {
    this.secrets = secrets;
  }

  /** The key for an address; undefined if there is none, or only for another server. `adopts`: a key without an origin gets this one. */
  get(reference: string, address: string, adopts: boolean): string | undefined {
    const key = this.secrets.get(reference);
    const server = serverOf(address);
    // The sender of a request may parse an address more leniently than this does: "host.test" is an address there.
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

  /** The origin of a key that is withheld from this address, '' if it was given without an address; undefined if none is withheld. */
  heldFor(reference: string, address: string): string | undefined {
    const [origin, server] = [this.originOf(reference), serverOf(address)];
    if (!this.secrets.get(reference) || isNone(address) || (server !== undefined && origin === server)) return undefined;
    return origin === NO_SERVER ? '' : origin;
  }

  /** Tells if a consent (not a key) was given for this address; one without an origin gets it. */
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
      // No room on the device: the next use tries again.
    }
  }

  private originOf(reference: string): string | undefined {
    return this.secrets.get(originName(reference)) || undefined;
  }
}

/** The prefix is in front, since a reference may end in anything: it contains a provider id from the synced file. */
const originName = (reference: string): string => `origin:${reference}`;
