// A notebook that takes new notes and shows nothing, on the built plugin: chosen in the settings, in both languages, then written into.
import { afterEach, describe, expect, it } from 'vitest';
import english from '../../i18n/en_US.json';
import chinese from '../../i18n/zh_CN.json';
import { createTranslate } from '../../src/ui/ports/i18n.ts';
import { chromiumPath, startApp, type TestApp } from '../support/app.ts';
import { lastToolText } from '../support/scripts.ts';

describe.skipIf(!chromiumPath)('a notebook for new notes only', () => {
  let app: TestApp | undefined;
  afterEach(() => app?.close());

  it.each([
    ['en', english],
    ['zh-CN', chinese],
  ] as const)('is filled by a model that cannot look into it, in %s', async (language, texts) => {
    app = await startApp({ language });
    const { kernel, model, page } = app;
    const t = createTranslate(texts);
    const notebook = await app.notebook('Life');
    const theirs = await kernel<string>('/api/filetree/createDocWithMd', { notebook, path: '/Inbox/Lamp', markdown: 'zqkestrel' });
    await page.locator('.dock__item[data-type="siyuan-marginaliapanel"]').click();
    const region = page.getByRole('region', { name: t('panel.name') });
    const press = (name: string) => region.getByRole('button', { name, exact: true }).first().click();
    await press(t('page.settings'));
    await region.getByRole('combobox', { name: 'Life', exact: true }).selectOption({ label: t('right.create') });
    await press(t('action.back'));
    await region
      .getByText(t('rights.short.create', { n: 1 }))
      .or(region.getByText(t('rights.create')))
      .filter({ visible: true })
      .waitFor();

    model.push(
      { calls: [{ name: 'create_doc', args: { notebook: 'Life', path: '/Inbox/Lamp', markdown: 'The lamp burns.' } }] },
      { calls: [{ name: 'list_docs', args: { parent: 'Life' } }] },
      { calls: [{ name: 'search_notes', args: { query: 'zqkestrel lamp burns' } }] },
      { text: 'Filed.' },
    );
    await region.getByRole('textbox', { name: t('composer.name') }).fill('File it');
    await press(t('action.send'));
    await region.getByText(t('notice.new-notes-only')).waitFor();
    await press(t('action.approve'));
    await region.getByText('Filed.').waitFor();

    const said = model.requests.flatMap((request) => lastToolText(request) ?? '');
    expect(said.join('\n')).toContain('created /Inbox/Lamp [');
    expect(said.join('\n')).toContain('no_right: "Life" takes new notes only');
    expect(JSON.stringify(model.requests.map(({ messages }) => messages.filter(({ role }) => role === 'tool')))).not.toContain(theirs);
    const ids = await kernel<string[]>('/api/filetree/getIDsByHPath', { notebook, path: '/Inbox/Lamp' });
    expect([ids.length, ids.includes(theirs)]).toEqual([2, true]);
  });
});
