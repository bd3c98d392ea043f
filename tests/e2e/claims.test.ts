// A cited sentence that says something else than its block, on the built plugin: marked once the answer is in sight, without a model.
import { afterEach, describe, expect, it } from 'vitest';
import { chromiumPath, startApp, type TestApp } from '../support/app.ts';
import { drive } from '../support/panel.ts';

describe.skipIf(!chromiumPath)('claims of an answer', () => {
  let app: TestApp;
  afterEach(() => app?.close());

  it('carry a question mark where the block does not say them, also in a chat that is opened again', async () => {
    app = await startApp();
    const notebook = await app.notebook('Life');
    const markdown = 'Anna Holm built the tower in 1874.\n\nThe lamp has not burned since the storm of that winter.';
    const note = await app.kernel<string>('/api/filetree/createDocWithMd', { notebook, path: '/Tower', markdown });
    const [built = '', lamp = ''] = (await app.kernel<{ id: string }[]>('/api/block/getChildBlocks', { id: note })).map(({ id }) => id);
    const panel = drive(app.page);
    await panel.open();
    const text = [
      `Anna Holm built it in 1874 ((${built} "Tower")).`,
      `Peter Voss built it in 1902 ((${built} "the tower")).`,
      `The lamp has burned since the storm of that winter ((${lamp} "Tower")).`,
    ].join('\n\n');
    app.model.push({ calls: [{ name: 'read_doc', args: { id: note } }] }, { text });
    await panel.send('Who built the tower?');
    await panel.settled();

    const doubts = () =>
      panel.answer.locator('a.mg-cite').evaluateAll((links) => links.map((link) => (link as HTMLElement).dataset.doubt ?? ''));
    await expect.poll(doubts).toEqual(['', '?', '?']);
    const lines = panel.answer.locator('.mg-claims p');
    await expect
      .poll(() => lines.allInnerTexts())
      .toEqual([
        expect.stringMatching(/^Citation 1: the block does not have .*“1902”/),
        'Citation 2: the block seems to say the opposite.',
      ]);
    await app.reload();
    await panel.open();
    await expect.poll(doubts).toEqual(['', '?', '?']);
  });
});
