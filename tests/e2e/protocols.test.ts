// Providers that speak Anthropic's messages or OpenAI's responses, from the settings to a write: over local servers of the published shapes.
import { afterEach, describe, expect, it } from 'vitest';
import { chromiumPath, startApp, type TestApp } from '../support/app.ts';
import { drive } from '../support/panel.ts';
import { type ProtocolServer, startProtocolServer } from '../support/protocol-server.ts';

const SIGNED = 'c2lnbmVk';

describe.skipIf(!chromiumPath)('a provider that speaks', () => {
  let app: TestApp | undefined;
  let server: ProtocolServer | undefined;
  afterEach(async () => {
    await app?.close();
    await server?.close();
    app = undefined;
    server = undefined;
  });

  it.each([
    {
      name: 'Anthropic’s messages',
      protocol: 'anthropic-messages',
      listed: 'Anthropic',
      path: '/v1/messages',
      key: 'x-api-key',
      value: 'sk-local-1',
    },
    {
      name: 'OpenAI’s responses',
      protocol: 'openai-responses',
      listed: 'other',
      path: '/v1/responses',
      key: 'authorization',
      value: 'Bearer sk-local-1',
    },
  ] as const)('$name is added in the settings, asked, and writes after an approval; its thoughts go back as they were', async (each) => {
    server = await startProtocolServer(each.protocol);
    app = await startApp({});
    const panel = drive(app.page);
    await panel.open();
    const button = (name: string | RegExp) => panel.region.getByRole('button', { name, exact: true });
    await button('Settings').click();
    await panel.region.getByLabel('Add a provider…').selectOption(each.listed);
    const fresh = panel.region.getByRole('group', { name: each.listed === 'other' ? 'New provider' : each.listed }).last();
    await fresh.getByLabel('Base URL').fill(server.baseURL);
    await fresh.getByLabel('Base URL').blur();
    const fields = panel.region.getByRole('group', { name: each.listed === 'other' ? new URL(server.baseURL).host : each.listed });
    if (each.listed === 'other') await fields.getByLabel('Protocol').selectOption(each.protocol);
    await expect.poll(() => fields.getByLabel('Protocol').inputValue()).toBe(each.protocol);
    await fields.getByLabel('API key').fill('sk-local-1');
    await fields.getByLabel('API key').blur();
    await panel.region.locator('option', { hasText: 'local-model' }).first().waitFor({ state: 'attached' });
    await button('Back').click();
    await button(/^Model: /).click();
    await panel.region
      .getByRole('listbox', { name: 'Models' })
      .getByRole('option', { name: /local-model/ })
      .first()
      .click();
    await button(/^Model: local-model/).waitFor();
    const args = { op: 'append', markdown: 'Swifts are back.' };
    server.push({ thoughts: 'I note it.', text: 'I write it down.', call: { name: 'daily_note', args } }, { text: 'It is noted.' });
    await panel.send('Note that swifts are back.');
    await panel.approval.getByText('Swifts are back.').waitFor();
    await panel.approve();
    await panel.settled();
    await panel.answer.getByText('It is noted.').waitFor();
    const [first, second] = server.requests;
    expect(first).toMatchObject({ path: each.path, headers: { [each.key]: each.value }, body: { model: 'local-model', stream: true } });
    if (each.protocol === 'anthropic-messages')
      expect(first?.headers).toMatchObject({ 'anthropic-version': '2023-06-01', 'anthropic-dangerous-direct-browser-access': 'true' });
    const sent = JSON.stringify(second?.body);
    expect(sent).toContain(SIGNED);
    expect(sent).toMatch(/"(?:tool_use_id|call_id)":"(?:toolu|call)_0123456789"/);
    await expect.poll(() => panel.answer.innerText()).not.toContain(SIGNED);
  });
});
