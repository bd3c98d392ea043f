import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath, TestPage } from '../test-page.ts';

if (!chromiumPath) console.warn('editor.test.ts is skipped: no Chromium on this machine → install it or name it in MARGINALIA_CHROMIUM');

describe.skipIf(!chromiumPath)('the editor in a browser', () => {
  let shell: TestPage;

  beforeAll(async () => {
    shell = await TestPage.start();
    await shell.post('/api/notebook/createNotebook', { name: 'Research' });
  });

  afterEach(() => expect(shell.errors).toEqual([]));
  afterAll(() => shell?.stop());

  it('writes what is typed by transactions, splits on Enter and undoes it with Ctrl+Z', async () => {
    const id = await shell.open('hello');
    const [first = ''] = await shell.childIds(id);
    await shell.block(first).click();
    await shell.page.keyboard.press('End');
    await shell.page.keyboard.type(' world');
    await expect.poll(() => shell.kramdown(first)).toMatch(/^hello world\n\{: /);
    await shell.page.keyboard.press('Enter');
    await shell.page.keyboard.type('next');
    await expect
      .poll(async () => (await shell.post<{ content: string }[]>('/api/block/getChildBlocks', { id })).map((b) => b.content))
      .toEqual(['hello world', 'next']);
    await shell.page.keyboard.press('Control+z');
    await shell.page.keyboard.press('Control+z');
    await expect.poll(() => shell.childIds(id)).toEqual([first]);
    await shell.page.keyboard.press('Control+z');
    await expect.poll(() => shell.kramdown(first)).toMatch(/^hello\n/);
    await expect.poll(() => shell.block(first).textContent()).toMatch(/^hello/);
  });

  it('draws formulas, and gives the kernel their source alone', async () => {
    const id = await shell.open('so $a < b$ holds\n\n$$\nx^2\n$$');
    const [text = '', formula = ''] = await shell.childIds(id);
    await shell.block(formula).locator('.katex-html').waitFor();
    await shell.block(text).locator('.katex-html').waitFor();
    expect(await shell.block(text).innerText()).not.toContain('&');
    await shell.block(text).click({ position: { x: 4, y: 8 } });
    await shell.page.keyboard.press('End');
    await shell.page.keyboard.type(' true');
    await expect.poll(() => shell.kramdown(text)).toMatch(/^so \$a < b\$ holds true\n\{: /);
    expect(await shell.kramdown(formula)).toMatch(/^\$\$\nx\^2\n\$\$\n/);
  });

  it('Backspace deletes an empty block and joins two', async () => {
    const id = await shell.open('one\n\ntwo');
    const [first = '', second = ''] = await shell.childIds(id);
    await shell.block(second).click();
    await shell.page.keyboard.press('Home');
    await shell.page.keyboard.press('Backspace');
    await expect.poll(() => shell.kramdown(first)).toMatch(/^onetwo\n/);
    await shell.page.keyboard.press('End');
    await shell.page.keyboard.press('Enter');
    await expect.poll(async () => (await shell.childIds(id)).length).toBe(2);
    await shell.page.keyboard.press('Backspace');
    await expect.poll(() => shell.childIds(id)).toEqual([first]);
  });

  it('applies the writes of others and keeps the caret of a block that they leave alone', async () => {
    const id = await shell.open('mine\n\ntheirs');
    const [mine = '', theirs = ''] = await shell.childIds(id);
    await shell.block(mine).click();
    await shell.page.keyboard.press('End');
    const dom = (await shell.post<{ dom: string }>('/api/block/getBlockDOM', { id: theirs })).dom;
    const fresh = '20261122000000-aaaaaaa';
    const transactions = [
      {
        doOperations: [
          { action: 'update', id: theirs, data: dom.replace('theirs', 'changed') },
          { action: 'insert', id: fresh, data: dom.replace('theirs', 'added').replaceAll(theirs, fresh), previousID: theirs },
        ],
        undoOperations: [],
      },
    ];
    await shell.post('/api/transactions', { app: 'other', session: 'other', reqId: 1, transactions });
    await expect.poll(() => shell.block(theirs).textContent()).toMatch(/^changed/);
    await expect.poll(() => shell.block(fresh).textContent()).toMatch(/^added/);
    await shell.page.keyboard.type('!');
    await expect.poll(() => shell.kramdown(mine)).toMatch(/^mine!\n/);
    expect((await shell.logged('ws-main')).some((entry) => entry.cmd === 'transactions')).toBe(true);
  });

  it('replaces the block under the caret when another window writes it', async () => {
    const id = await shell.open('mine');
    const [mine = ''] = await shell.childIds(id);
    await shell.block(mine).click();
    await shell.page.keyboard.press('End');
    await shell.page.keyboard.type('!');
    await expect.poll(() => shell.kramdown(mine)).toMatch(/^mine!\n/);
    await shell.asOther([{ action: 'update', id: mine, data: (await shell.dom(mine)).replace('mine!', 'yours') }]);
    await expect.poll(() => shell.block(mine).textContent()).toMatch(/^yours/);
    await shell.asOther([
      {
        action: 'insert',
        id: '20261122000001-bbbbbbb',
        data: (await shell.dom(mine)).replaceAll(mine, '20261122000001-bbbbbbb'),
        parentID: id,
      },
    ]);
    await shell.asOther([{ action: 'move', id: mine, parentID: id }]);
    await expect.poll(() => shell.page.locator('.protyle-wysiwyg > [data-node-id]').first().getAttribute('data-node-id')).toBe(mine);
    await shell.asOther([{ action: 'delete', id: mine }]);
    await expect.poll(() => shell.block(mine).count()).toBe(0);
  });

  it('shows a name, an alias or a memo over its block as soon as it has one, beside how often the block is referred to', async () => {
    const id = await shell.open('named');
    const [named = ''] = await shell.childIds(id);
    const count = '<div class="protyle-attr--refcount popover__block">2</div>';
    const dom = await shell.dom(named);
    await shell.asOther([{ action: 'update', id: named, data: dom.replace('\u200b</div></div>', `${count}\u200b</div></div>`) }]);
    const marks = shell.block(named).locator('> .protyle-attr');
    await expect.poll(() => marks.textContent()).toMatch(/^2/);
    await shell.post('/api/attr/setBlockAttrs', { id: named, attrs: { name: 'a <b>', memo: 'why' } });
    await expect.poll(() => marks.textContent()).toMatch(/^a <b>2/);
    await expect.poll(() => marks.locator('.protyle-attr--memo').getAttribute('aria-label')).toBe('why');
    await shell.post('/api/attr/setBlockAttrs', { id: named, attrs: { name: '', memo: '' } });
    await expect.poll(() => marks.textContent()).toMatch(/^2/);
  });

  it('writes into an empty document and below the last block', async () => {
    const id = await shell.open('');
    const area = await shell.page.locator('.protyle-content').boundingBox();
    await shell.page.mouse.click((area?.x ?? 0) + 200, (area?.y ?? 0) + 400);
    await shell.page.keyboard.type('begun');
    await expect.poll(async () => (await shell.children(id)).map((b) => b.content)).toEqual(['begun']);
    await shell.page.mouse.click((area?.x ?? 0) + 200, (area?.y ?? 0) + 400);
    await shell.page.keyboard.type('more');
    await expect.poll(async () => (await shell.children(id)).map((b) => b.content)).toEqual(['begun', 'more']);
  });

  it('goes on in lists and leaves them with Enter in an empty item', async () => {
    const id = await shell.open('* one');
    const [list = ''] = await shell.childIds(id);
    await shell.block(list).locator('.p').click();
    await shell.page.keyboard.press('End');
    await shell.page.keyboard.press('Enter');
    await shell.page.keyboard.type('two');
    await expect.poll(async () => (await shell.children(list)).length).toBe(2);
    await shell.page.keyboard.press('Enter');
    await shell.page.keyboard.press('Enter');
    await shell.page.keyboard.type('after');
    await expect.poll(async () => (await shell.children(id)).map((b) => b.content?.trim())).toEqual(['one two', 'after']);
    expect((await shell.children(list)).length).toBe(2);
  });

  it('lists slash commands; the callback gets the range of "/query" and insert replaces it', async () => {
    const id = await shell.open('start');
    const [first = ''] = await shell.childIds(id);
    await shell.block(first).click();
    await shell.page.keyboard.press('End');
    await shell.page.keyboard.type(' /sam');
    await shell.page.getByRole('option', { name: 'Sample insert' }).waitFor();
    await shell.page.keyboard.press('Enter');
    expect((await shell.logged('slash'))[0]).toMatchObject({ range: '/sam', node: first });
    await expect.poll(() => shell.kramdown(first)).toMatch(/^start \*\*sampled\*\*\n/);
  });
});
