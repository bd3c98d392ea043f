import { expect, it } from 'vitest';
import { hostCalls, openSettings, settingCalls, usePanelBrowser } from '../testing/panel-browser.ts';

const on = usePanelBrowser();

it('lines for the file of notes without embeddings are shown, written after a press, and taken out again', () =>
  on('empty', async (page) => {
    await openSettings(page, 'Search by meaning');
    const part = page.locator('[data-embedding-ignore]');
    await part.getByRole('button', { name: 'Keep private notes out…' }).click();
    await part.getByText('20260412093000-diary00.sy').waitFor();
    const written = async () => (await hostCalls(page)).filter(([name]) => String(name).endsWith('Ignore'));
    expect(await written()).toEqual([]);
    await part.getByRole('button', { name: 'Add these lines' }).click();
    await part.getByRole('status').waitFor();
    expect(await written()).toEqual([['writeIgnore', '# Marginalia\n/nb-private/\n20260412093000-diary00.sy']]);
    await part.getByRole('button', { name: 'Remove these lines' }).click();
    await part.getByRole('button', { name: 'Add these lines' }).waitFor();
    expect((await written()).at(-1)).toEqual(['removeIgnore']);
  }));

it('a service elsewhere is allowed once by its name, and “Local only” says that words alone are compared', () =>
  on('empty', async (page) => {
    await openSettings(page, 'Search by meaning');
    const part = page.getByRole('region', { name: 'Search by meaning' });
    const allowed = part.getByRole('checkbox', { name: 'Also search by meaning, with meaning.example' });
    await expect.poll(() => allowed.isChecked()).toBe(false);
    await allowed.check();
    await expect.poll(() => settingCalls(page)).toContainEqual(['update', { meaningService: 'https://meaning.example/v1' }]);
    expect(await part.getByText('searches compare words alone').count()).toBe(0);
    await page.evaluate(() => window.page.settings.update({ localOnly: true }));
    await part.getByText('“Local only” is on, so searches compare words alone.').waitFor();
    await allowed.uncheck();
    await expect.poll(() => settingCalls(page)).toContainEqual(['update', { meaningService: '' }]);
  }));

it.each([
  ['http://127.0.0.1:11434/v1', 'Searches compare words and meaning: 127.0.0.1:11434 is on this computer or your network.'],
  [undefined, 'SiYuan has no embeddings yet'],
])('with %s as the service there is nothing to allow', (server, said) =>
  on('empty', async (page) => {
    await page.evaluate((address) => Object.assign(window.page.host, { server: address }), server);
    await openSettings(page, 'Search by meaning');
    const part = page.getByRole('region', { name: 'Search by meaning' });
    await part.getByText(said).waitFor();
    expect(await part.getByRole('checkbox').count()).toBe(0);
  }),
);
