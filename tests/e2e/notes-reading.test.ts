// What the model may see, and how a person looks at it: rights changed in the middle of a chat, filtered search, the cited
// block at a glance and by a click, a question to the user; on the built plugin.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { chromiumPath, startApp, type TestApp } from '../support/app.ts';
import { watchAppearance } from '../support/appearance.ts';
import { frontTab } from '../support/hosts.ts';
import { NotesDriver } from '../support/notes.ts';
import { drive, type PanelDriver } from '../support/panel.ts';
import { lastToolText } from '../support/scripts.ts';

describe.skipIf(!chromiumPath)('notes in the panel', () => {
  let app: TestApp;
  let panel: PanelDriver;
  let notes: NotesDriver;
  const told = () => lastToolText(app.model.requests.at(-1)!);
  const shown = (name: string) => panel.tool(name).last();

  beforeAll(async () => {
    app = await startApp();
    panel = drive(app.page);
    notes = new NotesDriver(app);
    await panel.open();
  });
  beforeEach(async () => {
    app.model.clear();
    await panel.newChat();
  });
  afterAll(() => app?.close());

  it('searches by notebook, tag and day, and shows in the card what was asked and found', async () => {
    // Taken before the notes are made: midnight may pass meanwhile.
    const now = Date.now();
    const day = (shift: number) => new Date(now + shift * 86_400_000).toLocaleDateString('sv-SE');
    const found = await notes.create('Research', 'Comets', 'A comet over the lake. #sky#');
    await notes.create('Research', 'Comets without a tag', 'A comet over the town.');
    await notes.create('Life', 'Comets of my life', 'A comet over my life. #sky#');
    const args = { query: 'comet', notebooks: ['Research'], tags: ['sky'], updatedFrom: day(0) };
    app.model.push(
      { calls: [{ name: 'search_notes', args }] },
      { calls: [{ name: 'search_notes', args: { ...args, updatedFrom: day(2), updatedTo: day(3) } }] },
      { text: 'One comet.' },
    );
    await panel.send('Which comets of today did I tag with sky in Research?');
    await panel.settled();
    const texts = app.model.requests.at(-1)!.messages.flatMap((each) => (each.role === 'tool' ? [each.content ?? ''] : []));
    expect(texts[0]).toContain(found.blocks[0]);
    expect(texts[0]).not.toMatch(/town|my life/);
    expect(texts[1]).toContain('0 notes');
    await panel.answer.locator('.mg-work__line').click();
    await panel.tool('search_notes').first().getByRole('button').first().click();
    await panel.tool('search_notes').first().getByText('Details', { exact: true }).click();
    const card = () => panel.tool('search_notes').first().innerText();
    for (const part of ['Research', 'sky', day(0), 'A comet over the lake.']) await expect.poll(card).toContain(part);
    expect(await card()).not.toContain('over the town');
  });

  it('shows a cited block at a glance; a click opens its note and flashes it', async () => {
    const cited = await notes.create('Research', 'Lighthouses', 'A first paragraph.\n\nThe lamp of **Pharos** was seen from far.');
    const other = await notes.create('Research', 'Harbours', 'Another note.');
    await notes.open(other);
    await panel.open();
    const id = cited.blocks[1] ?? '';
    app.model.push({ calls: [{ name: 'read_doc', args: { id: cited.id } }] }, { text: `It was bright ((${id} "the lamp")).` });
    await panel.send('How bright was it?');
    await panel.settled();
    const link = panel.answer.locator(`a[data-block-id="${id}"]`);
    await link.hover();
    const preview = app.page.getByRole('tooltip').filter({ hasText: 'Pharos' });
    await preview.waitFor();
    await expect.poll(() => preview.innerText()).toContain('The lamp of Pharos was seen from far.');
    const flashed = await watchAppearance(app.page, `.protyle-wysiwyg--hl[data-node-id="${id}"]`);
    await link.click();
    await flashed();
    await frontTab(app.page, 'Lighthouses').waitFor();
    await app.page.locator(`.protyle-wysiwyg:visible [data-node-id="${id}"]`).waitFor();
    await preview.waitFor({ state: 'detached' });
  });

  it('asks the user, and goes on with what was chosen or written', async () => {
    app.model.push(
      { calls: [{ name: 'ask_user', args: { question: 'Which of the two?', options: ['The first', 'The second'] } }] },
      { calls: [{ name: 'ask_user', args: { question: 'And how long?' } }] },
      { text: 'Then I know.' },
    );
    await panel.send('Pick one');
    const question = panel.region.getByRole('group', { name: 'Question' });
    await question.getByText('Which of the two?').waitFor();
    await question.getByRole('button', { name: 'The second' }).click();
    await question.getByText('And how long?').waitFor();
    expect(told()).toContain('The second');
    await question.getByRole('textbox', { name: 'Your answer' }).fill('two pages');
    await question.getByRole('button', { name: 'Answer' }).click();
    await panel.settled();
    expect(told()).toContain('two pages');
    await question.waitFor({ state: 'detached' });
  });

  it('hides a notebook from the next search on, with what was found in it, and says so', async () => {
    await notes.create('Research', 'Glaciers', 'The glacier of Rosenlaui is blue.');
    app.model.push({ calls: [{ name: 'search_notes', args: { query: 'Rosenlaui' } }] }, { text: 'A blue one.' });
    await panel.send('What do I know of Rosenlaui?');
    await panel.settled();
    const name = /search_notes_[\w-]+_result/.exec(JSON.stringify(app.model.requests))?.[0];
    expect(told()).toContain('is blue');
    const status = panel.region.getByTitle(/notebooks: read/);
    await status.click();
    const menu = panel.region.getByRole('dialog', { name: 'What the model may read and write' });
    await menu.getByLabel('Research').selectOption('none');
    await panel.region.getByTitle('2 notebooks: read · 1: no access').waitFor();
    await app.page.keyboard.press('Escape');
    app.model.push(
      {
        calls: [
          { name: 'search_notes', args: { query: 'Rosenlaui' } },
          { name: 'search_notes', args: { query: 'Rosenlaui', notebooks: ['Research'] } },
        ],
      },
      { calls: [{ name: 'list_notebooks', args: {} }] },
      // The name is in no request any more: a model may remember it all the same.
      { calls: [{ name: 'ReadVar', args: { name } }] },
      { text: 'I may not see it any more.' },
    );
    await panel.send('And now?');
    await panel.settled();
    const texts = app.model.requests.at(-1)!.messages.flatMap((each) => (each.role === 'tool' ? [each.content ?? ''] : []));
    expect(texts[0]).toContain('0 notes');
    expect(texts[1]).toMatch(/^not_found: .*Research.*→/);
    expect(texts[2]).not.toContain('Research');
    expect(texts[3]).not.toContain('is blue');
    await expect.poll(() => shown('ReadVar').getAttribute('data-status')).toBe('error');
    await panel.answer.locator('.mg-work__line').click();
    await expect.poll(() => shown('search_notes').innerText()).toContain('Research');
  });

  it('reached nothing but host and model', () => expect(app.foreignRequests).toEqual([]));
});
