// SiYuan's own agent through our door, where SiYuan is 3.8: what is offered to it, and what its calls need. The agent's side is the
// development host's, made by what SiYuan's sources say.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { realKernelUrl } from '../host/real-kernel.ts';
import { chromiumPath, startApp, type TestApp } from '../support/app.ts';
import { aboutHost, drive, type PanelDriver } from '../support/panel.ts';

interface Offered {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: { readonly type?: string };
  readonly effects: Readonly<Record<string, boolean>>;
}

const offeredIn = (app: TestApp): Promise<readonly Offered[]> =>
  app.page.evaluate(() => {
    const offered = Reflect.get(window, 'agentCapabilities') as Map<string, Record<string, unknown>> | undefined;
    return JSON.parse(JSON.stringify([...(offered?.values() ?? [])])) as Offered[];
  });

describe.skipIf(!chromiumPath || realKernelUrl !== undefined)('SiYuan’s own agent', () => {
  let app: TestApp;
  let panel: PanelDriver;
  let pending = '';
  const button = (name: string | RegExp) => panel.region.getByRole('button', { name, exact: true });
  const offer = () => panel.region.getByRole('checkbox', { name: 'Offer these tools to SiYuan’s agent' });
  const call = (name: string, args: object): Promise<{ result?: string; error?: string }> =>
    app.page.evaluate(
      async ([wanted, given]) => {
        const all = Reflect.get(window, 'agentCapabilities') as Map<string, { name: string; handler: (args: unknown) => Promise<object> }>;
        const found = [...all.values()].find((each) => each.name === wanted);
        return found ? found.handler(given) : { error: 'not offered' };
      },
      [name, args] as const,
    );

  beforeAll(async () => {
    app = await startApp({ as: '3.8' });
    panel = drive(app.page);
    await panel.open();
    await app.page.evaluate(() => {
      const config = Object(Reflect.get(window, 'siyuan').config);
      config.ai = { ...config.ai, agent: { confirmTimeout: 2 } };
    });
  });
  afterAll(() => app?.close());

  it('is offered nothing until the person says so', async () => {
    expect(await offeredIn(app)).toEqual([]);
    await panel.openSettings('Other programs');
    await offer().check();
    await expect.poll(async () => (await offeredIn(app)).length).toBeGreaterThan(10);
    await button('Back').click();
  });

  it('has the tools that are on under names of ours, with plain schemas and what each does', async () => {
    const offered = await offeredIn(app);
    const names = offered.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    expect(names.filter((name) => !/^marginalia_[a-zA-Z_]{1,40}$/.test(name))).toEqual([]);
    expect(names.filter((name) => /ask_user|spawn|mcp_/.test(name))).toEqual([]);
    expect(offered.filter(({ inputSchema, description }) => inputSchema.type !== 'object' || description === '')).toEqual([]);
    expect(offered.find(({ name }) => name === 'marginalia_read_doc')?.effects).toMatchObject({ localWrite: false, dataEgress: false });
    expect(offered.find(({ name }) => name === 'marginalia_edit_block')?.effects).toMatchObject({ localWrite: true });
  });

  it('reads by the rights of the notebooks, as data', async () => {
    const { result } = await call('marginalia_list_notebooks', {});
    expect(result).toMatch(/^<untrusted-data /);
    expect(await call('marginalia_read_doc', { id: '20200101000000-nothere' })).toEqual({ error: expect.stringContaining('not_found') });
  });

  it('proposes a change, which waits for the person in the panel, and is told how to ask again', async () => {
    const args = { op: 'append', notebook: 'Life', markdown: 'By the agent of SiYuan.' };
    const { result = '' } = await call('marginalia_daily_note', args);
    [, pending = ''] = /^pending: (\S+) /.exec(result) ?? [];
    expect(result).toContain('marginalia_pending_change');
    await panel.region.getByText(/SiYuan’s agent wants to/).waitFor();
    await button('Show').click();
    await panel.region.getByText('By the agent of SiYuan.').first().waitFor();
    await button('Approve').click();
    await expect.poll(async () => (await call('marginalia_pending_change', { id: pending })).result).toMatch(/untrusted-data/);
  });

  it('stands in Activity with its name, and is undone there', async () => {
    await button('Back').click();
    await panel.region.getByRole('button', { name: 'More' }).first().click();
    await app.page.getByRole('menuitem', { name: 'Activity' }).click();
    await panel.region.getByText('SiYuan’s agent').first().waitFor();
    await button('Undo').first().click();
    await panel.region.getByText('Undone').first().waitFor();
    await button('Back').click();
  });

  it('is refused everything once that is switched off', async () => {
    await panel.openSettings('Other programs');
    await offer().uncheck();
    await expect.poll(async () => (await call('marginalia_list_notebooks', {})).error).toMatch(/^no_right: /);
  });

  it('is found under About, as the rest of 3.8 is', async () => {
    const read = 'found (only read in SiYuan’s source until now)';
    const about = await aboutHost(app, panel);
    expect(about).toMatch(/^SiYuan 3\.8\.6 /);
    expect(about).toContain(`Tools for SiYuan’s own agent: ${read}\nA query that says what it left out: ${read}\n`);
  });
});

describe.skipIf(!chromiumPath)('SiYuan 3.7.3', () => {
  it('has no such agent: nothing is offered, and no switch is shown', async () => {
    const app = await startApp({ settings: { siyuanAgent: true } });
    try {
      const panel = drive(app.page);
      await panel.open();
      await panel.region.getByRole('button', { name: 'Settings', exact: true }).click();
      await panel.region.getByRole('region', { name: 'Other programs' }).waitFor();
      expect(await panel.region.getByLabel('Offer these tools to SiYuan’s agent').count()).toBe(0);
      expect(await offeredIn(app)).toEqual([]);
    } finally {
      await app.close();
    }
  });
});
