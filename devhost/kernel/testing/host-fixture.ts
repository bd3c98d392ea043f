import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type HostOptions, type RunningHost, startHost } from '../../host.ts';
import type { Envelope } from '../router.ts';

/** A host over a workspace of its own, and short words for what tests say to it. */
export interface HostFixture {
  readonly host: RunningHost;
  readonly workspace: string;
  /** The envelope of a POST. */
  ask(path: string, body?: unknown, headers?: Record<string, string>): Promise<Envelope>;
  /** `data` of a POST that must succeed. */
  data<T>(path: string, body?: unknown): Promise<T>;
  /** A new notebook with one document; returns ids. */
  document(markdown: string): Promise<{ notebook: string; id: string; blocks: string[] }>;
  /** Closes the host; removes the workspace unless `keep`. */
  close(keep?: boolean): Promise<void>;
}

export const temporaryFolder = (): string => mkdtempSync(join(tmpdir(), 'devhost-'));

export async function openHost(options: Partial<HostOptions> = {}): Promise<HostFixture> {
  const workspace = options.workspace ?? temporaryFolder();
  const host = await startHost({ indexDelayMs: 20, ...options, workspace });
  const ask = async (path: string, body: unknown = {}, headers: Record<string, string> = {}): Promise<Envelope> => {
    const request = { method: 'POST', headers: { 'Content-Type': 'application/json', ...headers }, body: JSON.stringify(body) };
    const response = await fetch(new URL(path, host.url), request);
    return (await response.json()) as Envelope;
  };
  const data = async <T>(path: string, body?: unknown): Promise<T> => {
    const answer = await ask(path, body);
    if (answer.code !== 0) throw new Error(`${path}: ${answer.code} ${answer.msg}`);
    return answer.data as T;
  };
  return {
    host,
    workspace,
    ask,
    data,
    document: async (markdown) => {
      const { notebook } = await data<{ notebook: { id: string } }>('/api/notebook/createNotebook', { name: 'test' });
      const id = await data<string>('/api/filetree/createDocWithMd', { notebook: notebook.id, path: '/Test', markdown });
      const children = await data<{ id: string }[]>('/api/block/getChildBlocks', { id });
      return { notebook: notebook.id, id, blocks: children.map((c) => c.id) };
    },
    close: async (keep = false) => {
      await host.close();
      if (!keep) rmSync(workspace, { recursive: true, force: true });
    },
  };
}

/** DOM of a paragraph, as a client would send it. */
export function paragraphDom(id: string, html: string, attributes = ''): string {
  const head = `data-node-id="${id}" data-type="NodeParagraph" class="p"${attributes && ` ${attributes}`}`;
  return `<div ${head}><div contenteditable="true" spellcheck="false">${html}</div><div class="protyle-attr" contenteditable="false">\u200b</div></div>`;
}
