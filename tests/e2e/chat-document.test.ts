// A chat as a note, there and back: what the user does to the note by hand stays, and the note alone brings the chat back.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { steady } from '../host/support.ts';
import { chromiumPath, notebookFiles, startApp, type TestApp } from '../support/app.ts';
import { ChatFiles, type StoredChat } from '../support/chats.ts';
import { whenReady } from '../support/hosts.ts';
import { NotesDriver } from '../support/notes.ts';
import { drive, type PanelDriver } from '../support/panel.ts';

const PETAL = '/data/storage/petal/siyuan-marginalia';

describe.skipIf(!chromiumPath)('a chat and its note', () => {
  let app: TestApp;
  let files: ChatFiles;
  let notes: NotesDriver;
  let panel: PanelDriver;
  let note = '';
  const first = 'What keeps a room cool?';
  const editor = () => app.page.locator('.protyle-wysiwyg:visible');
  const button = (name: string) => panel.region.getByRole('button', { name, exact: true });
  const chat = () => files.chat(first);
  const blocks = () => app.kernel<{ id: string; type: string }[]>('/api/block/getChildBlocks', { id: note });
  const dom = async (id: string) => (await app.kernel<{ dom: string }>('/api/block/getBlockDOM', { id })).dom;
  const transact = (...operations: object[]) => {
    const transactions = [{ doOperations: operations, undoOperations: [] }];
    return app.kernel('/api/transactions', { app: 'phone', session: 'phone', reqId: 1, transactions });
  };
  const ask = async (question: string, answer: string): Promise<void> => {
    app.model.push({ text: answer });
    await panel.send(question);
    await panel.answer.getByText(answer).waitFor();
    await panel.settled();
  };
  /** Nodes that belong to messages in the note, in the order in which they stand; those inside other blocks too. */
  async function nodesInNote(): Promise<string[]> {
    const html = (await Promise.all((await blocks()).map(({ id }) => dom(id)))).join('');
    return [...html.matchAll(/custom-marginalia-node="([^"]+)"/g)].map(([, node]) => node ?? '');
  }
  /** What the messages of a chat hold, without when and by whom it was changed last. */
  const content = ({ nodes }: StoredChat) =>
    Object.fromEntries(Object.entries(nodes).map(([id, { parent, role, versions }]) => [id, { parent, role, versions }]));
  const openChatOfNote = async (): Promise<void> => {
    await app.page.locator('.protyle-breadcrumb [data-type="doc"]:visible').click();
    await app.page.locator('.b3-menu__item:visible', { hasText: 'Plugin' }).first().hover();
    await app.page.getByText('Open the chat of this note').click();
  };

  beforeAll(async () => {
    app = await startApp();
    files = new ChatFiles(app);
    notes = new NotesDriver(app);
    panel = drive(app.page);
    const notebook = await app.notebook('Research');
    const source = await notes.create('Research', 'Shutters', 'Close the shutters on the south side by day.');
    await whenReady(app.page);
    await notes.setRights({ [notebook]: 'write' });
    await app.reload();
    await panel.open();
    app.model.push(
      { text: 'I look it up.', calls: [{ name: 'read_doc', args: { id: source.id } }] },
      { text: `Shutters ((${source.id} "Shutters")), by day.` },
    );
    await panel.send(first);
    await panel.answer.getByText('by day.').waitFor();
    await panel.settled();
    await ask('And at night?', 'Open all windows.');
  });
  afterAll(() => app?.close());

  const save = async (path: string): Promise<void> => {
    await button('More').click();
    await panel.region.getByRole('menuitem', { name: 'Save as a note' }).click();
    const form = panel.region.getByRole('group', { name: 'Save as a note' });
    // Its name is the chat's title.
    await expect.poll(() => form.getByRole('textbox', { name: 'Path' }).inputValue()).toBe(`/${first}`);
    await form.getByRole('textbox', { name: 'Path' }).fill(path);
    await form.getByRole('button', { name: 'Save', exact: true }).click();
    await expect.poll(() => chat().boundDocument ?? '').not.toBe('');
  };

  it('is undone together with its note, byte by byte, and is no longer bound', async () => {
    const before = notebookFiles(app.workspace);
    await save('/Rooms/Undone');
    await panel.region.getByRole('status').getByRole('button', { name: 'Undo', exact: true }).click();
    await panel.region.getByText('The save was undone.').waitFor();
    expect(notebookFiles(app.workspace)).toEqual(before);
    await expect.poll(() => chat().boundDocument).toBeUndefined();
    await app.reload();
    await panel.open();
    await panel.answer.getByText('Open all windows.').waitFor();
    expect(await panel.region.getByRole('alert').count()).toBe(0);
  });

  it('one answer becomes a new note, which can be opened and undone', async () => {
    const before = notebookFiles(app.workspace);
    await panel.answer.getByRole('button', { name: 'More actions for this message' }).click();
    await panel.region.getByRole('menuitem', { name: 'Append to another note…' }).click();
    await button('Save as a new note…').click();
    const path = panel.region.getByRole('textbox', { name: 'Path' });
    await path.fill('/Airing');
    await path.press('Enter');
    const said = panel.region.getByRole('status').filter({ hasText: 'Saved as a note' });
    await said.getByRole('button', { name: 'Open' }).click();
    await editor().getByText('Open all windows.').waitFor();
    await said.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => notebookFiles(app.workspace)).toEqual(before);
  });

  it('is saved as a note, one block for each message, headed by who speaks and when', async () => {
    await save('/Cool rooms');
    note = chat().boundDocument ?? '';
    // The page of saving closes, and the focus goes back to where one writes.
    await expect.poll(() => panel.message.evaluate((element) => element === document.activeElement)).toBe(true);
    await button('More').click();
    await panel.region.getByRole('menuitem', { name: 'Update the note' }).click();
    await button('Open the note').click();
    await editor().getByText('Open all windows.').waitFor();
    await expect.poll(nodesInNote).toEqual(Object.keys(chat().nodes));
    const heads = editor().locator('.sb > .p:first-child');
    await expect.poll(() => heads.first().innerText()).toMatch(/^You · \w+ \d+, \d{4},? \d+:\d\d/);
    await expect.poll(() => heads.nth(1).innerText()).toMatch(/^Answer · /);
    // In the order of the panel: what was said before the note was read, then what was said after it.
    await expect
      .poll(() => editor().innerText())
      .toMatch(/I look it up\..*Shutters Shutters, by day\..*And at night\?.*Open all windows\./s);
  });

  it('keeps a paragraph of the user, a text that he changed and blocks that he moved, when the talk goes on', async () => {
    await editor().getByText('Open all windows.').click();
    await app.page.keyboard.press('End');
    await app.page.keyboard.type(' But mind the mosquitoes.');
    await app.page.keyboard.press('Enter');
    await app.page.keyboard.type('My own paragraph.');
    await expect.poll(async () => (await Promise.all((await blocks()).map(({ id }) => dom(id)))).join('')).toContain('My own paragraph.');
    const [question, , again] = (await blocks()).map(({ id }) => id);
    const inner = '20260101000000-innerin';
    const quote = '20260101000000-quotequ';
    const paragraph = `<div data-node-id="${inner}" data-type="NodeParagraph" class="p"><div contenteditable="true" spellcheck="false">Set aside.</div><div class="protyle-attr" contenteditable="false"></div></div>`;
    const data = `<div data-node-id="${quote}" data-type="NodeBlockquote" class="bq">${paragraph}<div class="protyle-attr" contenteditable="false"></div></div>`;
    await transact({ action: 'insert', id: quote, data, previousID: again });
    await transact({ action: 'move', id: question, previousID: inner });
    await transact({ action: 'move', id: again, parentID: note });
    const before = await Promise.all((await blocks()).map(({ id }) => dom(id)));
    expect(before).toHaveLength(4);
    const standing = await nodesInNote();
    expect(standing).toHaveLength(4);
    await ask('And in winter?', 'Keep them shut.');
    await editor().getByText('Keep them shut.').waitFor();
    const after = await Promise.all((await blocks()).map(({ id }) => dom(id)));
    expect(after.slice(0, 4).map(steady)).toEqual(before.map(steady));
    expect(after).toHaveLength(6);
    const added = await nodesInNote();
    expect(added.slice(0, 4)).toEqual(standing);
    expect(new Set(added).size).toBe(6);
    // The chat keeps its own text, and says where the note has another.
    await app.reload();
    await panel.open();
    const mark = panel.region.getByRole('button', { name: 'Edited in the note' });
    await mark.waitFor();
    await expect
      .poll(() => panel.region.locator('article', { hasText: 'Edited in the note' }).innerText())
      .toMatch(/Open all windows\.(?! But)/);
    await expect.poll(() => mark.count()).toBe(1);
    await mark.click();
    await editor().getByText('But mind the mosquitoes.').waitFor();
  });

  it('brings the chat back on a device that has no file of it, word for word with its tools, and grows on', async () => {
    await expect.poll(() => files.names('journal')).toEqual([]);
    const before = chat();
    for (const folder of ['sessions', 'variables'])
      await app.kernel('/api/file/removeFile', { path: `${PETAL}/${folder}` }).catch(() => null);
    await app.page.goto(app.address({ note: note }));
    await panel.open();
    await editor().getByText('Keep them shut.').waitFor();
    expect(await panel.region.locator('article').count()).toBe(0);
    await openChatOfNote();
    await panel.answer.getByText('Keep them shut.').waitFor();
    // The panel shows a chat before its file is written.
    await expect.poll(chat).toMatchObject({ id: before.id, boundDocument: note, leafId: before.leafId, variables: before.variables });
    // What a note brings may be somebody else's text, and is marked as such.
    const unmarked = JSON.stringify(content(chat()), (key, value) => (key === 'fromElsewhere' ? undefined : value));
    expect(JSON.parse(unmarked)).toEqual(content(before));
    expect(JSON.stringify(content(chat()))).toContain('"fromElsewhere":true');
    const questions = panel.region.locator('article[data-role="user"]');
    await expect
      .poll(() => questions.allInnerTexts())
      .toEqual([first, 'And at night?', 'And in winter?'].map((text) => expect.stringContaining(text)));
    await expect.poll(() => panel.tool('read_doc').getAttribute('data-status')).toBe('success');
    await ask('Is that all?', 'Nearly.');
    expect(JSON.stringify(app.model.requests.at(-1)?.messages)).toContain('Open all windows.');
    await editor().getByText('Nearly.').waitFor();
    await expect.poll(async () => new Set(await nodesInNote()).size).toBe(8);
    expect(await nodesInNote()).toHaveLength(8);
    await expect.poll(() => editor().innerText()).toContain('My own paragraph.');
  });

  it('is left alone once saving was undone, and what was added meanwhile goes with it; another chat is not offered that Undo', async () => {
    const second = 'What of the attic?';
    const bound = () => files.chat(second).boundDocument;
    const menu = async (name: string): Promise<void> => {
      await button('More').click();
      await panel.region.getByRole('menuitem', { name, exact: true }).click();
    };
    const keep = async (): Promise<void> => {
      await menu('Save as a note');
      await panel.region.getByRole('textbox', { name: 'Path' }).fill('/Attic');
      await panel.region.getByRole('button', { name: 'Save', exact: true }).click();
      await panel.region.getByText('Saved as a note', { exact: true }).waitFor();
      await expect.poll(() => bound() ?? '').not.toBe('');
    };
    const undo = async (said: string): Promise<void> => {
      await menu('Update the note');
      await panel.region.getByRole('group', { name: 'Update the note' }).getByRole('button', { name: 'Undo', exact: true }).click();
      await panel.region.getByText(said).waitFor();
    };
    await panel.newChat();
    await ask(second, 'Air it.');
    const before = notebookFiles(app.workspace);
    await keep();
    await ask('How long?', 'An hour.');
    await undo('The save was undone.');
    expect(notebookFiles(app.workspace)).toEqual(before);
    await panel.region.getByRole('button', { name: 'Back' }).click();
    await keep();
    const [own, parentID] = ['20260101000000-ownline', bound() ?? ''];
    const data = `<div data-node-id="${own}" data-type="NodeParagraph" class="p"><div contenteditable="true" spellcheck="false">Mine.</div><div class="protyle-attr" contenteditable="false"></div></div>`;
    await transact({ action: 'insert', id: own, data, parentID });
    await undo('Not all of the change was undone.');
    await panel.region.getByRole('button', { name: 'Back' }).click();
    await ask('And then?', 'Close it.');
    await expect.poll(bound).toBeUndefined();
    const left = await app.kernel<{ id: string }[]>('/api/block/getChildBlocks', { id: parentID });
    expect(left.map(({ id }) => id)).toEqual([own]);
    await panel.answer.getByRole('button', { name: 'More actions for this message' }).click();
    await panel.region.getByRole('menuitem', { name: 'Append to another note…' }).click();
    await button('Save as a new note…').click();
    await panel.region.getByRole('textbox', { name: 'Path' }).fill('/Closing');
    await panel.region.getByRole('button', { name: 'Save', exact: true }).click();
    await panel.region.getByText('Saved as a note').waitFor();
    await panel.newChat();
    await panel.region.getByText('Saved as a note').waitFor({ state: 'detached' });
  });

  it('can be undone after the page was loaded anew; a notebook that was closed meanwhile says so, and the Undo stays', async () => {
    const third = 'What of the cellar?';
    const update = panel.region.getByRole('group', { name: 'Update the note' });
    const undo = async (said: string | RegExp): Promise<void> => {
      await button('More').click();
      await panel.region.getByRole('menuitem', { name: 'Update the note', exact: true }).click();
      await update.getByRole('button', { name: 'Undo', exact: true }).click();
      await panel.region.getByText(said).first().waitFor();
    };
    await panel.newChat();
    await ask(third, 'Keep it shut.');
    const before = notebookFiles(app.workspace);
    await button('More').click();
    await panel.region.getByRole('menuitem', { name: 'Save as a note', exact: true }).click();
    await panel.region.getByRole('textbox', { name: 'Path' }).fill('/Cellar');
    await panel.region.getByRole('button', { name: 'Save', exact: true }).click();
    await panel.region.getByText('Saved as a note', { exact: true }).waitFor();
    await expect.poll(() => files.chat(third).savedNote ?? '').not.toBe('');
    await app.reload();
    await panel.open();
    await panel.answer.getByText('Keep it shut.').waitFor();
    const notebook = await app.notebook('Research');
    await app.kernel('/api/notebook/closeNotebook', { notebook });
    await undo('Not undone yet');
    expect(files.chat(third).savedNote).toBeDefined();
    await app.kernel('/api/notebook/openNotebook', { notebook });
    // SiYuan finds nothing in a notebook until it has indexed it: the Undo says so, and stays.
    const entry = update.getByRole('button', { name: 'Undo', exact: true });
    const isUndone = (): boolean => files.chat(third).savedNote === undefined;
    await expect
      .poll(async () => {
        if (isUndone()) return true;
        // The one before may have been the last that was needed.
        if (await entry.isVisible()) await entry.click({ timeout: 2000 }).catch(() => undefined);
        else {
          await button('More').click();
          const item = panel.region.getByRole('menuitem', { name: 'Update the note', exact: true });
          if (await item.isVisible()) await item.click();
          else await app.page.keyboard.press('Escape');
        }
        return isUndone();
      })
      .toBe(true);
    expect(notebookFiles(app.workspace)).toEqual(before);
    expect([files.chat(third).boundDocument, files.chat(third).savedNote]).toEqual([undefined, undefined]);
  });
});
