// A budget on the built plugin: what would go over it is not sent, and what was spent is in the workspace.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath, startApp, type TestApp } from '../support/app.ts';
import { drive, type PanelDriver } from '../support/panel.ts';

describe.skipIf(!chromiumPath)('a budget', () => {
  let app: TestApp;
  let panel: PanelDriver;
  beforeAll(async () => {
    app = await startApp({ settings: { budget: { day: { tokens: 500 } } } });
    panel = drive(app.page);
    await panel.open();
  });
  afterAll(() => app?.close());

  it('stops before anything is sent, says so with its next step, and lets the request go once it is raised', async () => {
    app.model.push({ text: 'Now I may.' });
    await panel.send('Hello?');
    await panel.settled('error');
    expect(app.model.bodies).toEqual([]);
    await panel.answer.getByText(/would exceed the budget for today \([\d,]+ of 500 tokens\)/).waitFor();
    await panel.answer.getByRole('button', { name: 'Raise the budget' }).click();
    const field = panel.region.getByRole('spinbutton', { name: 'Per day, Tokens' });
    await expect.poll(() => field.inputValue()).toBe('500');
    await field.fill('50000');
    await field.press('Tab');
    await panel.region.getByRole('button', { name: 'Back' }).first().click();
    await panel.answer.getByRole('button', { name: 'Retry' }).click();
    await panel.answer.getByText('Now I may.').waitFor();
    expect(app.model.bodies).toHaveLength(1);
    const folder = join(app.workspace, 'data/storage/petal/siyuan-marginalia/usage');
    await expect.poll(() => readdirSync(folder)).toHaveLength(1);
    const [file = ''] = readdirSync(folder);
    const [day] = Object.values(JSON.parse(readFileSync(join(folder, file), 'utf8')).days);
    expect(day).toMatchObject({ tokens: expect.any(Number), dollars: 0 });
  });
});
