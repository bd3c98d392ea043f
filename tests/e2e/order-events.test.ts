// An order that waits for something to happen: chosen in a form, in English and in Chinese, run by the service on the same workspace.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { chromiumPath, startApp, type TestApp } from '../support/app.ts';
import { startServiceBeside } from '../support/service-beside.ts';

const WORDS = {
  en: {
    ...{ more: 'More', title: 'Standing orders', make: 'Create orders note', add: 'New order', name: 'Name', when: 'When', save: 'Save' },
    ...{
      text: 'What it should do',
      waits: 'Wait for something to happen',
      place: 'Notebook or note',
      quiet: 'Quiet minutes before it runs',
    },
    phrase: 'When a note is added to Life',
    pace: 'after 2 quiet minutes, at most 10 times a day',
    waiting: '1 event waits for the next run.',
  },
  'zh-CN': {
    ...{ more: '更多', title: '定期任务', make: '新建任务笔记', add: '新任务', name: '名称', when: '时间', save: '保存' },
    ...{ text: '要做什么', waits: '等待某事发生', place: '笔记本或笔记', quiet: '执行前静候（分钟）' },
    phrase: '当 Life 有新笔记时',
    pace: '静候 2 分钟后执行，每天最多 10 次',
    waiting: '1 件事等待下次执行处理。',
  },
};

describe.skipIf(!chromiumPath)('an order that waits for a note', () => {
  let app: TestApp;
  let folder = '';
  let service: Awaited<ReturnType<typeof startServiceBeside>>;

  afterEach(async () => {
    await service.close();
    await app.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it.each(['en', 'zh-CN'] as const)('is chosen, waits, and runs once it is quiet: %s', async (language) => {
    const words = WORDS[language];
    let ahead = 0;
    app = await startApp({ language });
    folder = mkdtempSync(join(tmpdir(), 'marginalia-events-'));
    service = await startServiceBeside(app, { data: folder, token: 'the-token', orders: { everyMs: 0, now: () => Date.now() + ahead } });
    const { page: window } = app;
    const region = window.getByRole('region', { name: /Marginalia|旁批/u });
    const page = region.getByRole('group', { name: words.title, exact: true });
    const button = (name: string) => page.getByRole('button', { name, exact: true });
    const field = (name: string) => page.getByLabel(name, { exact: true });
    const look = async (minutes: number): Promise<void> => {
      ahead += minutes * 60_000;
      await app.kernel('/api/sqlite/flushTransaction', {});
      await service.orders.look();
      await service.orders.orders.settled();
    };
    const open = async (): Promise<void> => {
      await region.getByRole('button', { name: words.more, exact: true }).click();
      await window.getByRole('menuitem', { name: words.title }).click();
    };

    const dock = window.locator('.dock__item[data-type="siyuan-marginaliapanel"]');
    await dock.waitFor();
    if (!(await dock.getAttribute('class'))?.includes('dock__item--active')) await dock.click();
    await open();
    await button(words.make).click();
    await button(words.add).click();
    await field(words.name).fill('Filing');
    await page.getByText(words.waits).click();
    await field(words.place).fill('Life');
    await expect.poll(() => field(words.when).inputValue()).toBe(words.phrase);
    await field(words.quiet).fill('2');
    await field(words.text).fill('Say where it belongs.');
    await button(words.save).click();
    const row = page.getByRole('article', { name: 'Filing' });
    await row.getByText(`${words.phrase} · ${words.pace}`, { exact: false }).waitFor();

    await look(0);
    const notebook = await app.notebook('Life');
    const note = await app.kernel<string>('/api/filetree/createDocWithMd', { notebook, path: '/Zanzibar', markdown: 'Far away.' });
    await look(1);
    await row.getByText(words.waiting).waitFor();
    app.model.push({ text: 'It belongs to travels.' });
    await look(2);
    expect(JSON.stringify(app.model.requests.at(-1)?.messages)).toContain(`[${note}] “Zanzibar”: new`);
    expect(app.model.requests).toHaveLength(1);
  });
});
