// Builds of some shops have SiYuan's AI switched off: its providers are not offered, and the panel says so.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { chromiumPath, startApp, type TestApp } from '../support/app.ts';
import { drive } from '../support/panel.ts';

const SENTENCE = 'This edition of SiYuan has AI switched off';
const PROVIDER = {
  ...{
    id: 'p1',
    displayName: 'Provider of the host',
    enabled: true,
    apiKey: 'k',
    baseURL: 'https://models.example/v1',
    protocol: 'openai',
  },
  ...{
    headers: { 'X-Team': 'notes' },
    requestTimeout: 30,
    models: [{ id: 'm1', displayName: 'Model of the host', enabled: true, name: 'm-1' }],
  },
};

/** An app without a model of its own, in a SiYuan that has one. */
async function open(aiOff: boolean): Promise<TestApp> {
  const app = await startApp({ as: '3.8', aiOff, settings: { model: undefined } });
  writeFileSync(
    join(app.workspace, 'conf/devhost.json'),
    JSON.stringify({ lang: 'en', mode: 0, ai: { providers: [PROVIDER], agent: {} } }),
  );
  await app.reload();
  await drive(app.page).open();
  return app;
}

describe.skipIf(!chromiumPath)('a SiYuan of 3.8', () => {
  it.each([
    ['with its AI switched off: nothing of it is offered, which is said', true],
    ['with its AI: its model is there', false],
  ])('%s', async (_name, aiOff) => {
    const app = await open(aiOff);
    try {
      const panel = app.page.locator('.mg-panel');
      if (aiOff) await panel.getByText(SENTENCE).waitFor();
      else await panel.getByText('Model of the host').first().waitFor();
      expect(await panel.innerText()).not.toContain(aiOff ? 'of the host' : SENTENCE);
    } finally {
      await app.close();
    }
  });
});
