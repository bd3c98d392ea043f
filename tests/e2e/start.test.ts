// npm start, as a newcomer runs it: one line `ready <address>`, the page, the plugin, the sample and the offline demo behind it.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Page } from 'playwright-core';
import { afterAll, describe, expect, it } from 'vitest';
import { kernelClient } from '../support/hosts.ts';
import { sharedBrowser } from '../support/shared.ts';

const root = dirname(dirname(import.meta.dirname));

/** Whoever tries it sees a run of an order without flags; a browser makes none by itself. */
async function expectOrdersToRun(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Standing orders' }).click();
  const orders = page.getByRole('group', { name: 'Standing orders', exact: true });
  await orders.getByRole('article', { name: 'Sort my inbox' }).getByRole('button', { name: 'Run now' }).waitFor();
  await orders.getByText(/^They run in the service on /).waitFor();
}

/** The first picture is the product: the panel is open beside a note, and stays hidden once somebody has hidden it. */
async function expectPanelBesideNote(url: string): Promise<void> {
  const context = await (await sharedBrowser()).newContext();
  const page = await context.newPage();
  await page.goto(url);
  await page.getByRole('textbox', { name: 'Message' }).waitFor();
  await page.locator('.protyle-wysiwyg:visible [data-node-id]').first().waitFor();
  await expectOrdersToRun(page);
  await page.locator('.dock__item[data-type="siyuan-marginaliapanel"]').click();
  await page.reload();
  await page.locator('body[data-ready]').waitFor();
  await expect.poll(() => page.getByRole('textbox', { name: 'Message' }).isVisible()).toBe(false);
  await context.close();
}

describe('npm start', () => {
  let child: ChildProcess | undefined;
  afterAll(() => child?.kill('SIGKILL'));

  it('serves the built plugin over the sample workspace, open beside a note, and ends when it is told to', async () => {
    const { OPENAI_API_KEY: _key, OPENAI_BASE_URL: _url, ...env } = process.env;
    const started = spawn(process.execPath, [join(root, 'scripts/start.ts')], { cwd: root, env, stdio: ['ignore', 'pipe', 'inherit'] });
    child = started;
    const lines: string[] = [];
    for await (const line of createInterface({ input: started.stdout })) {
      lines.push(line);
      if (line.startsWith('ready ')) break;
    }
    const url = /^ready (http:\/\/127\.0\.0\.1:\d+\/)$/.exec(lines.at(-1) ?? '')?.[1] ?? '';
    expect(lines.at(-2)).toMatch(/^model: (offline demo: rules, no language model|.*Ollama)/);
    expect(await (await fetch(url)).text()).toContain('<script');
    const kernel = kernelClient(url);
    const petals = await kernel<{ name: string }[]>('/api/petal/loadPetals', { frontend: 'browser-desktop' });
    expect(petals.map((petal) => petal.name)).toContain('siyuan-marginalia');
    const { notebooks } = await kernel<{ notebooks: { name: string }[] }>('/api/notebook/lsNotebooks', {});
    expect(notebooks.map((notebook) => notebook.name).sort()).toEqual(['Life', 'Research', '工作笔记']);
    await expectPanelBesideNote(url);
    const ended = once(started, 'exit');
    started.kill('SIGTERM');
    expect((await ended)[0]).toBe(0);
  }, 240_000);
});
