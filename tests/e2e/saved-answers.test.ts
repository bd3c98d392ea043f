// An answer that is saved into a note, on the built plugin: it is marked once what it cites changed, "Check again" asks the model once and
// proposes a diff, and the page lists what is out of date.
import { afterEach, describe, expect, it } from 'vitest';
import { chromiumPath, startApp, type TestApp } from '../support/app.ts';
import { EditorDriver } from '../support/editor.ts';
import { drive } from '../support/panel.ts';

describe.skipIf(!chromiumPath)('an answer in a note', () => {
  let app: TestApp | undefined;
  afterEach(async () => {
    await app?.close();
    app = undefined;
  });

  it('is marked once its source changed, asks a model once when told to, and counts as checked after that', async () => {
    app = await startApp({ settings: { notebooks: {} } });
    const { page, model, kernel } = app;
    const editor = new EditorDriver(app);
    await editor.allowWriting();
    await editor.create('Launch', 'The launch is in May.');
    const source = (await kernel<{ id: string }[]>('/api/block/getChildBlocks', { id: editor.noteId }))[0]?.id ?? '';
    await editor.create('Answers', 'My own line.');
    const panel = drive(page);
    await panel.open();
    model.push({ calls: [{ name: 'read_doc', args: { id: source } }] }, { text: `We launch in May ((${source} "launch")).` });
    await panel.send('When do we launch?');
    await panel.settled();
    await editor.text('My own line').click();
    await panel.region.getByRole('button', { name: 'Append to the open note' }).click();
    const answer = editor.block('We launch in May');
    await answer.waitFor();
    const shadow = (): Promise<string> => answer.evaluate((element) => getComputedStyle(element).boxShadow);
    await expect.poll(shadow).not.toBe('none');
    const fresh = await shadow();
    expect(await editor.attributes('We launch in May')).toHaveProperty('custom-marginalia-cites');

    const asked = model.requests.length;
    await kernel('/api/block/updateBlock', { id: source, dataType: 'markdown', data: 'The launch is in June.' });
    await expect.poll(shadow).not.toBe(fresh);
    await panel.region.getByRole('button', { name: 'More' }).first().click();
    await page.getByRole('menuitem', { name: 'Written by models' }).click();
    const list = panel.region.getByRole('group', { name: 'Written by models' });
    await list.getByRole('button', { name: 'Out of date' }).click();
    const row = list.locator('[data-block]');
    await row.getByText('June').waitFor();
    await expect
      .poll(() =>
        row
          .locator('del')
          .allInnerTexts()
          .then((words) => words.join(' ')),
      )
      .toContain('May');
    // Looking costs nothing.
    expect(model.requests.length).toBe(asked);

    model.push({ text: `We launch in June ((${source} "launch")).` });
    await row.getByRole('button', { name: 'Check again' }).click();
    await editor.proposal('check-answer');
    expect(model.requests.length).toBe(asked + 1);
    const sent = JSON.stringify(model.requests.at(-1)?.messages);
    expect(sent).toContain('Then: The launch is in May.');
    expect(sent).toContain('Now: The launch is in June.');
    expect(sent).toContain('When do we launch?');
    expect(sent).not.toContain('My own line');
    // A poor proposal makes no answer true.
    await editor.button('check-answer', 'Reject').click();
    await editor.card('check-answer').waitFor({ state: 'detached' });
    await row.waitFor();
    await expect.poll(shadow).not.toBe(fresh);

    model.push({ text: `We launch in June ((${source} "launch")).` });
    await row.getByRole('button', { name: 'Check again' }).click();
    await editor.proposal('check-answer');
    await editor.button('check-answer', 'Approve').click();
    await editor.card('check-answer', 'done').waitFor();
    await editor.block('We launch in June').waitFor();
    await row.waitFor({ state: 'detached' });
    // The person asked nothing else.
    await list.getByRole('button', { name: 'All', exact: true }).click();
    await list.locator('summary').filter({ hasText: 'June' }).click();
    await list.locator('[data-block]').filter({ hasText: 'June' }).getByText('When do we launch?').waitFor();

    // It is out of date again once that is undone.
    await editor.button('check-answer', 'Undo').click();
    await editor.undone('check-answer');
    await list.getByRole('button', { name: 'Out of date' }).click();
    await row.getByRole('button', { name: 'It still holds' }).click();
    await row.waitFor({ state: 'detached' });
    await expect.poll(shadow).toBe(fresh);
    expect(model.requests.length).toBe(asked + 2);
  });
});
