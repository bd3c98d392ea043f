import { createHash } from 'node:crypto';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { type RunningHost, startHost } from '../../devhost/host.ts';
import type { SiYuanVersion } from '../../devhost/kernel/kernel.ts';
import { type AccessPolicy, createAccessPolicy } from '../../src/host/access/access-policy.ts';
import { createHostBase } from '../../src/host/host-base.ts';
import { createKernelClient, type KernelClient } from '../../src/host/kernel/kernel-client.ts';
import { commandOf, type PushSource, readTransactionsPush, type TransactionsPush } from '../../src/host/kernel/transaction-log.ts';
import { createNotesHost, type NotesHost } from '../../src/host/notes-host.ts';
import { testEngine } from '../../src/host/testing/lute.ts';
import type { NotebookRight } from '../../src/tools/contract/notebook-right.ts';
import { approvePlan, type ChangePlan } from '../../src/tools/contract/plans.ts';
import type { Clock, EditingProbe, WriteOrigin, WriteReport } from '../../src/tools/contract/ports.ts';
import { hostVersion, openSocket, realKernel, realKernelUrl } from './real-kernel.ts';

export const signal = new AbortController().signal;
export const origin: WriteOrigin = { sessionId: 'chat-1', nodeId: 'node-1', callId: 'call-1' };

/** The words of a chat's note. */
export const noteLabels = {
  user: 'You',
  assistant: 'Marginalia',
  separator: '—',
  summary: 'Summary',
  at: (time: number) => new Date(time).toISOString().slice(0, 16),
};

export interface TestBench {
  readonly kernel: RunningHost;
  readonly client: KernelClient;
  readonly policy: AccessPolicy;
  readonly host: NotesHost;
  readonly notebook: string;
  /** The kernel's folder. */
  readonly workspace: string;
  /** Runs around requests of the host (not of `api`): after = the kernel has answered, the host does not know it yet; instead = in its place. */
  hooks: {
    before?: (path: string) => Promise<void> | void;
    instead?: (path: string) => Response | undefined;
    after?: (path: string) => Promise<void> | void;
  };
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
  /** Resolves when the pushes of everything that was done so far have come in. `id` is a block that may be touched. */
  delivered(id: string): Promise<void>;
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

const clock: Clock = { now: () => Date.now(), today: () => new Date().toLocaleDateString('sv-SE') };

/** The kernel's pushes, as the browser's main window would hear them. */
class SocketPushes implements PushSource {
  private readonly listeners = new Set<(push: TransactionsPush) => void>();
  private readonly commandListeners = new Set<(command: string) => void>();
  private readonly address: string;
  private socket: WebSocket | undefined;

  constructor(baseUrl: string) {
    this.address = `${baseUrl.replace('http', 'ws')}/ws?app=test&id=test-main&type=main`;
  }

  async open(): Promise<void> {
    const socket = await openSocket(this.address);
    this.socket = socket;
    socket.addEventListener('message', (event) => {
      const message: unknown = JSON.parse(String(event.data));
      const push = readTransactionsPush(message);
      if (push) this.send(push);
      for (const listener of this.commandListeners) listener(commandOf(message));
    });
    await new Promise<void>((resolve, reject) => {
      socket.addEventListener('open', () => resolve());
      socket.addEventListener('error', () => reject(new Error('no push socket')));
    });
  }

  onTransactions(listener: (push: TransactionsPush) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  onCommand(listener: (command: string) => void): () => void {
    this.commandListeners.add(listener);
    return () => this.commandListeners.delete(listener);
  }

  hears(): boolean {
    return this.socket?.readyState === WebSocket.OPEN;
  }

  send(push: TransactionsPush): void {
    for (const listener of this.listeners) listener(push);
  }

  close(): void {
    this.socket?.close();
  }
}

class HostBench implements TestBench {
  readonly kernel: RunningHost;
  readonly client: KernelClient;
  readonly policy = createAccessPolicy();
  readonly host: NotesHost;
  notebook = '';
  hooks: TestBench['hooks'] = {};
  caret: string[] = [];
  caretAnswer: TestBench['caretAnswer'] = 'left';
  readonly asked: string[][] = [];
  readonly workspace: string;
  /** Without the hooks. */
  private readonly plain: KernelClient;
  private readonly pushes: SocketPushes;
  private readonly hosts: NotesHost[] = [];

  constructor(kernel: RunningHost, workspace: string) {
    const baseUrl = kernel.url.replace(/\/$/, '');
    this.kernel = kernel;
    this.workspace = workspace;
    this.plain = createKernelClient({ baseUrl, fetch: kernel.fetch, timeoutMs: 30_000 });
    this.client = createKernelClient({
      baseUrl,
      fetch: async (url, init) => {
        const path = url.slice(baseUrl.length);
        await this.hooks.before?.(path);
        const response = this.hooks.instead?.(path) ?? (await kernel.fetch(url, init));
        await this.hooks.after?.(path);
        return response;
      },
      timeoutMs: 30_000,
    });
    this.pushes = new SocketPushes(baseUrl);
    this.host = this.reopen();
  }

  /** Listens to the kernel and makes the notebook that the tests write to, unless there is one or the kernel is read-only. */
  async open(readOnly: boolean, existing?: string): Promise<this> {
    await this.pushes.open();
    if (existing !== undefined) this.notebook = existing;
    if (readOnly || existing !== undefined) return this;
    const { notebook } = await this.api<{ notebook: { id: string } }>('/api/notebook/createNotebook', { name: 'Notes' });
    this.notebook = notebook.id;
    return this;
  }

  pushed(push: TransactionsPush): void {
    this.pushes.send(push);
  }

