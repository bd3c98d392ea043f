import type { RunningHost } from '../../devhost/host.ts';
import { type SiYuanVersion, VERSIONS } from '../../devhost/kernel/kernel.ts';

/** A running SiYuan to test against instead of the development host; it is written to, so it must be one made for this. */
export const realKernelUrl: string | undefined = process.env.SIYUAN_URL?.replace(/\/$/, '');

/** The SiYuan that the development host answers as in these tests. */
export const hostVersion: SiYuanVersion = VERSIONS.find((version) => version === process.env.MARGINALIA_HOST_AS) ?? '3.7.3';

/** `fetch` with the token of the kernel under test, where it wants one. */
export const kernelFetch = (url: string, init?: RequestInit): Promise<Response> => {
  const token = process.env.SIYUAN_TOKEN;
  if (token === undefined || realKernelUrl === undefined) return fetch(url, init);
  const headers = new Headers(init?.headers);
  headers.set('Authorization', `Token ${token}`);
  return fetch(url, { ...init, headers });
};

/** A socket of the kernel, signed in to with SIYUAN_AUTH where the one under test is locked: a token does not open it. */
export async function openSocket(address: string): Promise<WebSocket> {
  const authCode = process.env.SIYUAN_AUTH;
  if (authCode === undefined || realKernelUrl === undefined) return new WebSocket(address);
  const body = JSON.stringify({ authCode });
  const signedIn = await fetch(`${realKernelUrl}/api/system/loginAuth`, { method: 'POST', body });
  const cookie = signedIn.headers.getSetCookie().map((each) => each.split(';')[0]);
  // Node's sockets take headers, those of a browser do not.
  return Reflect.construct(WebSocket, [address, { headers: { Cookie: cookie.join('; ') } }]);
}

/** Milliseconds between programs: a real kernel that is pressed can corrupt its index. */
const settleMs = Number(process.env.SIYUAN_SETTLE ?? 3000);

export const settle = (): Promise<void> =>
  realKernelUrl === undefined ? Promise.resolve() : new Promise((resolve) => setTimeout(resolve, settleMs));

const notHere = (what: string): never => {
  throw new Error(`${what} is of the development host; this test cannot run against a real kernel`);
};

/** What a test may do to a kernel that is not ours: ask it. */
export function realKernel(url: string): RunningHost {
  return {
    url,
    port: Number(new URL(url).port),
    get kernel() {
      return notHere('the kernel object');
    },
    get failures() {
      return notHere('failing on demand');
    },
    fetch: kernelFetch,
    pause: async () => notHere('pausing'),
    resume: async () => notHere('resuming'),
    close: async () => undefined,
  };
}
