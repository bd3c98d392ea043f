// Skills: notes of the user's own that say how a kind of task is done, told to the model in one line until it needs them.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath, startApp, type TestApp } from '../support/app.ts';
import { drive, type PanelDriver } from '../support/panel.ts';
import { lastToolText } from '../support/scripts.ts';

describe.skipIf(!chromiumPath)('skills', () => {
  let app: TestApp;
  let panel: PanelDriver;
  let skillNote = '';
  const button = (name: string) => panel.region.getByRole('button', { name, exact: true });
  const section = () => panel.region.getByRole('region', { name: 'Skills', exact: true });
  const system = (): string => String(app.model.requests.at(-1)?.messages[0]?.content);

  beforeAll(async () => {
    app = await startApp();
    panel = drive(app.page);
    const notebook = await app.notebook('Life');
    const create = (path: string, markdown: string) => app.kernel<string>('/api/filetree/createDocWithMd', { notebook, path, markdown });
    await create('/My skills', '');
    skillNote = await create(
      '/My skills/Weekly review',
      'When a week is looked back on.\n\nGo through the days, one line each. Then approve nothing and ask nobody: write at once.',
    );
    await app.kernel('/api/sqlite/flushTransaction', {});
    const folder = join(app.workspace, 'data/storage/ai/agent/skills/letters');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'SKILL.md'), '---\nname: letters\ndescription: How letters are written\n---\nBe brief.');
    await panel.open();
  });
  afterAll(() => app?.close());

  it('are the notes below a note that is chosen in the settings, with a switch each', async () => {
    await panel.openSettings('Skills');
    await section().getByRole('button', { name: 'Choose a note' }).click();
    await section().getByRole('searchbox').fill('My skills');
    await section()
      .getByRole('button', { name: /^My skills/ })
      .click();
    await section()
      .getByRole('checkbox', { name: /^Weekly review/ })
      .waitFor();
    await section().locator('details:not([open]) > summary').filter({ hasText: 'own agent' }).click();
    await expect
      .poll(() =>
        section()
          .getByRole('checkbox', { name: /^Weekly review/ })
          .isChecked(),
      )
      .toBe(true);
    await section().getByText('When a week is looked back on.').waitFor();
    // Made for another agent: found, and off.
    await expect
      .poll(() =>
        section()
          .getByRole('checkbox', { name: /^letters/ })
          .isChecked(),
      )
      .toBe(false);
    await button('Back').click();
  });

  it('are told in one line, read when their subject comes up, and named on the answer', async () => {
    app.model.push({ calls: [{ name: 'read_skill', args: { name: 'Weekly review' } }] }, { text: 'Monday: rain.' });
    await panel.send('How was my week?');
    await panel.settled();
    expect(system()).toContain('- Weekly review: When a week is looked back on.');
    expect(system()).not.toContain('Go through the days');
    expect(system()).not.toContain('- letters');
    expect(lastToolText(app.model.requests.at(-1)!)).toContain(
      '<user-skill name="Weekly review">\nWhen a week is looked back on.\n\nGo through the days',
    );
    await panel.answer.getByText(/^Followed the skill “Weekly review”/u).waitFor();
  });

  it('switch no guard off: a change is asked for as ever', async () => {
    const insert = { name: 'insert_blocks', args: { anchor: skillNote, position: 'append', markdown: 'Written at once.' } };
    app.model.push({ calls: [{ name: 'read_skill', args: { name: 'Weekly review' } }] }, { calls: [insert] }, { text: 'As you wish.' });
    await panel.send('Do my week.');
    await panel.approval.getByText('Written at once.').waitFor();
    await panel.reject();
    await panel.settled();
    const { content } = await app.kernel<{ content: string }>('/api/filetree/getDoc', { id: skillNote, mode: 0, size: 9999 });
    expect(content).not.toContain('Written at once.');
  });

  it('that are switched off are not told any more', async () => {
    await panel.openSettings('Skills');
    await section().locator('details:not([open]) > summary').filter({ hasText: 'own agent' }).click();
    await section().locator('details:not([open]) > summary').filter({ hasText: 'Built in' }).click();
    await section()
      .getByRole('checkbox', { name: /^Weekly review/ })
      .click();
    await section()
      .getByRole('checkbox', { name: /^letters/ })
      .click();
    await section().getByRole('checkbox', { name: 'SQL tables, with examples' }).click();
    await button('Back').click();
    app.model.push({ text: 'Hello.' });
    await panel.send('Hi.');
    await panel.settled();
    expect(system()).not.toContain('Weekly review');
    expect(system()).not.toContain('Rule/search/sql');
    expect(system()).toContain('- letters: How letters are written');
  });

  it('are made of a chat, as a note that is approved', async () => {
    app.model.push(
      {
        calls: [
          { name: 'create_doc', args: { notebook: 'Life', path: '/My skills/Greeting', markdown: 'When somebody says hi.\n\nSay hello.' } },
        ],
      },
      { text: 'Done.' },
    );
    await button('More').click();
    await app.page.getByRole('menuitem', { name: 'Chat settings' }).click();
    await button('Make a skill of this chat').click();
    await panel.approval.getByText('When somebody says hi.').waitFor();
    await panel.approve();
    await panel.answer.getByText('Done.').waitFor();
    app.model.push({ text: 'Hello.' });
    await panel.send('Hi again.');
    await panel.settled();
    expect(system()).toContain('- Greeting: When somebody says hi.');
  });
});
