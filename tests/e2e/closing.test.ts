// A page that is reloaded before anything of what its user did is written: nothing of it is lost.
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath, startApp, type TestApp } from '../support/app.ts';
import { ChatFiles, gate, holdWrites } from '../support/chats.ts';
import { drive, type PanelDriver } from '../support/panel.ts';

describe.skipIf(!chromiumPath)('a page that is reloaded before its kernel has written', () => {
  let app: TestApp;
  let files: ChatFiles;
  let panel: PanelDriver;
  const button = (name: string) => panel.region.getByRole('button', { name, exact: true });
  const chats = () => panel.region.getByRole('group', { name: 'Chats', exact: true });
  const row = (title: string) => chats().getByRole('listitem').filter({ hasText: title });
  const choose = async (from: Locator, entry: string): Promise<void> => {
    await from.hover();
    await from.getByRole('button', { name: /^More actions for/ }).click();
    await panel.region.getByRole('menuitem', { name: entry, exact: true }).click();
  };
  const ask = async (question: string, answer: string): Promise<void> => {
    app.model.push({ text: answer });
    await panel.send(question);
    await panel.answer.getByText(answer).waitFor();
    await panel.settled();
  };
  const notes = () => app.page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('siyuan-marginalia:unsaved')));
  /** Nothing that the page writes from now on arrives before it is gone. */
  async function reloadedAfter(act: () => Promise<void>): Promise<void> {
    const held = await holdWrites(app.page, /siyuan-marginalia/);
    await act();
    await app.reload();
    await held.release();
    await panel.open();
  }

  beforeAll(async () => {
    app = await startApp();
    files = new ChatFiles(app);
    panel = drive(app.page);
    await panel.open();
    await ask('About soil', 'Soil is alive.');
    await panel.newChat();
    await ask('About heat', 'Heat stays at night.');
    await panel.newChat();
    await ask('About rain', 'Rain cools.');
  });
  afterAll(() => app?.close());

  it('has what was hidden, renamed, deleted and set, and writes it then', async () => {
    await reloadedAfter(async () => {
      await choose(panel.answer, 'Hide from the model');
      await panel.answer.getByText('The model does not see this').waitFor();
      await button('Settings').click();
      await panel.region.getByRole('combobox', { name: 'Life' }).selectOption('none');
      await button('Back').click();
      await button('Chats').click();
      await choose(row('About soil'), 'Rename');
      await app.page.keyboard.type('Worms');
      await app.page.keyboard.press('Enter');
      await choose(row('About heat'), 'Delete');
    });
    await panel.answer.getByText('The model does not see this').waitFor();
    await panel.region.getByTitle('2 notebooks: read · 1: no access').waitFor();
    await button('Chats').click();
    await row('Worms').waitFor();
    expect(await row('About heat').count()).toBe(0);
    await app.page.keyboard.press('Escape');
    await expect.poll(() => files.text('trash')).toContain('Heat stays at night.');
    await expect.poll(() => JSON.stringify(files.chat('Rain cools.'))).toContain('"hidden":true');
    await expect.poll(() => Object.values(files.settings().notebooks ?? {})).toEqual(['none']);
    await expect.poll(notes).toEqual([]);
  });

  it('has the question that was sent, and in the composer what waited and what was being typed', async () => {
    const { held, open } = gate();
    await reloadedAfter(async () => {
      app.model.push({ text: 'One two three four', hold: held });
      await panel.send('Count');
      await panel.answer.getByText('One two').waitFor();
      await panel.send('And then?');
      await panel.region.getByText('Next:').waitFor();
      await panel.message.fill('Half a qu');
    });
    open();
    await panel.region.getByText('Count', { exact: true }).waitFor();
    await panel.region.getByText('This answer was cut off when the app closed.').waitFor();
    await expect.poll(() => panel.message.inputValue()).toBe('And then?\n\nHalf a qu');
    await panel.message.fill('');
    await expect.poll(notes).toEqual([]);
  });

  it('has it at once on plain http too, where no lock tells who is gone', async () => {
    await app.page.addInitScript(() => void Reflect.deleteProperty(Navigator.prototype, 'locks'));
    await app.reload();
    await panel.open();
    await expect.poll(() => app.page.evaluate(() => 'locks' in navigator)).toBe(false);
    await reloadedAfter(async () => {
      await choose(panel.answer, 'Hide from the model');
      await panel.answer.getByText('The model does not see this').waitFor();
    });
    await panel.answer.getByText('The model does not see this').waitFor();
    await expect.poll(notes).toEqual([]);
  });
});
