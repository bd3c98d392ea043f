// What a sync does to an open chat: files that another device wrote, and the plugin that SiYuan loads again.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { chromiumPath, startApp, type TestApp } from '../support/app.ts';
import { ChatFiles, gate, type StoredChat } from '../support/chats.ts';
import { drive, type PanelDriver } from '../support/panel.ts';

describe.skipIf(!chromiumPath)('a sync while a chat is open', () => {
  let app: TestApp;
  let files: ChatFiles;
  let panel: PanelDriver;
  let first = '';
  let count = 0;
  /** SiYuan's own onDataChanged loads the plugin again, with a panel of its own. */
  const isSamePlugin = (): Promise<boolean> => panel.region.evaluate((region) => region.hasAttribute('data-before'));
  const button = (name: string) => panel.region.getByRole('button', { name, exact: true });
  const title = () => panel.region.getByRole('heading', { level: 2 });
  const shows = (text: string) => panel.region.locator('article').getByText(text, { exact: true }).first().waitFor();
  const stored = () => files.said(files.chat(first));
  const ask = async (question: string, answer: string): Promise<void> => {
    app.model.push({ text: answer });
    await panel.send(question);
    await panel.answer.getByText(answer).waitFor();
    await panel.settled();
  };

  /** The chat as a phone has it, which went on from an earlier state of it. */
  function onPhone(chat: StoredChat, question: string, answer: string): string {
    const changed = { time: Date.now(), device: 'phone' };
    const node = (id: string, role: 'user' | 'assistant', parent: string, content: string) => {
      const payload = { id: `${id}-v`, message: { role, content }, author: 'phone', created: changed.time, status: 'done' };
      return { id, role, parent, versions: { [payload.id]: payload }, currentVersionId: payload.id, changed };
    };
    const [asked, answered] = [`${chat.id}-phone-q`, `${chat.id}-phone-a`];
    const nodes = {
      ...chat.nodes,
      [asked]: node(asked, 'user', chat.leafId, question),
      [answered]: node(answered, 'assistant', asked, answer),
    };
    const stamps = { title: changed, leafId: changed };
    return JSON.stringify({ ...chat, nodes, leafId: answered, title: `Named on the phone ${count}`, changed: stamps });
  }
  async function sync(chat: StoredChat, text: string): Promise<void> {
    await files.put(`sessions/${chat.id}.json`, text);
    await files.announceSync();
  }

  beforeAll(async () => {
    app = await startApp();
    files = new ChatFiles(app);
    panel = drive(app.page);
    await panel.open();
  });
  beforeEach(async () => {
    app.model.clear();
    first = `Question ${++count}`;
    await panel.newChat();
    await ask(first, `Answer ${count}`);
    // The panel shows an answer before the file has it: what a test reads or replaces must be the finished file.
    await expect.poll(stored).toEqual([first, `Answer ${count}`].sort());
    await expect.poll(() => files.names('journal')).toEqual([]);
    await panel.region.evaluate((region) => region.setAttribute('data-before', ''));
  });
  afterAll(() => app?.close());

  it('a running turn goes on, and what another device wrote is a branch beside it, here and in the file', async () => {
    const chat = files.chat(first);
    const { held, open } = gate();
    app.model.push({ text: 'One two three four.', hold: held });
    await panel.send('Count');
    await panel.answer.getByText('One two').waitFor();
    await sync(chat, onPhone(chat, 'Asked on the phone', 'Answered on the phone.'));
    await panel.region.getByRole('group', { name: 'Branch 1 of 2' }).waitFor();
    await expect.poll(() => title().innerText()).toBe(`Named on the phone ${count}`);
    await expect.poll(() => panel.answer.getAttribute('data-status')).toBe('streaming');
    open();
    await panel.answer.getByText('One two three four.').waitFor();
    await panel.settled();
    const all = [first, `Answer ${count}`, 'Count', 'One two three four.', 'Asked on the phone', 'Answered on the phone.'].sort();
    await expect.poll(stored).toEqual(all);
    await expect.poll(isSamePlugin).toBe(true);
    await app.reload();
    await panel.open();
    await shows('One two three four.');
    await button('Next branch').click();
    await shows('Answered on the phone.');
    await expect.poll(() => title().innerText()).toBe(`Named on the phone ${count}`);
    await expect.poll(stored).toEqual(all);
  });

  it('a file that lacks what was said here gets it back without anybody writing', async () => {
    const chat = files.chat(first);
    await ask('And then?', 'Then the rain came.');
    const kept = [first, `Answer ${count}`, 'And then?', 'Then the rain came.'];
    await expect.poll(stored).toEqual(kept.toSorted());
    await expect.poll(() => files.names('journal')).toEqual([]);
    await sync(chat, onPhone(chat, 'Asked on the phone', 'Answered on the phone.'));
    await expect.poll(stored).toEqual([...kept, 'Asked on the phone', 'Answered on the phone.'].sort());
    await panel.region.getByRole('group', { name: 'Branch 1 of 2' }).waitFor();
    await shows('Then the rain came.');
    await expect.poll(isSamePlugin).toBe(true);
  });

  it('a chat that nobody has open gets back what was said here, too', async () => {
    const chat = files.chat(first);
    await ask('And then?', 'Then the rain came.');
    const kept = [first, `Answer ${count}`, 'And then?', 'Then the rain came.'];
    await expect.poll(stored).toEqual(kept.toSorted());
    await expect.poll(() => files.names('journal')).toEqual([]);
    await panel.newChat();
    await sync(chat, onPhone(chat, 'Asked on the phone', 'Answered on the phone.'));
    await expect.poll(stored).toEqual([...kept, 'Asked on the phone', 'Answered on the phone.'].sort());
  });

  it('a chat that another device deletes in the middle of a turn lives on with that turn', async () => {
    const chat = files.chat(first);
    const { held, open } = gate();
    app.model.push({ text: 'One two three four.', hold: held });
    await panel.send('Count');
    await panel.answer.getByText('One two').waitFor();
    await app.kernel('/api/file/removeFile', { path: `/data/storage/petal/siyuan-marginalia/sessions/${chat.id}.json` });
    await files.announceSync();
    open();
    await panel.answer.getByText('One two three four.').waitFor();
    await panel.settled();
    await expect.poll(stored).toEqual([first, `Answer ${count}`, 'Count', 'One two three four.'].sort());
  });

  it('settings of another device count at once, and are not written over by the next change here', async () => {
    const { notebooks } = await app.kernel<{ notebooks: { id: string; name: string }[] }>('/api/notebook/lsNotebooks', {});
    const id = (name: string) => notebooks.find((one) => one.name === name)?.id ?? '';
    await files.put('settings.json', JSON.stringify({ ...files.settings(), notebooks: { [id('Research')]: 'write' } }));
    await files.announceSync();
    await panel.region.getByTitle(/1: read and edit/).waitFor();
    await button('Settings').click();
    await panel.region.getByRole('combobox', { name: 'Life' }).selectOption('none');
    await button('Back').click();
    await expect.poll(() => files.settings().notebooks).toEqual({ [id('Research')]: 'write', [id('Life')]: 'none' });
    await expect.poll(isSamePlugin).toBe(true);
  });

  it('a plugin that is loaded again in the middle of a turn has all that was said, and the talk goes on', async () => {
    const { held, open } = gate();
    app.model.push({ text: 'The first sentence. The second one.', hold: held });
    await panel.send('Tell me');
    await panel.answer.getByText('The first').waitFor();
    const lists = { uninstallPlugins: [], unloadPlugins: [], reloadPlugins: ['siyuan-marginalia'], dataChangePlugins: [] };
    await app.push({ cmd: 'reloadPlugin', data: lists });
    const cut = panel.region.locator('article[data-status="stopped"], article[data-status="interrupted"]').getByText('The first');
    // The panel of before stands a moment longer.
    await app.page.locator('[data-before]').waitFor({ state: 'detached' });
    await panel.open();
    await cut.waitFor();
    await expect.poll(() => files.names('journal')).toEqual([]);
    await ask('Go on', 'The second one, then.');
    open();
    await expect.poll(stored).toEqual(expect.arrayContaining(['Tell me', 'Go on', 'The second one, then.']));
    await expect.poll(() => stored().some((text) => text.startsWith('The first'))).toBe(true);
  });
});
