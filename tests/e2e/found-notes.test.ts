// What a search found, as people see it in the built plugin: "@" with several words, notes related to the open one, and the card of a search.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath, startApp, type TestApp } from '../support/app.ts';
import { EditorDriver } from '../support/editor.ts';
import { drive, type PanelDriver } from '../support/panel.ts';

const BEDS = 'Tomatoes and beans stand in the raised bed behind the greenhouse, where the compost is warm.';
const SOIL = 'Compost for the raised bed: leaves, straw, kitchen waste. Tomatoes want most of it.';

describe.skipIf(!chromiumPath)('notes that are found', () => {
  let app: TestApp;
  let panel: PanelDriver;
  let compost = '';

  beforeAll(async () => {
    app = await startApp();
    panel = drive(app.page);
    const notebook = await app.notebook('Life');
    compost = await app.kernel<string>('/api/filetree/createDocWithMd', { notebook, path: '/Garden/Soil/Compost heap', markdown: SOIL });
    await app.kernel('/api/sqlite/flushTransaction', {});
    await new EditorDriver(app).create('Vegetable plot', BEDS);
    await panel.open();
  });
  afterAll(() => app?.close());

  const options = () => app.page.getByRole('option');
  const chips = () => panel.region.getByRole('list', { name: 'Attached notes and files' }).last();
  const page = () => panel.region.getByRole('group', { name: 'Related notes' });

  it('by several words behind "@", by what they say; the list stays, and Enter sends the sentence', async () => {
    await panel.message.pressSequentially('@straw for the compost');
    await options().filter({ hasText: 'Compost heap' }).first().waitFor();
    await panel.message.pressSequentially(' of next year');
    await options().filter({ hasText: 'Compost heap' }).first().waitFor();
    await panel.message.press('ArrowDown');
    await panel.message.press('Enter');
    await expect.poll(() => panel.message.inputValue()).toMatch(/^@\S.* $/);
    // Once it is read it is marked in the text, and has no chip. It goes with the words.
    await panel.region.locator('.mg-marks mark').waitFor();
    await panel.message.fill('');
    await expect.poll(() => panel.region.locator('.mg-marks mark, .mg-chip').count()).toBe(0);
  });

  it('related to the open note: offered by "@", each with why', async () => {
    await panel.message.pressSequentially('@');
    await app.page.getByText('Related to Vegetable plot', { exact: true }).waitFor();
    const offered = options().filter({ hasText: 'Compost heap' }).first();
    await expect.poll(() => offered.innerText()).toMatch(/In both: .*(?:compost|raised|bed|tomatoes)/i);
    await options().filter({ hasText: 'All related notes' }).click();
    await page().getByText('Related to Vegetable plot').waitFor();
  });

  it('on a page of their own, opened by keyboard and added to the question', async () => {
    const note = page().locator(`[data-note="${compost}"]`);
    await note.locator('mark').first().waitFor();
    await expect.poll(async () => (await note.locator('mark').allInnerTexts()).join(' ').toLowerCase()).toContain('compost');
    await note.getByRole('button', { name: 'Add Compost heap' }).click();
    await note.getByRole('button', { name: 'Compost heap is attached' }).waitFor();
    await note.getByRole('button', { name: 'Compost heap', exact: true }).press('Enter');
    await app.page.locator(`.protyle-title[data-node-id="${compost}"]:visible`).waitFor();
    // Another note is in the editor now: the page is about that one.
    await page().getByText('Related to Compost heap').waitFor();
    await page().locator('.mg-found__note', { hasText: 'Vegetable plot' }).waitFor();
    await panel.region.getByRole('button', { name: 'Back' }).first().click();
    await expect.poll(() => chips().innerText()).toContain('Compost heap');
    await chips()
      .getByRole('button', { name: /^Remove/ })
      .click();
  });

  it('by the model: a list of notes with passages, the words marked; nothing found is said in words', async () => {
    const search = (query: string) => ({ calls: [{ name: 'search_notes', args: { query } }] });
    app.model.push(search('What goes on the compost?'), search('xyzzyplugh'), { text: 'Leaves and straw.' });
    await panel.send('What goes on the compost?');
    await panel.settled();
    await panel.answer.locator('.mg-work__line').last().click();
    const [found, nothing] = [panel.answer.locator('[data-tool]').first(), panel.answer.locator('[data-tool]').last()];
    await expect.poll(() => nothing.innerText()).toContain('Nothing found. Not in any note: xyzzyplugh');
    await found.getByRole('button').first().click();
    const note = found.locator(`[data-note="${compost}"]`);
    await expect.poll(() => note.innerText()).toMatch(/^Compost heap\s+… › Garden › Soil\s+Compost for the raised bed/);
    await expect.poll(() => note.locator('mark').allInnerTexts()).toContain('Compost');
    expect(await panel.answer.innerText()).not.toMatch(/\d{14}-/);
  });

  it('by a text that stands in two of them: once, with the place of the other as people read it', async () => {
    const text = 'The wheelbarrow with the flat tyre stands behind the shed.';
    const notebook = await app.notebook('Life');
    for (const path of ['/Yard/Sheds', '/Yard/Tools'])
      await app.kernel('/api/filetree/createDocWithMd', { notebook, path, markdown: text });
    app.model.push({ calls: [{ name: 'search_notes', args: { query: 'wheelbarrow tyre' } }] }, { text: 'Behind the shed.' });
    await panel.send('Where is the wheelbarrow?');
    await panel.settled();
    await panel.answer.locator('.mg-work__line').last().click();
    await panel.answer.locator('[data-tool]').first().getByRole('button').first().click();
    const found = panel.answer.locator('.mg-found').first();
    await expect.poll(() => found.innerText()).toMatch(/The same text in: Yard › (?:Sheds|Tools)$/m);
    await expect.poll(() => found.locator('.mg-found__passage', { hasText: 'flat tyre' }).count()).toBe(1);
  });
});
