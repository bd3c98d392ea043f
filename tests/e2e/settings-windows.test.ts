// The settings open in two windows: what is saved in one is not lost by what is saved in the other.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath, startApp, type TestApp } from '../support/app.ts';
import { drive, type PanelDriver } from '../support/panel.ts';

const PROMPTS = [
  { id: 'own-1', name: 'First', prompt: 'x', output: 'ask' },
  { id: 'own-2', name: 'Second', prompt: 'y', output: 'ask' },
];

interface Saved {
  readonly privacy: { readonly fields: readonly unknown[] };
  readonly prompts: readonly { readonly id: string; readonly prompt: string }[];
}

describe.skipIf(!chromiumPath)('settings in two windows', () => {
  let app: TestApp;
  let here: PanelDriver;
  let there: PanelDriver;

  beforeAll(async () => {
    app = await startApp({ settings: { privacy: { enabled: true, fields: ['Alice', 'Bob', 'Carol'] }, prompts: PROMPTS } });
    here = drive(app.page);
    await here.open();
    there = drive(await app.openWindow());
    await there.open();
    for (const panel of [here, there]) await panel.openSettings('Your own prompts');
  });
  afterAll(() => app?.close());

  const saved = (): Saved =>
    JSON.parse(readFileSync(join(app.workspace, 'data/storage/petal/siyuan-marginalia/settings.json'), 'utf8')) as Saved;
  const privacy = (panel: PanelDriver): Locator => panel.region.getByRole('region', { name: 'Private text' });
  const prompts = (panel: PanelDriver): Locator => panel.region.getByRole('region', { name: 'Your own prompts' });
  const press = (section: Locator, name: string): Promise<void> => section.getByRole('button', { name, exact: true }).click();
  const enter = (section: Locator, text: string): Promise<void> => section.getByLabel('Word, or /regular expression/').fill(text);

  it('an edited private text takes its own place, though another one was removed elsewhere', async () => {
    await press(privacy(here), 'Edit Bob');
    await enter(privacy(here), 'Robert');
    await press(privacy(there), 'Remove Alice');
    await privacy(here).getByRole('button', { name: 'Edit Alice' }).waitFor({ state: 'detached' });
    await press(privacy(here), 'Save');
    await expect.poll(() => saved().privacy.fields).toEqual(['Robert', 'Carol']);
  });

  it('private text that is added in both is masked, and so is one that is edited here and was removed there', async () => {
    await privacy(there).getByRole('button', { name: 'Edit Robert' }).waitFor();
    await press(privacy(here), 'Edit Carol');
    await enter(privacy(here), 'Caroline');
    await press(privacy(there), 'Remove Carol');
    await press(privacy(there), 'Add private text');
    await enter(privacy(there), 'Dora');
    await press(privacy(there), 'Save');
    await privacy(here).getByRole('button', { name: 'Edit Dora' }).waitFor();
    await press(privacy(here), 'Save');
    await expect.poll(() => saved().privacy.fields).toEqual(['Robert', 'Dora', 'Caroline']);
  });

  it('a prompt that is edited here and was removed there is kept', async () => {
    await press(prompts(here), 'Edit First');
    await prompts(here).getByRole('textbox', { name: 'What the model should do' }).fill('A long new text');
    await press(prompts(there), 'Remove First');
    await prompts(here).getByRole('button', { name: 'Edit First' }).waitFor({ state: 'detached' });
    await press(prompts(here), 'Save');
    await expect
      .poll(() => saved().prompts.map(({ id, prompt }) => [id, prompt]))
      .toEqual([
        ['own-2', 'y'],
        ['own-1', 'A long new text'],
      ]);
  });
});
