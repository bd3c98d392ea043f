// The editor with its suggestions as a person sees them: by role and name.
import type { Locator } from 'playwright-core';
import { expect } from 'vitest';
import { kernelFetch } from '../host/real-kernel.ts';
import type { TestApp } from './app.ts';
import { chooseSlash, openAlone, whenReady, whenShown } from './hosts.ts';

const PETAL = '/data/storage/petal/siyuan-marginalia';

export class EditorDriver {
  private readonly app: TestApp;
  private note = '';

  constructor(app: TestApp) {
    this.app = app;
  }

  /** Of the note that was created last. */
  get noteId(): string {
    return this.note;
  }

  private get root(): Locator {
    return this.app.page.locator('.protyle-wysiwyg:visible');
  }

  /** A new note in Research, opened alone. `here`: in the page that runs. */
  async create(title: string, markdown: string, here = false): Promise<void> {
    const { page, kernel } = this.app;
    this.note = await kernel<string>('/api/filetree/createDocWithMd', {
      notebook: await this.app.notebook('Research'),
      path: `/${title}`,
      markdown,
    });
    await kernel('/api/sqlite/flushTransaction', {});
    await openAlone(page, { address: this.app.address({ note: this.note }), note: this.note }, here);
    await this.shown();
  }

  /** Notes that were open before are restored first. */
  async shown(): Promise<void> {
    await whenReady(this.app.page);
    await whenShown(this.app.page, this.note);
    await this.root.locator('[data-node-id]').first().waitFor();
  }

  /** The notebook may be written from now on, as the settings would say it; after the next start of the page. */
  async allowWriting(): Promise<void> {
    const { host } = this.app;
    const path = `${PETAL}/settings.json`;
    const file = await kernelFetch(String(new URL('/api/file/getFile', host.url)), { method: 'POST', body: JSON.stringify({ path }) });
    const settings = (await file.json()) as Record<string, unknown>;
    const body = new FormData();
    body.append('path', path);
    body.append('file', new Blob([JSON.stringify({ ...settings, notebooks: { [await this.app.notebook('Research')]: 'write' } })]));
    await kernelFetch(String(new URL('/api/file/putFile', host.url)), { method: 'POST', body });
  }

  text(part: string): Locator {
    return this.root.getByText(part).first();
  }

  block(part: string): Locator {
    return this.root.locator('[data-node-id]', { hasText: part }).last();
  }

  /** Puts the caret at the end of a paragraph, types a slash command and chooses the entry. */
  async command(paragraph: string, name: string, entry: string): Promise<void> {
    await this.text(paragraph).click();
    await this.app.page.keyboard.press('End');
    await this.app.page.keyboard.type(' ');
    await chooseSlash(this.app.page, name, entry);
  }

  /** Selects a piece of a paragraph with the mouse: these words, or from them to the end of others. */
  async select(paragraph: string, part: string, end = part): Promise<void> {
    const chosen = async (): Promise<boolean> => {
      await this.drag(paragraph, part, end);
      const words = await this.app.page.evaluate(() => (getSelection()?.toString() ?? '').replaceAll('\u200b', '').trim());
      return words.startsWith(part) && words.endsWith(end);
    };
    // A card that comes or goes moves the blocks below it while the mouse is on its way.
    await expect.poll(chosen).toBe(true);
  }

  private async drag(paragraph: string, part: string, end: string): Promise<void> {
    const { mouse } = this.app.page;
    const line = this.text(paragraph);
    await line.scrollIntoViewIfNeeded();
    const [from, to] = await line.evaluate(
      (element, words) => {
        const nodes: Text[] = [];
        const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
        while (walker.nextNode()) nodes.push(walker.currentNode as Text);
        const [first, last] = words.map((each) => nodes.find(({ data }) => data.includes(each)));
        if (!first || !last) throw new Error(`no "${words.join('" or "')}"`);
        // What is selected would be dragged.
        getSelection()?.removeAllRanges();
        const range = document.createRange();
        range.setStart(first, first.data.indexOf(words[0] ?? ''));
        range.setEnd(last, last.data.indexOf(words[1] ?? '') + (words[1] ?? '').length);
        const rects = [...range.getClientRects()];
        const [start = new DOMRect(), stop = start] = [rects[0], rects.at(-1)];
        return [
          { x: start.left, y: start.top + start.height / 2 },
          { x: stop.right, y: stop.top + stop.height / 2 },
        ] as const;
      },
      [part, end],
    );
    await mouse.move(from.x, from.y);
    await mouse.down();
    await mouse.move(to.x, to.y, { steps: 5 });
    await mouse.up();
  }

