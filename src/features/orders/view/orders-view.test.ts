import { expect, it } from 'vitest';
import { button, usePanelBrowser } from '../../../ui/testing/panel-browser.ts';

const on = usePanelBrowser();

it('says what a run brought and what waits to be run, and not that nothing is pending before it knows', () =>
  on('empty', async (page) => {
    await page.evaluate(() => {
      const order = { id: 'o1', name: 'Watch', problems: [], schedule: { kind: 'every', unit: 'hours', count: 2 } };
      const last = { id: 'r1', status: 'done', started: Date.now(), proposals: [{ status: 'approved' }, { status: 'pending' }] };
      const row = { order, next: [], last, undone: 0, isAsked: false, failures: 0, paused: null, had: 0 };
      const undone = { ...row, order: { ...order, id: 'o3', name: 'Undone' }, undone: 1 };
      const asked = { ...row, order: { ...order, id: 'o2', name: 'Asked' }, isAsked: true };
      const read = new Promise<readonly []>((resolve) => window.addEventListener('inbox-read', () => resolve([])));
      Object.assign(window.page.features.port<object>({ name: 'orders' }), {
        view: async () => ({ note: { kind: 'read', id: 'n1', title: 'Orders' }, orders: [row, asked, undone], runsOn: '' }),
        inbox: () => read,
      });
    });
    await button(page, 'More').click();
    await page.getByRole('menuitem', { name: 'Standing orders' }).click();
    const orders = page.getByRole('group', { name: 'Standing orders' });
    await orders.getByRole('article', { name: 'Watch' }).getByText('2 proposals, 1 approved.').waitFor();
    await orders.getByRole('article', { name: 'Undone' }).getByText('2 proposals, 0 approved, 1 undone.').waitFor();
    await orders.getByRole('article', { name: 'Asked' }).getByText('Waiting for a program').waitFor();
    expect(await orders.getByText('Nothing is pending.').count()).toBe(0);
    await page.evaluate(() => window.dispatchEvent(new Event('inbox-read')));
    await orders.getByText('Nothing is pending.').waitFor();
  }));

it('shows what waits once a run has ended meanwhile', () =>
  on('empty', async (page) => {
    await page.evaluate(() => {
      let reads = 0;
      Object.assign(window.page.features.port<object>({ name: 'orders' }), {
        view: async () => {
          reads += 1;
          return { note: { kind: 'read', id: 'n1', title: `Read ${reads}` }, orders: [], runsOn: '' };
        },
        inbox: async () => [],
        watch(listener: (count: number) => void) {
          const tell = (event: Event): void => listener((event as CustomEvent<number>).detail);
          window.addEventListener('waiting', tell);
          return () => window.removeEventListener('waiting', tell);
        },
      });
    });
    await button(page, 'More').click();
    await page.getByRole('menuitem', { name: 'Standing orders' }).click();
    const orders = page.getByRole('group', { name: 'Standing orders' });
    await orders.getByText('Read 1').waitFor();
    const waits = (count: number) => page.evaluate((detail) => window.dispatchEvent(new CustomEvent('waiting', { detail })), count);
    await waits(0);
    await waits(0);
    await orders.getByText('Read 1').waitFor();
    await waits(1);
    await orders.getByText('Read 2').waitFor({ timeout: 5000 });
  }));

it('keeps the form of a new order until it is in the list', () =>
  on('empty', async (page) => {
    await page.evaluate(() => {
      const written = new Promise<void>((resolve) => window.addEventListener('order-written', () => resolve()));
      Object.assign(window.page.features.port<object>({ name: 'orders' }), {
        view: async () => ({ note: { kind: 'read', id: 'n1', title: 'Orders' }, orders: [], runsOn: 'the service on vm' }),
        inbox: async () => [],
        add: () => written,
      });
    });
    await button(page, 'More').click();
    await page.getByRole('menuitem', { name: 'Standing orders' }).click();
    await page.getByText('They run in the service on vm.').waitFor();
    await button(page, 'New order').click();
    await page.getByLabel('Name').fill('Inbox');
    const form = page.getByRole('status');
    await page.getByLabel('When').fill('1 nov 12 mar 2019');
    await form.getByText('“1 nov 12 mar 2019” is not understood.').waitFor();
    await page.getByLabel('When').fill('every 2 weeks on Friday at 16:00');
    await form.getByText(/^Friday at 16:00, every 2 weeks · next [^;]+, 4:00.PM; [^;]+; [^;]+$/u).waitFor();
    await page.getByLabel('What it should do').fill('Sort it.');
    await button(page, 'Save').click();
    await expect.poll(() => button(page, 'Save').isDisabled()).toBe(true);
    await page.evaluate(() => window.dispatchEvent(new Event('order-written')));
    await button(page, 'New order').waitFor();
  }));

