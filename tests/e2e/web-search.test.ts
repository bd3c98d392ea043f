// web_search in the panel: set up and tested in the settings, asked about in the chat, sent by SiYuan.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath, startApp, type TestApp } from '../support/app.ts';
import { drive, type PanelDriver } from '../support/panel.ts';
import { type SearchServer, startSearchServer } from '../support/search-server.ts';

describe.skipIf(!chromiumPath)('web search in the panel', () => {
  let app: TestApp;
  let panel: PanelDriver;
  let search: SearchServer;
  const button = (name: string | RegExp) => panel.region.getByRole('button', { name, exact: true });
  const section = () => panel.region.getByRole('region', { name: 'Web search' });

  beforeAll(async () => {
    search = await startSearchServer();
    app = await startApp({ settings: { groups: { web: true } } });
    panel = drive(app.page);
    await panel.open();
  });
  afterAll(async () => {
    await app?.close();
    search.close();
  });

  it('is set up with an address of one’s own, and tested', async () => {
    // Nothing is set up: the model is not offered it, and a call that comes all the same leads to what repairs it.
    app.model.push({ calls: [{ name: 'web_search', args: { query: 'tides' } }] }, { text: 'I cannot search.' });
    await panel.send('Search the web');
    await panel.settled();
    expect(JSON.stringify(app.model.requests[0]?.tools ?? [])).not.toContain('web_search');
    await panel.region.locator('.mg-work__line').click();
    await panel.tool('web_search').getByRole('button', { name: 'Open settings' }).click();
    await expect
      .poll(() =>
        section()
          .getByLabel('Search service')
          .evaluate((field) => field === document.activeElement),
      )
      .toBe(true);
    await section().getByLabel('Search service').selectOption('SearXNG');
    const address = section().getByLabel('Address of your SearXNG instance');
    await address.fill(`${search.url.replace('http://', '')}/nowhere`);
    await address.blur();
    await section().getByRole('button', { name: 'Test', exact: true }).click();
    await section().getByText('The search service returned an error.').waitFor();
    await address.fill(`${search.url}/searx`);
    await address.blur();
    await section().getByRole('button', { name: 'Test', exact: true }).click();
    await section().getByText('Works.').waitFor();
    await button('Back').click();
  });

  it('shows the exact words before they leave, and SiYuan sends them', async () => {
    search.asked.length = 0;
    app.model.push({ calls: [{ name: 'web_search', args: { query: 'high water 潮' } }] }, { text: 'At noon.' });
    await panel.send('When is high water?');
    await panel.region.getByText(/^Search for “high water 潮” with 127\.0\.0\.1:\d+\?$/u).waitFor();
    expect(search.asked).toEqual([]);
    await button('Approve').click();
    await panel.answer.getByText('At noon.').waitFor();
    await panel.settled();
    expect(search.asked.map(({ line }) => line)).toEqual(['GET /searx/search?q=high+water+%E6%BD%AE&format=json']);
    expect(app.foreignRequests).toEqual([]);
    expect(app.model.requests.at(-1)?.messages.at(-1)?.content).toContain('1. High water\n   https://tides.example.org/\n   Says SearXNG.');
    await panel.answer.getByText('Searched the web once').waitFor();
  });

  it('sends nothing while local only is on, a test neither', async () => {
    search.asked.length = 0;
    await panel.openSettings('Web search');
    await panel.region.getByLabel('Local only').check();
    await section().getByRole('button', { name: 'Test', exact: true }).click();
    await section()
      .getByText(/Local only/u)
      .last()
      .waitFor();
    expect(search.asked).toEqual([]);
  });
});
