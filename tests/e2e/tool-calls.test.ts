// How calls run, on the built plugin: started by hand, each confirmed, and seen while the model still writes them.
import { afterEach, describe, expect, it } from 'vitest';
import { chromiumPath, startApp, type TestApp } from '../support/app.ts';
import { gate } from '../support/chats.ts';
import { drive } from '../support/panel.ts';

const search = (query: string) => ({ name: 'search_notes', args: { query } });
const append = { name: 'daily_note', args: { op: 'append', markdown: 'Swifts are back.' } };
const MARKDOWN = Array.from({ length: 40 }, (_, index) => `Line ${index + 1} of the note about swifts.`).join('\n');
const create = { name: 'create_doc', args: { notebook: 'Research', path: '/Swifts', markdown: MARKDOWN } };

describe.skipIf(!chromiumPath)('tool calls', () => {
  let app: TestApp | undefined;
  afterEach(async () => {
    await app?.close();
    app = undefined;
  });

  async function open(settings: Record<string, unknown> = {}) {
    app = await startApp({ settings });
    const panel = drive(app.page);
    await panel.open();
    return { model: app.model, panel, button: (name: string) => panel.approval.getByRole('button', { name, exact: true }) };
  }

  it('that are started by hand wait, even reads, until each is run or skipped; then a write asks with its change', async () => {
    const { model, panel } = await open();
    await panel.openSettings('Tool calls');
    const settings = panel.region.getByRole('region', { name: 'Tool calls' });
    await settings.getByRole('combobox', { name: 'Start calls' }).selectOption({ label: 'Manually' });
    await panel.region.page().keyboard.press('Escape');
    model.push({ calls: [search('swifts'), search('clouds'), append] }, { text: 'Done.' });
    await panel.send('Look and note it.');
    await panel.approval.getByText('3 calls waiting to run').waitFor();
    await panel.approval.getByRole('listitem').nth(1).getByRole('button', { name: 'Arguments' }).click();
    await panel.approval.getByRole('button', { name: 'Skip…' }).click();
    await panel.approval.getByRole('button', { name: 'Skip', exact: true }).click();
    await panel.approval.getByText('2 calls waiting to run').waitFor();
    await expect
      .poll(() => panel.tool('search_notes').evaluateAll((all) => all.map((card) => card.getAttribute('data-status'))))
      .toEqual(['waiting', 'running']);
    expect(model.requests).toHaveLength(1);
    await panel.approveAll('Run');
    await panel.approval.getByText('Swifts are back.').waitFor();
    await expect.poll(() => panel.tool('search_notes').first().getAttribute('data-status')).toBe('success');
    await expect.poll(() => panel.tool('search_notes').nth(1).getAttribute('data-status')).toBe('execution_rejected');
    await panel.approve();
    await panel.settled();
    const results = model.requests[1]?.messages.flatMap(({ role, content }) => (role === 'tool' ? [String(content)] : [])) ?? [];
    expect(results.map((text) => text.includes('The user rejected this call'))).toEqual([false, true, false]);
    // Skipping is no judgement.
    const line = panel.answer.locator('.mg-work').first();
    await line.getByText('1 skipped').waitFor();
    await panel.answer.locator('.mg-work__line').first().click();
    await panel.tool('search_notes').nth(1).getByText('Skipped', { exact: true }).waitFor();
    expect(await panel.answer.innerText()).not.toMatch(/reject/i);
  });

  it('are confirmed one by one if that is set, even reads; a write asks once, with its change', async () => {
    const { model, panel, button } = await open({ toolCalls: { requireConfirmation: true } });
    model.push({ calls: [search('swifts'), search('clouds'), append] }, { text: 'Done.' });
    await panel.send('Look and note it.');
    for (const query of ['swifts', 'clouds']) {
      await panel.approval.getByText(query).waitFor();
      const states = () => panel.tool('search_notes').evaluateAll((all) => all.map((card) => card.getAttribute('data-status')));
      await expect.poll(states).toEqual(query === 'swifts' ? ['waiting', 'queued'] : ['success', 'waiting']);
      await button('Approve').click();
    }
    await panel.approval.getByText('Swifts are back.').waitFor();
    await panel.approve();
    await panel.settled();
    expect(model.requests).toHaveLength(2);
  });

  it('grow on screen while they are written; the card stays when the call starts, and disappears when it is stopped', async () => {
    const { model, panel } = await open();
    const [first, second] = [gate(), gate()];
    model.push({ reasoning: 'I write.', calls: [create], hold: first.held });
    await panel.send('Write about swifts.');
    const card = panel.tool('create_doc');
    await card.getByText('Swifts', { exact: true }).waitFor();
    await expect.poll(() => card.getAttribute('data-status')).toBe('writing');
    // Half of it has come; its last lines are shown.
    await expect.poll(() => card.textContent()).toMatch(/Line 1\d of the note about/);
    await card.getByText('Creating', { exact: true }).waitFor();
    await card.evaluate((element) => element.setAttribute('data-seen', 'before'));
    first.open();
    await panel.approval.waitFor();
    await expect.poll(() => card.getAttribute('data-status')).toBe('waiting');
    await expect.poll(() => card.getAttribute('data-seen')).toBe('before');
    model.push({ reasoning: 'Again.', calls: [search('a query that is long enough to be cut in the middle of it')], hold: second.held });
    await panel.reject();
    await panel.tool('search_notes').waitFor();
    await panel.region.getByRole('button', { name: 'Stop' }).click();
    await panel.settled('stopped');
    expect(await panel.tool('search_notes').count()).toBe(0);
    await expect.poll(() => card.count()).toBe(1);
    second.open();
  });
});
