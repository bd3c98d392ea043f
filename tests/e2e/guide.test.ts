// Steps of docs/guide/ by the labels that it names, in the languages that it is written in.
import { afterEach, describe, expect, it } from 'vitest';
import english from '../../i18n/en_US.json';
import chinese from '../../i18n/zh_CN.json';
import { createTranslate } from '../../src/ui/ports/i18n.ts';
import { chromiumPath, startApp, type TestApp } from '../support/app.ts';

describe.skipIf(!chromiumPath)('the guide', () => {
  let app: TestApp | undefined;
  afterEach(() => app?.close());

  it.each([
    ['en', english],
    ['zh-CN', chinese],
  ] as const)('can be followed: a request seen first, private text, rights, a provider, stricter calls, in %s', async (language, texts) => {
    app = await startApp({ language });
    const t = createTranslate(texts);
    await app.page.locator('.dock__item[data-type="siyuan-marginaliapanel"]').click();
    const region = app.page.getByRole('region', { name: t('panel.name') });
    const press = (name: string) => region.getByRole('button', { name, exact: true }).first().click();
    const choose = (field: string, label: string) => region.getByRole('combobox', { name: field, exact: true }).selectOption({ label });
    const shown = (text: string) => region.getByText(text, { exact: true }).first().waitFor();

    await region.getByRole('textbox', { name: t('composer.name') }).fill('mail anna@example.org');
    await press(t('action.more'));
    await region.getByRole('menuitem', { name: t('preview.title') }).click();
    for (const part of [t('servers.address'), t('preview.raw')]) await shown(part);
    await press(t('action.back'));

    await press(t('page.settings'));
    await region.getByLabel(t('privacy.on'), { exact: true }).check();
    await press(t('privacy.preset.email'));
    await region.getByLabel(t('privacy.try'), { exact: true }).fill('mail anna@example.org');
    await expect.poll(() => region.locator('output').innerText()).not.toContain('anna');

    await choose('Life', t('right.none'));
    await choose(t('settings.addProvider'), t('settings.otherProvider'));
    for (const field of [t('settings.url'), t('settings.key')]) await region.getByLabel(field, { exact: true }).last().waitFor();
    await press(t('calls.title'));
    await choose(t('calls.mode'), t('calls.manual'));
    for (const label of [t('calls.confirm'), t('calls.enabled'), t('local.name')]) await shown(label);
    for (const part of [t('budget.title'), t('prices.title')]) await region.getByRole('heading', { name: part, exact: true }).waitFor();

    await press(t('action.back'));
    await press(t('action.more'));
    await region.getByRole('menuitem', { name: t('activity.title') }).click();
    await shown(t('activity.days'));
  });
});
