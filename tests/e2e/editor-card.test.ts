// Suggestions at the block: every action of the editor as a card that is accepted, turned down, tried again or undone,
// on the built plugin.
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { chromiumPath, notebookFiles, startApp, type TestApp } from '../support/app.ts';
import { watchAppearance } from '../support/appearance.ts';
import { EditorDriver } from '../support/editor.ts';
import { chooseSlash, openTree, treeItem } from '../support/hosts.ts';
import { NotesDriver } from '../support/notes.ts';
import { drive, type PanelDriver } from '../support/panel.ts';

const MARKDOWN = [
  '## Plan',
  'The launch is planned for May and the whole team is very excited about it.',
  'Risk: the budget is tight.',
  'Ask Mara about the permits. Book the hall.',
  'The museum is closed on Tuesdays.',
].join('\n\n');
const PROMPTS = [
  { id: 'mail', name: 'E-mail', prompt: 'Write this as an e-mail. Today is {{date}}.', output: 'insert' },
  { id: 'shout', name: 'Shout', prompt: 'Write it in capitals.', output: 'replace' },
  { id: 'why', name: 'Why', prompt: 'Why is this so?', output: 'ask' },
  { id: 'since', name: 'Since', prompt: 'Is {{selection}} so since {{input}}?', output: 'ask' },
];

