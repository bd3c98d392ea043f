// A server at home with a window of 4,096: what goes to it, and what is said about what does not.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath, startApp, type TestApp } from '../support/app.ts';
import { drive, type PanelDriver } from '../support/panel.ts';

describe.skipIf(!chromiumPath)('a model with a small window', () => {
  let app: TestApp;
  let panel: PanelDriver;
  const button = (name: string | RegExp) => panel.region.getByRole('button', { name });
  const sent = (): readonly string[] => (app.model.requests.at(-1)?.tools ?? []).map((tool) => tool.function.name);
  const ask = async (text: string): Promise<void> => {
    app.model.push({ text: `Answer to ${text}.` });
    await panel.send(text);
    await panel.settled();
  };

  beforeAll(async () => {
    app = await startApp();
    app.model.list([{ id: 'scripted', meta: { n_ctx: 4096 } }]);
    panel = drive(app.page);
    await panel.open();
  });
  afterAll(() => app?.close());

  it('gets few tools; the line under the composer says so, and one press leads to where they are chosen', async () => {
    await ask('Hello');
    expect(sent()).toEqual(['edit_block', 'insert_blocks', 'create_doc', 'daily_note', 'read_doc', 'search_notes', 'ReadVar']);
    const line = button(/^This model reads 4096 tokens at once, so only 7 of \d+ tools are sent with a question\./);
    await expect.poll(() => line.innerText()).toMatch(/^7(?: of \d+ tools|\/\d+)$/);
    await line.click();
    await panel.region.getByText(/so only 7 of \d+ tools are sent with a question. Choose which under Tools/).waitFor();
    await button(/^Notebooks/)
      .first()
      .click();
    await button('Send too: List notebooks').click();
    await button('Send too: List notebooks').waitFor({ state: 'detached' });
    await button('Back').first().click();
    await button(/^This model reads 4096 tokens at once, so only 8 of/).waitFor();
  });

  it('gets what was chosen, and more than fits where a person wants that, which is said', async () => {
    await ask('again');
    expect(sent()).toContain('list_notebooks');
    await button(/so only 8 of/).click();
    await button('Send all').click();
    await button('Back').first().click();
    await button(/^The tools you chose take about \d+ of the 4096 tokens/).waitFor();
    await ask('once more');
    expect(sent().length).toBeGreaterThan(25);
  });

  it('is asked for its window again when its server may have been started anew: the panel shows the new figure', async () => {
    app.model.list([{ id: 'scripted', owned_by: 'llamacpp', meta: { n_ctx_train: 32_768 } }]);
    app.model.props({ default_generation_settings: { n_ctx: 6144 } });
    // So long after the last question that what was said then does not count.
    await app.page.evaluate(() => {
      const { now } = Date;
      Date.now = () => now() + 60_000;
    });
    await ask('after a restart');
    await button(/^The tools you chose take about \d+ of the 6144 tokens/).waitFor();
    app.model.props({ default_generation_settings: { n_ctx: 65_536 } });
    await app.page.evaluate(() => {
      const { now } = Date;
      Date.now = () => now() + 60_000;
    });
    await ask('after another');
    await button(/of the \d+ tokens/).waitFor({ state: 'detached' });
  });
});
