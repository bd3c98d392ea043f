// No saved file, whatever it holds, keeps the panel from opening, and none that cannot be read is written over. Real files of the
// plugin are damaged by a seed; MARGINALIA_DAMAGES says how many times (default 12), MARGINALIA_DAMAGE_SEED which seed is first.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { seededRandom } from '../../bench/random.ts';
import { readSession } from '../../src/chat/session/saved-format.ts';
import { chromiumPath, startApp, type TestApp } from '../support/app.ts';
import { ChatFiles, gate } from '../support/chats.ts';
import { damage } from '../support/damage.ts';
import { EditorDriver } from '../support/editor.ts';
import { drive, type PanelDriver } from '../support/panel.ts';

const PETAL = 'data/storage/petal/siyuan-marginalia';
const COUNT = Number(process.env.MARGINALIA_DAMAGES ?? 12);
const FIRST = Number(process.env.MARGINALIA_DAMAGE_SEED ?? 1);

type Files = Readonly<Record<string, string>>;

describe.skipIf(!chromiumPath)('damaged files', () => {
  let app: TestApp;
  let panel: PanelDriver;
  let sound: Files;
  let local: Files;
  const root = () => join(app.workspace, PETAL);
  const button = (name: string) => panel.region.getByRole('button', { name, exact: true });

  function filesNow(): Record<string, string> {
    const names = existsSync(root()) ? readdirSync(root(), { recursive: true, encoding: 'utf8' }) : [];
    // What the panel still writes may be gone again.
    const files = names.filter((name) => statSync(join(root(), name), { throwIfNoEntry: false })?.isFile());
    return Object.fromEntries(files.sort().map((name) => [name, readFileSync(join(root(), name), 'utf8')]));
  }

  function put(files: Files): void {
    rmSync(root(), { recursive: true, force: true });
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(root(), name)), { recursive: true });
      writeFileSync(join(root(), name), text);
    }
  }

  /** A place of the same origin without the plugin. */
  async function leave(): Promise<void> {
    await app.page.goto(`${app.host.url}plugins/siyuan-marginalia/plugin.json`);
  }

  beforeAll(async () => {
    app = await startApp({ settings: { prompts: [{ id: 'mail', name: 'E-mail', prompt: 'As an e-mail.', output: 'insert' }] } });
    panel = drive(app.page);
    // SiYuan lays a message that stays over what is at the top right, until it is closed.
    const message = app.page.locator('.b3-snackbar__close').first();
    await app.page.addLocatorHandler(message, () => message.click());
    const editor = new EditorDriver(app);
    await editor.allowWriting();
    await editor.create('Damage', 'The first paragraph.\n\nThe second paragraph.');
    await panel.open();
    // A chat with everything: attached notes, tools that read and wrote, long results, versions, a branch.
    await editor.command('The first', 'askai', 'Ask about this block');
    await panel.region.getByRole('list', { name: 'Attached notes and files' }).waitFor();
    app.model.push(
      {
        text: 'Looking.',
        reasoning: 'Where?',
        calls: [
          { name: 'search_notes', args: { query: 'heat' } },
          { name: 'list_docs', args: {} },
        ],
      },
      { calls: [{ name: 'daily_note', args: { op: 'append', notebook: 'Research', markdown: 'x '.repeat(9_000) } }] },
      { text: 'Done.\n\n```js\n1\n```' },
    );
    await panel.send('Write it down');
    await panel.approve();
    await panel.settled();
    app.model.push({ text: 'Another version.' });
    await button('Regenerate').last().click();
    await panel.answer.getByText('Another version.').waitFor();
    await panel.region.getByRole('button', { name: 'Send' }).waitFor();
    await panel.newChat();
    app.model.push({ text: 'A second chat.' });
    await panel.send('Two');
    await panel.settled();
    // A third one, whose answer is cut off: a journal, and what the browser keeps for the next page.
    await panel.newChat();
    const { held, open } = gate();
    app.model.push({ text: 'One two three four five.', hold: held });
    await panel.send('Three');
    await panel.region.getByText('One two').waitFor();
    await vi.waitUntil(() => Object.keys(filesNow()).some((name) => name.startsWith('journal/')), { timeout: 30_000 });
    sound = filesNow();
    local = await app.page.evaluate(() => Object.fromEntries(Object.entries(localStorage)) as Record<string, string>);
    open();
    await leave();
  });
  afterAll(() => app?.close());

  /** Every session file that cannot be read is as it was, or lies beside itself; so do the settings. A newer one is untouched. */
  function expectKept(damaged: Files): void {
    const now = filesNow();
    const lies = (name: string): boolean =>
      now[name] === damaged[name] ||
      Object.entries(now).some(([other, text]) => other.startsWith(`${name}.broken-`) && text === damaged[name]);
    for (const [name, text] of Object.entries(damaged)) {
      if (name === 'settings.json') {
        if (!isSettings(text)) expect(lies(name), name).toBe(true);
        continue;
      }
      if (!/^sessions\/(?!index)[^/]*\.json$/.test(name)) continue;
      const read = readSession(text);
      if (read.kind === 'broken') expect(lies(name), `${name}: ${read.reason}`).toBe(true);
      if (read.kind === 'newer') expect(now[name], name).toBe(text);
    }
  }

  function isSettings(text: string): boolean {
    try {
      const value: unknown = JSON.parse(text);
      return typeof value === 'object' && value !== null && !Array.isArray(value);
    } catch {
      return text.trim() === '';
    }
  }

  /** Writes, opens another chat, looks at all that are listed. */
  async function panelWorks(): Promise<void> {
    await panel.open();
    await panel.message.fill('Can I type?');
    await expect.poll(() => panel.message.inputValue()).toBe('Can I type?');
    await panel.message.fill('');
    await button('Chats').click();
    const chats = panel.region.getByRole('group', { name: 'Chats', exact: true });
    await chats.waitFor();
    const rows = chats.getByRole('listitem');
    for (let row = 0; row < Math.min(3, await rows.count()); row++) {
      await rows.nth(row).getByRole('button').first().click();
      // The composer is below the list all the time; the button would close a list that is still open.
      await chats.waitFor({ state: 'detached' });
      await button('Chats').click();
      await chats.waitFor();
    }
    await panel.newChat();
    await panel.message.fill('A question');
    await button('Send').click();
    await panel.region.locator('article[data-role="user"]').getByText('A question').waitFor();
  }

  async function tryOut(seed: number): Promise<void> {
    const random = seededRandom(seed);
    const files: Record<string, string> = { ...sound };
    const kept: Record<string, string> = { ...local };
    for (let times = 1 + random.below(5); times > 0; times--) {
      const [some, keys] = [Object.keys(files), Object.keys(kept)];
      // Chats are what is opened; each other kind of file is one of many.
      const chats = some.filter((name) => name.startsWith('sessions/'));
      const name = random.pick(random.next() < 0.5 ? chats : some) ?? '';
      if (random.next() < 0.2) {
        const key = random.pick(keys) ?? '';
        kept[key] = damage(kept[key] ?? '', random);
      } else files[name] = damage(files[name] ?? '', random);
    }
    await leave();
    put(files);
    await app.page.evaluate((entries) => {
      localStorage.clear();
      sessionStorage.clear();
      for (const [key, value] of Object.entries(entries)) localStorage.setItem(key, value);
    }, kept);
    app.model.clear();
    app.model.otherwise({ text: 'An answer.' });
    await app.page.goto(app.address());
    await panelWorks();
    expectKept(files);
  }

  for (let seed = FIRST; seed < FIRST + COUNT; seed++) it(`open the panel all the same: seed ${seed}`, () => tryOut(seed));
});

