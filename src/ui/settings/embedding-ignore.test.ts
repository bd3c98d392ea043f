import { expect, it } from 'vitest';
import { hostCalls, openSettings, usePanelBrowser } from '../testing/panel-browser.ts';

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
