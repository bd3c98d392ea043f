// "What will be sent" on the built plugin, beside what the model's server then gets.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath, startApp, type TestApp } from '../support/app.ts';
import { aboutHost, drive, type PanelDriver } from '../support/panel.ts';

describe.skipIf(!chromiumPath)('what will be sent', () => {
  let app: TestApp;
  let panel: PanelDriver;
  let note = '';
  const settings = {
    privacy: { enabled: true, fields: ['Mallory', '/\\d{3}-\\d{4}/'] },
    chatOption: { temperature: 0.25 },
    systemPrompt: 'Ask Mallory.',
  };

  beforeAll(async () => {
    app = await startApp({ settings });
    panel = drive(app.page);
    const notebook = await app.notebook('Life');
    note = await app.kernel<string>('/api/filetree/createDocWithMd', { notebook, path: '/Plan', markdown: 'Call Mallory at 555-1234.' });
    await panel.open();
  });
  afterAll(() => app?.close());

  const preview = async (): Promise<string | null> => {
    await panel.region.getByRole('button', { name: 'More' }).first().click();
    await app.page.getByRole('menuitem', { name: 'What will be sent' }).click();
    const page = panel.region.getByRole('group', { name: 'What will be sent' });
    await page.getByText('Raw JSON').click();
    return page.locator('[data-body]').textContent();
  };
  const back = (): Promise<void> => panel.region.getByRole('button', { name: 'Back' }).first().click();

  it('is byte for byte what the server gets: of the first message, and after tools and answers of a later one; what is private is masked', async () => {
    await panel.message.fill('What about Mallory?');
    // The languages of the notes are read in the background after the start, and are part of the tools.
    let first: string | null = '';
    await expect
      .poll(async () => {
        first = await preview();
        await back();
        return first;
      })
      .toContain('English, Chinese');
    expect(app.model.bodies).toEqual([]);
    app.model.push({ text: 'I look at Mallory.', calls: [{ name: 'read_doc', args: { id: note } }] }, { text: 'Call MASK1V1X.' });
    await panel.send('What about Mallory?');
    await panel.settled();
    expect(app.model.bodies[0]).toBe(first);
    expect(first).toContain('What about MASK1V');

    await panel.message.fill('And 555-1234?');
    const second = await preview();
    await back();
    app.model.push({ text: 'Yes.' });
    await panel.send('And 555-1234?');
    await panel.settled();
    expect(app.model.bodies[2]).toBe(second);
    expect(`${first}${second}`).not.toMatch(/Mallory|555-1234/u);
  });

  it('leaves no trace: the words wait in the composer, the chat is as it was, and nothing was sent', async () => {
    const sent = app.model.bodies.length;
    const messages = await panel.region.locator('article').count();
    await panel.message.fill('Not yet');
    await preview();
    await back();
    await expect.poll(() => panel.message.inputValue()).toBe('Not yet');
    await expect.poll(() => panel.region.locator('article').count()).toBe(messages);
    expect(app.model.bodies).toHaveLength(sent);
  });

  it('says under About what this SiYuan has of what the plugin looks for', async () => {
    const lines = (await aboutHost(app, panel)).split('\n');
    expect(lines[0]).toMatch(/^SiYuan 3\.7\.3 \((browser-)?desktop\)$/);
    expect(lines.slice(1)).toEqual([
      'Tools for SiYuan’s own agent: not there',
      'A query that says what it left out: not there',
      'Tabs in Markdown: not there',
      'The reason of a change of files: not there',
      'SiYuan’s AI switched off: not there',
    ]);
    await back();
  });

  it('says what is missing where nothing would be sent', async () => {
    await panel.message.fill('');
    await panel.region.getByRole('button', { name: 'More' }).first().click();
    await app.page.getByRole('menuitem', { name: 'What will be sent' }).click();
    await panel.region.getByText('No message is written yet.').waitFor();
    await back();
  });
});
