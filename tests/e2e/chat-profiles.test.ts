// Two browser profiles on one workspace: nothing but files and the kernel's own pushes is between them.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { kernelFetch } from '../host/real-kernel.ts';
import { chromiumPath, startApp, type TestApp } from '../support/app.ts';
import { gate } from '../support/chats.ts';
import { NotesDriver, type TestNote } from '../support/notes.ts';
import { drive, type PanelDriver } from '../support/panel.ts';

const SECRET = 'The code of the safe is 4711.';

describe.skipIf(!chromiumPath)('two browser profiles', () => {
  let app: TestApp;
  let notes: NotesDriver;
  let note: TestNote;
  let here: PanelDriver;
  let there: PanelDriver;
  let second: Page;
  const button = (panel: PanelDriver, name: string) => panel.region.getByRole('button', { name, exact: true });
  const told = () => JSON.stringify(app.model.requests.at(-1)?.messages);
  /** What a person does on the page of the settings. */
  const setRight = async (panel: PanelDriver, right: string): Promise<void> => {
    await button(panel, 'Settings').click();
    await panel.region.getByRole('combobox', { name: 'Research' }).selectOption(right);
    // The other profile has it from the file.
    const saved = async (): Promise<string> => {
      const path = '/data/storage/petal/siyuan-marginalia/settings.json';
      const file = await kernelFetch(String(new URL('/api/file/getFile', app.host.url)), {
        method: 'POST',
        body: JSON.stringify({ path }),
      });
      return JSON.stringify(((await file.json()) as { notebooks?: object }).notebooks);
    };
    await expect.poll(saved).toContain(`"${right}"`);
    await button(panel, 'Back').click();
  };
  const ask = async (question: string): Promise<void> => {
    app.model.push({ text: 'I look.', calls: [{ name: 'read_doc', args: { id: note.id } }] }, { text: `Answered ${question}` });
    await here.send(question);
    await here.answer.getByText(`Answered ${question}`).waitFor();
    await here.settled();
  };

  beforeAll(async () => {
    app = await startApp();
    notes = new NotesDriver(app);
    note = await notes.create('Research', 'Safe', SECRET);
    here = drive(app.page);
    await here.open();
    second = await app.openProfile();
    there = drive(second);
    await there.open();
  });
  afterAll(() => app?.close());

  it('list a new chat in both from its question on, and its answer later', async () => {
    const { held, open } = gate();
    app.model.push({ text: 'Here it is.', hold: held });
    await here.send('Where is the chat?');
    await here.answer.getByText('Here').waitFor();
    // Its file is written beside the request, and a list is read when it is opened: nothing tells the other profile of it.
    const listed = there.region.getByText('Where is the chat?', { exact: true });
    const opened = (): Promise<boolean> =>
      listed.waitFor({ timeout: 3000 }).then(
        () => true,
        () => false,
      );
    await expect
      .poll(async () => {
        await button(there, 'Chats').click();
        if (await opened()) return true;
        await button(there, 'Back').click();
        return false;
      })
      .toBe(true);
    await listed.click();
    await there.region.locator('article[data-role="user"]', { hasText: 'Where is the chat?' }).waitFor();
    open();
    await here.settled();
    await there.answer.getByText('Here it is.').waitFor();
  });

  it('read a notebook no longer, once one of them closed it to the model', async () => {
    await here.newChat();
    await ask('What is the code?');
    expect(told()).toContain('4711');
    await setRight(there, 'none');
    await ask('And now?');
    expect(told()).not.toContain('4711');
    await here.region.getByTitle(/no access/).waitFor();
  });

  it('show what the other changed when one comes back to the window', async () => {
    await setRight(there, 'read');
    await app.page.evaluate(() => window.dispatchEvent(new Event('focus')));
    await here.region.getByTitle(/no access/).waitFor({ state: 'detached' });
  });
});
