// Flashcards from a selection, one left out by its tick; of a note, where the command is typed; and their review. On the built plugin.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath, startApp, type TestApp } from '../support/app.ts';
import { EditorDriver } from '../support/editor.ts';
import { chooseSlash } from '../support/hosts.ts';
import { drive, type PanelDriver } from '../support/panel.ts';

const DECK = '20230218211946-2kw8jgx';
const TEXT = 'Albedo is the share of light that a surface reflects. Fresh snow reflects nine tenths, the sea less than one tenth.';

describe.skipIf(!chromiumPath)('flashcards', () => {
  let app: TestApp;
  let editor: EditorDriver;
  let panel: PanelDriver;

  beforeAll(async () => {
    app = await startApp({ settings: { notebooks: {} } });
    editor = new EditorDriver(app);
    panel = drive(app.page);
    await editor.create('Albedo', `# Light\n\n${TEXT}\n\nThe last word.`);
  });
  afterAll(() => app?.close());

  const cards = async () =>
    (
      await app.kernel<{ blocks: { id: string; content: string; riffCard: { reps: number } | null }[] }>('/api/riff/getRiffCards', {
        id: DECK,
        page: 1,
        pageSize: 50,
      })
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
    expect((await cards()).map(({ content }) => content).sort()).toEqual([
      expect.stringContaining('sea'),
      expect.stringContaining('albedo'),
    ]);
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
    await chooseSlash(app.page, 'cards', 'Make flashcards');
    await editor.proposal('cards');
    expect(JSON.stringify(app.model.requests.at(-1)?.messages)).toContain('Editor task: cards');
    await editor.accept('cards');
    const [question, answer, ending] = (await editor.paragraphs()).slice(-3);
    expect([question, answer, ending]).toEqual(['What is albedo?', 'Reflected light', '']);
  });

  describe('their review', () => {
    const page = () => panel.region.getByRole('group', { name: 'Review flashcards' }).last();
    const side = () => page().getByRole('group', { name: 'Flashcard' });
    const ratings = () => page().getByRole('group', { name: 'How well did you know it?' });
    const repsOf = async (words: string) => (await cards()).find(({ content }) => content.includes(words))?.riffCard?.reps;

    beforeAll(async () => {
      await editor.create(
        'Sides',
        [
          '* Listed?\n  * Below',
          'Water boils at ==100 °C== there.',
          '{{{row\nFirst of two\n\nSecond of two\n}}}',
          '# Headed?\n\nUnder it',
        ].join('\n\n'),
      );
      const note = await app.kernel<{ id: string }[]>('/api/block/getChildBlocks', { id: editor.noteId });
      await app.kernel('/api/riff/addRiffCards', { deckID: DECK, blockIDs: note.slice(0, 4).map(({ id }) => id) });
      await panel.open();
      await panel.region.getByRole('button', { name: 'More', exact: true }).click();
      await app.page.getByRole('menuitem', { name: 'Review flashcards' }).click();
      await page().getByRole('combobox', { name: 'Which cards' }).selectOption({ label: 'Sides and the notes below it' });
      await page().getByText('4 cards left', { exact: true }).waitFor();
    });

    it('shows each without its answer, then whole with when it comes again; keys reveal and rate', async () => {
      const fronts: Record<string, string> = {};
      for (let left = 4; left > 0; left--) {
        const front = await side().innerText();
        await expect
          .poll(() => page().evaluate((stage) => stage === document.activeElement || stage.contains(document.activeElement)))
          .toBe(true);
        await app.page.keyboard.press('1');
        await app.page.keyboard.press('Space');
        await ratings().waitFor();
        fronts[front.trim()] = (await side().innerText()).trim();
        const meanings = async () => (await ratings().getByRole('button').allInnerTexts()).join(' ');
        await expect.poll(meanings).toMatch(/Again\s+1 minute.*Easy\s+16 days/su);
        await app.page.keyboard.press('3');
        if (left > 1)
          await page()
            .getByText(left === 2 ? '1 card left' : `${left - 1} cards left`, { exact: true })
            .waitFor();
      }
      await page().getByText('4 cards reviewed. That is all for now.').waitFor();
      expect(fronts).toEqual({
        'Listed?': expect.stringMatching(/^Listed\?\s+Below$/u),
        'Water boils at […] there.': 'Water boils at 100 °C there.',
        'First of two': expect.stringMatching(/^First of two\s+Second of two$/u),
        'Headed?': expect.stringMatching(/^Headed\?\s+Under it$/u),
      });
      await expect.poll(() => repsOf('boils')).toBe(1);
    });

    it('takes a card out whose block was deleted meanwhile, and rates nothing', async () => {
      const made = await cards();
      await page().getByRole('combobox', { name: 'Which cards' }).selectOption({ label: 'Notebook Research' });
      await side().waitFor();
      const front = (await side().innerText()).trim().split('\n')[0]!;
      // Two cards ask the same; which of them comes first is SiYuan's choice.
      const shown = made.filter(({ content }) => content.includes(front));
      expect(shown).not.toEqual([]);
      await page().getByRole('button', { name: 'Show the answer' }).click();
      for (const { id } of shown) await app.kernel('/api/block/deleteBlock', { id });
      await ratings().getByRole('button', { name: /^Good/u }).click();
      await page().getByText('One card was left out').waitFor();
    });
  });
});
