// Nobody loses letters while typing, and the model's Markdown runs nothing and fetches nothing.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { chromiumPath, notebookFiles, startApp, type TestApp } from '../support/app.ts';
import { drive, type PanelDriver } from '../support/panel.ts';
import { lastToolText } from '../support/scripts.ts';

const HOSTILE: Readonly<Record<string, string>> = {
  'a query embed with JavaScript': "{{//!js_esc_newline_window.pwned='embed';return []}}",
  'a query embed with JavaScript, as a block among others': "Text before\n\n{{//!js window.pwned='embed2'}}\n\nText after",
  'a remote image': 'Look: ![chart](http://127.0.0.1:9/leak.png?d=secret)',
  'an image in HTML': '<img src="http://127.0.0.1:9/leak.png" onerror="window.pwned=\'img\'">',
  'a script': "<script>window.pwned='script'</script>",
  'an HTML block': "<div><iframe src='http://127.0.0.1:9/frame'></iframe><svg onload=\"window.pwned='svg'\"></svg></div>",
  'a widget': '<iframe src="/widgets/x/" data-subtype="widget"></iframe>',
  'attributes by IAL':
    'A paragraph\n{: id="20200101000000-aaaaaaa" custom-avs="x" style="background:url(http://127.0.0.1:9/css)" onclick="window.pwned=\'ial\'"}',
  'a javascript link': '[click](javascript:window.pwned=1)',
};

/** What would run or load if it stood in a note. Literal text such as "<script>" is only text. */
const DANGEROUS = [
  'script',
  'iframe',
  'object',
  'protyle-html',
  'img[src^="http"], img[data-src^="http"]',
  '[onclick], [onerror], [onload]',
  '[style*="url("]',
  '[custom-avs]',
  '[data-node-id="20200101000000-aaaaaaa"]',
  '[data-href^="javascript:"], [href^="javascript:"]',
  '[data-type="NodeBlockQueryEmbed"][data-content*="//!js"]',
].join(', ');

