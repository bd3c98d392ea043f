// What is open in the editor goes with a question: the note by its name, what is selected by its words; on the built plugin.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { realKernelUrl } from '../host/real-kernel.ts';
import { chromiumPath, startApp, type TestApp } from '../support/app.ts';
import { EditorDriver } from '../support/editor.ts';
import { NotesDriver } from '../support/notes.ts';
import { drive, type PanelDriver } from '../support/panel.ts';

describe.skipIf(!chromiumPath)('from the editor', () => {
  let app: TestApp;
  let panel: PanelDriver;
  let notes: NotesDriver;
  const composer = () => panel.region.locator('.mg-composer');
  const chips = () => composer().getByRole('list', { name: 'Attached notes and files' }).getByRole('listitem');
  const mentioned = (title: string) => composer().getByRole('button', { name: `Don’t mention ${title}` });
  const tab = (title: string) =>
    realKernelUrl === undefined
      ? app.page.getByRole('tab', { name: title })
      : app.page.locator('.layout-tab-bar .item:visible', { hasText: title }).first();
  const question = (): string => String(app.model.requests.at(-1)?.messages.findLast(({ role }) => role === 'user')?.content);

  beforeAll(async () => {
    app = await startApp();
    panel = drive(app.page);
    notes = new NotesDriver(app);
  });
  beforeEach(() => app.model.clear());
  afterAll(() => app?.close());

  const ask = async (text: string): Promise<string> => {
    app.model.push({ text: 'Done.' });
    await panel.send(text);
    await panel.settled();
    return question();
  };

  it('names the open note; a note that may not be read, never', async () => {
    const note = await notes.create('Research', 'Corals', 'A reef grows slowly.');
    await notes.open(note);
    await panel.open();
    await mentioned('Corals').waitFor();
    // An empty chat asks about what is open, and another note changes that.
    await panel.region.locator('.mg-empty li').filter({ hasText: 'Corals' }).waitFor();
    const other = await notes.create('Life', 'Garden ponds', 'Ponds freeze.');
    await notes.open(other);
    await panel.open();
    await panel.message.focus();
    await panel.region.locator('.mg-empty li').filter({ hasText: 'Garden ponds' }).waitFor();
    await notes.open(note);
    await panel.open();
    await mentioned('Corals').waitFor();
    const sent = await ask('Summarise the open note');
    expect(sent).toContain(`<attached-note kind="open" id="${note.id}" title="Corals">`);
    expect(sent).toContain('Research/Corals');
    expect(sent).not.toContain('A reef grows slowly.');
    await panel.region.locator('article[data-role="user"]').getByText('Corals').waitFor();
    await panel.region.getByRole('button', { name: 'More', exact: true }).first().click();
    await panel.region.getByRole('menuitem', { name: 'Save as a note' }).click();
    const place = panel.region.getByRole('group', { name: 'Save as a note' }).getByLabel('Notebook');
    await expect.poll(() => place.evaluate((field: HTMLSelectElement) => field.selectedOptions[0]?.textContent)).toBe('Research');
    await panel.region.getByRole('button', { name: 'Back', exact: true }).click();
    await app.kernel('/api/attr/setBlockAttrs', { id: note.id, attrs: { 'custom-ai-access': 'none' } });
    // The chip may still stand there: what counts is the moment of sending.
    expect(await ask('And now?')).toBe('And now?');
    expect(JSON.stringify(app.model.requests.at(-1)?.messages)).not.toContain('Corals');
    await panel.message.blur();
    await panel.message.focus();
    await mentioned('Corals').waitFor({ state: 'detached' });
  });

  it('brings what is selected: with the mouse, by keys, and whole blocks', async () => {
    const editor = new EditorDriver(app);
    await editor.create('Kelp', 'Kelp grows half a metre a day.\n\nSea otters keep the urchins down.\n\nUrchins eat kelp.');
    await panel.open();
    await editor.select('Kelp grows', 'half a metre');
    await chips().getByText('half a metre').waitFor();
    await panel.message.click();
    expect(await ask('Is that much?')).toMatch(/kind="selection"[^>]*>\nhalf a metre\n<[\s\S]*Is that much\?$/);
    // Once: the next question does not repeat it.
    expect(await ask('Sure?')).not.toContain('half a metre');
    await editor.text('Sea otters').click();
    await app.page.keyboard.press('Home');
    for (let letters = 'Sea otters'.length; letters > 0; letters--) await app.page.keyboard.press('Shift+ArrowRight');
    await chips().getByText('Sea otters').waitFor();
    await panel.message.click();
    expect(await ask('Who?')).toMatch(/kind="selection"[^>]*>\nSea otters\n</);
    // The development host selects no blocks.
    if (realKernelUrl === undefined) return;
    await editor.text('Urchins eat').click();
    await app.page.keyboard.press('Escape');
    await panel.message.click();
    await chips().getByText('Urchins eat kelp.').waitFor();
    expect(await ask('What?')).toMatch(/kind="selection"[^>]*>\nUrchins eat kelp\.\n</);
  });

  it('brings a formula that is selected as it is written', async () => {
    const editor = new EditorDriver(app);
    await editor.create('Decay', 'Here $S$ is the stability in days, and $t < S$.\n\n$$\n\\frac{t}{S}\n$$');
    await app.page.locator('.protyle-wysiwyg:visible .katex').first().waitFor();
    await panel.open();
    await editor.select('Here', 'Here', 'in days, and');
    await chips().getByText('Here $S$ is the stability in days, and').waitFor();
    await panel.message.click();
    expect(await ask('What is S?')).toMatch(/kind="selection"[^>]*>\nHere \$S\$ is the stability in days, and\n</);
  });

  it('follows the tab that is in front, and gives the focus back to the editor when its key hides the panel', async () => {
    const [one, two] = [
      await notes.create('Research', 'Eelgrass', 'Eelgrass hides fry.'),
      await notes.create('Research', 'Mussels', 'Mussels filter.'),
    ];
    await notes.open(one);
    await notes.open(two, 'beside');
    await panel.open();
    await mentioned('Mussels').waitFor();
    // The selection stays behind, in the note that is left.
    await new EditorDriver(app).select('Mussels filter', 'filter');
    await tab('Eelgrass').click();
    await mentioned('Eelgrass').waitFor();
    const text = app.page.locator('.protyle-wysiwyg:visible').getByText('Eelgrass hides fry.');
    await text.click();
    await app.page.keyboard.press('End');
    await panel.message.click();
    await app.page.keyboard.press('ControlOrMeta+Alt+j');
    await panel.message.waitFor({ state: 'hidden' });
    await expect.poll(() => app.page.evaluate(() => document.activeElement?.closest('.protyle-wysiwyg') !== null)).toBe(true);
    await app.page.keyboard.type(' Soles, too.');
    await app.page.locator('.protyle-wysiwyg:visible').getByText('Eelgrass hides fry. Soles, too.').waitFor();
  });
});
