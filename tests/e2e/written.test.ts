// What a model wrote, on the built plugin: a line in the editor's margin until somebody marks it as read, who wrote a block, and Undo from there.
import { afterEach, describe, expect, it } from 'vitest';
import { chromiumPath, startApp, type TestApp } from '../support/app.ts';
import { drive, type PanelDriver } from '../support/panel.ts';
import { summaryIntoToday } from '../support/scripts.ts';

const QUESTION = "What do my notes say about spaced repetition? Write a summary into today's note";
const SUMMARY = 'It works best with growing gaps.';

describe.skipIf(!chromiumPath)('what a model wrote', () => {
  let app: TestApp | undefined;
  afterEach(async () => {
    await app?.close();
    app = undefined;
  });

  const pageOf = (panel: PanelDriver) => panel.region.getByRole('group', { name: 'Written by models' });

  it('is marked in the margin, says who wrote it, and is marked no more once it was read; one switch takes all marks away', async () => {
    app = await startApp();
    const { kernel, model, page } = app;
    const life = await app.notebook('Life');
    const { id: note } = await kernel<{ id: string }>('/api/filetree/createDailyNote', { notebook: life });
    await page.goto(app.address({ note }));
    const panel = drive(page);
    await panel.open();
    model.push(...summaryIntoToday('spaced repetition', SUMMARY));
    await panel.send(QUESTION);
    await panel.approve();
    await panel.settled();

    const block = page.locator('.protyle-wysiwyg:visible .p', { hasText: SUMMARY });
    await block.waitFor();
    const isMarked = () => block.evaluate((element) => getComputedStyle(element).boxShadow !== 'none');
    await expect.poll(isMarked).toBe(true);
    const others = page.locator('.protyle-wysiwyg:visible [data-node-id]:not([custom-marginalia-source])');
    await expect.poll(() => others.first().evaluate((element) => getComputedStyle(element).boxShadow)).toBe('none');

    await block.hover();
    await page.locator('.protyle-gutters button:visible').last().click();
    await page.locator('.b3-menu__item:visible', { hasText: 'Plugin' }).first().hover();
    await page.locator('.b3-menu__submenu').getByText('Who wrote this?', { exact: true }).click();
    await pageOf(panel).getByText(SUMMARY).waitFor();
    await pageOf(panel)
      .getByText(/Written/)
      .first()
      .waitFor();
    await pageOf(panel).getByRole('button', { name: 'Changes and Undo' }).waitFor();

    const row = pageOf(panel).locator('[data-block]');
    await row.getByRole('button', { name: 'Mark as read' }).click();
    await expect.poll(isMarked).toBe(false);
    await pageOf(panel).getByRole('button', { name: 'Show all that models wrote' }).click();
    await pageOf(panel)
      .getByText(/^(\d+) of \1 read$/)
      .waitFor();

    // Undo takes what was read as well.
    await pageOf(panel).getByRole('button', { name: 'All', exact: true }).click();
    await pageOf(panel).locator('summary').first().click();
    await row.getByRole('button', { name: 'Changes and Undo' }).first().click();
    await panel.region.getByRole('group', { name: 'Activity' }).getByRole('button', { name: 'Undo' }).click();
    await block.waitFor({ state: 'detached' });
  });

  it('is not marked where the switch is off, from the start on', async () => {
    app = await startApp({ settings: { markWritten: false } });
    const { page } = app;
    await expect.poll(() => page.evaluate(() => document.documentElement.classList.contains('marginalia-unmarked'))).toBe(true);
  });
});
