// The whole main job by keyboard alone: no pointer touches the page. At each step something has the focus, visibly.
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath, startApp, type TestApp } from '../support/app.ts';
import { frontTab } from '../support/hosts.ts';
import { drive, type PanelDriver } from '../support/panel.ts';
import { summaryIntoToday } from '../support/scripts.ts';

const MOST_STEPS = 40;

interface Focus {
  readonly where: 'panel' | 'editor' | 'elsewhere';
  readonly name: string;
  readonly visible: boolean;
}

/** What has the focus, and whether that is visible: a ring or a caret. */
const focusOf = (app: TestApp): Promise<Focus> =>
  app.page.evaluate(() => {
    const at = document.activeElement ?? document.body;
    const { outlineStyle, outlineWidth } = getComputedStyle(at);
    const box = at.getBoundingClientRect();
    const inSight = box.height > 0 && box.bottom > 0 && box.top < innerHeight;
    const label = at instanceof HTMLInputElement ? at.labels?.[0]?.innerText : undefined;
    const ring = at.matches(':focus-visible') && outlineStyle !== 'none' && Number.parseFloat(outlineWidth) > 0;
    return {
      where: at.closest('.mg-panel') ? 'panel' : at.closest('.protyle') ? 'editor' : 'elsewhere',
      name: (at.getAttribute('aria-label') ?? label ?? at.textContent ?? '').trim(),
      visible: inSight && (ring || at.matches('textarea, [contenteditable="true"], [contenteditable="true"] *')),
    };
  });

describe.skipIf(!chromiumPath)('by keyboard alone', () => {
  let app: TestApp;
  let panel: PanelDriver;
  const keys = () => app.page.keyboard;
  const focus = () => focusOf(app);

  beforeAll(async () => {
    app = await startApp();
    panel = drive(app.page);
    // Today's note exists already, so Redo does not have to create it.
    await app.kernel('/api/filetree/createDailyNote', { notebook: await app.notebook('Life') });
    await app.page.goto(app.address({ note: '20261103200000-lisbon0' }));
    await app.page.locator('.protyle-wysiwyg:visible [data-node-id]').first().waitFor();
  });
  afterAll(() => app?.close());

  /** Waits until it has the focus, visibly. */
  const isAt = (name: string | RegExp): Promise<void> =>
    expect
      .poll(focus)
      .toEqual({ where: 'panel', name: typeof name === 'string' ? name : expect.stringMatching(name), visible: true }) as Promise<void>;

  /** Moves the focus step by step until it is on something with this name; it is visible all the way. */
  async function goTo(name: RegExp, key: 'Tab' | 'Shift+Tab' | 'ArrowDown' = 'Tab'): Promise<void> {
    for (let step = 0; step < MOST_STEPS; step += 1) {
      await keys().press(key);
      const at = await focus();
      expect(at).toEqual({ where: 'panel', name: expect.anything(), visible: true });
      if (name.test(at.name)) return;
    }
    throw new Error(`${key} does not lead to ${name}`);
  }
  const shows = (text: string | RegExp, within: Locator = panel.region): Promise<void> => within.getByText(text).first().waitFor();

  it('opens the dock, asks, sees what is read, approves a part, undoes, redoes, opens a source, finds an old chat, saves it as a note, and is back in the editor', async () => {
    await keys().press('ControlOrMeta+Alt+j');
    await isAt('Message');
    app.model.push({ text: 'Leeks keep for a week.' });
    await keys().type('How long do leeks keep?');
    await keys().press('Enter');
    await panel.settled();
    await goTo(/^New chat$/, 'Shift+Tab');
    await keys().press('Enter');
    await isAt('Message');

    app.model.push(...summaryIntoToday('spaced repetition', '## Summary\n\nIt works best with growing gaps.\n\nCram before tests.'));
    await keys().type('What do my notes say about spaced repetition? Write it into today');
    await keys().press('Enter');
    await panel.tool('read_doc').getByText('Spaced repetition').waitFor();
    await panel.approval.waitFor();
    await isAt('Message');
    await goTo(/Cram before tests/, 'Shift+Tab');
    await keys().press('Space');
    await goTo(/^This time/);
    await keys().press('Space');
    await goTo(/^Approve/);
    await keys().press('Enter');
    await panel.settled();
    const stmt = "SELECT content FROM blocks WHERE type = 'p' AND (content LIKE 'Cram before%' OR content LIKE 'It works best with%')";
    await expect.poll(() => app.kernel('/api/query/sql', { stmt })).toEqual([{ content: 'It works best with growing gaps.' }]);
    await isAt('Message');

    await panel.answer.getByRole('button', { name: 'Undo' }).waitFor();
    await goTo(/^Undo$/, 'Shift+Tab');
    await keys().press('Enter');
    await shows('Undone');
    await isAt('Redo');
    await keys().press('Enter');
    await isAt('Undo');

    // The citation shows what it cites while it has the focus.
    await goTo(/^spaced repetition/i, 'Shift+Tab');
    await panel.region.getByRole('tooltip').waitFor();
    await keys().press('Enter');
    await frontTab(app.page, 'Spaced repetition').waitFor();
    await expect.poll(focus).toMatchObject({ where: 'editor', visible: true });
    await keys().press('ControlOrMeta+Alt+j');
    await isAt('Message');

    await goTo(/^Chats$/, 'Shift+Tab');
    await keys().press('Enter');
    await panel.region.getByRole('group', { name: 'Chats' }).waitFor();
    await isAt('Search chats');
    await keys().type('leeks');
    await shows('Leeks keep', panel.region.getByRole('group', { name: 'Chats' }));
    await goTo(/^How long do leeks keep\?/);
    await keys().press('Enter');
    await shows('Leeks keep for a week.', panel.answer);
    await expect.poll(focus).toMatchObject({ where: 'panel', visible: true });

    await goTo(/^More$/, 'Shift+Tab');
    await keys().press('Enter');
    await isAt('Find in this chat');
    await goTo(/^Save as a note$/, 'ArrowDown');
    await keys().press('Enter');
    await panel.region.getByRole('group', { name: 'Save as a note' }).waitFor();
    await goTo(/^Save$/);
    await keys().press('Enter');
    // The question named the note that was open, of another notebook.
    await shows('Save including that text');
    await goTo(/^Save including that text$/);
    await keys().press('Enter');
    await shows('Saved as a note');
    await isAt('Message');
    await goTo(/^More$/, 'Shift+Tab');
    await keys().press('Enter');
    await goTo(/^Update the note$/, 'ArrowDown');
    await keys().press('Enter');
    await goTo(/^Open the note$/);
    await keys().press('Enter');
    await app.page.locator('.protyle-wysiwyg:visible').getByText('Leeks keep for a week.').waitFor();
    await expect.poll(focus).toMatchObject({ where: 'editor', visible: true });
    await keys().type('Mine: ');
    await expect.poll(() => app.page.locator('.protyle:visible').innerText()).toContain('Mine: ');
  });
});
