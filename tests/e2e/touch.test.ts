// The whole main job on a phone by touch alone: taps, a long press, nothing that needs hovering, and controls large enough for a finger.
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath, startApp, type TestApp } from '../support/app.ts';
import { awayOnPhone, openOnPhone } from '../support/hosts.ts';
import { overlaps } from '../support/overlaps.ts';
import { drive, type PanelDriver } from '../support/panel.ts';
import { summaryIntoToday } from '../support/scripts.ts';

/** What a finger needs, in CSS pixels. */
const FINGER = 40;

/** Visible controls of the panel that are too small; links within a sentence are as tall as its line. */
const tooSmall = (panel: PanelDriver): Promise<string[]> =>
  panel.region.evaluate((region, least) => {
    const controls = region.querySelectorAll('button, select, summary, textarea, input, [role="button"], [role="switch"], [role="option"]');
    return [...controls]
      .filter((control) => control.checkVisibility() && !control.closest('[inert], .mg-hidden'))
      .flatMap((control) => {
        const label = control instanceof HTMLInputElement && /checkbox|radio/.test(control.type) ? control.closest('label') : null;
        const { width, height } = (label ?? control).getBoundingClientRect();
        const small = Math.round(Math.min(width, height)) < least;
        return small
          ? [`${Math.round(width)}x${Math.round(height)} ${control.getAttribute('aria-label') ?? control.outerHTML.slice(0, 90)}`]
          : [];
      });
  }, FINGER);

describe.skipIf(!chromiumPath)('by touch alone', () => {
  let app: TestApp;
  let panel: PanelDriver;

  beforeAll(async () => {
    app = await startApp({ touch: true });
    panel = drive(app.page);
    // Today's note exists already, so Redo does not have to create it.
    await app.kernel('/api/filetree/createDailyNote', { notebook: await app.notebook('Life') });
    // The plain address: the host chooses the small frontend by what the browser calls itself.
    await app.page.goto(app.host.url);
  });
  afterAll(() => app?.close());

  const button = (name: string | RegExp, within: Locator = panel.region): Locator =>
    within.getByRole('button', { name, exact: true }).last();
  const roomy = async (): Promise<void> => {
    await expect.poll(() => tooSmall(panel)).toEqual([]);
    await expect.poll(() => overlaps(app.page)).toEqual([]);
  };
  async function openPanel(): Promise<void> {
    await openOnPhone(app.page, 'tap');
    await panel.message.waitFor();
  }
  async function ask(question: string): Promise<void> {
    await panel.message.tap();
    await app.page.keyboard.type(question);
    await button('Send').tap();
  }
  async function rest(on: Locator, until: Locator): Promise<void> {
    await on.scrollIntoViewIfNeeded();
    // Words may wrap to a second line.
    const box = await on.evaluate((element) => element.getClientRects()[0]?.toJSON());
    const touch = await app.page.context().newCDPSession(app.page);
    const touchPoints = [{ x: box.x + box.width / 2, y: box.y + box.height / 2 }];
    await touch.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints });
    await until.waitFor();
    await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
  }

  it('opens the panel, asks, sees what is read, approves a part, undoes, redoes, looks at a source and opens it, finds an old chat, saves it as a note, and is back in the editor', async () => {
    await openPanel();
    await roomy();
    app.model.push({ text: 'Leeks keep for a week.' });
    await panel.message.tap();
    // SiYuan's bar of keys is over the lower edge now, and a note's name beside the composer.
    await app.page.locator('#keyboardToolbar:visible').waitFor();
    await roomy();
    await ask('How long do leeks keep?');
    await panel.answer.getByText('Leeks keep for a week.').waitFor();
    await button('Send').waitFor();
    await button('Copy', panel.answer).tap();
    await panel.region.getByText('Copied', { exact: true }).waitFor();
    for (const opener of ['.mg-status__may', '.mg-status__model']) {
      await panel.region.locator(opener).tap();
      await panel.region.getByRole('dialog').waitFor();
      await roomy();
      await app.page.keyboard.press('Escape');
      await panel.region.getByRole('dialog').waitFor({ state: 'detached' });
    }
    await panel.newChat('tap');

    app.model.push(...summaryIntoToday('spaced repetition', '## Summary\n\nIt works best with growing gaps.\n\nCram before tests.'));
    await ask('What do my notes say about spaced repetition? Write it into today');
    await panel.tool('read_doc').getByText('Spaced repetition').waitFor();
    await panel.approval.waitFor();
    await roomy();
    await panel.approval.getByRole('checkbox', { name: /Cram before tests/ }).tap();
    await panel.approval.getByRole('radio', { name: /^This time/ }).tap();
    await button(/^Approve/, panel.approval).tap();
    await panel.answer.getByText('Your notes say a lot').waitFor();
    await button('Undo').waitFor();
    const stmt = "SELECT content FROM blocks WHERE type = 'p' AND (content LIKE 'Cram before%' OR content LIKE 'It works best with%')";
    await expect.poll(() => app.kernel('/api/query/sql', { stmt })).toEqual([{ content: 'It works best with growing gaps.' }]);
    await roomy();
    await button('Undo').tap();
    await panel.region.getByText('Undone', { exact: true }).waitFor();
    await button('Redo').tap();
    await button('Undo').waitFor();

    const source = panel.answer.locator('.mg-cite');
    await rest(source, panel.region.getByRole('tooltip'));
    await panel.region.getByRole('tooltip').getByText('Spaced repetition').first().waitFor();
    await expect.poll(() => panel.region.isVisible()).toBe(true);
    await panel.region.getByText('Your notes say a lot').tap();
    await panel.region.getByRole('tooltip').waitFor({ state: 'detached' });
    await source.tap();
    await app.page.locator('.protyle-wysiwyg:visible [data-node-id]').first().waitFor();
    await awayOnPhone(panel.region);
    await openPanel();

    await button('Chats').tap();
    const chats = panel.region.getByRole('group', { name: 'Chats' });
    await roomy();
    await chats.getByRole('searchbox').tap();
    await app.page.keyboard.type('leeks');
    await button(/^How long do leeks keep/, chats).tap();
    await panel.answer.getByText('Leeks keep for a week.').waitFor();

    await panel.region.getByRole('button', { name: 'More', exact: true }).first().tap();
    await roomy();
    await panel.region.getByRole('menuitem', { name: 'Save as a note' }).tap();
    await roomy();
    await panel.saveNote('tap');
    await panel.region.getByRole('group', { name: 'Save as a note' }).waitFor({ state: 'detached' });
    for (const name of ['Tools', 'Settings']) {
      await button(name).tap();
      await panel.region.getByRole('group', { name, exact: true }).waitFor();
      await roomy();
      await button('Back').tap();
    }
    await panel.region.getByRole('button', { name: 'More', exact: true }).first().tap();
    await panel.region.getByRole('menuitem', { name: 'Update the note' }).tap();
    await button('Open the note').tap();
    await app.page.locator('.protyle-wysiwyg:visible').getByText('Leeks keep for a week.').waitFor();
    await awayOnPhone(panel.region);
  });
});
