// Sub-agents on the built plugin: two at work, one stopped alone, their threads read while they work and after a reload, and a change of
// one that is approved in the panel and undone with its message.
import { afterEach, describe, expect, it } from 'vitest';
import { chromiumPath, startApp, type TestApp } from '../support/app.ts';
import { gate } from '../support/chats.ts';
import { NotesDriver } from '../support/notes.ts';
import { drive } from '../support/panel.ts';
import { routed } from '../support/routed-model.ts';

const spawn = (task: string, more: object = {}) => ({ name: 'spawn', args: { task, label: `About ${task}`, ...more } });
const search = (query: string) => ({ calls: [{ name: 'search_notes', args: { query } }] });

describe.skipIf(!chromiumPath)('sub-agents', () => {
  let app: TestApp | undefined;
  afterEach(async () => {
    await app?.close();
    app = undefined;
  });

  it('work side by side; one is stopped, the other answers, and both threads are there after a reload', async () => {
    app = await startApp({ settings: { groups: { agents: true } } });
    const panel = drive(app.page);
    await panel.open();
    const [swifts, clouds] = [gate(), gate()];
    app.model.otherwise(
      routed({
        chat: [{ text: 'I let both be looked up.', calls: [spawn('swifts'), spawn('clouds')] }, { text: 'Swifts sleep in the air.' }],
        swifts: [search('swifts'), { text: 'In the air.', hold: swifts.held }],
        clouds: [search('clouds'), { text: 'never', hold: clouds.held }],
      }),
    );
    // What is said of it is what happens below: one that only reads starts without a question.
    await panel.region.getByRole('button', { name: 'Tools', exact: true }).click();
    await panel.region.getByRole('button', { name: /^Sub-agents/ }).click();
    await panel.region.getByRole('region', { name: 'Sub-agents' }).getByText('Without asking when it only reads.').waitFor();
    await panel.region.getByRole('button', { name: 'Back', exact: true }).click();
    await panel.send('Where do swifts sleep, and what is a cloud?');
    const cards = panel.tool('spawn');
    const card = (name: string) => cards.filter({ hasText: name });
    for (const name of ['About swifts', 'About clouds']) await card(name).getByText('Searched once').waitFor();
    await card('About swifts').getByRole('button', { name: 'About swifts' }).click();
    const thread = panel.region.getByRole('group', { name: 'About swifts' });
    await thread.getByRole('button', { name: /^Searched once/ }).waitFor();
    await thread.getByRole('button', { name: 'Back' }).click();
    await card('About clouds').getByRole('button', { name: 'Stop this sub-agent' }).click();
    await card('About clouds').getByText('Stopped before it finished').waitFor();
    swifts.open();
    await panel.settled();
    clouds.open();
    const told = JSON.stringify(app.model.requests.at(-1)?.messages);
    expect(told).toContain('The user stopped the sub-agent');
    expect(told).toContain('In the air.');

    await app.reload();
    await panel.open();
    await panel.answer.getByText('Swifts sleep in the air.').waitFor();
    await panel.answer.getByRole('button', { name: /^Used 2 sub-agents/ }).click();
    await card('About swifts').getByRole('button', { name: 'About swifts' }).click();
    await thread.getByText('In the air.').waitFor();
    await thread.getByRole('button', { name: /Searched once/ }).click();
    await thread.getByRole('button', { name: 'Search notes' }).click();
    await thread
      .getByText(/^\d+ notes? found$|^Nothing found\./)
      .first()
      .waitFor();
    await app.page.keyboard.press('Escape');
    await thread.waitFor({ state: 'detached' });
    await expect.poll(() => card('About clouds').getAttribute('data-agent')).toBe('stopped');
  });

  it('changes a note once that is approved in its name, and Undo on the message undoes it', async () => {
    app = await startApp({ settings: { groups: { agents: true } } });
    const notes = new NotesDriver(app);
    const note = await notes.create('Life', 'Agent log', 'Begin.');
    const panel = drive(app.page);
    await panel.open();
    const insert = { name: 'insert_blocks', args: { anchor: note.id, position: 'append', markdown: 'By the agent.' } };
    app.model.otherwise(
      routed({
        chat: [{ calls: [spawn('log', { tools: ['insert_blocks'] })] }, { text: 'It is noted.' }],
        log: [{ calls: [insert] }, { text: 'Written.' }],
      }),
    );
    const before = await notes.dom(note);
    await panel.send('Log it.');
    await panel.approval.getByText('Start a sub-agent that may use Insert').waitFor();
    await panel.approve();
    await panel.approval.getByText('Sub-agent “About log”').waitFor();
    await panel.approve();
    await panel.settled();
    expect(await notes.texts(note)).toEqual(['Begin.', 'By the agent.']);
    await panel.answer.getByRole('button', { name: 'Undo', exact: true }).click();
    await panel.region.getByText('Undone', { exact: true }).waitFor();
    expect(await notes.dom(note)).toBe(before);
  });
});
