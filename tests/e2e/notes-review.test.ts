// What is written to notes is looked through before it happens and can be undone: parts of a plan, batches, deletion,
// undo, conflicts and composed text, on the built plugin.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { chromiumPath, notebookFiles, startApp, type TestApp } from '../support/app.ts';
import type { ModelRequest, Script } from '../support/model-server.ts';
import { hashOf, NotesDriver, type TestNote } from '../support/notes.ts';
import { drive, type PanelDriver } from '../support/panel.ts';
import { lastToolText } from '../support/scripts.ts';

const MARKDOWN = ['Apples are red.', 'Pears are green.', 'Plums are blue.', 'Figs are brown.'].join('\n\n');

describe.skipIf(!chromiumPath)('changes of notes in review', () => {
  let app: TestApp;
  let panel: PanelDriver;
  let notes: NotesDriver;
  let note: TestNote;
  let before = '';
  let count = 0;
  const editor = () => app.page.locator('.protyle-wysiwyg:visible');
  const items = () => panel.approval.getByRole('listitem');
  const conflict = (id: string) => panel.region.locator(`[data-conflict="${id}"]`);
  const toolTexts = () => app.model.requests.at(-1)!.messages.flatMap((each) => (each.role === 'tool' ? [each.content ?? ''] : []));
  const block = (index: number): string => note.blocks[index] ?? '';

  beforeAll(async () => {
    app = await startApp();
    panel = drive(app.page);
    notes = new NotesDriver(app);
    await notes.setRights({ [await app.notebook('Research')]: 'write' });
    await app.reload();
  });
  beforeEach(async () => {
    app.model.clear();
    note = await notes.create('Research', `Fruit ${++count}`, MARKDOWN);
    await notes.open(note, 'here');
    await panel.open();
    await panel.newChat();
    before = await notes.dom(note);
  });
  afterAll(() => app?.close());

  const append = (markdown: string) => ({ name: 'insert_blocks', args: { anchor: note.id, position: 'append', markdown } });
  /** Reads the note, then changes one word in each of some blocks, in one round. */
  const edits = (words: Readonly<Record<number, readonly [string, string]>>): Script[] => [
    { calls: [{ name: 'read_doc', args: { id: note.id } }] },
    (request: ModelRequest) => ({
      calls: Object.entries(words).map(([index, [old, fresh]]) => {
        const id = block(Number(index));
        return { name: 'edit_block', args: { id, expectHash: hashOf(request, id), edits: [{ old, new: fresh }] } };
      }),
    }),
    { text: 'Done with that.' },
  ];
  async function undo(): Promise<void> {
    await panel.region.getByRole('button', { name: 'Undo', exact: true }).last().click();
  }

  it('appends an answer to the open note, marked with where it came from, and undoes it', async () => {
    app.model.push({ text: 'Grapes are **sweet**.\n\n- and round' });
    await panel.send('What of grapes?');
    await panel.settled();
    await panel.region.getByRole('button', { name: 'Append to the open note' }).click();
    const said = panel.region.getByRole('status').filter({ hasText: `Added at the end of “Fruit ${count}”` });
    await said.waitFor();
    expect(await notes.texts(note)).toEqual([...MARKDOWN.split('\n\n'), 'Grapes are **sweet**.', '- and round']);
    expect(await panel.approval.count()).toBe(0);
    const added = await editor().locator('[data-node-id]', { hasText: 'Grapes are' }).getAttribute('data-node-id');
    const attributes = await app.kernel<Record<string, string>>('/api/attr/getBlockAttrs', { id: added });
    const answer = await panel.answer.locator('xpath=..').getAttribute('data-node');
    expect(attributes['custom-marginalia-source']).toMatch(new RegExp(`^[^/]+/${answer}/[^/]+$`));
    await said.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => notes.dom(note)).toBe(before);
    await panel.region.getByText('Undone', { exact: true }).waitFor();
  });

  it('writes the accepted part of a plan, and tells the model what was left out', async () => {
    app.model.push({ calls: [append('First of three.\n\nSecond of three.\n\nThird of three.')] }, { text: 'Two of them then.' });
    await panel.send('Add three lines');
    const second = panel.approval.locator('[data-operation]', { hasText: 'Second of three.' });
    await second.getByRole('checkbox').uncheck();
    await panel.approve();
    await panel.settled();
    expect((await notes.texts(note)).slice(4)).toEqual(['First of three.', 'Third of three.']);
    expect(lastToolText(app.model.requests.at(-1)!)).toMatch(/left out 1 of 3 changes: 2 \(insert p\)/);
    await undo();
    await panel.region.getByText('Undone', { exact: true }).waitFor();
    expect(await notes.dom(note)).toBe(before);
  });

  it('shows the writes of a round as one card, and approves all of them at once', async () => {
    app.model.push({ calls: [append('One.'), append('Two.'), append('Three.')] }, { text: 'All three.' });
    await panel.send('Add three lines, one by one');
    await panel.approval.getByText('3 changes pending').waitFor();
    await expect.poll(() => items().count()).toBe(3);
    expect(await notes.dom(note)).toBe(before);
    await panel.approveAll();
    await panel.settled();
    expect((await notes.texts(note)).slice(4)).toEqual(['One.', 'Two.', 'Three.']);
    await undo();
    await panel.region.getByText('Undone', { exact: true }).waitFor();
    expect(await notes.dom(note)).toBe(before);
  });

  it('says how far Undo is, and what SiYuan is waited for', async () => {
    app.model.push({ calls: [append('One.'), append('Two.'), append('Three.')] }, { text: 'All three.' });
    await panel.send('Add three lines, one by one');
    await panel.approval.getByText('3 changes pending').waitFor();
    await panel.approveAll();
    await panel.settled();
    const held: (() => void)[] = [];
    const route = '**/api/transactions';
    await app.page.route(route, async (request) => {
      await new Promise<void>((resolve) => held.push(resolve));
      await request.continue();
    });
    await undo();
    for (const n of [1, 2, 3]) {
      await panel.region.getByRole('button', { name: `Undoing ${n} of 3…` }).waitFor();
      const waiting = panel.region.getByRole('status').filter({ hasText: 'Waiting for SiYuan to save the change…' });
      if (n === 1) await waiting.waitFor();
      await expect.poll(() => held.length).toBe(1);
      held.shift()?.();
      if (n === 1) await waiting.waitFor({ state: 'detached' });
    }
    await panel.region.getByText('Undone', { exact: true }).waitFor();
    await app.page.unroute(route);
    expect(await notes.dom(note)).toBe(before);
  });

  it('leaves one of three out that is rejected, with its reason told', async () => {
    app.model.push({ calls: [append('One.'), append('Two.'), append('Three.')] }, { text: 'Two of three.' });
    await panel.send('Add three lines, one by one');
    await panel.approval.getByText('3 changes pending').waitFor();
    // They come as they are planned; one is open.
    await expect.poll(() => items().count()).toBe(3);
    const two = panel.approval.locator('[data-diff]').getByText('Two.');
    const all = items().getByRole('button', { name: 'Changes', exact: true });
    for (let index = 0; (await two.count()) === 0; index++) await all.nth(index).click();
    await panel.approval.getByRole('button', { name: 'Reject…' }).click();
    await panel.approval.getByRole('textbox', { name: 'Reason for rejecting' }).fill('not this one');
    await panel.approval.getByRole('button', { name: 'Reject', exact: true }).click();
    await panel.approval.getByText('2 changes pending').waitFor();
    await panel.approveAll();
    await panel.settled();
    expect((await notes.texts(note)).slice(4)).toEqual(['One.', 'Three.']);
    expect(toolTexts().map((text) => text.includes('not this one'))).toEqual([false, true, false]);
  });

  it('writes what the person made of the proposal, tells the model so, and undoes just that', async () => {
    app.model.push({ calls: [append('Kiwis are brown.')] }, { text: 'You changed it.' });
    await panel.send('Add a line');
    await panel.approval.getByRole('button', { name: 'Edit', exact: true }).click();
    const field = panel.approval.getByRole('textbox', { name: 'Text to be written' });
    await expect.poll(() => field.inputValue()).toBe('Kiwis are brown.');
    await field.fill('Kiwis are green inside.');
    await panel.approval.getByRole('button', { name: 'Show the change' }).click();
    await panel.approval.getByText('Kiwis are green inside.').first().waitFor();
    await panel.message.press('Alt+Enter');
    await panel.settled();
    expect((await notes.texts(note)).slice(4)).toEqual(['Kiwis are green inside.']);
    expect(toolTexts().at(-1)).toContain('the user edited your text before approving it');
    await undo();
    await panel.region.getByText('Undone', { exact: true }).waitFor();
    expect(await notes.dom(note)).toBe(before);
  });

  it('has a tick for each of several edits of a block: one is left out, the rest is drawn, written and undone', async () => {
    const id = block(0);
    const edit = (old: string, fresh: string) => ({ old, new: fresh });
    app.model.push(
      { calls: [{ name: 'read_doc', args: { id: note.id } }] },
      (request: ModelRequest) => ({
        calls: [
          {
            name: 'edit_block',
            args: { id, expectHash: hashOf(request, id), edits: [edit('Apples', 'Apricots'), edit('are', 'were'), edit('red', 'orange')] },
          },
        ],
      }),
      { text: 'Two of three.' },
    );
    await panel.send('Change three words');
    const parts = panel.approval.getByRole('group', { name: 'Edits of this block' });
    const tick = (n: number) => parts.getByRole('checkbox').nth(n);
    const drawn = panel.approval.locator('[data-operation]');
    await drawn.filter({ hasText: 'orange' }).waitFor();
    await tick(0).uncheck();
    await drawn.filter({ hasNotText: 'Apricots' }).waitFor();
    await tick(1).uncheck();
    await drawn.filter({ hasNotText: 'were' }).waitFor();
    await tick(2).uncheck();
    await panel.approval.getByText('Everything is left out', { exact: false }).waitFor();
    await expect.poll(() => panel.approval.getByRole('button', { name: 'Approve', exact: true }).isDisabled()).toBe(true);
    await tick(0).check();
    await drawn.filter({ hasText: 'Apricots' }).filter({ hasNotText: 'orange' }).waitFor();
    await tick(2).check();
    await drawn.filter({ hasText: 'orange' }).waitFor();
    await panel.approve();
    await panel.settled();
    expect((await notes.texts(note))[0]).toBe('Apricots are orange.');
    expect(toolTexts().at(-1)).toContain('the user left out 1 of your 3 edits, which were not written: {"old":"are","new":"were"}');
    await undo();
    await panel.region.getByText('Undone', { exact: true }).waitFor();
    expect(await notes.dom(note)).toBe(before);
  });

  it('says of an Undo in part which block a later change deleted, and what to do', async () => {
    app.model.push({ calls: [append('Limes.\n\nLemons.')] }, { text: 'Added.' });
    await panel.send('Add two lines');
    await panel.approve();
    await panel.settled();
    const [, , , , , lemons = ''] = await notes.blocks(note);
    app.model.push({ calls: [{ name: 'delete_blocks', args: { ids: [lemons] } }] }, { text: 'Deleted.' });
    await panel.send('Delete the last');
    await panel.approval.getByRole('button', { name: 'Approve', exact: true }).click();
    await panel.settled();
    const undos = panel.region.getByRole('button', { name: 'Undo', exact: true });
    await undos.first().click();
    const left = conflict(lemons);
    await left.getByText('Lemons.').waitFor();
    await left.getByText('A later change in this chat deleted it.', { exact: false }).waitFor();
    await panel.region.getByText('1 block was not brought back.', { exact: false }).waitFor();
    await undos.last().click();
    await expect.poll(() => notes.texts(note)).toEqual([...MARKDOWN.split('\n\n'), 'Lemons.']);
    await left.getByRole('button', { name: 'Undo anyway' }).click();
    await left.waitFor({ state: 'detached' });
    expect(await notes.dom(note)).toBe(before);
  });

  it('marks what it changed in the margin, and leads from one change to the next', async () => {
    app.model.push({ calls: [append('Dates.\n\nMelons.\n\nQuinces.')] }, { text: 'Three.' });
    await panel.send('Add three');
    await panel.approve();
    await panel.settled();
    const marks = app.page.locator('.marginalia-changed:visible');
    await expect.poll(() => marks.count()).toBe(3);
    const block = editor().locator('[data-node-id]', { hasText: 'Melons.' });
    const boxes = async () => {
      const [line, box] = [await marks.nth(1).boundingBox(), await block.boundingBox()];
      return line && box && line.x < box.x && Math.abs(line.y - box.y) < 2;
    };
    await expect.poll(boxes).toBe(true);
    await panel.region.locator('.mg-work__line').last().click();
    const card = panel.tool('insert_blocks');
    await card.getByText('1 of 3').waitFor();
    await card.getByRole('button', { name: 'Next change' }).click();
    await card.getByText('2 of 3').waitFor();
    await card.getByRole('button', { name: 'Previous change' }).click();
    await card.getByText('1 of 3').waitFor();
    await card.getByRole('button', { name: 'Previous change' }).click();
    await card.getByText('3 of 3').waitFor();
    expect((await notes.dom(note)).includes('marginalia-changed')).toBe(false);
    await undo();
    await panel.region.getByText('Undone', { exact: true }).waitFor();
    expect(await notes.dom(note)).toBe(before);
  });

  it('names no id where a call fails', async () => {
    const id = '20200101000000-nothere';
    app.model.push({ calls: [{ name: 'read_block', args: { id } }] }, { text: 'There is none.' });
    await panel.send('Read a block that is not there');
    await panel.settled();
    await panel.region.locator('.mg-work__line').last().click();
    await panel.tool('read_block').waitFor();
    await expect.poll(() => panel.tool('read_block').innerText()).toMatch(/block/i);
    expect(await panel.region.innerText()).not.toContain(id);
    expect(toolTexts().at(-1)).toContain(id);
  });

  it('deletes beyond the right of the notebook this one time, and brings all back exactly', async () => {
    await app.kernel('/api/attr/setBlockAttrs', { id: block(1), attrs: { 'custom-keep': 'yes', memo: 'mine', name: 'pears' } });
    before = await notes.dom(note);
    app.model.push({ calls: [{ name: 'delete_blocks', args: { ids: [block(1), block(2)] } }] }, { text: 'They are gone.' });
    await panel.send('Delete the middle lines');
    await panel.approval.getByText('The model may not delete anything in Research.').waitFor();
    await expect
      .poll(() => panel.approval.getByRole('radio', { name: 'This time only, for the changes shown here' }).isChecked())
      .toBe(true);
    expect(await panel.approval.getByRole('button', { name: 'Allow for this chat' }).count()).toBe(0);
    await panel.approval.getByRole('button', { name: 'Approve', exact: true }).click();
    await panel.settled();
    expect(await notes.texts(note)).toEqual(['Apples are red.', 'Figs are brown.']);
    await panel.region.getByTitle(/\d notebooks?: read · 1: read and edit$/).waitFor();
    await editor().getByText('Pears').waitFor({ state: 'detached' });
    await undo();
    await panel.region.getByText('Undone', { exact: true }).waitFor();
    expect(await notes.dom(note)).toBe(before);
    await editor().getByText('Pears are green.').waitFor();
  });

  it('undoes a change after a reload', async () => {
    app.model.push(...edits({ 0: ['red', 'yellow'], 3: ['brown', 'black'] }));
    await panel.send('Better colours');
    await panel.approveAll();
    await panel.settled();
    expect(await notes.texts(note)).toEqual(['Apples are yellow.', 'Pears are green.', 'Plums are blue.', 'Figs are black.']);
    await app.reload();
    await panel.open();
    await undo();
    await panel.region.getByText('Undone', { exact: true }).waitFor();
    expect(await notes.dom(note)).toBe(before);
  });

  it('leaves what the user changed since, and asks for each: keep mine, or undo', async () => {
    app.model.push(...edits({ 0: ['red', 'yellow'], 1: ['green', 'gold'], 2: ['blue', 'violet'] }));
    await panel.send('Better colours');
    await panel.approveAll();
    await panel.settled();
    await notes.writeElsewhere(block(0), 'Apples are mine.');
    await notes.writeElsewhere(block(2), 'Plums are mine.');
    await undo();
    await panel.region.getByText('Undone in part', { exact: true }).waitFor();
    expect(await notes.texts(note)).toEqual(['Apples are mine.', 'Pears are green.', 'Plums are mine.', 'Figs are brown.']);
    await conflict(block(0)).getByRole('button', { name: 'Keep mine' }).click();
    await conflict(block(0)).waitFor({ state: 'detached' });
    await conflict(block(2)).getByRole('button', { name: 'Undo anyway' }).click();
    await conflict(block(2)).waitFor({ state: 'detached' });
    await expect.poll(() => notes.texts(note)).toEqual(['Apples are mine.', 'Pears are green.', 'Plums are blue.', 'Figs are brown.']);
  });

  it('still asks after a reload and in another window, and writes over nothing that it has not shown', async () => {
    app.model.push(...edits({ 0: ['red', 'yellow'], 1: ['green', 'gold'] }));
    await panel.send('Better colours');
    await panel.approveAll();
    await panel.settled();
    await notes.writeElsewhere(block(0), 'Apples are mine.');
    await undo();
    await panel.region.getByText('Undone in part', { exact: true }).waitFor();
    const another = await app.openWindow();
    const there = drive(another);
    await there.open();
    await there.region.getByText('Undone in part', { exact: true }).waitFor();
    await there.region
      .locator(`[data-conflict="${block(0)}"]`)
      .getByRole('button', { name: 'Keep mine' })
      .waitFor();
    await another.close();
    await app.reload();
    await panel.open();
    await panel.region.getByText('Undone in part', { exact: true }).waitFor();
    await expect.poll(() => conflict(block(0)).locator('del').allInnerTexts()).toEqual(['mine']);
    await notes.writeElsewhere(block(0), 'Apples are ours.');
    await conflict(block(0)).getByRole('button', { name: 'Undo anyway' }).click();
    await conflict(block(0)).locator('del', { hasText: 'ours' }).waitFor();
    expect((await notes.texts(note))[0]).toBe('Apples are ours.');
    await conflict(block(0)).getByRole('button', { name: 'Undo anyway' }).click();
    await panel.region.getByText('Undone', { exact: true }).waitFor();
    expect(await notes.texts(note)).toEqual(['Apples are red.', 'Pears are green.', 'Plums are blue.', 'Figs are brown.']);
  });

  it('loses no letter that is being composed in the touched block while the approval is open', async () => {
    const cdp = await app.page.context().newCDPSession(app.page);
    const compose = (text: string) => cdp.send('Input.imeSetComposition', { text, selectionStart: text.length, selectionEnd: text.length });
    app.model.push(...edits({ 0: ['red', 'yellow'] }));
    await panel.send('A better colour');
    await panel.approval.waitFor();
    await editor().getByText('Apples are red.').click();
    await app.page.keyboard.press('End');
    await compose('n');
    await compose('ni');
    // Approved with the caret where it is: by a second hand, so to say. Nothing may be written under the composition.
    await panel.approval.getByRole('button', { name: 'Approve', exact: true }).evaluate((button) => (button as HTMLElement).click());
    await app.page
      .locator('.b3-dialog--open')
      .getByText(/typing/i)
      .first()
      .waitFor();
    expect(await notes.texts(note)).not.toContain('Apples are yellow.');
    await app.page
      .locator('.b3-dialog--open')
      .getByRole('button', { name: /cancel/i })
      .click();
    await panel.settled();
    expect(await panel.tool('edit_block').last().getAttribute('data-status')).not.toBe('success');
    await expect.poll(async () => (await notes.texts(note))[0]).toBe('Apples are red.ni');
    await expect.poll(() => editor().innerText()).toContain('Apples are red.ni');
  });

  it('writes over no composed text either when it is told to write', async () => {
    const cdp = await app.page.context().newCDPSession(app.page);
    app.model.push(...edits({ 0: ['red', 'yellow'] }));
    await panel.send('A better colour');
    await panel.approval.waitFor();
    await editor().getByText('Apples are red.').click();
    await app.page.keyboard.press('End');
    await cdp.send('Input.imeSetComposition', { text: 'hao', selectionStart: 3, selectionEnd: 3 });
    await cdp.send('Input.insertText', { text: '好' });
    await panel.approval.getByRole('button', { name: 'Approve', exact: true }).evaluate((button) => (button as HTMLElement).click());
    await expect.poll(async () => (await notes.texts(note))[0]).toBe('Apples are red.好');
    await app.page.locator('.b3-dialog--open').getByRole('button', { name: 'Change it now', exact: true }).click();
    await panel.settled();
    expect(lastToolText(app.model.requests.at(-1)!)).toContain('stale');
    expect((await notes.texts(note))[0]).toBe('Apples are red.好');
    await expect.poll(() => editor().innerText()).toContain('Apples are red.好');
  });

  it('writes a new note with all notes above it again, though SiYuan loads its page anew for each of them', async () => {
    const notebook = await app.notebook('工作笔记');
    await notes.setRights({ [await app.notebook('Research')]: 'write', [notebook]: 'write' });
    const made = { name: 'create_doc', args: { notebook, path: `/Years/2026/Week ${count}`, markdown: 'It rained.' } };
    app.model.push({ calls: [made] }, { text: 'Made.' });
    await panel.send('Make the note of this week');
    await panel.approve();
    await panel.settled();
    const found = () => app.kernel<string[]>('/api/filetree/getIDsByHPath', { notebook, path: `/Years/2026/Week ${count}` });
    const [id] = await found();
    const leads = panel.answer.locator(`[data-note-id="${id}"]`);
    await expect.poll(() => leads.allInnerTexts()).toEqual([`Week ${count}`, 'Open']);
    await leads.last().click();
    await editor().getByText('It rained.').waitFor();
    await undo();
    await expect.poll(found).toEqual([]);
    // A note that is gone is named without a link.
    await panel.answer.locator('.mg-work__row', { hasText: `Week ${count}` }).waitFor();
    await expect.poll(() => leads.count()).toBe(0);
    await panel.region.getByRole('button', { name: 'Redo', exact: true }).last().click();
    await expect.poll(found).toEqual([id]);
    await panel.region.getByRole('button', { name: 'Undo', exact: true }).last().waitFor();
    await expect.poll(() => panel.region.getByRole('button', { name: 'Redo', exact: true }).count()).toBe(0);
    expect((await app.kernel<{ kramdown: string }>('/api/block/getBlockKramdown', { id })).kramdown).toContain('It rained.');
    await expect.poll(() => leads.count()).toBe(2);
  });

  it('writes nothing at all until it is approved', async () => {
    const files = notebookFiles(app.workspace);
    app.model.push({ calls: [append('One.'), { name: 'delete_blocks', args: { ids: [block(0)] } }] }, { text: 'Neither.' });
    await panel.send('Change it');
    await panel.approval.getByText('2 changes pending').waitFor();
    await panel.approval.getByRole('button', { name: 'Reject…' }).click();
    await panel.approval.getByRole('button', { name: 'Reject all' }).click();
    await panel.settled();
    expect(notebookFiles(app.workspace)).toEqual(files);
  });

  it('reached nothing but host and model', () => expect(app.foreignRequests).toEqual([]));
});
