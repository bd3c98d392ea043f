// Flashcards from a selection, one left out by its tick; and of a note, where the command is typed. On the built plugin.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath, startApp, type TestApp } from '../support/app.ts';
import { EditorDriver } from '../support/editor.ts';

const DECK = '20230218211946-2kw8jgx';
const TEXT = 'Albedo is the share of light that a surface reflects. Fresh snow reflects nine tenths, the sea less than one tenth.';

describe.skipIf(!chromiumPath)('flashcards', () => {
  let app: TestApp;
  let editor: EditorDriver;

  beforeAll(async () => {
    app = await startApp({ settings: { notebooks: {} } });
    editor = new EditorDriver(app);
    await editor.create('Albedo', `# Light\n\n${TEXT}\n\nThe last word.`);
  });
  afterAll(() => app?.close());

  const cards = async () =>
    (
      await app.kernel<{ blocks: { content: string; riffCard: unknown }[] }>('/api/riff/getRiffCards', { id: DECK, page: 1, pageSize: 50 })
    ).blocks.filter(({ riffCard }) => riffCard);

  it('are proposed for a selection, each with a tick, and become blocks and cards; Undo takes both away', async () => {
    app.model.push({
      text: 'Q: What is albedo?\nA: The share of light that a surface reflects\n\nQ: How much does fresh snow reflect?\nA: Nine tenths\n\nQ: And the sea?\nA: Less than one tenth',
    });
    await editor.select(TEXT.slice(0, 30), 'Albedo is', 'less than one tenth.');
    await app.page.locator('.protyle-toolbar [data-type="marginalia"]:visible').click();
    await app.page.locator('.b3-menu:visible').getByText('Make flashcards', { exact: true }).click();
    await editor.proposal('cards');
    const ticks = editor.card('cards').getByRole('checkbox');
    await expect.poll(() => ticks.count()).toBe(3);
    await ticks.nth(1).uncheck();
    await editor.button('cards', 'Approve 2 of 3').click();
    await editor.card('cards', 'done').waitFor();
    expect(await editor.kramdown()).toContain('And the sea?');
    expect(await editor.kramdown()).not.toContain('fresh snow reflect?');
    expect((await cards()).map(({ content }) => content)).toEqual([expect.stringContaining('albedo'), expect.stringContaining('sea')]);
    await editor.button('cards', 'Undo').click();
    await editor.undone('cards');
    expect(await editor.kramdown()).not.toContain('And the sea?');
    expect(await cards()).toEqual([]);
    await editor.button('cards', 'Redo').click();
    await expect.poll(async () => (await cards()).length).toBe(2);
    await editor.button('cards', 'Close').click();
  });

  it('are made where the command is typed in an empty block, of the whole note, which goes on below them', async () => {
    await editor.create('Empty line', `${TEXT}\n\nlast`);
    app.model.push({ text: 'Q: What is albedo?\nA: Reflected light' });
    await editor.text('last').click();
    await app.page.keyboard.press('End');
    await app.page.keyboard.press('Enter');
    await editor.slash('cards', 'Make flashcards');
    await editor.proposal('cards');
    expect(JSON.stringify(app.model.requests.at(-1)?.messages)).toContain('Editor task: cards');
    await editor.accept('cards');
    const [question, answer, ending] = (await editor.paragraphs()).slice(-3);
    expect([question, answer, ending]).toEqual(['What is albedo?', 'Reflected light', '']);
  });
});
