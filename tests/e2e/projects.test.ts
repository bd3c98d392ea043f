// Projects, on the built plugin: a note whose chats keep to some notebooks, follow its text, and are refused once it is gone.
import { afterEach, describe, expect, it } from 'vitest';
import chinese from '../../i18n/zh_CN.json';
import { chromiumPath, startApp, type TestApp } from '../support/app.ts';
import { drive } from '../support/panel.ts';

/** Runs in the page. */
const openBlock = (id: string): boolean =>
  (window as { openFileByURL?: (url: string) => boolean }).openFileByURL?.(`siyuan://blocks/${id}`) ?? false;

describe.skipIf(!chromiumPath)('projects', () => {
  let app: TestApp;
  afterEach(() => app?.close());

  const notebooks = async (): Promise<ReadonlyMap<string, string>> => {
    const list = await app.kernel<{ notebooks: { id: string; name: string }[] }>('/api/notebook/lsNotebooks', {});
    return new Map(list.notebooks.map(({ name, id }) => [name, id]));
  };
  const noteAt = async (notebook: string, path: string): Promise<string> =>
    (await app.kernel<string[]>('/api/filetree/getIDsByHPath', { notebook: (await notebooks()).get(notebook), path }))[0] ?? '';

  it('are made by a form, their chats keep to them, and are refused once the note is gone', async () => {
    app = await startApp({ settings: { notebooks: { '*': 'write' } } });
    const research = (await notebooks()).get('Research');
    const salary = { notebook: research, path: '/Salary', markdown: 'Zanzibar pays 900.' };
    const outside = await app.kernel<string>('/api/filetree/createDocWithMd', salary);
    const panel = drive(app.page);
    await panel.open();
    await panel.region.getByRole('button', { name: 'More', exact: true }).click();
    await app.page.getByRole('menuitem', { name: 'Projects', exact: true }).click();
    const page = panel.region.getByRole('group', { name: 'Projects', exact: true });
    await page.getByRole('button', { name: 'New project…' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Lamps');
    await page.getByLabel('Notebook of its note').selectOption({ label: 'Research' });
    await page.getByRole('checkbox', { name: 'Keep to certain notebooks and notes' }).check();
    await page.getByRole('checkbox', { name: 'Life', exact: true }).check();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('article', { name: 'Lamps' }).getByText('keeps to Life').waitFor();
    const id = await noteAt('Research', '/Lamps');
    await app.kernel('/api/block/appendBlock', { parentID: id, dataType: 'markdown', data: 'Answer in verses.' });
    await page.getByRole('button', { name: 'New chat in Lamps' }).click();
    await panel.region.getByText('Project Lamps: keeps to Life').waitFor();

    const reads = [
      { name: 'read_doc', args: { id: outside } },
      { name: 'search_notes', args: { query: 'pays' } },
    ];
    app.model.push({ calls: reads }, { text: 'Nothing.' });
    await panel.send('What is the salary?');
    await panel.settled();
    const [first, second] = app.model.bodies;
    expect(first).toContain('Answer in verses.');
    expect(second).not.toContain('900');

    await app.kernel('/api/filetree/removeDocByID', { id });
    await panel.send('And now?');
    await panel.settled('error');
    await panel.answer.getByText('The project of this chat cannot be read.').waitFor();
    await panel.region.getByText('Its note, or what is set for it, cannot be read', { exact: false }).waitFor();
    expect(app.model.bodies).toHaveLength(2);

    await panel.newChat();
    app.model.push({ calls: reads }, { text: 'It pays 900.' });
    await panel.send('What is the salary?');
    await panel.settled();
    expect(app.model.bodies[2]).not.toContain('user-project');
    expect(app.model.bodies[3]).toContain('pays 900');
    await expect.poll(() => panel.region.getByText('Its note, or what is set', { exact: false }).count()).toBe(0);
  });

  it('send nothing of other notes, whatever is open or attached', async () => {
    app = await startApp({ settings: { notebooks: { '*': 'write' } } });
    const books = await notebooks();
    const make = (notebook: string, path: string, markdown: string) =>
      app.kernel<string>('/api/filetree/createDocWithMd', { notebook: books.get(notebook), path, markdown });
    const outside = await make('Research', '/Zanzibar', 'It pays 900. #payroll#');
    await make('Life', '/Pay day', 'Rent is due. #payroll#');
    const attrs = { 'custom-marginalia-project': JSON.stringify({ schema: 1, scope: { notebooks: [books.get('Life')], notes: [] } }) };
    await app.kernel('/api/attr/setBlockAttrs', { id: await make('Research', '/Lamps', 'Be short.'), attrs });
    const panel = drive(app.page);
    await panel.open();
    await app.page.evaluate(openBlock, outside);
    // A note that opens closes the menus of the page.
    await app.page.locator(`.protyle-title[data-node-id="${outside}"]:visible`).waitFor();
    await panel.region.getByRole('button', { name: 'More', exact: true }).click();
    await app.page.getByRole('menuitem', { name: 'Projects', exact: true }).click();
    await panel.region.getByRole('button', { name: 'New chat in Lamps' }).click();
    await panel.region.getByRole('button', { name: /1 notebook: read and edit/u }).waitFor();
    // Only what the chat may read is offered.
    await panel.message.pressSequentially('@pay');
    await app.page
      .getByRole('option', { name: /Pay day/u })
      .first()
      .waitFor();
    expect(await app.page.getByRole('option', { name: /Zanzibar/u }).count()).toBe(0);
    await panel.message.fill('');
    expect(await panel.region.getByText(/Zanzibar/u).count()).toBe(0);
    await panel.message.pressSequentially('@#payroll');
    await app.page.getByRole('option').first().waitFor();
    await panel.message.press('Enter');
    app.model.push({ calls: [{ name: 'search_notes', args: { query: 'payroll' } }] }, { text: 'Nothing.' });
    await panel.message.pressSequentially(' what is it?');
    await panel.region.getByRole('button', { name: 'Send' }).click();
    await panel.answer.getByText('Nothing.').waitFor();
    const sent = app.model.bodies.join();
    expect(sent).not.toMatch(/900|Research\/Zanzibar/u);
    expect(sent).toContain('Be short.');
  });

  it('are left after a question; a refused chat says so, goes on elsewhere with what was typed, or is one again', async () => {
    app = await startApp({ settings: { notebooks: { '*': 'write' } } });
    const books = await notebooks();
    const note = { notebook: books.get('Research'), path: '/Lamps', markdown: 'Be short.' };
    const id = await app.kernel<string>('/api/filetree/createDocWithMd', note);
    const attrs = { 'custom-marginalia-project': JSON.stringify({ schema: 1, scope: { notebooks: [books.get('Life')], notes: [] } }) };
    await app.kernel('/api/attr/setBlockAttrs', { id, attrs });
    const panel = drive(app.page);
    const openPage = async () => {
      await panel.region.getByRole('button', { name: 'More', exact: true }).click();
      await app.page.getByRole('menuitem', { name: 'Projects', exact: true }).click();
    };
    await panel.open();
    await openPage();
    await panel.region.getByRole('button', { name: 'New chat in Lamps' }).click();
    app.model.push({ text: 'Yes.' });
    await panel.send('Is it there?');
    await panel.settled();
    await openPage();
    await panel.region.getByRole('button', { name: 'No longer a project' }).click();
    const dialog = app.page.locator('.b3-dialog__container');
    await dialog.getByText('Its chats (1) are not answered', { exact: false }).waitFor();
    await dialog.getByText('Orders, programs and agents that were given it stop as well', { exact: false }).waitFor();
    await dialog.getByRole('button', { name: 'No longer a project' }).click();
    await panel.region.getByRole('article', { name: 'Lamps' }).getByText('no longer a project', { exact: false }).waitFor();
    // SiYuan takes its dialog away a moment later; until then Escape is the dialog's.
    await dialog.waitFor({ state: 'detached' });
    await app.page.keyboard.press('Escape');
    await panel.region.getByText('Project Lamps: It is no longer a project', { exact: false }).waitFor();
    await panel.region.getByRole('button', { name: /No notebook can be read/u }).waitFor();
    await panel.send('And now?');
    await panel.settled('error');
    await panel.answer.getByText('is no longer a project', { exact: false }).waitFor();
    await panel.answer.getByRole('button', { name: 'Go on in a new chat' }).click();
    await expect.poll(() => panel.message.inputValue()).toBe('And now?');
    // From a chat that is none of its own.
    await openPage();
    await panel.region.getByRole('button', { name: 'Make it a project again' }).click();
    await panel.region.getByRole('article', { name: 'Lamps' }).getByText('keeps to Life').waitFor();
  });

  it('say in Chinese what they are', async () => {
    app = await startApp({ language: 'zh-CN' });
    await app.page.locator('.dock__item[data-type="siyuan-marginaliapanel"]').click();
    const panel = app.page.locator('.mg-panel');
    await panel.getByRole('button', { name: chinese['action.more'], exact: true }).click();
    await app.page.getByRole('menuitem', { name: '项目', exact: true }).click();
    await panel.getByText('还没有项目。').waitFor();
    await panel.getByRole('button', { name: '新建项目…' }).click();
    await panel.getByRole('checkbox', { name: '仅限指定的笔记本和笔记' }).check();
    await panel.getByRole('checkbox', { name: 'Life', exact: true }).waitFor();
  });
});
