// A workspace that was opened read-only: the panel opens, reads and answers, and says from the start that nothing is written.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath, notebookFiles, startApp, type TestApp } from '../support/app.ts';
import { drive } from '../support/panel.ts';
import { lastToolText } from '../support/scripts.ts';

describe.skipIf(!chromiumPath).each(['3.7.3', '3.8'] as const)('a read-only workspace of SiYuan %s', (as) => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startApp({ as, readOnly: true });
  });
  afterAll(() => app?.close());

  it('is said before a write is asked for; questions are answered, and a write changes nothing', async () => {
    const before = notebookFiles(app.workspace);
    const panel = drive(app.page);
    await panel.open();
    const said = panel.region.getByRole('alert');
    await expect.poll(() => said.innerText()).toMatch(/^This workspace is read-only\. You can still ask and read\./);
    app.model.push(
      { calls: [{ name: 'list_docs', args: { parent: 'Research' } }] },
      { calls: [{ name: 'create_doc', args: { notebook: 'Research', path: '/New', markdown: 'x' } }] },
      { text: 'It cannot be written.' },
    );
    await panel.send('Write a note');
    await panel.approval.getByRole('radio', { name: /^This time only/ }).check();
    await panel.approval.getByRole('button', { name: 'Approve', exact: true }).click();
    await panel.settled();
    expect(lastToolText(app.model.requests.at(-1)!)).toMatch(/^read_only: .+ → /u);
    expect(notebookFiles(app.workspace)).toEqual(before);
  });
});