it('follows a run that was asked for, and offers the note in the editor only if it is one of orders', () =>
  on('empty', async (page) => {
    await page.evaluate(() => {
      const order = { id: 'o1', name: 'Watch', problems: [], schedule: { kind: 'every', unit: 'hours', count: 2 } };
      const row = { order, next: [], failures: 0, paused: null, had: 0 };
      const done = { id: 'r1', status: 'done', started: Date.now(), proposals: [] };
      let views = 0;
      Object.assign(window.page.features.port<object>({ name: 'orders' }), {
        view: async () => {
          views += 1;
          return {
            note: { kind: 'read', id: 'n1', title: 'Orders' },
            orders: [{ ...row, isAsked: views < 2, last: views < 2 ? undefined : done }],
            runsOn: '',
          };
        },
      });
    });
    const openPage = async (): Promise<void> => {
      await button(page, 'More').click();
      await page.getByRole('menuitem', { name: 'Standing orders' }).click();
    };
    await openPage();
    await page.getByText('Waiting for a program').waitFor();
    await page.getByText('It proposed nothing.').waitFor({ timeout: 2500 });
    await page.keyboard.press('Escape');
    for (const isOrders of [false, true]) {
      await page.evaluate((is) => {
        const view = async () => ({ note: { kind: 'none' }, orders: [], runsOn: '' });
        Object.assign(window.page.features.port<object>({ name: 'orders' }), { view, isOrdersNote: async () => is });
      }, isOrders);
      await openPage();
      await button(page, 'Create orders note').waitFor();
      await expect.poll(() => button(page, 'Use “Apollo”').count()).toBe(isOrders ? 1 : 0);
      await page.keyboard.press('Escape');
    }
  }));

it('keeps what was typed into a form that was refused, with the reason in it, also while another page is shown', () =>
  on('empty', async (page) => {
    await page.evaluate(() => {
      const database = {
        id: 'd1',
        name: 'Papers',
        columns: [],
        document: { id: 'n', title: 'N', path: '/N' },
        notebook: { id: 'b', name: 'B' },
      };
      const refuse = async () => Promise.reject(Object.assign(new Error('db_write is switched off'), { code: 'tool_disabled', next: '' }));
      Object.assign(window.page.features.port<object>({ name: 'orders' }), {
        view: async () => ({ note: { kind: 'read', id: 'n1', title: 'Orders' }, orders: [], runsOn: '' }),
        ...{ databases: async () => [database], addColumn: refuse, add: refuse },
      });
    });
    const openPage = async (): Promise<void> => {
      await button(page, 'More').click();
      await page.getByRole('menuitem', { name: 'Standing orders' }).click();
    };
    await openPage();
    for (const [form, field, other] of [
      ['Ask each row of a database', 'Question', 'Column for the answers'],
      ['New order', 'What it should do', 'Name'],
    ] as const) {
      await button(page, form).click();
      await page.getByLabel(field).fill('What is claimed?');
      await page.getByLabel(other).fill('Claim');
      if (form === 'New order') await page.getByLabel('When').fill('every day at 7');
      await button(page, 'Save').click();
      await page.locator('form').getByRole('alert').filter({ hasText: 'switched off' }).waitFor();
      await page.keyboard.press('Escape');
      await expect.poll(() => page.getByLabel(field).count()).toBe(0);
      await button(page, form).click();
      await expect.poll(() => page.getByLabel(field).inputValue()).toBe('');
      await page.getByLabel(field).fill('What is claimed?');
      await button(page, 'Back').click();
      await openPage();
      await expect.poll(() => page.getByLabel(field).inputValue()).toBe('What is claimed?');
      await button(page, 'Cancel').click();
    }
  }));

