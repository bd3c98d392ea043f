// Notes as the kernel holds them, for browser tests of what is written to them.

import { kernelFetch } from '../host/real-kernel.ts';
import { steady } from '../host/support.ts';
import type { TestApp } from './app.ts';
import { openAlone } from './hosts.ts';
import type { ModelRequest } from './model-server.ts';
import { lastToolText } from './scripts.ts';

const PETAL = '/data/storage/petal/siyuan-marginalia';

export interface TestNote {
  readonly id: string;
  /** Ids of its blocks, in order. */
  readonly blocks: readonly string[];
}

export class NotesDriver {
  private readonly app: TestApp;

  constructor(app: TestApp) {
    this.app = app;
  }

  /** Rights as the settings would say them; after the next start of the page. */
  async setRights(rights: Readonly<Record<string, string>>): Promise<void> {
    const path = `${PETAL}/settings.json`;
    const file = await kernelFetch(String(new URL('/api/file/getFile', this.app.host.url)), {
      method: 'POST',
      body: JSON.stringify({ path }),
    });
    const body = new FormData();
    body.append('path', path);
    body.append('file', new Blob([JSON.stringify({ ...((await file.json()) as object), notebooks: rights })]));
    await kernelFetch(String(new URL('/api/file/putFile', this.app.host.url)), { method: 'POST', body });
  }

  async create(notebook: string, title: string, markdown: string): Promise<TestNote> {
    const place = { notebook: await this.app.notebook(notebook), path: `/${title}`, markdown };
    const id = await this.app.kernel<string>('/api/filetree/createDocWithMd', place);
    // Searches find it from now on.
    await this.app.kernel('/api/sqlite/flushTransaction', {});
    return { id, blocks: (await this.children(id)).map((block) => block.id) };
  }

  /** The page again, with this note alone, or beside those that were open; `here`: alone in the page that runs. */
  async open({ id }: TestNote, how: 'alone' | 'beside' | 'here' = 'alone'): Promise<void> {
    const { page } = this.app;
    const address = this.app.address({ note: id });
    if (how === 'beside') await page.goto(address);
    else await openAlone(page, { address, note: id }, how === 'here');
    await page.locator(`.protyle-title[data-node-id="${id}"]:visible`).waitFor();
    await page.locator('.protyle-wysiwyg:visible [data-node-id]').first().waitFor();
  }

  async blocks({ id }: TestNote): Promise<string[]> {
    return (await this.children(id)).map((block) => block.id);
  }

  /** Markdown of the blocks of a note. */
  async texts({ id }: TestNote): Promise<string[]> {
    return (await this.children(id)).map((block) => (block.markdown ?? '').replaceAll('\u200b', ''));
  }

  /** Block DOM without what may differ after an exact undo. */
  async dom({ id }: TestNote): Promise<string> {
    return steady((await this.app.kernel<{ dom: string }>('/api/block/getBlockDOM', { id })).dom);
  }

  /** The user writes into a paragraph from another device. */
  async writeElsewhere(id: string, text: string): Promise<void> {
    const data = `<div data-node-id="${id}" data-type="NodeParagraph" class="p"><div contenteditable="true" spellcheck="false">${text}</div><div class="protyle-attr" contenteditable="false">\u200b</div></div>`;
    const operation = { action: 'update', id, data };
    const transactions = [{ doOperations: [operation], undoOperations: [operation] }];
    await this.app.kernel('/api/transactions', { app: 'phone', session: 'phone', reqId: 1, transactions });
  }

  private children(id: string): Promise<{ id: string; markdown?: string }[]> {
    return this.app.kernel('/api/block/getChildBlocks', { id });
  }
}

/** What edit_block wants as expectHash, from what the model has just read. */
export function hashOf(request: ModelRequest, id: string): string {
  return new RegExp(`@@${id}@@\\w+#(\\w+)`).exec(lastToolText(request))?.[1] ?? '';
}
