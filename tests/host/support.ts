import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type RunningHost, startHost } from '../../devhost/host.ts';
import { type AccessPolicy, createAccessPolicy } from '../../src/host/access-policy.ts';
import { createKernelClient, type KernelClient } from '../../src/host/kernel-client.ts';
import { createNotesHost, type NotesHost } from '../../src/host/notes-host.ts';
import { type PushSource, readTransactionsPush, type TransactionsPush } from '../../src/host/push-log.ts';
import { testEngine } from '../../src/host/testing/lute.ts';
import { approvePlan, type ChangePlan } from '../../src/tools/plans.ts';
import type { EditingProbe, WriteOrigin, WriteReport } from '../../src/tools/ports.ts';

export const signal = new AbortController().signal;
export const origin: WriteOrigin = { sessionId: 'chat-1', nodeId: 'node-1', callId: 'call-1' };

export interface TestBench {
  readonly kernel: RunningHost;
  readonly client: KernelClient;
  readonly policy: AccessPolicy;
  readonly host: NotesHost;
  readonly notebook: string;
  /** Runs around requests of the host (not of `api`): after = the kernel has answered, the host does not know it yet. */
  hooks: { before?: (path: string) => Promise<void> | void; after?: (path: string) => Promise<void> | void };
  /** Called by the probe; empty by default. */
  caret: string[];
  caretAnswer: 'write' | 'cancel' | 'left';
  readonly asked: string[][];
  readonly pushed: (push: TransactionsPush) => void;
  /** A plain call, as another window of the user would make it. */
  api<T>(path: string, body: unknown): Promise<T>;
  document(path: string, markdown: string): Promise<string>;
  /** Ids of a document's top-level blocks. */
  blocks(document: string): Promise<string[]>;
  dom(id: string): Promise<string>;
  markdown(document: string): Promise<string[]>;
  /** Somebody else's transaction. */
  transact(doOperations: readonly object[]): Promise<void>;
  apply(plan: ChangePlan, accepted?: readonly string[], from?: WriteOrigin): Promise<WriteReport>;
  /** A new host over the same workspace, as after a restart of the plugin. */
  reopen(options?: { readonly pushes: boolean }): NotesHost;
  /** One hash over every file of the notebook. */
  fingerprint(): string;
  close(): Promise<void>;
}

function hashFolder(folder: string): string {
  const hash = createHash('sha256');
  const names = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  for (const entry of names.sort((one, other) => (join(one.parentPath, one.name) < join(other.parentPath, other.name) ? -1 : 1))) {
    hash.update(join(entry.parentPath, entry.name)).update(readFileSync(join(entry.parentPath, entry.name)));
  }
  return hash.digest('hex');
}

export async function startBench(options: { readonly readOnly?: boolean } = {}): Promise<TestBench> {
  const workspace = mkdtempSync(join(tmpdir(), 'marginalia-host-'));
  const kernel = await startHost({ workspace, port: 0, indexDelayMs: 20, ...options });
  const baseUrl = kernel.url.replace(/\/$/, '');
  const plain = createKernelClient({ baseUrl, fetch: (url, init) => fetch(url, init), timeoutMs: 30_000 });
  const client = createKernelClient({
    baseUrl,
    fetch: async (url, init) => {
      const path = url.slice(baseUrl.length);
      await bench.hooks.before?.(path);
      const response = await fetch(url, init);
      await bench.hooks.after?.(path);
      return response;
    },
    timeoutMs: 30_000,
  });
  const policy = createAccessPolicy();
  const listeners = new Set<(push: TransactionsPush) => void>();
  const socket = new WebSocket(`${baseUrl.replace('http', 'ws')}/ws?app=test&id=test-main&type=main`);
  socket.addEventListener('message', (event) => {
    const push = readTransactionsPush(JSON.parse(String(event.data)));
    if (push) for (const listener of listeners) listener(push);
  });
  await new Promise<void>((resolve, reject) => {
    socket.addEventListener('open', () => resolve());
    socket.addEventListener('error', () => reject(new Error('no push socket')));
  });
  const pushes: PushSource = {
    onTransactions: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  const asked: string[][] = [];
  const probe: EditingProbe = {
    caretBlocks: () => bench.caret,
    whenLeft: (_ids, stop) =>
      new Promise((resolve, reject) => {
        if (bench.caretAnswer === 'left') resolve();
        stop.addEventListener('abort', () => reject(stop.reason));
      }),
    ask: (ids, stop) =>
      new Promise((resolve, reject) => {
        asked.push([...ids]);
        if (bench.caretAnswer !== 'left') resolve(bench.caretAnswer);
        stop.addEventListener('abort', () => reject(stop.reason));
      }),
  };
  const clock = { now: () => Date.now(), today: () => new Date().toLocaleDateString('sv-SE') };
  const make = (listen = true): NotesHost =>
    createNotesHost({
      client,
      engine: testEngine(),
      policy,
      probe,
      clock,
      random: Math.random,
      ...(listen ? { pushes } : {}),
      device: 'dev1',
      session: 'marginalia-test',
    });
  const api = <T>(path: string, body: unknown): Promise<T> => plain.call(path, body, (data) => data as T, signal);
  const host = make();
  const hosts = [host];
  const notebook = options.readOnly
    ? ''
    : (await api<{ notebook: { id: string } }>('/api/notebook/createNotebook', { name: 'Notes' })).notebook.id;
  const bench: TestBench = {
    kernel,
    client,
    policy,
    host,
    notebook,
    hooks: {},
    caret: [],
    caretAnswer: 'left',
    asked,
    pushed: (push) => {
      for (const listener of listeners) listener(push);
    },
    api,
    document: (path, markdown) => api<string>('/api/filetree/createDocWithMd', { notebook, path, markdown }),
    blocks: async (document) => (await api<{ id: string }[]>('/api/block/getChildBlocks', { id: document })).map((block) => block.id),
    dom: async (id) => (await api<{ dom: string }>('/api/block/getBlockDOM', { id })).dom,
    markdown: async (document) =>
      (await api<{ markdown?: string }[]>('/api/block/getChildBlocks', { id: document })).map((block) => block.markdown ?? ''),
    transact: (doOperations) =>
      api('/api/transactions', { app: 'editor', session: 'editor-1', reqId: 1, transactions: [{ doOperations, undoOperations: [] }] }),
    apply: (plan, accepted, from = origin) => host.notes.apply(accepted ? approvePlan(plan, accepted) : approvePlan(plan), from, signal),
    reopen: (options) => {
      const next = make(options?.pushes ?? true);
      hosts.push(next);
      return next;
    },
    fingerprint: () => hashFolder(join(workspace, 'data', notebook)),
    close: async () => {
      for (const each of hosts) each.close();
      socket.close();
      await kernel.close();
      rmSync(workspace, { recursive: true, force: true });
    },
  };
  return bench;
}

/** Block DOM without what changes at every write: SiYuan gives attributes in random order. */
export const steady = (dom: string): string =>
  dom
    .replace(/ (updated|data-node-index)="[^"]*"/g, '')
    .replace(
      /<(\w+) ((?:[\w:-]+="[^"]*" ?)+)>/g,
      (_whole, tag: string, list: string) => `<${tag} ${[...list.matchAll(/[\w:-]+="[^"]*"/g)].map(String).sort().join(' ')}>`,
    );
export const codeOf = async (run: Promise<unknown>): Promise<string> =>
  run.then(
    () => 'no error',
    (error: unknown) => (error instanceof Error && 'code' in error ? String(error.code) : `unexpected: ${String(error)}`),
  );