it('follows what happens while it is open, and stays where it is when a button is pressed', () =>
  on('empty', async (page) => {
    await page.evaluate(() => {
      const schedule = { kind: 'event', of: 'rows', on: ['made'], target: { name: 'Papers' }, except: '' };
      const row = (id: string) => ({
        order: { id, name: `Order ${id}`, when: '', text: '', budget: null, problems: [], schedule, quiet: 0, limit: 10 },
        ...{ next: [], failures: 0, paused: null, had: 0, waiting: 0, isAsked: false, last: undefined },
      });
      let had = 0;
      Object.assign(window.page.features.port<object>({ name: 'orders' }), {
        view: async () => {
          const all = Array.from({ length: 20 }, (_each, at) => row(String(at)));
          return { note: { kind: 'read', id: 'n1', title: 'Orders' }, orders: [...all, { ...row('20'), had }], runsOn: '' };
        },
        runForAll: async () => {
          had = 0;
        },
      });
      setTimeout(() => {
        had = 2;
      }, 1000);
    });
    await button(page, 'More').click();
    await page.getByRole('menuitem', { name: 'Standing orders' }).click();
    const last = page.getByRole('article', { name: 'Order 20' });
    await last.scrollIntoViewIfNeeded();
    const top = () => page.evaluate(() => document.querySelector('.mg-page__body')?.scrollTop ?? 0);
    const all = last.getByRole('button', { name: 'Run for these too' });
    await all.waitFor({ timeout: 15_000 });
    await all.scrollIntoViewIfNeeded();
    const before = await top();
    expect(before).toBeGreaterThan(200);
    await all.click();
    await expect.poll(() => all.count()).toBe(0);
    expect(Math.abs((await top()) - before)).toBeLessThan(40);
    await last.getByRole('button', { name: 'Run now' }).click();
    await last.getByRole('button', { name: 'Pause' }).focus();
    expect(Math.abs((await top()) - before)).toBeLessThan(40);
  }));

it('says that a place is not there, offers names like it, and takes back what cannot be chosen', () =>
  on('empty', async (page) => {
    await page.evaluate(() => {
      Object.assign(window.page.features.port<object>({ name: 'orders' }), {
        view: async () => ({ note: { kind: 'read', id: 'n1', title: 'Orders' }, orders: [], runsOn: '' }),
        problemsOf: async ({ when }: { when: string }) => (when.includes('Reserch') ? [{ code: 'bad_place', line: 'Reserch' }] : []),
      });
    });
    await button(page, 'More').click();
    await page.getByRole('menuitem', { name: 'Standing orders' }).click();
    await button(page, 'New order').click();
    const when = page.getByLabel('When');
    await when.fill('when a note is added to Reserch');
    await page.getByRole('status').getByText('There is no notebook or note “Reserch”', { exact: false }).waitFor();
    await page.getByRole('status').getByRole('button', { name: 'Research', exact: true }).click();
    await expect.poll(() => when.inputValue()).toBe('when a note is added to Research');
    await page.getByRole('status').getByText('When a note is added to Research', { exact: false }).waitFor();
    await page.getByText('Wait for something to happen').click();
    await page.getByLabel('Notebook or note').fill('Life');
    await expect.poll(() => when.inputValue()).toBe('When a note is added to Life');
    await page.getByLabel('What it waits for').selectOption({ label: 'A row of a database is new or changed' });
    await expect.poll(() => when.inputValue()).toBe('');
  }));

