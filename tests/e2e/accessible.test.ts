// axe-core over the built plugin in twelve states, light and dark: names, roles, contrast, targets, scrolling by keyboard.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findings } from '../support/accessibility.ts';
import { type AppFactory, chromiumPath, createAppFactory, type TestApp } from '../support/app.ts';
import { gate } from '../support/chats.ts';
import { EditorDriver } from '../support/editor.ts';
import { openOnPhone } from '../support/hosts.ts';
import type { Script } from '../support/model-server.ts';
import { hashOf, NotesDriver, type TestNote } from '../support/notes.ts';
import { drive, type PanelDriver } from '../support/panel.ts';

const ANSWER = [
  '## What the notes say',
  '',
  'It works ((20260110180000-home000 "best")) with `growing` gaps, see [the study](https://example.com/study).',
  '',
  '| Scheduler | State per card | After a lapse | Fitted to my reviews |',
  '| --- | --- | --- | --- |',
  '| SM-2 (1987) | interval, ease | starts again at one day | no |',
  '',
  '```python',
  'def next_interval(stability: float, retention: float = 0.90, maximum: int = 36500) -> float: ...',
  '```',
  '',
  '> Four weeks later the difference is large.',
  '',
  '- [ ] try it',
].join('\n');
const FRUIT = ['Apples are red.', 'Pears are green.', 'Plums are blue.'].join('\n\n');