describe.skipIf(!chromiumPath)('a suggestion at the block', () => {
  let app: TestApp;
  let panel: PanelDriver;
  let editor: EditorDriver;
  let notes = 0;
  const asked = () => JSON.stringify(app.model.requests.at(-1)?.messages);

  beforeAll(async () => {
    app = await startApp({ settings: { prompts: PROMPTS, notebooks: {} } });
    panel = drive(app.page);
    editor = new EditorDriver(app);
    await editor.allowWriting();
    await editor.create('Soup', 'Leek and potato.');
  });
  beforeEach(async () => {
    app.model.clear();
    await editor.create(`Apollo ${++notes}`, MARKDOWN, true);
  });
  afterAll(() => app?.close());

  describe('/rewrite', () => {
    it('shows the change as a diff under the block; rejecting leaves every byte as it was', async () => {
      app.model.push({ text: 'We launch in May, and everybody looks forward to it.' });
      await editor.command('The launch', 'rewrite', 'Rewrite this block');
      await editor.proposal('rewrite');
      await editor.settled();
      const before = [notebookFiles(app.workspace), await editor.chats()];
      const words = async (mark: string) => (await editor.card('rewrite').locator(`[data-diff] ${mark}`).allInnerTexts()).join(' ');
      await expect.poll(() => words('ins')).toContain('everybody looks forward');
      await expect.poll(() => words('del')).toContain('planned');
      const box = async (locator: Locator) => (await locator.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
      // The card takes its place when it is drawn, and the blocks below make room.
      const gaps = async () => {
        const [block, card, next] = [
          await box(editor.block('The launch')),
          await box(editor.card('rewrite')),
          await box(editor.block('Risk:')),
        ];
        return Math.min(card.y - block.y - block.height, next.y - card.y - card.height);
      };
      await expect.poll(gaps).toBeGreaterThanOrEqual(0);
      await editor.button('rewrite', 'Reject').click();
      await editor.card('rewrite').waitFor({ state: 'detached' });
      await editor.settled();
      expect([notebookFiles(app.workspace), await editor.chats()]).toEqual(before);
      const traces = () =>
        editor
          .block('The launch')
          .evaluate((element) => [
            element.getAttribute('style'),
            getComputedStyle(element).marginBottom,
            document.querySelectorAll('.mg-cards, [data-marginalia-editor]').length,
          ]);
      const margin = await editor.block('Risk:').evaluate((element) => getComputedStyle(element).marginBottom);
      await expect.poll(traces).toEqual([null, margin, 0]);
    });

    it('a double click on what closes it writes no empty paragraph where the card stood', async () => {
      app.model.push({ text: 'Closed on Mondays.' });
      await editor.command('The museum', 'rewrite', 'Rewrite this block');
      await editor.proposal('rewrite');
      await editor.settled();
      const before = notebookFiles(app.workspace);
      await editor.button('rewrite', 'Reject').dblclick();
      await editor.card('rewrite').waitFor({ state: 'detached' });
      await editor.settled();
      expect(notebookFiles(app.workspace)).toEqual(before);
      // The next double click is the editor's again.
      await editor.block('The museum').dblclick({ position: { x: 45, y: 8 } });
      await expect.poll(() => app.page.evaluate(() => getSelection()?.toString().trim())).toBe('museum');
    });

    it('is accepted with Enter on the card, says so, and is undone', async () => {
      app.model.push({ text: 'We launch in May.' });
      await editor.command('The launch', 'rewrite', 'Rewrite this block');
      await editor.proposal('rewrite');
      await editor.card('rewrite').focus();
      await app.page.keyboard.press('Enter');
      await editor.card('rewrite', 'done').waitFor();
      expect(await editor.kramdown()).toContain('We launch in May.');
      expect(await editor.attributes('We launch in May.')).toHaveProperty('custom-marginalia-source');
      await editor.button('rewrite', 'Undo').click();
      await editor.undone('rewrite');
      expect(await editor.kramdown()).toContain('The launch is planned for May and the whole team');
      expect(await editor.attributes('The launch is planned')).not.toHaveProperty('custom-marginalia-source');
      await editor.button('rewrite', 'Redo').click();
      await expect.poll(() => editor.kramdown()).toContain('We launch in May.');
      await editor.button('rewrite', 'Undo').click();
      await editor.undone('rewrite');
      await expect.poll(() => editor.kramdown()).toContain('The launch is planned for May and the whole team');
      await editor.button('rewrite', 'Close').click();
    });

    it('says that nothing was undone where it was changed since, and undoes it once that is gone', async () => {
      app.model.push({ text: 'We launch in May.' });
      await editor.command('The launch', 'rewrite', 'Rewrite this block');
      await editor.proposal('rewrite');
      await editor.button('rewrite', 'Approve').click();
      await editor.card('rewrite', 'done').waitFor();
      const id = await editor.block('We launch').getAttribute('data-node-id');
      /** On another device. */
      const edit = async (from: string, to: string) => {
        const { dom } = await app.kernel<{ dom: string }>('/api/block/getBlockDOM', { id });
        const operation = { action: 'update', id, data: dom.replace(from, to) };
        const transactions = [{ doOperations: [operation], undoOperations: [operation] }];
        await app.kernel('/api/transactions', { app: 'phone', session: 'phone', reqId: 1, transactions });
      };
      await edit('May.', 'May.!');
      await expect.poll(() => editor.paragraphs()).toContain('We launch in May.!');
      await editor.button('rewrite', 'Undo').click();
      const said = editor.card('rewrite', 'done').getByText('Not undone yet', { exact: true });
      await said.first().waitFor();
      // On the card, and to screen readers.
      await expect.poll(() => said.count()).toBe(2);
      await edit('May.!', 'May.');
      await expect.poll(() => editor.paragraphs()).toContain('We launch in May.');
      await editor.button('rewrite', 'Undo').click();
      await editor.undone('rewrite');
      expect(await editor.kramdown()).toContain('The launch is planned for May and the whole team');
      await editor.button('rewrite', 'Close').click();
    });

    it('leaves by itself once its text is edited, and not before', async () => {
      app.model.push({ text: 'We launch in May.' });
      await editor.command('The launch', 'rewrite', 'Rewrite this block');
      await editor.proposal('rewrite');
      await editor.button('rewrite', 'Approve').click();
      await editor.card('rewrite', 'done').waitFor();
      await editor.text('Risk:').click();
      await app.page.keyboard.press('End');
      await app.page.keyboard.type('.');
      await app.page.keyboard.press('Backspace');
      await editor.settled();
      await expect.poll(() => editor.card('rewrite', 'done').count()).toBe(1);
      await editor.text('We launch').click();
      await app.page.keyboard.press('End');
      await app.page.keyboard.type(' Or in June.');
      await editor.card('rewrite').waitFor({ state: 'detached' });
      await expect.poll(() => editor.kramdown()).toContain('We launch in May. Or in June.');
    });

    it('is reached and decided by keys that stand on it, and gives the caret back where it was', async () => {
      app.model.push({ text: 'Never.' }, { text: 'Risk: the budget is fine.' });
      for (const key of ['Escape', 'Enter']) {
        await editor.command('Risk:', 'rewrite', 'Rewrite this block');
        await editor.proposal('rewrite');
        await editor.card('rewrite').getByText('Alt+J jumps here; then Enter approves, Esc rejects').waitFor();
        await app.page.keyboard.press('Alt+j');
        await expect.poll(() => editor.card('rewrite').evaluate((card) => card === document.activeElement)).toBe(true);
        await app.page.keyboard.press(key);
        if (key === 'Enter') await editor.card('rewrite', 'done').waitFor();
        await expect.poll(() => app.page.evaluate(() => document.activeElement?.closest('.protyle-wysiwyg') !== null)).toBe(true);
        await app.page.keyboard.type(key === 'Enter' ? ' Yes.' : ' Hm.');
        await expect.poll(async () => (await editor.paragraphs()).join(' ')).toMatch(key === 'Enter' ? /is fine\. ?Yes\./ : /Hm\./);
      }
    });

    it('tries again, and goes below instead', async () => {
      app.model.push({ text: 'First try.' }, { text: 'Second try.' });
      await editor.command('The launch', 'rewrite', 'Rewrite this block');
      await editor.proposal('rewrite');
      await editor.button('rewrite', 'Try again').click();
      await editor.card('rewrite').locator('ins', { hasText: 'Second try' }).waitFor();
      // The card above gets as low as a line: the mark has to go along with what it marks.
      await app.page.evaluate(() => {
        const off: number[] = [];
        Object.assign(window, { off });
        const look = (): void => {
          const flash = document.querySelector('.marginalia-flash');
          const blocks = [...document.querySelectorAll('.protyle-wysiwyg [data-type="NodeParagraph"]')];
          const block = blocks.find(({ textContent }) => textContent?.includes('Second try.'));
          if (flash && block) off.push(Math.abs(flash.getBoundingClientRect().top - block.getBoundingClientRect().top));
          requestAnimationFrame(look);
        };
        look();
      });
      const flashed = await watchAppearance(app.page, '.marginalia-flash');
      await editor.button('rewrite', 'Insert below').click();
      await editor.card('rewrite', 'done').waitFor();
      await flashed();
      await app.page.locator('.marginalia-flash').waitFor({ state: 'detached' });
      await expect.poll(() => app.page.evaluate(() => (window as { off?: readonly number[] }).off?.at(-1))).toBeLessThan(2);
      await expect.poll(() => editor.paragraphs()).toEqual(expect.arrayContaining(['Second try.']));
      const all = await editor.paragraphs();
      expect(all.indexOf('Second try.')).toBe(all.findIndex((text) => text.startsWith('The launch')) + 1);
      expect(await editor.attributes('Second try.')).toHaveProperty('custom-marginalia-source');
      await editor.button('rewrite', 'Undo').click();
      await editor.undone('rewrite');
      await editor.button('rewrite', 'Close').click();
    });
  });

  it('stops with Escape while the model works, and writes nothing', async () => {
    let release = (): void => {};
    const hold = new Promise<void>((resolve) => {
      release = resolve;
    });
    app.model.push({ text: 'One two three four five.', hold });
    await editor.command('The launch', 'rewrite', 'Rewrite this block');
    await editor.card('rewrite', 'working').getByText('One two').waitFor();
    await editor.card('rewrite').focus();
    await app.page.keyboard.press('Escape');
    await editor.card('rewrite').waitFor({ state: 'detached' });
    release();
    expect(await editor.kramdown()).toContain('The launch is planned for May');
  });

  it('keeps the focus where the pressed or focused button goes away', async () => {
    let release = (): void => {};
    const hold = new Promise<void>((resolve) => {
      release = resolve;
    });
    app.model.push({ text: 'We launch in May.', hold }, { text: 'Second try.' });
    await editor.command('The launch', 'rewrite', 'Rewrite this block');
    await editor.card('rewrite', 'working').getByText('We launch').waitFor();
    await editor.button('rewrite', 'Stop').focus();
    release();
    await editor.proposal('rewrite');
    // An Enter that was meant for Stop must not approve.
    await expect.poll(() => editor.button('rewrite', 'Reject').evaluate((button) => button === document.activeElement)).toBe(true);
    await editor.button('rewrite', 'Try again').press('Enter');
    await editor.card('rewrite').locator('ins', { hasText: 'Second try' }).waitFor();
    await expect.poll(() => editor.card('rewrite').evaluate((card) => card === document.activeElement)).toBe(true);
    await app.page.keyboard.press('Escape');
    await editor.card('rewrite').waitFor({ state: 'detached' });
  });

  it('never takes the caret from somebody who types elsewhere; two cards stand side by side', async () => {
    let release = (): void => {};
    const hold = new Promise<void>((resolve) => {
      release = resolve;
    });
    app.model.push({ text: 'The budget is a risk.', hold }, { text: 'Le musée.' });
    await editor.command('Risk:', 'rewrite', 'Rewrite this block');
    await editor.card('rewrite', 'working').getByText('The budget').waitFor();
    await editor.command('The museum', 'translate', 'Translate this block');
    await editor.proposal('translate');
    await editor.text('Book the hall').click();
    await app.page.keyboard.press('End');
    await app.page.keyboard.type(' Soon');
    release();
    await editor.proposal('rewrite');
    await app.page.keyboard.type(' enough.');
    await expect.poll(() => editor.kramdown()).toContain('Book the hall. Soon enough.');
    await expect.poll(() => app.page.evaluate(() => document.activeElement?.className)).toContain('protyle-wysiwyg');
    await editor.button('rewrite', 'Approve').click();
    await editor.card('rewrite', 'done').waitFor();
    expect(await editor.kramdown()).toContain('The budget is a risk.');
    await expect.poll(() => editor.card('translate', 'proposal').count()).toBe(1);
    await editor.button('translate', 'Reject').click();
    await editor.button('rewrite', 'Close').click();
  });

  it('refuses to write over what was typed into the block meanwhile, and says what to do', async () => {
    app.model.push({ text: 'Closed on Tuesdays.' }, { text: 'Closed on Tuesdays and Mondays.' });
    await editor.command('The museum', 'rewrite', 'Rewrite this block');
    await editor.proposal('rewrite');
    await editor.text('The museum').click();
    await app.page.keyboard.press('End');
    await app.page.keyboard.type('And on Mondays.');
    await expect.poll(() => editor.kramdown()).toContain('And on Mondays.');
    await editor.button('rewrite', 'Approve').click();
    await editor.card('rewrite', 'error').getByText('changed in the meantime').waitFor();
    expect(await editor.kramdown()).toContain('The museum is closed on Tuesdays. And on Mondays.');
    await editor.button('rewrite', 'Try again').click();
    await editor.proposal('rewrite');
    expect(asked()).toContain('And on Mondays.');
    await editor.button('rewrite', 'Approve').click();
    await editor.card('rewrite', 'done').waitFor();
    await editor.button('rewrite', 'Close').click();
  });

  it('/summarize puts a summary of the whole note at the block', async () => {
    app.model.push({ text: '- A launch in May\n- A tight budget' });
    await editor.command('Book the hall', 'summ', 'Summarize this note');
    await editor.proposal('summarize');
    expect(asked()).toContain('the budget is tight');
    await editor.accept('summarize');
    await expect.poll(() => editor.kramdown()).toMatch(/Book the hall[\s\S]*A tight budget[\s\S]*The museum/);
    // Typed into a paragraph of its own, it leaves none behind.
    app.model.push({ text: 'May, and little money.' });
    await editor.text('Risk:').click();
    await app.page.keyboard.press('End');
    await app.page.keyboard.press('Enter');
    await chooseSlash(app.page, 'summ', 'Summarize this note');
    await editor.proposal('summarize');
    await editor.accept('summarize');
    await expect.poll(() => editor.kramdown()).toContain('May, and little money.');
    const empty = async (): Promise<string[]> => (await editor.paragraphs()).filter((text) => text.replaceAll('\u200b', '').trim() === '');
    await expect.poll(empty).toEqual([]);
  });

  it('/continue, /todo and /translate write where they say', async () => {
    app.model.push({ text: 'It opens at nine.' });
    await editor.command('The museum', 'contin', 'Continue writing');
    await editor.proposal('continue');
    await editor.accept('continue');
    app.model.push({ text: '- [ ] Ask Mara\n- [ ] Book the hall' });
    await editor.command('Book the hall', 'todo', 'Make a task list');
    await editor.proposal('todo');
    await editor.accept('todo');
    app.model.push({ text: '预算很紧。' });
    await editor.command('Risk:', 'trans', 'Translate this block');
    await editor.proposal('translate');
    expect(asked()).toContain('Into: Chinese');
    await editor.accept('translate');
    await expect.poll(() => editor.kramdown()).toMatch(/预算很紧。[\s\S]*\[ \] [\s\S]*Ask Mara[\s\S]*It opens at nine\./);
  });

  it('/explain inserts nothing until it is asked to', async () => {
    app.model.push({ text: 'A **launch** is a start.' });
    await editor.command('The launch', 'expl', 'Explain this block');
    await editor.card('explain', 'proposal').locator('strong', { hasText: 'launch' }).waitFor();
    expect(await editor.button('explain', 'Approve').count()).toBe(0);
    let release = (): void => undefined;
    const hold = new Promise<void>((resolve) => {
      release = resolve;
    });
    // What should be different is asked for in the card; bold is bold while it comes.
    app.model.push({ text: 'In **short**: this is a start.', hold });
    await editor.button('explain', 'Shorter').click();
    await editor.card('explain', 'working').locator('strong', { hasText: 'short' }).waitFor();
    release();
    await editor.card('explain', 'proposal').getByText('this is a start.').waitFor();
    expect(asked()).toContain('Make it shorter.');
    expect(await editor.kramdown()).not.toContain('is a start');
    // The second press of a double click falls on what is there then: it stops nothing.
    await editor.button('explain', 'Insert below').dblclick();
    await editor.card('explain', 'done').waitFor();
    expect(await editor.kramdown()).toContain('is a start');
    await editor.button('explain', 'Close').click();
  });

  it('goes on in the panel as a chat of its own, whose message has Undo', async () => {
    app.model.push({ text: 'It opens at ten.' });
    await editor.command('The museum', 'rewrite', 'Rewrite this block');
    await editor.proposal('rewrite');
    await editor.button('rewrite', 'Approve').click();
    await editor.card('rewrite', 'done').waitFor();
    await editor.button('rewrite', 'Continue in the panel').click();
    await panel.region.getByText('Rewrite: The museum is closed on Tuesdays.').first().waitFor();
    await panel.answer.locator('.mg-md', { hasText: 'It opens at ten.' }).waitFor();
    app.model.push({ text: 'Because you asked.' });
    await panel.send('Why?');
    await panel.settled();
    expect(app.model.requests.at(-1)?.tools?.length).toBeGreaterThan(0);
    expect(asked()).not.toContain('Editor task');
    await panel.region.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => editor.kramdown()).toContain('The museum is closed on Tuesdays.');
  });

  describe('prompts of the user’s own', () => {
    it('are slash commands that insert, replace or ask', async () => {
      app.model.push({ text: 'Dear Mara,' });
      await editor.command('The museum', 'e-mail', 'E-mail');
      await editor.proposal('mail');
      expect(asked()).toMatch(/Write this as an e-mail\. Today is \d{4}-\d\d-\d\d\./);
      await editor.accept('mail');
      app.model.push({ text: 'CLOSED ON TUESDAYS.' });
      await editor.command('The museum', 'shout', 'Shout');
      await editor.proposal('shout');
      await editor.accept('shout');
      await expect.poll(() => editor.kramdown()).toMatch(/CLOSED ON TUESDAYS\.[\s\S]*Dear Mara,/);
      app.model.push({ text: 'Nobody knows.' });
      await editor.command('CLOSED ON', 'why', 'Why');
      await panel.answer.getByText('Nobody knows.').waitFor();
      expect(asked()).toContain('Why is this so?');
      // What is to be typed is typed first.
      await editor.command('CLOSED ON', 'since', 'Since');
      await expect.poll(() => panel.message.inputValue()).toBe('Is the given text so since …?');
      await panel.message.fill('');
    });

    it('are added, changed and removed in the settings, and are there at once', async () => {
      await panel.open();
      await panel.openSettings('Your own prompts');
      await panel.region.getByRole('button', { name: 'Add a prompt' }).click();
      const prompts = panel.region.getByRole('region', { name: 'Your own prompts' });
      await prompts.getByRole('textbox', { name: 'Name', exact: true }).fill('Shorter');
      await panel.region.getByRole('textbox', { name: 'What the model should do' }).fill('Half as long.');
      await panel.region.getByRole('combobox', { name: 'The answer' }).selectOption('replace');
      await panel.region.getByRole('button', { name: 'Save', exact: true }).click();
      await panel.region.getByText('/Shorter').waitFor();
      app.model.push({ text: 'Closed.' });
      await editor.command('The museum', 'shorter', 'Shorter');
      await editor.proposal('own-1');
      expect(asked()).toContain('Half as long.');
      await editor.button('own-1', 'Reject').click();
      await panel.region.getByRole('button', { name: 'Remove Shorter' }).click();
      await panel.region.getByText('/Shorter').waitFor({ state: 'detached' });
      await panel.region.getByRole('button', { name: 'Back' }).click();
    });
  });

  it('waits while the caret is in the block, says so, and can be called off', async () => {
    // Pressed by script, the button leaves the caret where it is, as a key command of the host would.
    const press = (name: string) => editor.button('rewrite', name).evaluate((button: HTMLElement) => button.click());
    const accepted = async (text: string, paragraph: string) => {
      app.model.push({ text });
      await editor.command(paragraph, 'rewrite', 'Rewrite this block');
      await editor.proposal('rewrite');
      await editor.text(paragraph).click();
      await press('Approve');
      await editor.card('rewrite', 'working').locator('.mg-card__note', { hasText: 'You are typing in this block' }).waitFor();
    };
    await accepted('We launch in May.', 'The launch');
    expect(await app.page.locator('.b3-dialog').count()).toBe(0);
    expect(await editor.kramdown()).not.toContain('We launch in May.');
    await editor.text('Risk:').click();
    await editor.card('rewrite', 'done').waitFor();
    expect(await editor.kramdown()).toContain('We launch in May.');
    await editor.button('rewrite', 'Close').click();
    await accepted('We launch in June.', 'We launch');
    await press('Change it now');
    await editor.card('rewrite', 'done').waitFor();
    await press('Close');
    await accepted('We launch in July.', 'We launch');
    await press('Stop');
    await editor.card('rewrite').waitFor({ state: 'detached' });
    await editor.settled();
    expect(await editor.kramdown()).toContain('We launch in June.');
  });

  it('gives the caret back, so that writing goes on below what was put in', async () => {
    await editor.text('The museum').click();
    await app.page.keyboard.press('End');
    await app.page.keyboard.press('Enter');
    app.model.push({ text: 'It opens at nine.' });
    await chooseSlash(app.page, 'contin', 'Continue writing');
    await editor.proposal('continue');
    await editor.accept('continue');
    await app.page.keyboard.type('And closes at five.');
    await expect.poll(() => editor.kramdown()).toContain('And closes at five.');
    await expect
      .poll(async () => (await editor.paragraphs()).slice(-3))
      .toEqual(['The museum is closed on Tuesdays.', 'It opens at nine.', 'And closes at five.']);
  });

  it('follows its block and goes with its note', async () => {
    app.model.push({ text: 'We launch in May.' });
    await editor.command('The launch', 'rewrite', 'Rewrite this block');
    await editor.proposal('rewrite');
    const distance = async () =>
      ((await editor.card('rewrite').boundingBox())?.y ?? 0) - ((await editor.block('The launch').boundingBox())?.y ?? 0);
    let before = Number.NaN;
    const settled = async () => {
      const last = before;
      before = await distance();
      return before === last;
    };
    await expect.poll(settled).toBe(true);
    await editor.text('Plan').click();
    await app.page.keyboard.press('End');
    await app.page.keyboard.press('Enter');
    await app.page.keyboard.type('A new paragraph above.');
    await expect.poll(distance).toBe(before);
    await app.page.locator('.layout-tab-bar .item--focus .item__close').click();
    await editor.card('rewrite').waitFor({ state: 'detached' });
  });

  describe('by menu', () => {
    it('of a block', async () => {
      app.model.push({ text: 'From the block menu.' });
      await editor.block('The museum').hover();
      await app.page.locator('.protyle-gutters button:visible').last().click();
      await editor.menu('Rewrite');
      await editor.proposal('rewrite');
      await editor.button('rewrite', 'Reject').click();
    });

    it('of selected text, which changes alone', async () => {
      app.model.push({ text: 'on Sundays' }, { text: 'on Mondays' });
      const rewrite = async (): Promise<void> => {
        await editor.select('The museum', 'on Tuesdays');
        await app.page.locator('.protyle-toolbar:visible [data-type="marginalia"]').click();
        await app.page.locator('.b3-menu__item:visible', { hasText: 'Rewrite' }).click();
        await editor.proposal('rewrite');
      };
      await rewrite();
      await app.page.keyboard.press('Alt+j');
      await expect.poll(() => editor.card('rewrite').evaluate((card) => card === document.activeElement)).toBe(true);
      await app.page.keyboard.press('Escape');
      await expect.poll(() => app.page.evaluate(() => document.activeElement?.closest('.protyle-wysiwyg') != null)).toBe(true);
      // The blocks move up where it was.
      await editor.card('rewrite').waitFor({ state: 'detached' });
      await rewrite();
      expect(asked()).toContain('Only the attached selection');
      await editor.accept('rewrite');
      await expect.poll(() => editor.kramdown()).toContain('The museum is closed on Mondays.');
    });

    it('of selected text with a formula in it, which is sent and written as it is written', async () => {
      await editor.create('Decay', 'Now $S$ is the stability in days.', true);
      await app.page.locator('.protyle-wysiwyg:visible .katex').first().waitFor();
      app.model.push({ text: 'So $S$ is the strength' });
      await editor.select('Now', 'Now', 'the stability');
      await app.page.locator('.protyle-toolbar:visible [data-type="marginalia"]').click();
      await app.page.locator('.b3-menu__item:visible', { hasText: 'Rewrite' }).click();
      await editor.proposal('rewrite');
      expect(asked()).toMatch(/kind=\\"selection\\"[^>]*>\\nNow \$S\$ is the stability\\n</);
      await editor.accept('rewrite');
      await expect.poll(() => editor.kramdown()).toContain('So $S$ is the strength in days.');
    });

    it('of the text', async () => {
      app.model.push({ text: 'An explanation.' });
      await editor.text('The museum').click({ button: 'right' });
      await editor.menu('Explain');
      await editor.card('explain', 'proposal').waitFor();
      await editor.button('explain', 'Close').click();
    });

    it('of the title', async () => {
      app.model.push({ text: 'All of it in one line.' });
      await app.page.locator('.protyle-breadcrumb [data-type="doc"]:visible').click();
      await editor.menu('Summarize');
      await editor.proposal('summarize');
      await editor.accept('summarize');
      await expect.poll(async () => (await editor.paragraphs())[0]).toBe('All of it in one line.');
    });

    it('of the title, which rewrites the note block by block', async () => {
      app.model.push({ text: MARKDOWN.replace('the budget is tight', 'money is short') });
      await app.page.locator('.protyle-breadcrumb [data-type="doc"]:visible').click();
      await editor.menu('Rewrite');
      await editor.proposal('rewrite');
      await expect.poll(() => editor.card('rewrite').locator('[data-operation]').count()).toBe(1);
      const [title, card] = [app.page.locator('.protyle-title:visible'), editor.card('rewrite')];
      const gap = async () => (await card.boundingBox())!.y - (await title.boundingBox())!.y - (await title.boundingBox())!.height;
      await expect.poll(gap).toBeLessThan(12);
      await editor.accept('rewrite');
      await expect.poll(() => editor.kramdown()).toContain('Risk: money is short.');
    });

    it('of the document tree, which opens the note', async () => {
      app.model.push({ text: 'Leeks, potatoes and salt.' });
      await openTree(app.page, 'Research');
      await treeItem(app.page, 'Soup').click({ button: 'right' });
      await editor.menu('Summarize');
      await editor.proposal('summarize');
      await editor.button('summarize', 'Reject').click();
      await app.page.locator('.protyle-wysiwyg:visible', { hasText: 'Leek and potato' }).waitFor();
    });
  });

  it('says why there is no answer', async () => {
    app.model.push({ status: 401, body: '{"error":{"message":"bad key"}}' });
    await editor.command('The museum', 'rewrite', 'Rewrite this block');
    await editor.card('rewrite', 'error').getByText('does not accept the key').waitFor();
    await editor.button('rewrite', 'Close').click();
  });

  it('says that the model has no access to the notebook, and leads to where that is changed', async () => {
    const rights = (right: string) => panel.region.getByRole('combobox', { name: 'Research' }).selectOption(right);
    const settings = () => panel.region.getByRole('button', { name: 'Settings' }).click();
    await panel.open();
    await settings();
    await rights('none');
    await panel.region.getByRole('button', { name: 'Back' }).click();
    const before = app.model.requests.length;
    for (const [typed, entry, action] of [
      ['rewrite', 'Rewrite this block', 'rewrite'],
      ['summ', 'Summarize this note', 'summarize'],
    ] as const) {
      await editor.command('The museum', typed, entry);
      const card = editor.card(action, 'error');
      await card.getByText('The model has no access to the notebook “Research”. Nothing was sent.').waitFor();
      expect(await card.innerText()).not.toMatch(/\d{14}-/);
    }
    await editor.command('Book the hall', 'askai', 'Ask about this block');
    await app.page.getByText('The model has no access to the notebook “Research”. Change its access in the settings.').waitFor();
    await editor.button('summarize', 'Change access').click();
    const field = panel.region.getByRole('combobox', { name: 'Research' });
    await expect.poll(() => field.evaluate((element) => element === document.activeElement)).toBe(true);
    await field.selectOption('write');
    // Also where they are open.
    await editor.text('Risk:').click();
    await editor.button('summarize', 'Change access').click();
    await expect.poll(() => field.evaluate((element) => element === document.activeElement)).toBe(true);
    expect(app.model.requests.length).toBe(before);
    app.model.push({ text: 'A summary.' });
    await editor.button('summarize', 'Try again').click();
    await editor.proposal('summarize');
    await editor.button('summarize', 'Reject').click();
    await panel.region.getByRole('button', { name: 'Back' }).click();
  });

  it('asks for the right that a notebook lacks, in the words of the panel, and gives it for this time only', async () => {
    const field = panel.region.getByRole('combobox', { name: 'Research' });
    await panel.open();
    await panel.region.getByRole('button', { name: 'Settings' }).click();
    await field.selectOption('read');
    app.model.push({ text: 'We launch in May.' });
    await editor.command('The launch', 'rewrite', 'Rewrite this block');
    await editor.proposal('rewrite');
    const question = editor.card('rewrite').getByRole('group', { name: 'The model may only read Research.' });
    const once = question.getByRole('radio', { name: 'This time only, for the changes shown here' });
    await expect.poll(() => once.isChecked()).toBe(true);
    await editor.button('rewrite', 'Approve').click();
    await editor.card('rewrite', 'done').waitFor();
    await editor.text('We launch in May.').waitFor();
    await editor.button('rewrite', 'Close').click();
    await expect.poll(() => field.inputValue()).toBe('read');
    // What goes below is asked about, too.
    app.model.push({ text: 'It is a museum.' });
    await editor.command('The museum', 'expl', 'Explain this block');
    await editor.card('explain', 'proposal').waitFor();
    await editor.button('explain', 'Insert below').click();
    await editor.proposal('explain');
    await editor.card('explain').getByText('The model may only read Research.').waitFor();
    await editor.card('explain').getByRole('radio', { name: 'Always: set Research to “Read and edit”' }).check();
    await editor.button('explain', 'Approve').click();
    await editor.card('explain', 'done').waitFor();
    await editor.button('explain', 'Close').click();
    await expect.poll(() => field.inputValue()).toBe('write');
    await panel.region.getByRole('button', { name: 'Back' }).click();
  });

  it('says that the model has no access to the note or the block', async () => {
    const id = await editor.block('The museum').getAttribute('data-node-id');
    const { rootID } = await app.kernel<{ rootID: string }>('/api/block/getBlockInfo', { id });
    const guard = (of: string | null, value: string) =>
      app.kernel('/api/attr/setBlockAttrs', { id: of, attrs: { 'custom-ai-access': value } });
    await guard(id, 'none');
    await editor.command('The museum', 'rewrite', 'Rewrite this block');
    await editor.card('rewrite', 'error').getByText('The model has no access to this block. Nothing was sent.').waitFor();
    await guard(id, '');
    await guard(rootID, 'none');
    await editor.button('rewrite', 'Try again').click();
    await editor.card('rewrite', 'error').getByText(`The model has no access to the note “Apollo ${notes}”.`).waitFor();
    expect(await editor.card('rewrite').innerText()).not.toMatch(/\d{14}-/);
    await editor.button('rewrite', 'Close').click();
  });

  it('is a sheet at the lower edge of a phone, which goes with its note', async () => {
    const other = await new NotesDriver(app).create('Research', 'Bread', 'Rye.');
    await editor.create('Baking', `The launch is planned for May.\n\nSee ((${other.id} 'the bread')).`);
    await app.page.setViewportSize({ width: 390, height: 780 });
    await app.page.goto(app.address({ note: editor.noteId, mobile: true }));
    await editor.shown();
    app.model.push({ text: 'We launch in May.' });
    await editor.command('The launch', 'rewrite', 'Rewrite this block');
    await editor.proposal('rewrite');
    const sheet = async () => {
      const box = await editor.card('rewrite').boundingBox();
      return [box?.x, box?.width, Math.round((box?.y ?? 0) + (box?.height ?? 0))];
    };
    // Above the bar for writing, which SiYuan lays over the lower edge while the caret is in the text.
    await app.page.locator('#keyboardToolbar:visible').waitFor();
    await expect.poll(sheet).toEqual([0, 390, 780 - 48]);
    await editor.button('rewrite', 'Approve').click();
    await editor.card('rewrite', 'done').waitFor();
    expect(await editor.kramdown()).toContain('We launch in May.');
    await editor.text('the bread').click();
    await editor.card('rewrite').waitFor({ state: 'detached' });
    await app.page.locator('.protyle-wysiwyg:visible', { hasText: 'Rye.' }).waitFor();
    await app.page.setViewportSize({ width: 1400, height: 900 });
  });

  it('leaves what the editor shows over a block, its name and references, where it was', async () => {
    const { page, kernel } = app;
    const id = (await editor.block('The launch').getAttribute('data-node-id')) ?? '';
    await kernel('/api/attr/setBlockAttrs', { id, attrs: { name: 'launch', alias: 'start', memo: 'A memo', bookmark: 'Later' } });
    await new NotesDriver(app).create('Research', `Pointer ${notes}`, `See ((${id} 'the launch')).`);
    await editor.settled();
    await page.goto(page.url());
    await editor.shown();
    const marks = () =>
      page.locator(`.protyle-wysiwyg:visible [data-node-id="${id}"] > .protyle-attr`).evaluate(({ innerHTML }) => innerHTML);
    for (const part of ['Later', 'launch', 'start', 'A memo', 'protyle-attr--refcount popover__block">1<'])
      await expect.poll(marks).toContain(part);
    const before = await marks();
    app.model.push({ text: 'We launch in May.' });
    await editor.command('The launch', 'rewrite', 'Rewrite this block');
    await editor.proposal('rewrite');
    await editor.button('rewrite', 'Approve').click();
    await editor.card('rewrite', 'done').waitFor();
    await editor.block('We launch in May.').waitFor();
    await expect.poll(marks).toBe(before);
    await editor.button('rewrite', 'Undo').click();
    await editor.undone('rewrite');
    await editor.block('The launch is planned').waitFor();
    await expect.poll(marks).toBe(before);
    await editor.button('rewrite', 'Close').click();
  });

  describe('near the lower edge of what is seen', () => {
    const LONG = Array.from({ length: 30 }, (_, index) => `Paragraph number ${index + 1} is here.`).join('\n\n');
    const long = Array.from({ length: 8 }, (_, index) => `- Point ${index + 1}`).join('\n');
    const view = () => app.page.locator('.protyle-content:visible');
    /** Where a paragraph is seen, once what was drawn last stands. */
    const topOf = (text: string) =>
      editor.text(text).evaluate(async (element) => {
        for (const _ of [1, 2]) await new Promise((resolve) => requestAnimationFrame(resolve));
        return element.getBoundingClientRect().top;
      });
    /** The paragraph that is at the lower edge of the view, with a command typed at its end; the answer waits for `let`. */
    const command = async () => {
      await editor.create(`Long ${++notes}`, LONG, true);
      const { bottom } = await view().evaluate((element) => element.getBoundingClientRect().toJSON());
      const paragraphs = app.page.locator('.protyle-wysiwyg:visible [data-type="NodeParagraph"]');
      const text = await paragraphs.evaluateAll(
        (all, end) =>
          all.findLast((one) => one.getBoundingClientRect().bottom < end - 10)?.querySelector('[contenteditable]')?.textContent ?? '',
        bottom,
      );
      const { promise: hold, resolve: answer } = Promise.withResolvers<void>();
      app.model.push({ text: long, hold });
      const before = app.model.requests.length;
      await editor.command(text, 'expl', 'Explain this block');
      await expect.poll(() => app.model.requests.length).toBe(before + 1);
      return { answer, text };
    };
    const overlap = async () => {
      const [card, { bottom }] = [
        await editor.card('explain').boundingBox(),
        await view().evaluate((element) => element.getBoundingClientRect().toJSON()),
      ];
      return card!.y + card!.height - bottom;
    };

    it('is scrolled into sight when it is ready, no further, and the caret stays where it is', async () => {
      const { answer, text } = await command();
      answer();
      await editor.card('explain', 'proposal').waitFor();
      await expect.poll(overlap).toBeLessThanOrEqual(0);
      await expect.poll(overlap).toBeGreaterThan(-20);
      await expect.poll(() => app.page.evaluate(() => document.getSelection()?.anchorNode?.textContent)).toContain(text);
      await editor.button('explain', 'Close').click();
    });

    it('is left where it is while somebody types, or has scrolled away from it', async () => {
      const typing = await command();
      await app.page.keyboard.type('And on');
      const before = await topOf(typing.text);
      typing.answer();
      await editor.card('explain', 'proposal').waitFor();
      expect(await topOf(typing.text)).toBe(before);
      await editor
        .card('explain')
        .getByRole('button', { name: 'Close' })
        .evaluate((button: HTMLElement) => button.click());
      app.model.clear();
      const away = await command();
      await view().evaluate((element) => element.scrollTo({ top: element.scrollHeight }));
      const end = await topOf('number 30');
      away.answer();
      await editor.card('explain', 'proposal').waitFor({ state: 'attached' });
      expect(await topOf('number 30')).toBe(end);
    });
  });

  it('is approved by nothing while it is out of view, and a press shows it', async () => {
    const long = Array.from({ length: 30 }, (_, index) => `Paragraph number ${index + 1} is here.`).join('\n\n');
    await editor.create(`Long ${++notes}`, long, true);
    const { promise: hold, resolve: answer } = Promise.withResolvers<void>();
    app.model.push({ text: 'The first of them.', hold });
    const before = app.model.requests.length;
    await editor.command('number 1 ', 'rewrite', 'Rewrite this block');
    await expect.poll(() => app.model.requests.length).toBe(before + 1);
    await app.page.locator('.protyle-content:visible').evaluate((element) => element.scrollTo({ top: element.scrollHeight }));
    answer();
    await editor.card('rewrite', 'proposal').waitFor({ state: 'attached' });
    const approve = editor.card('rewrite').locator('[data-decision="approve"]');
    await expect.poll(() => approve.isDisabled()).toBe(true);
    await approve.dispatchEvent('click');
    await expect.poll(() => editor.card('rewrite', 'proposal').count()).toBe(1);
    await expect.poll(() => approve.isDisabled()).toBe(false);
    await approve.click();
    await editor.card('rewrite', 'done').waitFor();
    await editor.button('rewrite', 'Close').click();
  });

  it('stays with its Undo until it is closed, without the caret, and as low as a line', async () => {
    await app.page.clock.install();
    await editor.shown();
    app.model.push({ text: 'We launch in May.' }, { text: 'We launch in June.' });
    await editor.command('The launch', 'rewrite', 'Rewrite this block');
    await editor.proposal('rewrite');
    await app.page.keyboard.press('Alt+j');
    await expect.poll(() => editor.card('rewrite').evaluate((card) => card === document.activeElement)).toBe(true);
    await app.page.keyboard.press('Enter');
    await editor.card('rewrite', 'done').waitFor();
    await app.page.clock.runFor(600_000);
    await expect.poll(() => app.page.evaluate(() => document.activeElement?.classList.contains('protyle-wysiwyg'))).toBe(true);
    await expect.poll(async () => (await editor.card('rewrite', 'done').boundingBox())?.height).toBeLessThan(45);
    // A second suggestion for the block takes its place.
    await editor.command('We launch', 'rewrite', 'Rewrite this block');
    await editor.card('rewrite', 'proposal').waitFor();
    await expect.poll(() => editor.card('rewrite').count()).toBe(1);
    await editor.button('rewrite', 'Reject').click();
  });
});
