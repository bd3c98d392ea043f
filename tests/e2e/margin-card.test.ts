// The card at the mark in the editor's margin, on the built plugin: by a pointer that rests there, by a finger, by keys; what it says, where
// it leads, and that nothing in the note changes for it.
import type { Locator, Page } from 'playwright-core';
import { afterEach, describe, expect, it } from 'vitest';
import { type AppOptions, chromiumPath, startApp, type TestApp } from '../support/app.ts';
import { EditorDriver } from '../support/editor.ts';
import { drive, type PanelDriver } from '../support/panel.ts';

const QUESTION = 'Write down   what we know about gaps, please';
/** A chat without a name is called by its question. */
const ASKED = 'Write down what we know about gaps';
const TEXT = 'It works best with growing gaps.';
const DATE = /\b(?:just now|now|today|seconds?|minutes?)\b|\d/i;

describe.skipIf(!chromiumPath)('the card at a mark in the margin', () => {
  let app: TestApp | undefined;
  afterEach(async () => {
    await app?.close();
    app = undefined;
  });

  /** A note of which the last line was written by a model. */
  async function written(options: AppOptions = {}) {
    const started = await startApp(options);
    app = started;
    const editor = new EditorDriver(started);
    await editor.allowWriting();
    await editor.create('Marks', 'My own line.\n\nAnother one of mine.');
    const panel = drive(started.page);
    await panel.open();
    started.model.push(
      { calls: [{ name: 'insert_blocks', args: { anchor: editor.noteId, position: 'append', markdown: TEXT } }] },
      { text: 'It is there.' },
    );
    await panel.send(QUESTION);
    await panel.approve();
    await panel.settled();
    const block = editor.block(TEXT);
    await block.waitFor();
    await expect.poll(() => isMarked(block)).toBe(true);
    return {
      ...started,
      editor,
      panel,
      block,
      card: cardOf(started.page),
    };
  }

  const cardOf = (page: Page): Locator => page.locator('body > .mg-panel').getByRole('group', { name: 'Written by models' });
  const isMarked = (block: Locator): Promise<boolean> => block.evaluate((element) => getComputedStyle(element).boxShadow !== 'none');

  /** Rests on the mark: it is left of the block. */
  async function rest(block: Locator): Promise<void> {
    const box = await block.boundingBox();
    if (!box) throw new Error('the block is not drawn');
    const { page } = app as TestApp;
    await page.mouse.move(box.x + 200, box.y + box.height / 2);
    await page.mouse.move(box.x - 2, box.y + box.height / 2, { steps: 4 });
  }

  const pageOf = (panel: PanelDriver, name: string): Locator => panel.region.getByRole('group', { name });

  it('opens when the pointer rests there, says who wrote it, when and why, and leads to the chat and to Undo', async () => {
    const { block, card, panel, page } = await written();
    const text = page.locator('.protyle-wysiwyg:visible');
    // SiYuan itself highlights the block at the pointer.
    const drawn = async (): Promise<string> => (await text.innerHTML()).replaceAll(/ style=""| protyle-wysiwyg--hl/g, '');
    const before = await drawn();
    await rest(block);
    await card.getByText('Written by scripted').waitFor();
    await expect.poll(() => card.locator('.mg-written p').first().innerText()).toMatch(DATE);
    await card.getByRole('button', { name: ASKED }).waitFor();
    expect(await drawn()).toBe(before);

    // It stays while the pointer is on its way and in it, and goes after that.
    await card.getByRole('button', { name: 'Changes and Undo' }).hover();
    await page.keyboard.press('Escape');
    await card.waitFor({ state: 'detached' });
    await rest(block);
    await card.waitFor();
    await page.mouse.move(900, 600);
    await card.waitFor({ state: 'detached' });

    await rest(block);
    await card.getByRole('button', { name: ASKED }).click();
    await panel.answer.getByText('It is there.').waitFor();
    await rest(block);
    await card.getByRole('button', { name: 'Changes and Undo' }).click();
    await pageOf(panel, 'Activity').getByRole('button', { name: 'Undo' }).click();
    await block.waitFor({ state: 'detached' });
    await card.waitFor({ state: 'detached' });
  });

  it('takes the mark away at once when it is read, and stays until the pointer leaves', async () => {
    const { block, card, page } = await written();
    await rest(block);
    await card.getByRole('button', { name: 'Mark as read' }).click();
    await expect.poll(() => isMarked(block)).toBe(false);
    await card.getByText('· read').waitFor();
    await page.mouse.move(900, 600);
    await card.waitFor({ state: 'detached' });
    await rest(block);
    await page.mouse.move(900, 600);
    expect(await card.count()).toBe(0);
  });

  it('is no hindrance to who writes: typing goes on in the text and closes it, and so does the wheel', async () => {
    const { block, card, editor, page } = await written();
    await editor.text('My own line').click();
    await page.keyboard.press('End');
    await rest(block);
    await card.waitFor();
    await page.keyboard.type(' More');
    await card.waitFor({ state: 'detached' });
    await editor.text('My own line. More').waitFor();
    await rest(block);
    await card.waitFor();
    await page.locator('.protyle-content:visible').first().dispatchEvent('scroll');
    await card.waitFor({ state: 'detached' });
  });

  it('opens where a finger taps on the mark, which puts no caret into the text, and goes with the next tap elsewhere', async () => {
    const { block, card, page } = await written();
    const isKept = await block.evaluate((element) => {
      const { left, top, height } = element.getBoundingClientRect();
      const at = { clientX: left - 12, clientY: top + height / 2 };
      const text = element.parentElement ?? element;
      text.dispatchEvent(new PointerEvent('pointerdown', { ...at, pointerType: 'touch', bubbles: true }));
      const changedTouches = [new Touch({ ...at, identifier: 1, target: text })];
      return !text.dispatchEvent(new TouchEvent('touchend', { changedTouches, bubbles: true, cancelable: true }));
    });
    expect(isKept).toBe(true);
    await card.getByText('Written by scripted').waitFor();
    await page.mouse.click(900, 600);
    await card.waitFor({ state: 'detached' });
  });

  it('is opened by a command at the caret, read by keys, and gives the caret back', async () => {
    const { card, editor, page } = await written();
    await editor.text(TEXT).click();
    await page.evaluate(() => {
      const { plugins } = (
        window as unknown as { siyuan: { ws: { app: { plugins: { commands: { langKey: string; callback: () => void }[] }[] } } } }
      ).siyuan.ws.app;
      plugins
        .flatMap(({ commands }) => commands)
        .find(({ langKey }) => langKey === 'whoWrote')
        ?.callback();
    });
    await card.getByText('Written by scripted').waitFor();
    await expect.poll(() => card.evaluate((element) => element === document.activeElement)).toBe(true);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Escape');
    await card.waitFor({ state: 'detached' });
    await page.keyboard.press('End');
    await page.keyboard.type(' And mine.');
    await editor.text('growing gaps. And mine.').waitFor();
  });

  it('shows what an out-of-date answer rests on as it was and as it is, and takes the double line away where it still holds', async () => {
    const started = await startApp({ settings: { notebooks: {} } });
    app = started;
    const { page, model, kernel } = started;
    const editor = new EditorDriver(started);
    await editor.allowWriting();
    await editor.create('Launch', 'The launch is in May.');
    const source = (await kernel<{ id: string }[]>('/api/block/getChildBlocks', { id: editor.noteId }))[0]?.id ?? '';
    await editor.create('Answers', 'My own line.');
    const panel = drive(page);
    await panel.open();
    model.push({ calls: [{ name: 'read_doc', args: { id: source } }] }, { text: `We launch soon ((${source} "launch")).` });
    await panel.send('When do we launch?');
    await panel.settled();
    await editor.text('My own line').click();
    await panel.region.getByRole('button', { name: 'Append to the open note' }).click();
    const answer = editor.block('We launch soon');
    await answer.waitFor();
    await expect.poll(() => isMarked(answer)).toBe(true);
    const shadow = (): Promise<string> => answer.evaluate((element) => getComputedStyle(element).boxShadow);
    const oneLine = await shadow();
    await kernel('/api/block/updateBlock', { id: source, dataType: 'markdown', data: 'The launch is in June.' });
    await expect.poll(shadow).not.toBe(oneLine);

    const asked = model.requests.length;
    const card = cardOf(page);
    await rest(answer);
    const words = (change: 'del' | 'ins'): Promise<string> =>
      card
        .locator(change)
        .allInnerTexts()
        .then((each) => each.join(' '));
    await expect.poll(() => words('del')).toContain('May');
    await expect.poll(() => words('ins')).toContain('June');
    await card.getByRole('button', { name: 'It still holds' }).click();
    await expect.poll(shadow).toBe(oneLine);
    await card.getByRole('button', { name: 'It still holds' }).waitFor({ state: 'detached' });
    expect(model.requests.length).toBe(asked);
  });
});