describe.skipIf(!chromiumPath).each(['light', 'dark'] as const)('axe-core finds nothing (%s)', (theme) => {
  let factory: AppFactory;
  let app: TestApp;
  let panel: PanelDriver;
  let notes: NotesDriver;
  let note: TestNote;
  const button = (name: string | RegExp) => panel.region.getByRole('button', { name, exact: true }).first();
  const sound = async (root = '.mg-panel'): Promise<void> => expect(await findings(app.page, root)).toEqual([]);

  beforeAll(async () => {
    factory = await createAppFactory();
    app = await factory.open({ theme });
    panel = drive(app.page);
    notes = new NotesDriver(app);
    await notes.setRights({ [await app.notebook('Research')]: 'write' });
    note = await notes.create('Research', 'Fruit', FRUIT);
    await notes.open(note);
    await panel.open();
  });
  afterAll(async () => {
    await app?.close();
    await factory?.close();
  });

  const edits = (words: readonly (readonly [string, string])[]): Script[] => [
    { text: 'I read it first.', reasoning: 'They want colours.', calls: [{ name: 'read_doc', args: { id: note.id } }] },
    (request) => ({
      calls: words.map(([old, fresh], index) => {
        const id = note.blocks[index] ?? '';
        return { name: 'edit_block', args: { id, expectHash: hashOf(request, id), edits: [{ old, new: fresh }] } };
      }),
    }),
    { text: 'Done with that.' },
  ];

  it('in an empty chat', async () => {
    await panel.region.locator('.mg-empty li').first().waitFor();
    await sound();
  });

  it('while an answer streams', async () => {
    const { held, open } = gate();
    app.model.push(
      { text: 'I look for it.', reasoning: 'They ask about learning.', calls: [{ name: 'search_notes', args: { query: 'repetition' } }] },
      { text: ANSWER, piece: ANSWER.length - 20, hold: held },
    );
    await panel.send('What do my notes say about spaced repetition?');
    await panel.answer.getByRole('columnheader', { name: 'Scheduler' }).waitFor();
    await sound();
    open();
    await panel.settled();
    await sound();
  });

  it('while a change waits for approval', async () => {
    app.model.push(
      ...edits([
        ['red', '**yellow**'],
        ['green', 'gold'],
      ]),
    );
    await panel.send('Better colours');
    await panel.approval.getByRole('button', { name: 'Approve all' }).waitFor();
    await sound();
    await panel.approveAll();
    await panel.settled();
    await panel.region.locator('.mg-work__line').last().click();
    await panel.tool('edit_block').last().getByRole('button').first().click();
    await sound();
  });

  it('where the user has since changed what is to be undone', async () => {
    await notes.writeElsewhere(note.blocks[0] ?? '', 'Apples are mine.');
    await panel.region.getByRole('button', { name: 'Undo', exact: true }).last().click();
    await panel.region.getByText('Undone in part', { exact: true }).waitFor();
    await sound();
  });

  it('after an error', async () => {
    app.model.push({ status: 401, body: '{"error":{"message":"Incorrect API key provided","code":"invalid_api_key"}}' });
    await panel.send('And the figs?');
    await panel.settled('error');
    await sound();
    await panel.answer.getByRole('button', { name: 'More actions for this message' }).click();
    await panel.region.getByRole('menu').waitFor();
    await sound('.mg-menu');
    await app.page.keyboard.press('Escape');
  });

  it.each(['Chats', 'Settings', 'Tools'])('on the page %s', async (name) => {
    await button(name).click();
    const page = panel.region.getByRole('group', { name });
    await page.waitFor();
    if (name === 'Chats') await page.getByText('Today').waitFor();
    await sound();
    const folds = page.locator('summary, [aria-expanded="false"]:not([role="combobox"], .mg-more *, .mg-add)');
    await folds.evaluateAll((all) => {
      for (const fold of all) if (fold instanceof HTMLElement) fold.click();
    });
    await sound();
    if (name === 'Chats') {
      await page.locator('.mg-more button').first().click();
      await sound('.mg-menu');
      await app.page.keyboard.press('Escape');
    }
    await button('Back').click();
  });

  it('with notes that a search found, and with those related to the open one', async () => {
    await notes.create('Research', 'Orchard', 'Apples, pears and plums ripen in the orchard.');
    app.model.push({ calls: [{ name: 'search_notes', args: { query: 'apples and pears' } }] }, { text: 'In the orchard.' });
    await panel.newChat();
    await panel.send('Where do apples and pears ripen?');
    await panel.settled();
    await panel.region.locator('.mg-work__line').last().click();
    await panel.tool('search_notes').last().getByRole('button').first().click();
    await panel.region.locator('.mg-found__note').first().waitFor();
    await sound();
    // Folded again: the list of what can be picked would cut a passage.
    await panel.tool('search_notes').last().getByRole('button').first().click();
    await notes.open(note);
    await panel.message.pressSequentially('@');
    const related = app.page.getByRole('option').filter({ hasText: 'All related notes' });
    await related.waitFor();
    await sound();
    await related.click();
    await panel.region.getByRole('group', { name: 'Related notes' }).locator('.mg-found__note').first().waitFor();
    // axe looks through the page at the chat below, where a question ends behind a passage.
    const below = panel.region.locator('.mg-list');
    await below.evaluate((list: HTMLElement) => list.style.setProperty('visibility', 'hidden'));
    await sound();
    await below.evaluate((list: HTMLElement) => list.style.removeProperty('visibility'));
    await button('Back').click();
    await panel.message.fill('');
  });

  it('with several changes and one question of rights, and while the text of one is edited', async () => {
    const research = await app.notebook('Research');
    await notes.setRights({ [research]: 'read' });
    note = await notes.create('Research', 'Berries', FRUIT);
    app.model.push(
      ...edits([
        ['red', 'yellow'],
        ['green', 'gold'],
      ]),
    );
    await panel.send('Better colours again');
    await panel.approval.getByRole('button', { name: 'Approve all' }).waitFor();
    await panel.approval.getByText('The model may only read').waitFor();
    await sound();
    await panel.approval.getByRole('button', { name: 'Edit', exact: true }).first().click();
    await panel.approval.getByRole('textbox', { name: 'Text to be written' }).waitFor();
    await sound();
    await panel.approval.getByRole('button', { name: 'Cancel' }).click();
    await panel.approval.getByRole('button', { name: 'Reject…' }).click();
    await panel.approval.getByRole('button', { name: 'Reject all' }).click();
    await panel.settled();
    await notes.setRights({ [research]: 'write' });
    // What a phone shows in the end.
    app.model.push({ status: 401, body: '{"error":{"message":"Incorrect API key provided","code":"invalid_api_key"}}' });
    await panel.send('And the figs?');
    await panel.settled('error');
  });

  it('at a suggestion in the editor', async () => {
    const editor = new EditorDriver(app);
    app.model.push({ text: 'Plums are violet.' });
    await editor.command('Plums are', 'rewrite', 'Rewrite this block');
    await editor.proposal('rewrite');
    await sound('.mg-cards');
    await editor.button('rewrite', 'Reject').click();
  });

  it('on a phone', async () => {
    await app.page.setViewportSize({ width: 390, height: 844 });
    await app.page.goto(app.address({ mobile: true }));
    await openOnPhone(app.page);
    await panel.message.waitFor();
    await panel.region.getByText('And the figs?').waitFor();
    await sound();
  });
});
