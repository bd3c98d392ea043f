// Two windows of one browser on one chat: both write, and no message of either is lost.
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { chromiumPath, startApp, type TestApp } from '../support/app.ts';
import { answering, ChatFiles, gate, holdWrites } from '../support/chats.ts';
import { drive, type PanelDriver } from '../support/panel.ts';

describe.skipIf(!chromiumPath)('two windows on one chat', () => {
  let app: TestApp;
  let files: ChatFiles;
  let here: PanelDriver;
  let there: PanelDriver;
  let second: Page;
  let count = 0;
  let first = '';
  const button = (panel: PanelDriver, name: string) => panel.region.getByRole('button', { name, exact: true });
  const messages = async (panel: PanelDriver) => (await panel.region.locator('article').allInnerTexts()).map((text) => text.split('\n')[0]);
  const question = (panel: PanelDriver, text: string) => panel.region.locator('article[data-role="user"]', { hasText: text });
  const stored = () => files.said(files.chat(first));
  /** Two windows whose answers end at one moment may leave the folder, since neither takes the other's last step with it. */
  const noneJournaled = () => files.names('journal').every((name) => !name.endsWith('.json'));
  const ask = async (panel: PanelDriver, text: string, answer: string): Promise<void> => {
    app.model.push({ text: answer });
    await panel.send(text);
    await panel.answer.getByText(answer).waitFor();
    await panel.settled();
  };
  /** A branch of the first question's thread, shown in either window. */
  const shows = (panel: PanelDriver, text: string) => panel.region.locator('article').getByText(text, { exact: true }).first().waitFor();

  beforeAll(async () => {
    app = await startApp();
    files = new ChatFiles(app);
    here = drive(app.page);
    await here.open();
  });
  beforeEach(async () => {
    app.model.clear();
    first = `Question ${++count}`;
    await here.newChat();
    await ask(here, first, `Answer ${count}`);
    second = await app.openWindow();
    there = drive(second);
    await there.open();
    await shows(there, first);
  });
  afterEach(() => second.close());
  afterAll(() => app?.close());

  it('what one says stands in the other, and the talk goes on there', async () => {
    await ask(here, 'And then?', 'Then the rain came.');
    await shows(there, 'Then the rain came.');
    await ask(there, 'And after that?', 'The sun.');
    await shows(here, 'The sun.');
    const talk = [first, `Answer ${count}`, 'And then?', 'Then the rain came.', 'And after that?', 'The sun.'];
    await expect.poll(async () => [await messages(here), await messages(there)]).toEqual([talk, talk]);
  });

  it('what is undone and redone in one is so in the other', async () => {
    app.model.push(
      { calls: [{ name: 'insert_blocks', args: { anchor: '20260211100000-urbheat', position: 'append', markdown: 'Made by the talk.' } }] },
      { text: 'It is added.' },
    );
    await here.send('Add a line');
    await here.approve();
    await here.settled();
    await shows(there, 'It is added.');
    const undo = (panel: PanelDriver) => panel.answer.getByRole('button', { name: 'Undo', exact: true });
    const redo = (panel: PanelDriver) => panel.answer.getByRole('button', { name: 'Redo', exact: true });
    await undo(there).waitFor();
    await undo(here).click();
    await redo(here).waitFor();
    await redo(there).click();
    await undo(there).waitFor();
    await undo(here).waitFor();
  });

  it('both send before either knows: two branches, and each window stays with its own', async () => {
    const { held, open } = gate();
    const answers = { 'From here': { text: 'An answer here.', hold: held }, 'From there': { text: 'An answer there.', hold: held } };
    app.model.push(...answering(answers));
    const kept = await holdWrites(app.page, /\/journal\//);
    await here.send('From here');
    await here.answer.getByText('An answer').waitFor();
    await there.send('From there');
    await there.answer.getByText('An answer').waitFor();
    await kept.release();
    open();
    const all = [first, `Answer ${count}`, ...Object.entries(answers).flatMap(([asked, { text }]) => [asked, text])].sort();
    await expect.poll(stored).toEqual(all);
    await shows(here, 'An answer here.');
    await shows(there, 'An answer there.');
    for (const panel of [here, there]) await panel.region.getByRole('group', { name: /^Branch . of 2$/ }).waitFor();
    await second.reload();
    await there.open();
    await shows(there, first);
    const seen = await messages(there);
    await button(there, 'Previous branch').or(button(there, 'Next branch')).and(there.region.locator(':enabled')).click();
    await expect.poll(async () => [...seen, ...(await messages(there))]).toEqual(expect.arrayContaining(all));
  });

  it('one answers again while the other asks in other words: a version and a branch, for both', async () => {
    const { held, open } = gate();
    app.model.push(...answering({ [first]: { text: 'Once more.', hold: held }, 'Put otherwise': { text: 'Otherwise.', hold: held } }));
    const kept = await holdWrites(app.page, /\/journal\//);
    await here.answer.getByRole('button', { name: 'Regenerate' }).click();
    await here.answer.getByText('Once more').waitFor();
    await question(there, first).hover();
    await question(there, first).getByRole('button', { name: 'Edit and ask again' }).click();
    await there.region.getByRole('textbox', { name: 'Your question' }).fill('Put otherwise');
    await second.keyboard.press('Enter');
    await there.answer.getByText('Otherwise').waitFor();
    await kept.release();
    open();
    await expect.poll(stored).toEqual([first, `Answer ${count}`, 'Once more.', 'Otherwise.', 'Put otherwise'].sort());
    await here.region.getByRole('group', { name: 'Branch 1 of 2' }).waitFor();
    await there.region.getByRole('group', { name: 'Branch 2 of 2' }).waitFor();
    await button(there, 'Previous branch').click();
    await there.region.getByRole('group', { name: 'Version 2 of 2' }).waitFor();
    await shows(there, 'Once more.');
  });

  it('a window that opens while an answer is written elsewhere follows it and does not call it cut off', async () => {
    const { held, open } = gate();
    app.model.push({ text: 'One two three four.', hold: held });
    await here.send('Count');
    await here.answer.getByText('One two').waitFor();
    await second.reload();
    await there.open();
    await there.answer.getByText('Another window or program is writing this answer').waitFor();
    await there.answer.getByText('One two').waitFor();
    await expect.poll(() => there.answer.getAttribute('data-status')).toBe('streaming');
    app.model.push({ text: 'Five, then.' });
    await there.send('My next question');
    await there.region.getByText('Next:').waitFor();
    open();
    await shows(there, 'One two three four.');
    await shows(there, 'Five, then.');
    await there.settled();
    await shows(here, 'Five, then.');
    await expect.poll(noneJournaled).toBe(true);
    await expect.poll(stored).toEqual(expect.arrayContaining(['Count', 'One two three four.', 'My next question', 'Five, then.']));
  });

  it('a window that is closed in the middle of its answer leaves it to the other, said to be cut off', async () => {
    const { held, open } = gate();
    app.model.push({ text: 'One two three four.', hold: held });
    await there.send('Count');
    await here.answer.getByText('One two').waitFor();
    app.model.push({ text: 'It goes on.' });
    await here.send('What I type here');
    await here.region.getByText('Next:').waitFor();
    await second.close();
    await here.region.getByText('This answer was cut off when the app closed.').waitFor();
    await here.region.getByText('One two').waitFor();
    await shows(here, 'It goes on.');
    await here.settled();
    await expect.poll(noneJournaled).toBe(true);
    await expect.poll(stored).toEqual(expect.arrayContaining(['Count', 'What I type here', 'It goes on.']));
    open();
  });

  it('a right that is given in one counts in the other', async () => {
    await app.page.bringToFront();
    await button(here, 'Settings').click();
    await here.region.getByRole('combobox', { name: 'Research' }).selectOption('write');
    await there.region.getByTitle(/1: read and edit/).waitFor();
    await here.region.getByRole('combobox', { name: 'Research' }).selectOption('read');
    await there.region.getByTitle(/1: read and edit/).waitFor({ state: 'detached' });
    await button(here, 'Back').click();
  });

  it('a message that is deleted in one goes from the other, and what is typed there stays', async () => {
    await ask(here, 'And then?', 'Then the rain came.');
    await shows(there, 'Then the rain came.');
    await there.message.fill('Half a ques');
    // A page behind another one draws seldom.
    await app.page.bringToFront();
    await question(here, 'And then?').hover();
    await question(here, 'And then?')
      .getByRole('button', { name: /^More actions for/ })
      .click();
    await here.region.getByRole('menuitem', { name: 'Delete', exact: true }).click();
    await question(there, 'And then?').waitFor({ state: 'detached' });
    await expect.poll(() => there.message.inputValue()).toBe('Half a ques');
    await here.region.getByRole('status').getByRole('button', { name: 'Undo' }).click();
    await question(there, 'And then?').waitFor();
  });

  it('a chat that is deleted in one while the other types lives on with what is sent there', async () => {
    await there.message.fill('Still here?');
    await app.page.bringToFront();
    await button(here, 'Chats').click();
    const chats = here.region.getByRole('group', { name: 'Chats', exact: true });
    const row = chats.getByRole('listitem').filter({ hasText: first });
    await row.getByRole('button', { name: /^More actions for/ }).click();
    await here.region.getByRole('menuitem', { name: 'Delete', exact: true }).click();
    await row.waitFor({ state: 'detached' });
    await expect.poll(() => there.message.inputValue()).toBe('Still here?');
    app.model.push({ text: 'Yes.' });
    await button(there, 'Send').click();
    await shows(there, 'Yes.');
    await there.settled();
    await expect.poll(stored).toEqual([first, `Answer ${count}`, 'Still here?', 'Yes.'].sort());
    await expect.poll(() => files.names('trash').filter((name) => !name.startsWith('index'))).toEqual([]);
    await app.page.keyboard.press('Escape');
    await chats.waitFor({ state: 'detached' });
    await button(here, 'Chats').click();
    await row.waitFor();
    await app.page.keyboard.press('Escape');
  });
});