it('rejects all after a question, offers no chat of a run that asked no model, and says what a new order lacks', () =>
  on('empty', async (page) => {
    await page.evaluate(() => {
      const item = { run: 'r', order: 'o1', name: 'Watch', started: 0, about: [], words: 'A change', changed: 'x' };
      let waiting = [
        { ...item, id: 'c1' },
        { ...item, id: 'c2' },
      ];
      const order = { id: 'o1', name: 'Watch', problems: [], schedule: { kind: 'every', unit: 'hours', count: 2 } };
      const last = { id: 'r1', status: 'done', started: Date.now(), proposals: [], unasked: true };
      const row = { order, next: [], last, isAsked: false, failures: 0, paused: null, had: 0 };
      Object.assign(window.page.features.port<object>({ name: 'orders' }), {
        view: async () => ({ note: { kind: 'read', id: 'n1', title: 'Orders' }, orders: [row], runsOn: '' }),
        inbox: async () => waiting,
        async decide({ id }: { id: string }) {
          waiting = waiting.filter((each) => each.id !== id);
          return true;
        },
      });
      window.page.host.answer = false;
    });
    await button(page, 'More').click();
    await page.getByRole('menuitem', { name: 'Standing orders' }).click();
    const all = button(page, 'Reject all 2');
    await all.click();
    await expect.poll(() => page.evaluate(() => window.page.host.log.at(-1))).toEqual(['confirm', expect.stringContaining('2 proposals')]);
    await expect.poll(() => all.count()).toBe(1);
    await page.evaluate(() => {
      window.page.host.answer = true;
    });
    await all.click();
    await page.getByText('Nothing is pending.').waitFor();
    await page.getByText('Nothing is waiting that it may read: no model was asked.').waitFor();
    await expect.poll(() => button(page, 'Open the chat').count()).toBe(0);
    await button(page, 'New order').click();
    await page.getByText('Write a name, when it runs and what it should do.').waitFor();
  }));

it('gives a question of each row the project that was chosen for it', () =>
  on('empty', async (page) => {
    await page.evaluate(() => {
      const columns = [{ id: 'c', name: 'Claim', type: 'text' }];
      const place = { document: { id: 'n', title: 'N', path: '/N' }, notebook: { id: 'b', name: 'B' } };
      const database = { id: '20260101000000-papers0', name: 'Papers', columns, ...place };
      Object.assign(window.page.features.list[0] ?? {}, { projects: async () => [{ id: 'p1', name: 'Lamps' }] });
      Object.assign(window.page.features.port<object>({ name: 'orders' }), {
        view: async () => ({ note: { kind: 'read', id: 'n1', title: 'Orders' }, orders: [], runsOn: '' }),
        databases: async () => [database],
        add: async ({ project }: { project?: string }) => void window.page.host.log.push(['add', String(project)]),
      });
    });
    await button(page, 'More').click();
    await page.getByRole('menuitem', { name: 'Standing orders' }).click();
    await button(page, 'Ask each row of a database').click();
    await page.getByLabel('Column for the answers').fill('Claim');
    await page.getByLabel('Question').fill('What is claimed?');
    await page.getByLabel('Project').selectOption({ label: 'Lamps' });
    await button(page, 'Save').click();
    await expect.poll(() => page.evaluate(() => window.page.host.log.at(-1))).toEqual(['add', 'p1']);
  }));

it('keeps a field where it is while a proposal arrives above it, and leaves its note with an Undo', () =>
  on('empty', async (page) => {
    await page.evaluate(() => {
      let note = 'n1';
      const found: object[] = [];
      Object.assign(window.page.features.port<object>({ name: 'orders' }), {
        view: async () => ({ note: note === '' ? { kind: 'none' } : { kind: 'read', id: note, title: 'Orders' }, orders: [], runsOn: '' }),
        inbox: async () => [...found],
        async choose(id: string) {
          note = id;
        },
        watch(listener: (count: number) => void) {
          const bring = (): void => {
            const words = 'A long proposal. '.repeat(60);
            found.push({ kind: 'changed', order: 'o1', name: 'Watch', run: 'r1', id: 'p1', words, changed: words, about: [] });
            listener(1);
          };
          listener(0);
          window.addEventListener('proposal', bring);
          return () => window.removeEventListener('proposal', bring);
        },
      });
    });
    await button(page, 'More').click();
    await page.getByRole('menuitem', { name: 'Standing orders' }).click();
    const orders = page.getByRole('group', { name: 'Standing orders' });
    await orders.getByRole('button', { name: 'New order' }).click();
    const field = orders.getByRole('textbox', { name: 'What it should do' });
    await field.click();
    const before = (await field.boundingBox())?.y ?? 0;
    await page.evaluate(() => window.dispatchEvent(new Event('proposal')));
    await orders.getByRole('region', { name: 'Watch' }).waitFor();
    await expect.poll(async () => Math.abs(((await field.boundingBox())?.y ?? 0) - before)).toBeLessThan(2);

    await orders.getByRole('button', { name: 'Stop using this note' }).click();
    await page.getByText('The orders of “Orders” no longer run.').waitFor();
    await button(page, 'Undo').click();
    await orders.getByRole('button', { name: 'Stop using this note' }).waitFor();
  }));