  api<T>(path: string, body: unknown): Promise<T> {
    return this.plain.call(path, body, (data) => data as T, signal);
  }

  document(path: string, markdown: string): Promise<string> {
    return this.api('/api/filetree/createDocWithMd', { notebook: this.notebook, path, markdown });
  }

  async blocks(document: string): Promise<string[]> {
    return (await this.api<{ id: string }[]>('/api/block/getChildBlocks', { id: document })).map((block) => block.id);
  }

  async dom(id: string): Promise<string> {
    return (await this.api<{ dom: string }>('/api/block/getBlockDOM', { id })).dom;
  }

  async markdown(document: string): Promise<string[]> {
    const blocks = await this.api<{ markdown?: string }[]>('/api/block/getChildBlocks', { id: document });
    return blocks.map((block) => block.markdown ?? '');
  }

  transact(doOperations: readonly object[]): Promise<void> {
    const transactions = [{ doOperations, undoOperations: [] }];
    return this.api('/api/transactions', { app: 'editor', session: 'editor-1', reqId: 1, transactions });
  }

  async delivered(id: string): Promise<void> {
    const heard = new Promise<void>((resolve) => {
      const stop = this.pushes.onTransactions((push) => {
        if (!push.blockIds.includes(id)) return;
        stop();
        resolve();
      });
    });
    await this.api('/api/attr/setBlockAttrs', { id, attrs: { 'custom-delivered': String(Date.now()) } });
    await heard;
  }

  apply(plan: ChangePlan, accepted?: readonly string[], from = origin): Promise<WriteReport> {
    return this.host.notes.apply(accepted ? approvePlan(plan, accepted) : approvePlan(plan), from, signal);
  }

  reopen({ pushes }: { readonly pushes: boolean } = { pushes: true }): NotesHost {
    const host = createNotesHost({
      base: createHostBase({ client: this.client, policy: this.policy, clock, device: 'dev1' }),
      engine: testEngine(),
      probe: this.probe(),
      random: Math.random,
      ...(pushes ? { pushes: this.pushes } : {}),
      session: 'marginalia-test',
    });
    this.hosts.push(host);
    return host;
  }

  fingerprint(): string {
    // The files of a kernel that is not ours are not looked at.
    if (realKernelUrl !== undefined) return '';
    return hashFolder(join(this.workspace, 'data', this.notebook));
  }

  async close(): Promise<void> {
    for (const each of this.hosts) each.close();
    this.pushes.close();
    await this.kernel.close();
    rmSync(this.workspace, { recursive: true, force: true });
  }

  private probe(): EditingProbe {
    return {
      caretBlocks: () => this.caret,
      whenLeft: (_ids, stop) =>
        new Promise((resolve, reject) => {
          if (this.caretAnswer === 'left') resolve();
          stop.addEventListener('abort', () => reject(stop.reason));
        }),
      ask: (ids, stop) =>
        new Promise((resolve, reject) => {
          this.asked.push([...ids]);
          if (this.caretAnswer !== 'left') resolve(this.caretAnswer);
          stop.addEventListener('abort', () => reject(stop.reason));
        }),
    };
  }
}

/** What a bench left, for others to start over. */
export interface SavedWorkspace {
  readonly folder: string;
  /** Of all that is in it; without it the kernel makes one from the files. */
  readonly index?: Uint8Array;
  readonly notebook: string;
}

interface BenchOptions {
  readonly readOnly?: boolean;
  /** The bench starts over a copy of it. */
  readonly saved?: SavedWorkspace;
  /** The SiYuan that it answers as; else that of MARGINALIA_HOST_AS. */
  readonly as?: SiYuanVersion;
}

export async function startBench({ readOnly = false, saved, as = hostVersion }: BenchOptions = {}): Promise<TestBench> {
  const workspace = mkdtempSync(join(tmpdir(), 'marginalia-host-'));
  if (realKernelUrl !== undefined) return new HostBench(realKernel(realKernelUrl), workspace).open(false);
  if (saved) cpSync(saved.folder, workspace, { recursive: true });
  const kernel = await startHost({ workspace, port: 0, indexDelayMs: 20, readOnly, as, savedIndex: saved?.index });
  return new HostBench(kernel, workspace).open(readOnly, saved?.notebook);
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

/** A bench for all tests of a file; after each of them its notebook has this right again, and nothing is armed. */
export function useBench(right: NotebookRight): TestBench {
  let started: TestBench | undefined;
  const reset = (bench: TestBench): void => {
    bench.hooks = {};
    bench.caret = [];
    bench.caretAnswer = 'left';
    bench.policy.setRight(bench.notebook, right);
  };
  const running = (): TestBench => {
    if (!started) throw new Error('the bench starts with the first test');
    return started;
  };
  beforeAll(async () => {
    started = await startBench();
    reset(started);
  });
  afterEach(() => reset(running()));
  afterAll(() => started?.close());
  return new Proxy({} as TestBench, {
    get: (_target, name) => Reflect.get(running(), name),
    set: (_target, name, value) => Reflect.set(running(), name, value),
  });
}

/** Makes the word of a document's first block a reference. Markdown cannot: SiYuan gives what it reads there an id, or none. */
export async function refer(to: TestBench, documentId: string, word: string, id: string): Promise<void> {
  const [block = ''] = await to.blocks(documentId);
  const data = (await to.dom(block)).replace(word, `<span data-type="block-ref" data-subtype="d" data-id="${id}">${word}</span>`);
  await to.transact([{ action: 'update', id: block, data }]);
  const stmt = `SELECT id FROM refs WHERE block_id = '${block}' LIMIT 1`;
  await expect.poll(() => to.api<unknown[]>('/api/query/sql', { stmt })).toHaveLength(1);
}
