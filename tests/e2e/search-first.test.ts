// A model without native tool calls gets the best passages of the notes with a question, so that it answers in one round; the person sees
// what was found, and can have it searched again or left out.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath, startApp, type TestApp } from '../support/app.ts';
import { drive, type PanelDriver } from '../support/panel.ts';

const FACT = 'The beans go into the raised bed behind the shed, once the night frosts are over.';
const QUESTION = 'Where do the beans go, and when?';

describe.skipIf(!chromiumPath)('notes searched before a question', () => {
  let app: TestApp;
  let panel: PanelDriver;
  let block = '';

  beforeAll(async () => {
    app = await startApp({ settings: { toolProtocol: 'vcp' } });
    panel = drive(app.page);
    const notebook = await app.notebook('Life');
    const note = await app.kernel<string>('/api/filetree/createDocWithMd', { notebook, path: '/Kitchen garden', markdown: FACT });
    await app.kernel('/api/sqlite/flushTransaction', {});
    [{ id: block }] = await app.kernel<[{ id: string }]>('/api/block/getChildBlocks', { id: note });
    await panel.open();
  });
  afterAll(() => app?.close());

  const chip = () => panel.region.getByRole('list', { name: 'Attached notes and files' }).last().getByRole('button').first();
  const found = () => panel.region.getByRole('group', { name: 'Found for this question' });
  const asked = (): string => JSON.stringify(app.model.requests.at(-1)?.messages.at(-1)?.content);

  it('are sent with it by their ids, shown as notes with passages, and cited', async () => {
    app.model.push({ text: `Behind the shed ((${block} "the raised bed")), after the frosts.` });
    await panel.send(QUESTION);
    await panel.settled();
    expect(app.model.requests).toHaveLength(1);
    expect(asked()).toContain(FACT.slice(0, 40));
    expect(asked()).toContain(block);
    await panel.answer.locator(`[data-block-id="${block}"]`).waitFor();
    await chip().click();
    await found().getByRole('button', { name: 'Kitchen garden' }).waitFor();
    await expect.poll(() => found().innerText()).toContain('raised bed');
    // However long the list is, what can be done with it stays in sight below.
    await expect.poll(() => found().evaluate((group) => getComputedStyle(group).overflowY)).toBe('visible');
    await expect.poll(() => found().locator('.mg-chips__passages').getByRole('button', { name: 'Search again' }).count()).toBe(0);
  });

  it('are left out, or searched again, in a branch of its own', async () => {
    app.model.push({ text: 'I do not know.' }, { text: 'Behind the shed.' });
    await found().getByRole('button', { name: 'Ask without them' }).click();
    await expect.poll(() => app.model.requests.length).toBe(2);
    await panel.region.getByText('I do not know.').waitFor();
    expect(asked()).not.toContain('raised bed');
    await panel.region.getByRole('button', { name: 'Previous branch' }).first().click();
    await chip().click();
    await found().getByRole('button', { name: 'Search again' }).click();
    await expect.poll(() => app.model.requests.length).toBe(3);
    expect(asked()).toContain('raised bed');
    await panel.answer.getByText('Behind the shed.').waitFor();
  });

  it('are not searched for a model for which that was switched off', async () => {
    await panel.openSettings('How models are used');
    const toggle = panel.region.getByRole('checkbox', { name: /^Search notes before asking/ });
    await expect.poll(() => toggle.isChecked()).toBe(true);
    await toggle.click();
    await panel.region.getByRole('button', { name: 'Back' }).first().click();
    await panel.newChat();
    app.model.push({ text: 'I do not know.' });
    await panel.send(QUESTION);
    await panel.settled();
    expect(asked()).not.toContain('raised bed');
    expect(await panel.region.getByRole('list', { name: 'Attached notes and files' }).count()).toBe(0);
  });
});
