// What the assistant read and changed, on the built plugin: the page "Activity", its files, and Undo from there.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { chromiumPath, startApp, type TestApp } from '../support/app.ts';
import { frontTab } from '../support/hosts.ts';
import { drive, type PanelDriver } from '../support/panel.ts';
import { summaryIntoToday } from '../support/scripts.ts';

const QUESTION = "What do my notes say about spaced repetition? Write a summary into today's note";
const SUMMARY = 'It works best with growing gaps.';

describe.skipIf(!chromiumPath)('activity', () => {
  let app: TestApp | undefined;
  afterEach(async () => {
    await app?.close();
    app = undefined;
  });

  const pageOf = (panel: PanelDriver) => panel.region.getByRole('group', { name: 'Activity' });
  const rowOf = (panel: PanelDriver, name: RegExp) =>
    pageOf(panel)
      .locator('[data-call]')
      .filter({ has: panel.region.page().getByRole('button', { name }) });

  async function openActivity({ page }: TestApp, panel: PanelDriver): Promise<void> {
    await panel.region.getByRole('button', { name: 'More' }).first().click();
    await page.getByRole('menuitem', { name: 'Activity' }).click();
    await pageOf(panel).waitFor();
  }

  /** Names of the tools in the files. */
  function recorded({ workspace }: TestApp): readonly string[] {
    const folder = join(workspace, 'data/storage/petal/siyuan-marginalia/activity');
    const names = existsSync(folder) ? readdirSync(folder) : [];
    const lines = names.flatMap((name) => readFileSync(join(folder, name), 'utf8').trimEnd().split('\n'));
    return lines.map((line) => JSON.parse(line).toolName);
  }

  it('shows what a question led to, opens the note and the chat, and undoes a change: the note is as before', async () => {
    app = await startApp();
    const { kernel, page } = app;
    const life = await app.notebook('Life');
    const { id: note } = await kernel<{ id: string }>('/api/filetree/createDailyNote', { notebook: life });
    const markdown = async (): Promise<string> =>
      (await kernel<{ kramdown: string }>('/api/block/getBlockKramdown', { id: note })).kramdown.replace(/ updated="\d+"/g, '');
    const before = await markdown();
    const panel = drive(page);
    await panel.open();
    app.model.push(...summaryIntoToday('spaced repetition', SUMMARY));
    await panel.send(QUESTION);
    await panel.approve();
    await panel.settled();
    expect(await markdown()).toContain(SUMMARY);
    await openActivity(app, panel);
    const wrote = rowOf(panel, /^Daily note, Makes changes, /);
    await wrote.getByRole('button', { name: 'Undo' }).waitFor();
    await expect.poll(() => app && recorded(app)).toEqual(['search_notes', 'read_doc', 'daily_note']);
    await pageOf(panel).getByText('Today: 1 note read, 1 changed').waitFor();
    const read = rowOf(panel, /^Read note, Reads, /);
    const link = read.locator('.mg-act__about').getByRole('button');
    const title = await link.innerText();
    await link.click();
    await frontTab(page, title).waitFor();
    await wrote.getByRole('button', { name: 'Undo' }).click();
    await wrote.getByText('Undone').waitFor();
    await expect.poll(markdown).toBe(before);
    await wrote.getByRole('button', { name: 'Redo' }).click();
    await wrote.getByRole('button', { name: 'Undo' }).waitFor();
    await expect.poll(markdown).toContain(SUMMARY);
    await wrote.getByRole('button', { name: 'Undo' }).click();
    await wrote.getByRole('button', { name: 'Redo' }).waitFor();
    await expect.poll(markdown).toBe(before);
    // The chat knows of it, and shows the message that the call belongs to.
    await wrote.getByRole('button', { name: /^What do my notes say/ }).click();
    await pageOf(panel).waitFor({ state: 'detached' });
    await panel.answer.getByText('Undone', { exact: true }).waitFor();
    // And back, from the card of the call.
    await panel.answer.locator('.mg-work__line').click();
    await panel.tool('search_notes').locator('[aria-expanded]').click();
    await panel.tool('search_notes').getByRole('button', { name: 'Show in Activity' }).click();
    await rowOf(panel, /^Search notes, /)
      .getByText('What the model read')
      .waitFor();
  });

  it('says after a crash what was cut off, and is empty once it was cleared', async () => {
    app = await startApp();
    let panel = drive(app.page);
    await panel.open();
    app.model.push({ calls: [{ name: 'ask_user', args: { question: 'Which one?' } }] });
    await panel.send('Help me choose');
    await panel.region.getByText('Which one?').first().waitFor();
    await app.page.reload();
    panel = drive(app.page);
    await panel.open();
    await openActivity(app, panel);
    const row = rowOf(panel, /^Ask you, /);
    await row.getByText('Cut off', { exact: true }).waitFor();
    await expect.poll(() => app && recorded(app)).toEqual(['ask_user']);
    await pageOf(panel).getByRole('button', { name: 'More actions for Activity' }).click();
    await app.page.getByRole('menuitem', { name: 'Clear activity' }).click();
    await app.page.locator('.b3-dialog__action').getByRole('button', { name: 'Clear activity' }).click();
    await pageOf(panel).getByText('Nothing yet.').waitFor();
    await expect.poll(() => app && recorded(app)).toEqual([]);
  });
});