describe.skipIf(!chromiumPath)('a chat whose file is damaged', () => {
  let app: TestApp;
  let panel: PanelDriver;
  let files: ChatFiles;
  const button = (name: string) => panel.region.getByRole('button', { name, exact: true });
  const pathOf = (text: string) => join(app.workspace, PETAL, 'sessions', `${files.chat(text).id}.json`);
  const copyOf = (path: string) => join(app.workspace, 'temp/siyuan-marginalia/chats', basename(path));
  const half = (path: string) => writeFileSync(path, readFileSync(path, 'utf8').slice(0, -40));

  beforeAll(async () => {
    app = await startApp();
    panel = drive(app.page);
    files = new ChatFiles(app);
    await panel.open();
  });
  afterAll(() => app?.close());

  async function ask(question: string, answer: string): Promise<void> {
    app.model.push({ text: answer });
    await panel.send(question);
    await panel.settled();
    await expect.poll(() => files.text('sessions')).toContain(answer);
  }

  /** A chat that is not open any more, and of which this device has a copy; gives its path. */
  async function made(title: string): Promise<string> {
    await panel.newChat();
    await ask(title, `${title} is answered.`);
    const path = pathOf(`${title} is answered.`);
    await expect.poll(() => existsSync(copyOf(path)) && readFileSync(copyOf(path), 'utf8')).toContain('is answered');
    await panel.newChat();
    return path;
  }

  async function list(): Promise<Locator> {
    await button('Chats').click();
    const chats = panel.region.getByRole('group', { name: 'Chats', exact: true });
    await chats.waitFor();
    return chats;
  }

  it('goes on where it is open, and says that a copy was kept', async () => {
    await ask('Begin', 'The first answer.');
    writeFileSync(pathOf('The first answer.'), '');
    app.model.push({ text: 'The second answer.' });
    await panel.send('Go on');
    await panel.region.getByText('The file of this chat was damaged').waitFor();
    await expect.poll(() => files.text('sessions')).toContain('The second answer.');
    await app.reload();
    await panel.open();
    await panel.answer.getByText('The second answer.').waitFor();
    await expect.poll(() => panel.region.getByText('The first answer.').count()).toBe(1);
  });

  it('is opened from the copy that this device has, which is said', async () => {
    const path = await made('Closed');
    await app.page.goto(`${app.host.url}plugins/siyuan-marginalia/plugin.json`);
    half(path);
    await app.page.goto(app.address());
    await panel.open();
    await (await list())
      .getByRole('button', { name: /^Closed/ })
      .first()
      .click();
    await panel.answer.getByText('Closed is answered.').waitFor();
    await panel.region.getByText('The file of this chat was damaged').waitFor();
    await expect.poll(() => readSession(readFileSync(path, 'utf8')).kind).toBe('ok');
  });

  it('comes back whole where it was deleted, and that is undone', async () => {
    const path = await made('Deleted');
    half(path);
    const row = (await list()).getByRole('listitem').filter({ hasText: 'Deleted' });
    await row.getByRole('button', { name: /^More actions/ }).click();
    await app.page.getByRole('menuitem', { name: 'Delete' }).click();
    await row.waitFor({ state: 'detached' });
    await button('Undo').click();
    await row.waitFor();
    await expect.poll(() => readSession(readFileSync(path, 'utf8')).kind).toBe('ok');
    await button('Chats').click();
  });

  it('is listed apart where no copy can be read either, says why when it is opened, and can be deleted', async () => {
    const path = await made('Gone');
    writeFileSync(copyOf(path), '');
    half(path);
    await files.announceSync();
    // Rows are drawn again when the page is opened.
    const unreadable = panel.region.getByRole('region', { name: 'Cannot be read' });
    await expect
      .poll(async () => {
        await list();
        const found = await unreadable.getByText('Gone').count();
        if (found === 0) await button('Chats').click();
        return found;
      })
      .toBe(1);
    await unreadable.getByRole('button', { name: /^Gone/ }).click();
    await panel.region.getByText('The file of this chat is damaged.').waitFor();
    await list();
    await unreadable.getByRole('button', { name: 'More actions for Gone' }).click();
    await app.page.getByRole('menuitem', { name: 'Delete' }).click();
    await unreadable.waitFor({ state: 'detached' });
    await expect.poll(() => existsSync(path)).toBe(false);
  });
});
