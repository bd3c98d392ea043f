// Standing orders run by the panel of SiYuan's desktop app, of which this page takes itself for one. Its clock is the test's.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath, startApp, type TestApp } from '../support/app.ts';
import { drive, type PanelDriver } from '../support/panel.ts';

/** What the desktop app gives its pages; its modules are not there, so that nothing of the computer is. */
const DESKTOP = `
  window.process = { versions: { electron: '1' } };
  window.require = () => { throw new Error('not here'); };
`;
const HOUR = 3_600_000;

interface SavedRun {
  readonly started: number;
  readonly attempt: number;
  readonly status: string;
  readonly proposals: readonly { readonly status: string }[];
}

describe.skipIf(!chromiumPath)('standing orders that the desktop app runs', () => {
  let app: TestApp;
  let panel: PanelDriver;
  const page = () => panel.region.getByRole('group', { name: 'Standing orders', exact: true });
  const button = (name: string) => page().getByRole('button', { name, exact: true });
  const row = () => page().getByRole('article', { name: 'Zanzibar watch' });

  async function openOrders(): Promise<void> {
    await panel.region.getByRole('button', { name: 'More', exact: true }).click();
    await app.page.getByRole('menuitem', { name: 'Standing orders' }).click();
    await page().getByRole('heading', { name: 'Where they run' }).waitFor();
  }
  const back = () => panel.region.getByRole('button', { name: 'Back', exact: true }).click();

  const folder = '/data/storage/petal/siyuan-marginalia/orders';
  const read = async (path: string) =>
    (
      await app.host.fetch(`${app.host.url}api/file/getFile`, { method: 'POST', body: JSON.stringify({ path: `${folder}/${path}` }) })
    ).json();
  /** In the order in which they were begun. */
  async function runs(): Promise<readonly SavedRun[]> {
    const files = await app.kernel<{ name: string }[]>('/api/file/readDir', { path: `${folder}/runs` }).catch(() => []);
    const all: readonly SavedRun[] = await Promise.all(files.map(({ name }) => read(`runs/${name}`)));
    return all.toSorted((one, other) => one.started - other.started);
  }
  /** Until the app has looked at the order for the first time: what was before that is not missed. */
  async function firstLook(): Promise<void> {
    const known = async () => {
      await app.page.clock.runFor(2000);
      return JSON.stringify(await read('state.json').catch(() => ''));
    };
    await expect.poll(known, { timeout: 40_000 }).toContain('every day at 7');
  }
  const short = async () => (await runs()).map(({ attempt, status, proposals }) => [attempt, status, proposals.map((each) => each.status)]);
  const written = async (query: string): Promise<number> =>
    (await app.kernel<{ blocks: { content: string }[] }>('/api/search/fullTextSearchBlock', { query, method: 0 })).blocks.length;
  const propose = (markdown: string) => ({ calls: [{ name: 'daily_note', args: { op: 'append', notebook: 'Life', markdown } }] });

  /** Time passes for the page's own looks until a run more has begun, and no longer: a model would count as silent. */
  async function passUntilRun(): Promise<void> {
    const before = (await runs()).length;
    const begun = async (): Promise<number> => {
      const now = (await runs()).length;
      if (now === before) await app.page.clock.runFor(21_000);
      return now;
    };
    await expect.poll(begun, { timeout: 40_000 }).toBe(before + 1);
  }

  beforeAll(async () => {
    app = await startApp({ init: DESKTOP });
    await app.page.clock.install();
    await app.reload();
    panel = drive(app.page);
    await panel.open();
  });
  afterAll(() => app?.close());

  it('are run by it once a person says so, beside an open chat, and their chat can be opened meanwhile', async () => {
    await openOrders();
    await button('Create orders note').click();
    await button('New order').click();
    await page().getByLabel('Name', { exact: true }).fill('Zanzibar watch');
    await page().getByLabel('When', { exact: true }).fill('every day at 7');
    await page().getByLabel('What it should do').fill('Note something about Zanzibar.');
    await button('Save').click();
    await row().waitFor();
    await expect.poll(() => page().getByRole('checkbox').isChecked()).toBe(false);
    await page().getByRole('checkbox').check();
    await firstLook();
    await back();

    let release = (): void => undefined;
    const hold = new Promise<void>((resolve) => {
      release = resolve;
    });
    app.model.push(propose('Proposed by the app.'), { text: 'Let me think about that first.', hold });
    await app.page.clock.fastForward(25 * HOUR);
    await passUntilRun();
    await expect.poll(short, { timeout: 20_000 }).toEqual([[1, 'running', ['pending']]]);

    app.model.push({ text: 'An answer in the chat.' });
    await panel.send('What is new?');
    await panel.settled();
    await expect.poll(() => panel.answer.textContent()).toContain('An answer in the chat.');
    await expect.poll(() => panel.region.locator('article').count()).toBe(2);

    await panel.region.getByRole('button', { name: 'Chats', exact: true }).click();
    await panel.region
      .getByText(/^Zanzibar watch · /)
      .first()
      .click();
    await panel.region.getByText('Note something about Zanzibar.', { exact: false }).first().waitFor();
    release();
    await expect.poll(short, { timeout: 20_000 }).toEqual([[1, 'done', ['pending']]]);
    expect(await written('Proposed by the app')).toBe(0);
    await openOrders();
    await page().getByRole('group', { name: 'Approval' }).getByText('Proposed by the app.').first().waitFor();
    await page()
      .getByText(/^They run in .+ \(\w[\w/+-]*\)\.$/u)
      .waitFor();
    await button('Open the chat').first().click();
    await panel.region.getByText('Let me think about that first.').waitFor();
  });

  it('are made again once where the page is loaded anew in the middle of a run', async () => {
    const asked = app.model.requests.length;
    app.model.push(propose('Cut off.'), { text: 'Never read to its end.', hold: new Promise(() => undefined) });
    await app.page.clock.fastForward(25 * HOUR);
    await passUntilRun();
    // Else the held answer is left for the run after the reload.
    await expect.poll(() => app.model.requests.length).toBe(asked + 2);
    await expect.poll(short, { timeout: 20_000 }).toEqual([
      [1, 'done', ['pending']],
      [1, 'running', ['pending']],
    ]);
    await app.reload();
    await panel.open();
    app.model.push(propose('Quaxolotl.'), { text: 'Proposed.' });
    await passUntilRun();
    await expect.poll(short, { timeout: 20_000 }).toEqual([
      [1, 'done', ['pending']],
      [1, 'cut_off', ['dropped']],
      [2, 'done', ['pending']],
    ]);
    expect(await written('Quaxolotl')).toBe(0);
  });
});
