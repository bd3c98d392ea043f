// What an answer and a change look like to a reader, on the built plugin: text as it will stand in the note, never its Markdown
// unless that is asked for; tables and code in a narrow panel; what the clipboard gets.
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { chromiumPath, startApp, type TestApp } from '../support/app.ts';
import { EditorDriver } from '../support/editor.ts';
import { NotesDriver, type TestNote } from '../support/notes.ts';
import { drive, type PanelDriver, setDock } from '../support/panel.ts';

const LISBON = '20261103200000-lisbon0';
const REFERENCE = `((${LISBON} "my trip"))`;
const table = (price: string): string => `|Way|Price|\n| -------| --------|\n|Train|${price}|\n|Plane|212 €|`;
const BEFORE = [
  'The talk is on Monday.',
  '## Costs of May',
  '- Slides\n- Hall',
  table('198 €'),
  '$$\na^2\n$$',
  '```js\nconst seats = 40;\n```',
];
const AFTER = [
  `The talk is on **Tuesday**, after ${REFERENCE}.`,
  '## Costs of June',
  '- Slides\n- Hall\n- Tickets',
  table('176 €'),
  '$$\na^2 + b^2\n$$',
  '```js\nconst seats = 48;\n```',
];
/** What no reader should meet: marks of Markdown, ids, attributes. */
const RAW = /\*\*|\(\(|\{:|##|\| ---|```|\$\$|\d{14}-[0-9a-z]{7}/;
const WIDE = [
  `| ${Array.from({ length: 8 }, (_, column) => `Column ${column}`).join(' | ')} |`,
  `|${' --- |'.repeat(8)}`,
  `| ${Array.from({ length: 8 }, (_, column) => `value ${column}`).join(' | ')} |`,
].join('\n');
const LISTING = `const line = "${'long '.repeat(60)}";`;

describe.skipIf(!chromiumPath)('as it is read', () => {
  let app: TestApp;
  let panel: PanelDriver;
  let notes: NotesDriver;
  let count = 0;

  beforeAll(async () => {
    app = await startApp({ settings: { notebooks: {} } });
    panel = drive(app.page);
    notes = new NotesDriver(app);
    await notes.setRights({ [await app.notebook('Research')]: 'delete', [await app.notebook('Life')]: 'read' });
    await app.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  });
  beforeEach(() => app.model.clear());
  afterAll(async () => {
    await app?.close();
  });

  async function openNote(markdown: readonly string[]): Promise<TestNote> {
    const note = await notes.create('Research', `Talk ${++count}`, markdown.join('\n\n'));
    await notes.open(note);
    await panel.open();
    await panel.newChat();
    return note;
  }

  /** What the clipboard holds in this form; '' for nothing. */
  const clipboard = (type: string): Promise<string> =>
    app.page.evaluate(async (form) => {
      const item = (await navigator.clipboard.read())[0];
      return item?.types.includes(form) ? (await item.getType(form)).text() : '';
    }, type);

  /** The change from BEFORE to AFTER, wherever it is shown. */
  async function looksAsItWill(diff: Locator): Promise<void> {
    const marked = (mark: 'del' | 'ins'): Promise<string[]> =>
      diff.locator(mark).evaluateAll((all) => all.map((each) => each.querySelector('annotation')?.textContent ?? each.textContent ?? ''));
    await diff.locator('ins strong', { hasText: /^Tuesday$/ }).waitFor();
    await diff.getByRole('link', { name: 'my trip' }).waitFor();
    await expect.poll(() => diff.locator('.mg-rendered__text--heading ins').allInnerTexts()).toEqual(['June']);
    await expect.poll(() => diff.locator('[data-change="added"] .mg-rendered__marker').allInnerTexts()).toEqual(['•']);
    await expect.poll(() => diff.locator('td.mg-rendered__cell').allInnerTexts()).toEqual(['198176 €']);
    await expect.poll(() => diff.locator('th').allInnerTexts()).toEqual(['Way', 'Price']);
    await expect.poll(() => diff.locator('.mg-rendered__text--code').allInnerTexts()).toEqual(['const seats = 4048;']);
    // The host's KaTeX draws it: the source is gone, and what it looks like is there.
    await expect
      .poll(async () => (await diff.locator('ins .katex').allInnerTexts()).map((text) => text.replace(/[\s\u200b]/g, '')))
      .toEqual(['a2+b2']);
    await expect
      .poll(async () => [(await marked('del')).slice(0, 2), (await marked('ins')).slice(1, 2)])
      .toEqual([['Monday', 'May'], ['June']]);
    expect(await diff.innerText()).not.toMatch(RAW);
    await diff.getByRole('button', { name: 'As Markdown' }).click();
    await diff.getByText(REFERENCE).waitFor();
    await diff.getByText('## Costs of').first().waitFor();
    await diff.getByRole('button', { name: 'As Markdown' }).click();
    await diff.locator('ins strong').waitFor();
  }

  it('a change is shown as it will look: in the approval, on its card, in Activity, and where Undo asks', async () => {
    const note = await openNote(BEFORE);
    app.model.push(
      { calls: [{ name: 'read_doc', args: { id: note.id } }] },
      { calls: [{ name: 'rewrite_doc', args: { id: note.id, markdown: AFTER.join('\n\n') } }] },
      { text: 'Done with that.' },
    );
    await panel.send('Move the talk');
    await looksAsItWill(panel.approval.locator('[data-diff]'));
    expect(await panel.region.innerText()).not.toMatch(RAW);
    await panel.approve();
    await panel.settled();
    expect(await notes.texts(note)).toEqual(AFTER);

    await panel.answer.locator('.mg-work__line').last().click();
    const card = panel.tool('rewrite_doc');
    await card.getByRole('button').first().click();
    await looksAsItWill(card.locator('[data-diff]'));

    await panel.region.getByRole('button', { name: 'More', exact: true }).first().click();
    await app.page.getByRole('menuitem', { name: 'Activity' }).click();
    const activity = panel.region.getByRole('group', { name: 'Activity' });
    await activity.getByRole('button', { name: /^Rewrite note, Makes changes, / }).click();
    await looksAsItWill(activity.locator('[data-diff]'));
    await app.page.keyboard.press('Escape');
    await activity.waitFor({ state: 'detached' });

    await notes.writeElsewhere(note.blocks[0] ?? '', 'The talk is <strong>cancelled</strong>.');
    await panel.region.getByRole('button', { name: 'Undo', exact: true }).last().click();
    const conflict = panel.region.locator(`[data-conflict="${note.blocks[0]}"]`);
    await conflict.locator('del strong', { hasText: 'cancelled' }).waitFor();
    expect(await conflict.innerText()).not.toMatch(RAW);
    await conflict.getByRole('button', { name: 'As Markdown' }).click();
    await conflict.getByText('**cancelled**').waitFor();
    await conflict.getByRole('button', { name: 'Keep mine' }).click();
    await conflict.waitFor({ state: 'detached' });
  });

  it('a suggestion at the block is shown so too, and a chip holds the words of its block', async () => {
    const editor = new EditorDriver(app);
    await editor.create('Stage', `The **stage** is ready, see ${REFERENCE}.\n\nNothing else.`);
    app.model.push({ text: `The **stage** is *almost* ready, see ${REFERENCE}.` });
    await editor.command('is ready, see', 'rewrite', 'Rewrite this block');
    await editor.proposal('rewrite');
    const card = editor.card('rewrite');
    await card.locator('ins em', { hasText: /^almost$/ }).waitFor();
    await card.getByRole('link', { name: 'my trip' }).waitFor();
    expect(await card.innerText()).not.toMatch(RAW);
    await card.getByRole('button', { name: 'As Markdown' }).click();
    await card.getByText('*almost*').waitFor();
    await editor.button('rewrite', 'Reject').click();
    await card.waitFor({ state: 'detached' });

    await editor.command('is ready, see', 'ask', 'Ask about this block');
    const chip = panel.region.getByRole('list', { name: 'Attached notes and files' }).getByRole('button', { name: /^The stage is ready/ });
    await chip.hover();
    const preview = app.page.getByRole('tooltip').filter({ hasText: 'my trip' });
    await preview.waitFor();
    expect(`${await chip.innerText()} ${await chip.getAttribute('title')} ${await preview.innerText()}`).not.toMatch(RAW);
    await panel.region.getByRole('button', { name: /^Remove The stage/ }).click();
  });

  it('a wide table scrolls beside its first column, and code wraps by choice, in a panel of 300 px; both are copied whole', async () => {
    await openNote(['Nothing.']);
    await setDock(app.page, 300);
    app.model.push({ text: `${WIDE}\n\n\`\`\`js\n${LISTING}\n\`\`\`\n\nSee ${REFERENCE}.` });
    await panel.send('Show me the columns');
    await panel.settled();
    const frame = panel.answer.getByRole('group', { name: 'table' });
    const first = frame.locator('td').first();
    const last = frame.locator('td').last();
    await expect.poll(() => frame.evaluate((element) => element.scrollWidth > element.clientWidth)).toBe(true);
    await frame.focus();
    await app.page.keyboard.press('ArrowRight');
    await expect.poll(() => frame.evaluate((element) => element.scrollLeft)).toBeGreaterThan(0);
    await frame.evaluate((element) => element.scrollTo({ left: element.scrollWidth }));
    const inside = async (cell: Locator): Promise<boolean> => {
      const [box, around] = [await cell.boundingBox(), await frame.boundingBox()];
      return box !== null && around !== null && box.x >= around.x - 1 && box.x + box.width <= around.x + around.width + 1;
    };
    await expect.poll(() => Promise.all([first, last].map(inside))).toEqual([true, true]);
    await expect.poll(() => panel.region.evaluate((region) => region.scrollWidth <= region.clientWidth)).toBe(true);

    const code = panel.answer.getByRole('group', { name: 'Code js' });
    const hangsOut = (): Promise<boolean> => code.locator('pre').evaluate((pre) => pre.scrollWidth > pre.clientWidth);
    await expect.poll(hangsOut).toBe(true);
    await code.getByRole('button', { name: 'Wrap lines' }).click();
    await expect.poll(hangsOut).toBe(false);
    await code.getByRole('button', { name: 'Copy code' }).click();
    await expect.poll(() => clipboard('text/plain')).toBe(LISTING);

    await panel.answer.getByRole('button', { name: 'Copy', exact: true }).click();
    await expect.poll(() => clipboard('text/plain')).toContain(WIDE);
    expect(await clipboard('text/html')).toBe('');
    await panel.answer.getByRole('button', { name: 'More actions for this message' }).click();
    await app.page.getByRole('menuitem', { name: 'Copy as rich text', exact: true }).click();
    await expect.poll(() => clipboard('text/html')).toContain('value 7</td>');
    const rich = await clipboard('text/html');
    expect([await clipboard('text/plain'), rich]).toEqual([
      expect.stringContaining(WIDE),
      expect.stringContaining(`siyuan://blocks/${LISBON}`),
    ]);
    expect(rich).not.toMatch(/\| ---|```|<script/);
  });

  it('the second click of a double click decides nothing about the change that comes next', async () => {
    const note = await openNote(['Nothing.']);
    const write = (markdown: string) => ({ calls: [{ name: 'insert_blocks', args: { anchor: note.id, position: 'append', markdown } }] });
    app.model.push(write('Read and wanted.'), write('Not read yet.'), { text: 'Done with that.' });
    await panel.send('Write two lines');
    const approve = panel.approval.getByRole('button', { name: 'Approve', exact: true });
    const { mouse } = app.page;
    const press = async (clickCount: number): Promise<void> => {
      await approve.hover();
      await mouse.down({ clickCount });
      await mouse.up({ clickCount });
    };
    await press(1);
    await panel.approval.getByText('Not read yet.').waitFor();
    await press(2);
    await app.page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
    await panel.approval.getByText('Not read yet.').waitFor();
    expect(await notes.texts(note)).toEqual(['Nothing.', 'Read and wanted.']);
    await panel.reject();
    await panel.settled();
    expect(await notes.texts(note)).toEqual(['Nothing.', 'Read and wanted.']);
  });

  it('a long question folds, and unfolds for its reader', async () => {
    await openNote(['Nothing.']);
    app.model.push({ text: 'Short answer.' });
    await panel.send(`${'Many words. '.repeat(150)}At last`);
    await panel.settled();
    const question = panel.region.locator('article[data-role="user"]').last();
    const height = async (): Promise<number> => (await question.locator('.mg-question__text').boundingBox())?.height ?? 0;
    // It folds once it was measured.
    const unfold = question.getByRole('button', { name: 'Show the whole question' });
    await unfold.waitFor();
    const low = await height();
    await unfold.click();
    await expect.poll(height).toBeGreaterThan(low * 2);
    await question.getByRole('button', { name: 'Show less' }).click();
    await expect.poll(height).toBe(low);
  });
});
