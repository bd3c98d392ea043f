const PRIVATE_V4 = /^(?:127\.|10\.|192\.168\.|169\.254\.|172\.(?:1[6-9]|2\d|3[01])\.)/;
const PRIVATE_V6 = /^\[(?:::1\]|f[cd][\da-f]{2}:|fe[89ab][\da-f]:)/i;
/** Names that no public name server resolves; a name without a dot is none, since the network at hand completes it. */
const LOCAL_NAME = /^(?:localhost|.+\.(?:localhost|local|lan|internal|home\.arpa))$/i;

/** Tells if what is sent to the address stays on this machine or its local network. */
export function isLocalAddress(address: string): boolean {
  let host: string;
  try {
    host = new URL(address).hostname;
  } catch {
    return false;
  }
  if (host.startsWith('[')) return PRIVATE_V6.test(host);
  return /^[\d.]+$/.test(host) ? PRIVATE_V4.test(host) : LOCAL_NAME.test(host);
}
