import { expect, it } from 'vitest';
import { hostCalls, openSettings, usePanelBrowser } from '../testing/panel-browser.ts';

const on = usePanelBrowser();

it('attributes in notes are counted in a question, and removed after a yes alone', () =>
  on('empty', async (page) => {
    await openSettings(page, 'Attributes in notes');
    const part = page.getByRole('region', { name: 'Attributes in notes' });
    await part.getByRole('button', { name: 'Remove Marginalia’s attributes…' }).click();
    await part.getByText('The attributes of 3 blocks were removed.').waitFor();
    const asked = (await hostCalls(page)).filter(([name]) => ['confirm', 'removeOwnAttributes'].includes(String(name)));
    expect(asked.map(([name]) => name)).toEqual(['confirm', 'removeOwnAttributes']);
    expect(JSON.stringify(asked[0])).toContain('on 3 blocks in 2 notes');
    await part.getByRole('button', { name: 'Remove Marginalia’s attributes…' }).click();
    await part.getByText('No block in the open notebooks carries attributes of Marginalia.').waitFor();
    expect((await hostCalls(page)).filter(([name]) => name === 'removeOwnAttributes')).toHaveLength(1);
  }));
