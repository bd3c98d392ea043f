// The memory in the panel: a note of the user's own, which both of them write.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath, startApp, type TestApp } from '../support/app.ts';
import { drive, type PanelDriver } from '../support/panel.ts';
import { lastToolText } from '../support/scripts.ts';

describe.skipIf(!chromiumPath)('the memory', () => {
  let app: TestApp;
  let panel: PanelDriver;
  const button = (name: string) => panel.region.getByRole('button', { name, exact: true });

  beforeAll(async () => {
    app = await startApp();
    panel = drive(app.page);
    await panel.open();
  });
  afterAll(() => app?.close());

  const memoryNote = async (): Promise<string> => {
    const [found] = await app.kernel<{ id: string }[]>('/api/query/sql', {
      stmt: "SELECT id FROM blocks WHERE type = 'd' AND hpath = '/Memory'",
    });
    return found?.id ?? '';
  };
  const facts = async () => {
    const { content } = await app.kernel<{ content: string }>('/api/filetree/getDoc', { id: await memoryNote(), mode: 0, size: 102400 });
    return [...content.matchAll(/<div contenteditable="true" spellcheck="false">([^<]*)<\/div>/gu)].map(([, text]) => text);
  };
  const read = (): string => lastToolText(app.model.requests.at(-1)!);
  const ask = async (...args: readonly object[]): Promise<void> => {
    app.model.push(...args.map((each) => ({ calls: [{ name: 'memory', args: each }] })), { text: 'Good.' });
    await panel.send('Remember.');
  };

  it('is switched on under Tools, its notebook chosen in the settings', async () => {
    await button('Tools').click();
    const memory = panel.region.getByRole('checkbox', { name: 'Memory' }).first();
    await memory.click();
    // It cannot be on without a notebook: the switch leads to it.
    const notebook = panel.region.getByRole('region', { name: 'Memory' }).getByLabel('Notebook for the memory note');
    await notebook.waitFor();
    await expect.poll(() => notebook.evaluate((field) => field === document.activeElement)).toBe(true);
    await button('Tools').click();
    const group = panel.region.getByRole('region', { name: 'Memory' });
    await group.getByText('needs setup', { exact: true }).waitFor();
    await expect.poll(() => memory.isChecked()).toBe(false);
    await group.getByRole('button', { name: /^Set up/ }).click();
    await notebook.selectOption('Life');
    await panel.region.getByText('Saved').waitFor();
    await button('Tools').click();
    await expect.poll(() => memory.isChecked()).toBe(true);
    await button('Back').click();
  });

  it('is saved, seen and edited in its note, read as it was edited, forgotten and undone', async () => {
    await ask({ op: 'save', text: 'Lives in Emden.\nHas a boat.' });
    await panel.approval.getByText('Has a boat.').waitFor();
    expect(await memoryNote()).toBe('');
    await panel.approve();
    await panel.settled();
    await expect.poll(facts).toEqual(['Lives in Emden.', 'Has a boat.']);

    // By hand, in the editor.
    await app.page.goto(app.address({ note: await memoryNote() }));
    await panel.open();
    const paragraph = app.page.locator('.protyle-wysiwyg:visible').getByText('Lives in Emden.');
    await paragraph.click();
    await app.page.keyboard.press('End');
    await app.page.keyboard.type(' Since May.');
    await expect.poll(facts).toEqual(['Lives in Emden. Since May.', 'Has a boat.']);

    await ask({ op: 'read' });
    await panel.settled();
    expect(read()).toMatch(/2 facts\n1\. Lives in Emden\. Since May\.\n2\. Has a boat\./u);
    await panel.answer.getByText(/^Checked the memory/u).waitFor();

    await ask({ op: 'forget', numbers: [2] });
    await panel.approval.getByText('Has a boat.').waitFor();
    await panel.approve();
    await panel.settled();
    await expect.poll(facts).toEqual(['Lives in Emden. Since May.']);
    await panel.answer.getByRole('button', { name: /^Undo/ }).first().click();
    await expect.poll(facts).toEqual(['Lives in Emden. Since May.', 'Has a boat.']);
  });
});
