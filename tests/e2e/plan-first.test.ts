// Plan first, on the built plugin: nothing is written before a list is accepted, each change is asked about, and the list is kept.
import { afterEach, describe, expect, it } from 'vitest';
import english from '../../i18n/en_US.json';
import chinese from '../../i18n/zh_CN.json';
import { createTranslate } from '../../src/ui/ports/i18n.ts';
import { chromiumPath, startApp, type TestApp } from '../support/app.ts';
import { lastToolText } from '../support/scripts.ts';

describe.skipIf(!chromiumPath)('a chat that plans first', () => {
  let app: TestApp | undefined;
  afterEach(() => app?.close());

  it.each([
    ['en', english],
    ['zh-CN', chinese],
  ] as const)('writes by an accepted list, in %s', async (language, texts) => {
    app = await startApp({ language, settings: { notebooks: { '*': 'write' } } });
    const { kernel, model, page } = app;
    const t = createTranslate(texts);
    const notebook = await app.notebook('Life');
    const make = (path: string) => kernel<string>('/api/filetree/createDocWithMd', { notebook, path, markdown: 'As it was.' });
    const [lamp, bell] = [await make('/Lamp'), await make('/Bell')];
    const text = async (id: string) => (await kernel<{ kramdown: string }>('/api/block/getBlockKramdown', { id })).kramdown;
    const region = page.getByRole('region', { name: t('panel.name') });
    const press = (name: string) => region.getByRole('button', { name, exact: true }).first().click();
    const ask = async (words: string) => {
      await region.getByRole('textbox', { name: t('composer.name') }).fill(words);
      await press(t('action.send'));
    };
    const append = (anchor: string, markdown: string) => ({
      calls: [{ name: 'insert_blocks', args: { anchor, position: 'append', markdown } }],
    });
    const said = () => lastToolText(model.requests.at(-1)!);

    await page.locator('.dock__item[data-type="siyuan-marginaliapanel"]').click();
    model.push({ text: 'Hello.' });
    await ask('Hello');
    await region.getByText('Hello.', { exact: true }).waitFor();
    expect(JSON.stringify(model.requests.at(-1)?.tools)).not.toContain('propose_plan');
    await region.locator('.mg-status button').first().click();
    await region.getByRole('checkbox', { name: t('planFirst.name') }).check();
    await page.keyboard.press('Escape');

    model.push(append(lamp, 'Too early.'), {
      calls: [{ name: 'propose_plan', args: { steps: ['Lamp: add a line', 'Bell: add a line'] } }],
    });
    await ask('Write');
    await region.getByRole('checkbox', { name: 'Bell: add a line' }).uncheck();
    await expect.poll(said).toContain('the user wants a plan first; nothing was written');
    await region.getByRole('checkbox', { name: 'Bell: add a line' }).and(region.locator(':enabled')).waitFor();
    model.push(append(lamp, 'By the plan.'), append(bell, 'Beside the plan.'), { text: 'Finished.' });
    await press(t('action.approve'));
    await region.getByText(t('planFirst.steps', { n: 0, all: 1 })).waitFor();
    await expect.poll(said).toContain('1. Lamp: add a line');
    expect(said()).not.toContain('Bell');
    await press(t('action.approve'));
    await region.getByText(t('notice.outside-plan')).waitFor();
    await region.getByText(t('planFirst.steps', { n: 1, all: 1 })).waitFor();
    await press(t('action.rejectWhy'));
    await press(t('action.reject'));
    await region.getByText('Finished.').waitFor();
    expect(await text(lamp)).toContain('By the plan.');
    expect(await text(lamp)).not.toContain('Too early.');
    expect(await text(bell)).not.toContain('Beside');

    await app.reload();
    await region.getByText(t('planFirst.steps', { n: 1, all: 1 })).waitFor();
    model.push(append(bell, 'Later.'), append(lamp, 'Later too.'), { text: 'Done.' });
    await ask('More');
    await press(t('action.approve'));
    await region.getByText('Done.', { exact: true }).waitFor();
    expect([await text(bell), await text(lamp)].map((each) => each.includes('Later'))).toEqual([false, true]);
  });
});
