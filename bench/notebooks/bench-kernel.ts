import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type AccessPolicy, createAccessPolicy } from '../../src/host/access/access-policy.ts';
import { createHostBase, type HostBase } from '../../src/host/host-base.ts';
import { createKernelClient, type Fetch } from '../../src/host/kernel/kernel-client.ts';
import { createNotesHost, type NotesHost } from '../../src/host/notes-host.ts';
import { testEngine } from '../../src/host/testing/lute.ts';
import { openPushes, socketsTo } from '../../src/service/kernel/pushes.ts';
import type { EditingProbe } from '../../src/tools/contract/ports.ts';

/** The kernel that is measured, a process of its own: ours would wait for itself otherwise. */
export interface BenchKernel {
  readonly url: string;
  readonly token: string | undefined;
  /** What a reader of the figures has to know. */
  readonly kind: string;
  /** A plain call; throws on a code other than 0. */
  api<T = unknown>(path: string, body: object): Promise<T>;
  close(): Promise<void>;
}

/** What went over the wire. */
export interface Traffic {
  requests: number;
  /** Sent and received. */
  bytes: number;
  /** Requests that were under way at one time, at most. */
  sideBySide: number;
  /** Of these the kernel's own writing of blocks. */
  writing: { requests: number; bytes: number; ms: number };
}

export const noTraffic = (): Traffic => ({ requests: 0, bytes: 0, sideBySide: 0, writing: { requests: 0, bytes: 0, ms: 0 } });

const LONG_MS = 300_000;
/** Milliseconds that a kernel has to answer `ready`. */
const START_MS = 30_000;

function plainCalls(url: string, token: string | undefined): BenchKernel['api'] {
  const client = createKernelClient({ baseUrl: url, ...(token ? { token } : {}), fetch, timeoutMs: LONG_MS });
  return (path, body) => client.call(path, body, (data) => data as never, new AbortController().signal);
}

/** The SiYuan of SIYUAN_URL (it is written to), else a development host over a folder that goes with it. */
export async function openKernel(): Promise<BenchKernel> {
  const { SIYUAN_URL: given, SIYUAN_TOKEN: token } = process.env;
  if (given !== undefined) {
    const url = given.replace(/\/$/, '');
    return { url, token, kind: 'the SiYuan of SIYUAN_URL', api: plainCalls(url, token), close: async () => undefined };
  }
  const workspace = mkdtempSync(join(tmpdir(), 'marginalia-bench-'));
  const main = join(import.meta.dirname, '..', '..', 'devhost', 'main.ts');
  const argv = ['--disable-warning=ExperimentalWarning', main, '--kernel-only', '--port', '0', '--workspace', workspace];
  const child = spawn(process.execPath, argv, { stdio: ['ignore', 'pipe', 'inherit'] });
  const url = await new Promise<string>((resolve, reject) => {
    const late = setTimeout(() => reject(new Error('bench_failed: the development host did not start')), START_MS);
    child.stdout.on('data', (text: Buffer) => {
      const ready = /ready (http\S+?)\/?\s/.exec(String(text));
      if (!ready?.[1]) return;
      clearTimeout(late);
      resolve(ready[1]);
    });
  });
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      child.once('close', () => {
        rmSync(workspace, { recursive: true, force: true });
        resolve();
      });
      child.kill('SIGTERM');
    });
  return { url, token: undefined, kind: 'the development host', api: plainCalls(url, undefined), close };
}

/** `fetch` that counts. */
function counting(traffic: Traffic): Fetch {
  let open = 0;
  return async (url, init) => {
    const start = performance.now();
    traffic.requests += 1;
    open += 1;
    traffic.sideBySide = Math.max(traffic.sideBySide, open);
    try {
      const response = await fetch(url, init);
      const body = await response.arrayBuffer();
      const bytes = body.byteLength + (typeof init.body === 'string' ? Buffer.byteLength(init.body) : 0);
      traffic.bytes += bytes;
      if (url.endsWith('/api/transactions')) {
        const { writing } = traffic;
        traffic.writing = { requests: writing.requests + 1, bytes: writing.bytes + bytes, ms: writing.ms + performance.now() - start };
      }
      return new Response(body, { status: response.status, headers: response.headers });
    } finally {
      open -= 1;
    }
  };
}

export interface MeasuredHost {
  readonly host: NotesHost;
  readonly base: HostBase;
  readonly policy: AccessPolicy;
  readonly traffic: Traffic;
  /** A bare call, counted too. */
  call<T = unknown>(path: string, body: object): Promise<T>;
  close(): void;
}

/** A host that has read nothing yet, as after a start of the plugin. */
export function openMeasured({ url, token }: BenchKernel): MeasuredHost {
  const traffic = noTraffic();
  const client = createKernelClient({ baseUrl: url, ...(token ? { token } : {}), fetch: counting(traffic), timeoutMs: 60_000 });
  const clock = { now: () => Date.now(), today: () => new Date().toLocaleDateString('sv-SE') };
  const end = new AbortController();
  const probe: EditingProbe = { caretBlocks: () => [], whenLeft: async () => undefined, ask: async () => 'cancel' };
  const policy = createAccessPolicy();
  const base = createHostBase({ client, policy, clock, device: 'bench' });
  const host = createNotesHost({
    base,
    engine: testEngine(),
    probe,
    random: Math.random,
    pushes: openPushes({ connect: socketsTo(url, token), id: 'marginalia-bench', signal: end.signal }),
    session: 'marginalia-bench',
  });
  return {
    host,
    base,
    policy,
    traffic,
    call: (path, body) => client.call(path, body, (data) => data as never, end.signal),
    close: () => {
      host.close();
      end.abort();
    },
  };
}
