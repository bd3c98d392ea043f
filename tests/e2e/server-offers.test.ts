// What servers of other people have besides tools: resources behind @, prompts behind /, pictures in results.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath, startApp, type TestApp } from '../support/app.ts';
import { type EverythingServer, startEverything } from '../support/everything.ts';
import { drive, type PanelDriver } from '../support/panel.ts';

describe.skipIf(!chromiumPath)('resources, prompts and pictures of servers', () => {
  let app: TestApp;
  let panel: PanelDriver;
  let everything: EverythingServer;
  const button = (name: string | RegExp) => panel.region.getByRole('button', { name, exact: true });
  const entry = (name: string | RegExp) => panel.region.getByRole('option', { name });
  const chip = (name: string) => panel.region.getByRole('list', { name: 'Attached' }).getByText(name);
  const sent = (): string => JSON.stringify(app.model.requests.at(-1)?.messages.at(-1)?.content ?? '');

  beforeAll(async () => {
    everything = await startEverything();
    const gone = { url: 'http://127.0.0.1:9/mcp' };
    app = await startApp({ settings: { mcpServers: { everything: { url: everything.url }, gone } } });
    panel = drive(app.page);
    await panel.open();
  });
  afterAll(async () => {
    await app?.close();
    await everything?.close();
  });

  it('attaches a resource by its name, framed as what the person attached', async () => {
    await panel.message.pressSequentially('What says @architecture');
    await entry(/architecture\.md/).click();
    await expect.poll(() => panel.message.inputValue()).toContain('@architecture.md');
    app.model.push({ text: 'It is about servers.' });
    await panel.message.press('Enter');
    await panel.settled();
    expect(sent()).toContain('<attached-note kind=\\"resource\\" id=\\"everything demo://');
    expect(sent()).toContain('What says @architecture.md');
  });

  it('asks for the fields of a template, and attaches what its address then gives', async () => {
    await panel.message.pressSequentially('@dynamic text');
    await entry(/Dynamic Text Resource/i).click();
    const field = panel.region.getByRole('textbox', { name: 'resourceId' });
    await field.fill('7');
    await field.press('Enter');
    await chip('Dynamic Text Resource').waitFor();
    await panel.message.fill('And this?');
    app.model.push({ text: 'A resource.' });
    await panel.message.press('Enter');
    await panel.settled();
    expect(sent()).toContain('Resource 7');
  });

  it('puts a prompt into the composer, with its arguments, and sends nothing by itself', async () => {
    const before = app.model.requests.length;
    await panel.message.pressSequentially('/args');
    await entry(/Arguments Prompt|args-prompt/i).click();
    await panel.region.getByRole('textbox', { name: /^city/ }).fill('Oslo');
    await button('Put into the message').click();
    await expect.poll(() => panel.message.inputValue()).toContain('Oslo');
    expect(app.model.requests.length).toBe(before);
    await panel.message.fill('');
  });

  it('says which server does not answer, beside what the others have', async () => {
    await panel.message.pressSequentially('@gone');
    await entry(/gone.*cannot be reached/).waitFor();
    await panel.message.fill('');
    await panel.message.pressSequentially('/');
    await entry(/args-prompt|Arguments Prompt/i).waitFor();
    await entry(/Summarize/)
      .first()
      .waitFor();
    await panel.message.fill('');
  });

  it('shows a picture of a result in the card of the call, as a file of the workspace', async () => {
    app.model.push({ calls: [{ name: 'mcp_everything_get-tiny-image', args: {} }] }, { text: 'There it is.' });
    await panel.send('Show me the tiny image.');
    await button('Approve').click();
    await panel.answer.getByText('There it is.').waitFor();
    await panel.settled();
    const picture = panel.answer.getByAltText('Picture 1 of get-tiny-image');
    await picture.waitFor();
    await expect.poll(() => picture.getAttribute('src')).toMatch(/^assets\//);
    await expect.poll(() => picture.evaluate((image) => (image instanceof HTMLImageElement ? image.naturalWidth : 0))).toBeGreaterThan(0);
    const request = JSON.stringify(app.model.requests.at(-1)?.messages);
    expect(request).toContain('Picture 1 of get-tiny-image');
    expect(request).not.toContain('iVBORw0KGgo');
  });

  it('is nothing of all this where nothing may leave the machine', async () => {
    await button('Settings').click();
    await panel.region.getByLabel('Local only').check();
    await button('Back').click();
    await panel.message.pressSequentially('@architecture');
    await panel.region.getByRole('listbox').waitFor();
    await entry(/architecture\.md/).waitFor({ state: 'detached' });
  });
});