describe.skipIf(!chromiumPath)('safety', () => {
  let app: TestApp;
  let panel: PanelDriver;
  let document = '';
  let paragraph = '';
  const editor = () => app.page.locator('.protyle-wysiwyg:visible');
  const text = async (id: string): Promise<string> =>
    (await app.kernel<{ kramdown: string }>('/api/block/getBlockKramdown', { id })).kramdown;

  beforeAll(async () => {
    app = await startApp();
    panel = drive(app.page);
    const notebook = await app.notebook('Research');
    document = await app.kernel<string>('/api/filetree/createDocWithMd', {
      notebook,
      path: '/Typing',
      markdown: 'The first sentence.\n\nAnother paragraph.',
    });
    paragraph = (await app.kernel<{ id: string }[]>('/api/block/getChildBlocks', { id: document }))[0]!.id;
    await app.page.goto(app.address({ note: document }));
    await editor().getByText('The first sentence.').waitFor();
    await panel.open();
  });
  afterAll(() => app?.close());
  beforeEach(() => panel.newChat());

  /** Reads the document, then proposes to change its first sentence. */
  const proposeEdit = (replacement: string) => [
    { calls: [{ name: 'read_doc', args: { id: document } }] },
    (request: Parameters<typeof lastToolText>[0]) => {
      const hash = new RegExp(`@@${paragraph}@@p#(\\w+)`).exec(lastToolText(request))?.[1];
      return { calls: [{ name: 'edit_block', args: { id: paragraph, expectHash: hash, edits: [{ old: 'first', new: replacement }] } }] };
    },
    { text: 'Done with that.' },
  ];

  it('typing in the touched block while the approval is open leads to a question, and no letter is lost', async () => {
    app.model.push(...proposeEdit('opening'));
    await panel.send('Improve my first sentence');
    await panel.approval.getByRole('radio', { name: /^Always: set/ }).check();
    await editor().getByText('The first sentence.').click();
    await app.page.keyboard.press('End');
    await app.page.keyboard.type(' I was typing this.');
    // Pressed by script, the button leaves the caret where it is, as a key command of the host would.
    await panel.approval.getByRole('button', { name: 'Approve', exact: true }).evaluate((button: HTMLElement) => button.click());
    // The question: the host's dialog, before anything is written.
    const dialog = app.page.locator('.b3-dialog--open');
    await dialog
      .getByText(/typing/i)
      .first()
      .waitFor();
    // The keyboard does not leave the dialog.
    for (let times = 0; times < 3; times++) {
      await app.page.keyboard.press('Tab');
      await expect.poll(() => dialog.evaluate((shown) => shown.matches(':focus-within'))).toBe(true);
    }
    await dialog.getByRole('button', { name: /cancel/i }).click();
    await panel.settled();
    expect(await panel.tool('edit_block').last().getAttribute('data-status')).not.toBe('success');
    await expect.poll(() => text(paragraph)).toContain('The first sentence. I was typing this.');
    await expect.poll(() => editor().innerText()).toContain('The first sentence. I was typing this.');
  });

  it('a block that changed since the plan is stale: nothing is written over it', async () => {
    app.model.push(...proposeEdit('opening'));
    await panel.send('Improve my first sentence');
    await panel.approval.waitFor();
    const dom = `<div data-node-id="${paragraph}" data-type="NodeParagraph" class="p"><div contenteditable="true" spellcheck="false">The first sentence, from my phone.</div><div class="protyle-attr" contenteditable="false"></div></div>`;
    const operation = { action: 'update', id: paragraph, data: dom };
    await app.kernel('/api/transactions', {
      app: 'phone',
      session: 'phone',
      reqId: 1,
      transactions: [{ doOperations: [operation], undoOperations: [operation] }],
    });
    // The editor puts its caret back into what it draws again: after the button was pressed, that would look like typing.
    await editor().getByText('from my phone').waitFor();
    await panel.approve();
    await panel.settled();
    expect(lastToolText(app.model.requests.at(-1)!)).toContain('stale');
    expect(await text(paragraph)).toContain('from my phone');
  });

  it('edits a block in place, keeps its id, and undo restores it', async () => {
    const before = await text(paragraph);
    app.model.push(...proposeEdit('opening'));
    await panel.send('Improve my first sentence');
    await panel.approval.waitFor();
    await app.page.mouse.click(5, 5);
    await panel.approve();
    await panel.settled();
    expect(await text(paragraph)).toContain('The opening sentence');
    await editor().getByText('The opening sentence').waitFor();
    await panel.region.getByRole('button', { name: 'Undo' }).first().click();
    await panel.region.getByText('Undone', { exact: true }).first().waitFor();
    const plain = (kramdown: string) => kramdown.replace(/ updated="\d+"/, '');
    expect(plain(await text(paragraph))).toBe(plain(before));
  });

  it('shows a result before the model reads it where the Tools page says so; a rejected one stays here, after a reload too', async () => {
    app.model.clear();
    const before = app.model.requests.length;
    const sent = (): string => JSON.stringify(app.model.requests.slice(before));
    const choose = async (results: 'always' | 'never') => {
      await panel.region.getByRole('button', { name: 'Tools', exact: true }).click();
      await panel.region.getByRole('button', { name: /^Notes/ }).click();
      await panel.region.getByLabel('Results of Read note', { exact: true }).selectOption(results);
      await app.page.keyboard.press('Escape');
    };
    const ask = async (reload: boolean) => {
      if (reload) {
        await app.reload();
        await editor().getByText('Another paragraph.').waitFor();
        await panel.open();
      }
      app.model.push({ calls: [{ name: 'read_doc', args: { id: document } }] }, { text: 'So much for that.' });
      await panel.send('What does it say?');
      await panel.approval.getByText('Another paragraph.').waitFor();
      expect(sent()).not.toContain('Another paragraph.');
    };
    await choose('always');
    for (const reload of [false, true]) {
      await ask(reload);
      await panel.reject();
      await panel.settled();
      expect(lastToolText(app.model.requests.at(-1)!)).toContain('keeps its result from you');
      expect(sent()).not.toContain('Another paragraph.');
    }
    await ask(false);
    await panel.approve();
    await panel.settled();
    expect(lastToolText(app.model.requests.at(-1)!)).toContain('Another paragraph.');
    await choose('never');
    app.model.push({ calls: [{ name: 'read_doc', args: { id: document } }] }, { text: 'Read at once.' });
    await panel.send('And now?');
    await panel.answer.getByText('Read at once.').waitFor();
    await panel.settled();
  });

  it('runs nothing and fetches nothing of what the model writes, when it comes and when it is loaded anew', async () => {
    const harmless = async (name: string): Promise<void> => {
      expect(await app.page.evaluate(() => Reflect.get(window, 'pwned')), name).toBeUndefined();
      expect(app.foreignRequests, name).toEqual([]);
      expect(await editor().locator(DANGEROUS).count(), name).toBe(0);
    };
    // In one chat, so that all of them are in the note and in its answers in the end.
    for (const [index, [name, markdown]] of Object.entries(HOSTILE).entries()) {
      const done = `Number ${index} is done`;
      app.model.push(
        { calls: [{ name: 'insert_blocks', args: { anchor: document, position: 'append', markdown } }] },
        { text: `${done}: ${markdown}` },
      );
      const files = notebookFiles(app.workspace);
      await panel.send('Add this');
      await panel.approval.or(panel.answer.getByText(done)).first().waitFor();
      // Where a safe form exists it is offered, with a notice; else the call is refused before anybody is asked.
      if (await panel.approval.isVisible()) await panel.approve();
      await panel.settled();
      if ((await panel.tool('insert_blocks').last().getAttribute('data-status')) !== 'success')
        expect(notebookFiles(app.workspace), name).toEqual(files);
      await harmless(name);
    }
    await app.page.reload();
    await editor().getByText('Another paragraph.').waitFor();
    await panel.open();
    await panel.answer.getByText(`Number ${Object.keys(HOSTILE).length - 1} is done`).waitFor();
    await harmless('all of them, loaded anew');
  });
});
