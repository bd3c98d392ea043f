// Chats as files, and moments in the middle of an answer at which a test can act.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { kernelFetch } from '../host/real-kernel.ts';
import type { TestApp } from './app.ts';
import type { ModelRequest, Script } from './model-server.ts';

const PETAL = 'data/storage/petal/siyuan-marginalia';

/** A promise that a test settles: what holds the model's answer back. */
export function gate(): { readonly held: Promise<void>; open(): void } {
  let open = (): void => {};
  const held = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { held, open: () => open() };
}

/** What the model was asked last, for replies that must not depend on which of two windows is faster. */
function asked(request: ModelRequest): string {
  return String(request.messages.findLast(({ role }) => role === 'user')?.content);
}

/** One reply for each question, whoever asks first. */
export function answering(replies: Readonly<Record<string, Exclude<Script, (request: ModelRequest) => unknown>>>): Script[] {
  return Object.keys(replies).map(() => (request) => {
    const reply = replies[asked(request)];
    if (!reply) throw new Error(`nobody expected: ${asked(request)}`);
    return reply;
  });
}

export interface HeldWrites {
  /** Resolves when a page wants to write such a file; it has not been written then. */
  readonly reached: Promise<void>;
  /** Lets it, and all that follow it, through. */
  release(): Promise<void>;
}

/** Holds back what a page writes to such a path, but for the first ones, and every later write of that page. */
export async function holdWrites(page: Page, path: RegExp, but = 0): Promise<HeldWrites> {
  const { held: reached, open: reach } = gate();
  const { held, open } = gate();
  let holding = false;
  let passed = 0;
  const url = '**/api/file/putFile';
  await page.route(url, async (route) => {
    const body = route.request().postDataBuffer()?.toString('utf8') ?? '';
    if (path.test(body)) holding ||= passed++ >= but;
    if (holding) {
      reach();
      await held;
    }
    // The page may be gone by now.
    await route.continue().catch(() => undefined);
  });
  return {
    reached,
    async release() {
      open();
      if (!page.isClosed()) await page.unroute(url);
    },
  };
}

interface StoredNode {
  readonly id: string;
  readonly role: string;
  readonly parent: string | null;
  readonly deleted?: boolean;
  readonly currentVersionId: string;
  readonly versions: Readonly<Record<string, { readonly status: string; readonly message: { readonly content: string } }>>;
}

/** A session file, as far as tests look at it. */
export interface StoredChat {
  readonly id: string;
  readonly title: string;
  readonly leafId: string;
  readonly boundDocument?: string;
  readonly savedNote?: string;
  readonly variables: readonly unknown[];
  readonly nodes: Readonly<Record<string, StoredNode>>;
}

/** The plugin's storage as it lies on the disk. */
export class ChatFiles {
  private readonly app: TestApp;

  constructor(app: TestApp) {
    this.app = app;
  }

  /** Names in a folder of the storage; none when it is not there. */
  names(folder: string): string[] {
    const path = join(this.app.workspace, PETAL, folder);
    return existsSync(path) ? readdirSync(path, { recursive: true, encoding: 'utf8' }).sort() : [];
  }

  settings(): { readonly notebooks?: Readonly<Record<string, string>> } {
    return JSON.parse(readFileSync(join(this.app.workspace, PETAL, 'settings.json'), 'utf8')) as { notebooks?: Record<string, string> };
  }

  /** Everything in the files of a folder. */
  text(folder: string): string {
    const files = this.names(folder).filter((name) => name.endsWith('.json'));
    return files.map((name) => readFileSync(join(this.app.workspace, PETAL, folder, name), 'utf8')).join('\n');
  }

  /** The chat in which something was said; the file may be a moment behind the panel. */
  chat(said: string): StoredChat {
    const files = this.names('sessions').filter((name) => !name.startsWith('index'));
    const texts = files.map((name) => readFileSync(join(this.app.workspace, PETAL, 'sessions', name), 'utf8'));
    const text = texts.find((one) => one.includes(JSON.stringify(said).slice(1, -1)));
    if (text === undefined) throw new Error(`no chat holds "${said}"`);
    return JSON.parse(text) as StoredChat;
  }

  /** Every version of every message of it that was not deleted. */
  said(chat: StoredChat): string[] {
    const alive = Object.values(chat.nodes).filter((node) => !node.deleted);
    return alive.flatMap(({ versions }) => Object.values(versions).map(({ message }) => message.content)).sort();
  }

  /** A file as a sync brings it: in its place, with nobody told yet. */
  async put(path: string, text: string): Promise<void> {
    const body = new FormData();
    body.append('path', `/${PETAL}/${path}`);
    body.append('file', new Blob([text]));
    await kernelFetch(String(new URL('/api/file/putFile', this.app.host.url)), { method: 'POST', body });
  }

  /** What SiYuan's kernel tells every window when a sync changed a plugin's stored data. */
  announceSync(): Promise<void> {
    const lists = { uninstallPlugins: [], unloadPlugins: [], reloadPlugins: [], dataChangePlugins: ['siyuan-marginalia'] };
    return this.app.push({ cmd: 'reloadPlugin', data: lists });
  }
}