  /** An entry of our plugin in the menu that is open. */
  async menu(label: string): Promise<void> {
    const { page } = this.app;
    await page.locator('.b3-menu__item:visible', { hasText: 'Plugin' }).first().hover();
    await page.locator('.b3-menu__submenu .b3-menu__item:visible', { hasText: 'Marginalia' }).first().hover();
    await page.locator('.b3-menu__submenu .b3-menu__submenu').getByText(label, { exact: true }).click();
  }

  card(action: string, status?: string): Locator {
    const wanted = status ? `[data-status="${status}"]` : '';
    return this.app.page.locator(`[role="group"][aria-label="Suggestion"][data-action="${action}"]${wanted}`);
  }

  button(action: string, name: string): Locator {
    return this.card(action).getByRole('button', { name, exact: true });
  }

  proposal(action: string): Promise<void> {
    return this.card(action, 'proposal').locator('[data-diff]').waitFor();
  }

  /** Accepts, waits until it is done and closes the card. */
  async accept(action: string): Promise<void> {
    await this.button(action, 'Approve').click();
    await this.card(action, 'done').waitFor();
    await this.button(action, 'Close').click();
  }

  undone(action: string): Promise<void> {
    return this.card(action, 'done').locator('.mg-row').getByText('Undone', { exact: true }).waitFor();
  }

  async kramdown(): Promise<string> {
    return (await this.app.kernel<{ kramdown: string }>('/api/block/getBlockKramdown', { id: this.note })).kramdown;
  }

  paragraphs(): Promise<string[]> {
    const all = this.root.locator('[data-type="NodeParagraph"]');
    return all.evaluateAll((found) => found.map((one) => (one.textContent ?? '').replaceAll('\u200b', '').trim()));
  }

  async attributes(paragraph: string): Promise<Record<string, string>> {
    const id = await this.block(paragraph).getAttribute('data-node-id');
    return this.app.kernel<Record<string, string>>('/api/attr/getBlockAttrs', { id });
  }

  /** Files of the chats that are kept. */
  async chats(): Promise<string[]> {
    const files = await this.app.kernel<{ name: string }[]>('/api/file/readDir', { path: `${PETAL}/sessions` }).catch(() => []);
    return files
      .map(({ name }) => name)
      .filter((name) => name !== 'index.json')
      .sort();
  }

  /** Until the kernel has what the editor shows, and its index. */
  async settled(): Promise<void> {
    // Typing is sent a moment after the last key.
    const sent = async (id: string): Promise<boolean> => {
      const text = (block: Element): string => (block.textContent ?? '').replaceAll(/[\u200b\u00a0]/g, ' ');
      const paragraphs = (root: ParentNode): string =>
        JSON.stringify([...root.querySelectorAll('[data-type="NodeParagraph"] > [contenteditable]')].map(text));
      const answer = await fetch('/api/block/getBlockDOM', { method: 'POST', body: JSON.stringify({ id }) });
      const { data } = (await answer.json()) as { data: { dom: string } };
      const shown = document.querySelector(`.protyle:has(.protyle-title[data-node-id="${id}"]) .protyle-wysiwyg`);
      return shown !== null && paragraphs(shown) === paragraphs(new DOMParser().parseFromString(data.dom, 'text/html'));
    };
    await expect.poll(() => this.app.page.evaluate(sent, this.note)).toBe(true);
    await this.app.kernel('/api/sqlite/flushTransaction', {});
  }
}
