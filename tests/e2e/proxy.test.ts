// A provider whose CORS rules let no page ask it: SiYuan passes the requests on, and the panel says so.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath, startApp, type TestApp } from '../support/app.ts';
import { drive, type PanelDriver } from '../support/panel.ts';

describe.skipIf(!chromiumPath)('a provider that pages may not ask', () => {
  let app: TestApp;
  let panel: PanelDriver;
  const button = (name: string | RegExp) => panel.region.getByRole('button', { name, exact: true });

  beforeAll(async () => {
    app = await startApp();
    app.model.openToPages(false);
    panel = drive(app.page);
    await panel.open();
  });
  afterAll(() => app?.close());

  it('answers through SiYuan, tools and all; the panel says so', async () => {
    expect(await button('Via SiYuan').count()).toBe(0);
    app.model.push({ calls: [{ name: 'list_notebooks', args: {} }] }, { text: 'Passed on, 中文 too.', reasoning: 'Let me see.' });
    await panel.send('Which notebooks are there? 中文');
    await panel.answer.getByText('Passed on, 中文 too.').waitFor();
    await panel.settled();
    expect(app.model.requests).toHaveLength(2);
    expect(app.model.requests[0]?.messages.at(-1)?.content).toBe('Which notebooks are there? 中文');
    expect(app.model.requests[1]?.messages.at(-1)?.role).toBe('tool');
    await expect.poll(() => button('Via SiYuan').getAttribute('title')).toContain('answers arrive all at once');
  });

  it('says what it refuses as it would without', async () => {
    app.model.push({ status: 401, body: '{"error":{"message":"Incorrect API key provided: test-key"}}' });
    await panel.send('And now?');
    await panel.settled('error');
    await panel.region
      .getByText(/does not accept the key/)
      .last()
      .waitFor();
  });

  it('lists its models, and is tested: all works but streaming', async () => {
    await button('Settings').click();
    const said = panel.region.getByRole('region', { name: 'Model' }).getByRole('status').first();
    app.model.push({ text: '', calls: [{ name: 'report_ready', args: { ready: true } }] });
    await button('Test connection').click();
    await expect
      .poll(() => said.innerText())
      .toMatch(/Model\s*works\s*Streaming\s*does not work\s*Tools\s*works[\s\S]*SiYuan forwards them/);
    await button('Change').click();
    await panel.region
      .getByRole('option', { name: /scripted/ })
      .first()
      .waitFor();
    await button('Back').click();
  });

  it('is asked by the page again once it may be', async () => {
    app.model.openToPages(true);
    app.model.push({ text: 'Straight to you.' });
    await panel.send('Once more');
    await panel.answer.getByText('Straight to you.').waitFor();
    await button('Via SiYuan').waitFor({ state: 'detached' });
  });
});
