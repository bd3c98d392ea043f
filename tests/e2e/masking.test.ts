// Masking on the built plugin: what is private is switched on in the settings, the model's server sees placeholders only, and the note
// gets what was meant.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath, startApp, type TestApp } from '../support/app.ts';
import { drive, type PanelDriver } from '../support/panel.ts';

const PERSON = '王小明';
const PHONE = '138-0013-8000';

describe.skipIf(!chromiumPath)('private text', () => {
  let app: TestApp;
  let panel: PanelDriver;
  let notebook = '';
  let note = '';
  const bodies = (): string => JSON.stringify(app.model.requests);

  beforeAll(async () => {
    app = await startApp();
    panel = drive(app.page);
    notebook = await app.notebook('Life');
    const markdown = `Call ${PERSON} ("the boss") at ${PHONE} about the plan.`;
    note = await app.kernel<string>('/api/filetree/createDocWithMd', { notebook, path: '/Calls', markdown });
    await panel.open();
  });
  afterAll(() => app?.close());

  const fillField = async (match: string, label: string): Promise<void> => {
    const section = panel.region.getByRole('region', { name: 'Private text' });
    await section.getByLabel('Word, or /regular expression/').fill(match);
    await section.getByLabel('Label').fill(label);
    await section.getByRole('button', { name: 'Save' }).click();
  };

  it('is named in the settings: what cannot be used is refused, and a text shows what would be sent', async () => {
    await panel.region.getByRole('button', { name: 'Settings' }).first().click();
    const section = panel.region.getByRole('region', { name: 'Private text' });
    await section.getByRole('checkbox', { name: 'Mask private text in requests' }).check();
    // Nothing would be masked yet: the form is open.
    await fillField('/(?=\\d)x/', '');
    await section.getByText('Lookahead, lookbehind').waitFor();
    await fillField('/\\d{3}-\\d{4}-\\d{4}/', 'phone number');
    await section.getByRole('button', { name: 'Add private text' }).click();
    await fillField(PERSON, '');
    await section.getByLabel('Try it').fill(`${PERSON}: ${PHONE}`);
    await section.getByText('MASK2V1X: MASK1V1X').waitFor();
    // What many people want masked is one press, and an entry like any other.
    await section.getByRole('button', { name: 'E-mail addresses', exact: true }).click();
    await section.getByLabel('Try it').fill('Write to ann@a.example.');
    await section.getByText('Write to MASK3V1X.').waitFor();
    await section.getByRole('button', { name: 'E-mail addresses', exact: true }).waitFor({ state: 'detached' });
    await section.getByRole('button', { name: 'Remove', exact: false }).last().click();
    await section.getByRole('button', { name: 'E-mail addresses', exact: true }).waitFor();
    await panel.region.getByRole('button', { name: 'Back' }).first().click();
  });

  it('is in no request, not in what tools read, and the note gets what was meant', async () => {
    app.model.push(
      { calls: [{ name: 'read_doc', args: { id: note } }] },
      (request) => {
        const said = JSON.stringify(request.messages);
        expect(said).toContain('Call MASK');
        const phone = /at (MASK1V\d+X)/u.exec(said)?.[1] ?? '';
        const person = /Call (MASK2V\d+X)/u.exec(said)?.[1] ?? '';
        return {
          text: `I note ${person}.`,
          calls: [
            {
              name: 'insert_blocks',
              args: { anchor: note, position: 'append', markdown: `${person} answered at ${phone.toLowerCase()}.` },
            },
          ],
        };
      },
      (request) => ({ text: `Done: ${/MASK2V\d+X/u.exec(JSON.stringify(request.messages))?.[0]} was noted.` }),
    );
    await panel.send(`Note that ${PERSON} answered`);
    await panel.approval.waitFor();
    await expect.poll(() => panel.approval.locator('[data-diff]').innerText()).toContain(`${PERSON} answered at ${PHONE}.`);
    await panel.approve();
    await panel.settled();
    const { content } = await app.kernel<{ content: string }>('/api/filetree/getDoc', { id: note, mode: 0, size: 102400 });
    expect(content).toContain(`${PERSON} answered at ${PHONE}.`);
    await expect.poll(() => panel.answer.innerText()).toContain(`Done: ${PERSON} was noted.`);
    expect(await panel.region.innerText()).not.toMatch(/MASK\d/u);
    expect(app.model.requests.length).toBeGreaterThanOrEqual(3);
    expect(bodies()).toContain('phone number');
    for (const secret of [PERSON, PHONE]) expect(bodies()).not.toContain(secret);
  });

  it('stays out after a reload, when the chat goes on', async () => {
    await app.reload();
    await panel.open();
    app.model.push({ text: 'Yes.' });
    await panel.send(`And ${PHONE}?`);
    await panel.settled();
    for (const secret of [PERSON, PHONE]) expect(bodies()).not.toContain(secret);
  });
});
