// A chat that grows too long, on the built plugin: its older messages become a summary, which is read, edited and undone.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath, startApp, type TestApp } from '../support/app.ts';
import type { ModelRequest } from '../support/model-server.ts';
import { drive, type PanelDriver } from '../support/panel.ts';

const GROUPS = ['basic', 'notebooks', 'documents', 'blocks', 'search', 'attributes', 'tags', 'export'];
const long = (word: string): string => `${word} `.repeat(100).trim();
const isSummary = ({ messages }: ModelRequest): boolean => messages[0]?.content?.startsWith('Summarize') ?? false;

describe.skipIf(!chromiumPath)('a chat that grows too long', () => {
  let app: TestApp;
  let panel: PanelDriver;
  beforeAll(async () => {
    const groups = Object.fromEntries(GROUPS.map((name) => [name, false]));
    app = await startApp({ settings: { contextTokens: 1200, groups } });
    panel = drive(app.page);
    await panel.open();
    for (const turn of [1, 2, 3]) {
      app.model.push({ text: long(`answer${turn}`) });
      await panel.send(long(`question${turn}`));
      await panel.settled();
    }
  });
  afterAll(() => app?.close());

  const line = () => panel.region.getByRole('button', { name: 'Earlier messages summarized' });
  const last = (): string => JSON.stringify(app.model.requests.at(-1)?.messages);
  async function ask(text: string): Promise<string> {
    app.model.push({ text: 'Well.' });
    await panel.send(text);
    await panel.settled();
    return last();
  }

  it('has its older messages summarized, with that in sight, and the server gets the summary instead of them', async () => {
    let go = (): void => undefined;
    const hold = new Promise<void>((resolve) => {
      go = resolve;
    });
    app.model.push({ text: 'They spoke of **apples**.', hold }, { text: 'Well.' });
    await panel.send('question4');
    await panel.region.getByText('Summarizing earlier messages…').waitFor();
    go();
    await panel.settled();
    const made = app.model.requests.filter(isSummary);
    expect(made).toHaveLength(1);
    expect(JSON.stringify(made)).toContain('question1');
    expect(last()).toContain('They spoke of **apples**.');
    expect(last()).not.toMatch(/question1|answer1/);
    expect(last()).toContain('question3');
    await line().click();
    await expect.poll(() => panel.region.locator('.mg-summary strong').innerText()).toBe('apples');
    await panel.region.getByText('scripted · 10').first().waitFor();
  });

  it('goes on with the words that its user gives the summary, after a reload too; none are refused', async () => {
    const button = (name: string) => panel.region.locator('.mg-summary').getByRole('button', { name, exact: true });
    await button('Edit').click();
    const field = panel.region.getByRole('textbox', { name: 'Summary' });
    await field.fill(' ');
    await button('Save').click();
    await panel.region.getByRole('alert').getByText('A summary cannot be empty.').waitFor();
    await field.fill('They spoke of pears.');
    await button('Save').click();
    await panel.region.locator('.mg-summary').getByText('They spoke of pears.').waitFor();
    expect(await ask('question5')).toMatch(/spoke of pears/);
    await app.reload();
    await panel.open();
    const again = await ask('question6');
    expect(again).toMatch(/spoke of pears/);
    expect(again).not.toMatch(/apples|question1/);
  });

  it('sends the messages again once the summary is undone', async () => {
    await panel.openSettings('Answers');
    const tokens = panel.region.getByRole('spinbutton', { name: 'Maximum request length, in tokens' });
    await tokens.fill('8000');
    await tokens.press('Tab');
    await panel.region.getByRole('button', { name: 'Back' }).first().click();
    await line().click();
    await panel.region.locator('.mg-summary').getByRole('button', { name: 'Undo', exact: true }).click();
    await panel.region.getByText('The earlier messages will be sent again.').waitFor();
    const undone = await ask('question7');
    expect(undone).toMatch(/question1.*answer1.*question2/s);
    expect(undone).not.toContain('pears');
  });
});
