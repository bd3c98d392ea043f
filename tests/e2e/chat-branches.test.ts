// A chat as a tree: questions in other words, answers again, and chats that are found, given out and taken in.
import { readFile } from 'node:fs/promises';
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath, startApp, type TestApp } from '../support/app.ts';
import { EditorDriver } from '../support/editor.ts';
import { runCommand } from '../support/hosts.ts';
import { drive, type PanelDriver } from '../support/panel.ts';

describe.skipIf(!chromiumPath)('branches and versions', () => {
  let app: TestApp;
  let panel: PanelDriver;
  const button = (name: string) => panel.region.getByRole('button', { name, exact: true });
  const chats = () => panel.region.getByRole('group', { name: 'Chats', exact: true });
  const row = (title: string) => chats().getByRole('listitem').filter({ hasText: title });
  const choose = async (from: Locator, entry: string): Promise<void> => {
    await from.hover();
    await from.getByRole('button', { name: /^More actions for/ }).click();
    await panel.region.getByRole('menuitem', { name: entry, exact: true }).click();
  };
  const questions = () => panel.region.locator('article[data-role="user"]');
  const answers = () => panel.region.locator('article[data-role="assistant"]');
  const ask = async (question: string, answer: string): Promise<void> => {
    app.model.push({ text: answer });
    await panel.send(question);
    await panel.answer.getByText(answer).waitFor();
    await panel.settled();
  };
  /** What the last request told the model, without the system prompt. */
  const told = (): string[] =>
    (app.model.requests.at(-1)?.messages ?? []).filter(({ role }) => role !== 'system').map(({ content }) => String(content));

  beforeAll(async () => {
    app = await startApp();
    panel = drive(app.page);
    await panel.open();
    await ask('What grows in shade?', 'Ferns grow there.');
    await ask('And in dry shade?', 'Barrenwort, mostly.');
  });
  afterAll(() => app?.close());

  it('a question asked in other words becomes a branch, and both lead back to each other', async () => {
    app.model.push({ text: 'Lavender likes the sun.' });
    await questions().first().hover();
    await questions().first().getByRole('button', { name: 'Edit and ask again' }).click();
    await panel.region.getByRole('textbox', { name: 'Your question' }).fill('What grows in the sun?');
    await app.page.keyboard.press('Enter');
    await panel.answer.getByText('Lavender likes the sun.').waitFor();
    await panel.settled();
    expect(told()).toEqual(['What grows in the sun?']);
    await panel.region.getByRole('group', { name: 'Branch 2 of 2' }).waitFor();
    await button('Previous branch').click();
    await panel.answer.getByText('Barrenwort, mostly.').waitFor();
    await expect.poll(() => questions().allInnerTexts()).toEqual([expect.stringContaining('What grows in shade?'), 'And in dry shade?']);
    await button('Next branch').click();
    await panel.answer.getByText('Lavender likes the sun.').waitFor();
    await button('Previous branch').click();
    await panel.answer.getByText('Barrenwort, mostly.').waitFor();
  });

  it('the host’s commands do so too, and open the panel first', async () => {
    const command = (name: string): Promise<void> => runCommand(app.page, name);
    await command('Next branch or version');
    await panel.answer.getByText('Lavender likes the sun.').waitFor();
    await app.page.locator('.dock__item[data-type="siyuan-marginaliapanel"]').click();
    await panel.region.waitFor({ state: 'hidden' });
    await command('Previous branch or version');
    await panel.answer.getByText('Barrenwort, mostly.').waitFor();
    await command('Previous message');
    await expect.poll(() => app.page.evaluate(() => document.activeElement?.getAttribute('data-role'))).not.toBeNull();
    await command('Find in the chat');
    await panel.region.getByRole('search', { name: 'Find in this chat' }).waitFor();
    await app.page.keyboard.press('Escape');
  });

  it('an answer given again is a version, and what goes on follows the one that is shown', async () => {
    app.model.push({ text: 'Dead nettle, too.' });
    await answers().last().getByRole('button', { name: 'Regenerate' }).click();
    await panel.answer.getByText('Dead nettle, too.').waitFor();
    await panel.settled();
    await panel.region.getByRole('group', { name: 'Version 2 of 2' }).waitFor();
    await button('Previous version').click();
    await panel.answer.getByText('Barrenwort, mostly.').waitFor();
    await ask('Where can I buy it?', 'At a nursery.');
    expect(told()).toEqual([
      'What grows in shade?',
      'Ferns grow there.',
      'And in dry shade?',
      'Barrenwort, mostly.',
      'Where can I buy it?',
    ]);
  });

  it('what was switched and hidden is so after a reload, and what is hidden or forgotten is not sent', async () => {
    await choose(answers().first(), 'Hide from the model');
    await answers().first().getByText('The model does not see this').waitFor();
    await app.reload();
    await panel.open();
    await panel.region.getByRole('group', { name: 'Version 1 of 2' }).waitFor();
    await panel.region.getByRole('group', { name: 'Branch 1 of 2' }).waitFor();
    await answers().first().getByText('The model does not see this').waitFor();
    await ask('And when to plant it?', 'In autumn.');
    expect(told().join('\n')).not.toContain('Ferns grow there.');
    await choose(questions().first(), 'Pin');
    await button('More').click();
    await panel.region.getByRole('menuitem', { name: 'Chat settings' }).click();
    await button('Start a new topic').click();
    await panel.region.locator('[data-role="separator"]').waitFor();
    await ask('What is mulch?', 'A cover of the soil.');
    expect(told()).toEqual(['What grows in shade?\n\nWhat is mulch?']);
  });

  it('a message goes and comes back, and a branch becomes a chat of its own', async () => {
    await choose(answers().last(), 'Delete');
    await panel.region.getByText('A cover of the soil.').waitFor({ state: 'detached' });
    await panel.region.getByRole('status').getByRole('button', { name: 'Undo' }).click();
    await panel.region.getByText('A cover of the soil.').waitFor();
    await choose(answers().nth(1), 'Continue in a new chat');
    await expect.poll(() => answers().count()).toBe(2);
    await expect.poll(() => panel.region.getByRole('heading', { level: 2 }).innerText()).toMatch(/\(continued\)$/);
    await ask('Is it evergreen?', 'In mild winters.');
  });

  it('chats are found by what was said, opened there, tagged, exported and imported', async () => {
    await panel.newChat();
    await ask('Something else', 'Bees need water.');
    await button('Chats').click();
    await chats().getByRole('searchbox').fill('mild winters');
    const found = chats().getByRole('listitem');
    await found.locator('mark').getByText('mild winters').waitFor();
    await expect.poll(() => found.count()).toBe(1);
    await found.getByRole('button').first().click();
    await answers().getByText('In mild winters.').waitFor();
    // The list lies over the chat until the place in it is found.
    await chats().waitFor({ state: 'detached' });
    await button('Chats').click();
    await choose(row('(continued)'), 'Tags');
    await app.page.keyboard.type('garden');
    await app.page.keyboard.press('Enter');
    await row('(continued)').getByText('garden').waitFor();
    const [markdown] = await Promise.all([app.page.waitForEvent('download'), choose(row('(continued)'), 'Export as Markdown')]);
    expect(await readFile(await markdown.path(), 'utf8')).toMatch(/^# .*\(continued\)\n\n## You · [\s\S]*In mild winters\./);
    const [json] = await Promise.all([app.page.waitForEvent('download'), choose(row('(continued)'), 'Export as JSON')]);
    const text = await readFile(await json.path(), 'utf8');
    await choose(row('(continued)'), 'Delete');
    await row('(continued)').waitFor({ state: 'detached' });
    await chats()
      .locator('input[type=file]')
      .setInputFiles({ name: 'chats.json', mimeType: 'application/json', buffer: Buffer.from(text) });
    await panel.region.getByText('1 chat imported').waitFor();
    await row('(continued)').getByText('garden').waitFor();
    await row('(continued)').getByRole('button').first().click();
    await chats().waitFor({ state: 'detached' });
    await answers().getByText('In mild winters.').waitFor();
    await expect.poll(() => answers().count()).toBe(3);
    await button('Chats').click();
    await chats()
      .locator('input[type=file]')
      .setInputFiles({ name: 'x.json', mimeType: 'application/json', buffer: Buffer.from('not chats') });
    await panel.region.getByRole('alert').getByText('This file contains no chats that can be read.').waitFor();
  });

  it('a command chosen in the host’s list keeps the focus that the list gives back to the note behind it', async () => {
    const editor = new EditorDriver(app);
    await editor.create('Shade', 'A note with the caret in it.');
    await editor.text('A note with').click();
    await runCommand(app.page, 'Find in the chat');
    const find = panel.region.getByRole('search', { name: 'Find in this chat' });
    await find.waitFor();
    // Whoever types now must not type into the note behind the list of commands.
    await app.page.locator('[data-key="dialog-commandpanel"]').waitFor({ state: 'detached' });
    await app.page.keyboard.type('shade');
    await expect.poll(() => find.getByRole('textbox').inputValue()).toBe('shade');
  });
});
