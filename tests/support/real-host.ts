// The SiYuan that SIYUAN_URL names (CONTRIBUTING.md), whose one workspace is made again for each app. What a test does to the development
// host happens here between SiYuan and its pages.
import type { BrowserContext } from 'playwright-core';
import { afterEach, beforeEach, type TestContext, vi } from 'vitest';
import { seedSampleWorkspace } from '../../devhost/sample/workspace.ts';
import { installPlugin } from '../../scripts/install-plugin.ts';
import { DEVELOPMENT_ONLY } from '../../scripts/real-siyuan.ts';
import { kernelFetch, realKernel, realKernelUrl } from '../host/real-kernel.ts';
import { kernelClient, PETAL, PLUGIN, type Setting, type TestHost } from './hosts.ts';

const realWorkspace = process.env.SIYUAN_WORKSPACE ?? '';

type Frontend = 'desktop' | 'mobile';
/** The frontends in which the test showed pages, and the one of the last page. */
const seen = new Set<Frontend>();
let last: Frontend | undefined;

if (realKernelUrl !== undefined) {
  beforeEach((context) => {
    const { file, fullTestName } = context.task;
    const found = DEVELOPMENT_ONLY.find((row) => file.name.endsWith(`/${row.file}`) && fullTestName.startsWith(row.tests ?? ''));
    if (found) skipAs(context, found.reason);
  });
  afterEach(({ task }) => {
    Object.assign(task.meta, { frontends: [...new Set([...seen, ...(last ? [last] : [])])] });
    seen.clear();
  });
}

/** Ends the test as one that cannot run in a real SiYuan; `npm test` prints the reason. */
function skipAs(context: TestContext, reason: string): never {
  Object.assign(context.task.meta, { cannotRun: reason });
  return context.skip(reason);
}

/** Devices that are signed in, and what is between them and SiYuan. */
class Devices {
  private readonly contexts = new Set<BrowserContext>();

  private readonly url: string;

  constructor(url: string) {
    this.url = url;
  }

  async add(context: BrowserContext): Promise<void> {
    this.contexts.add(context);
    context.on('close', () => this.contexts.delete(context));
    context.on('request', (request) => {
      const [, frontend] = /\/stage\/build\/(desktop|mobile)\//.exec(request.isNavigationRequest() ? request.url() : '') ?? [];
      if (frontend !== 'desktop' && frontend !== 'mobile') return;
      last = frontend;
      seen.add(frontend);
    });
    const authCode = process.env.SIYUAN_AUTH;
    if (authCode) await context.request.post(`${this.url}/api/system/loginAuth`, { data: { authCode } });
  }

  async cut(path = '/'): Promise<void> {
    for (const context of this.contexts) await context.route(`${this.url}${path}**`, (route) => route.abort('connectionreset'));
  }

  async mend(): Promise<void> {
    for (const context of this.contexts) await context.unrouteAll();
  }

  /** By the socket of each page itself: SiYuan pushes nothing on demand. */
  async push(event: object): Promise<void> {
    for (const page of [...this.contexts].flatMap((context) => context.pages()))
      await page.evaluate((data) => {
        const { siyuan } = window as { siyuan?: { ws?: { ws?: WebSocket } } };
        siyuan?.ws?.ws?.dispatchEvent(new MessageEvent('message', { data }));
      }, JSON.stringify(event));
  }
}

/** Everything in the workspace is given up: it must be one made for this. */
async function makeAnew(url: string, dist: string, { settings, language, theme }: Setting): Promise<void> {
  const kernel = kernelClient(url);
  // A notebook that SiYuan still writes to cannot be removed yet.
  const notebooks = async (): Promise<readonly { id: string }[]> =>
    (await kernel<{ notebooks: readonly { id: string }[] }>('/api/notebook/lsNotebooks', {})).notebooks;
  await vi.waitFor(
    async () => {
      for (const { id } of await notebooks()) await kernel('/api/notebook/removeNotebook', { notebook: id });
    },
    { timeout: 20_000, interval: 500 },
  );
  for (const path of [`/${PETAL}`, `/temp/${PLUGIN}`]) await kernel('/api/file/removeFile', { path }).catch(() => undefined);
  const { conf } = await kernel<{ readonly conf: { readonly appearance: object } }>('/api/system/getConf', {});
  installPlugin(dist, realWorkspace);
  await kernel('/api/setting/setAppearance', { ...conf.appearance, lang: language, mode: theme === 'dark' ? 1 : 0, modeOS: false });
  await kernel('/api/setting/setBazaar', { trust: true, petalDisabled: false });
  await kernel('/api/system/setUILayout', { layout: {} });
  // SiYuan keeps the titles of docks in the language in which it saw them first.
  await kernel('/api/storage/removeLocalStorageVals', { app: '', keys: ['local-plugin-docks'] });
  // Where no note was open before, its small frontend begins with an error that stays.
  await kernel('/api/storage/setLocalStorageVal', { app: '', key: 'local-docinfo', val: { id: '20261103200000-lisbon0' } });
  await seedSampleWorkspace(kernel);
  const body = new FormData();
  body.append('path', `/${PETAL}/settings.json`);
  body.append('file', new Blob([JSON.stringify(settings)]));
  await kernelFetch(`${url}/api/file/putFile`, { method: 'POST', body });
  await kernel('/api/petal/setPetalEnabled', { packageName: PLUGIN, enabled: true });
  await kernel('/api/sqlite/flushTransaction', {});
}

/** Puts the plugin back where a real SiYuan removed its files. */
export function reinstall(): void {
  if (realKernelUrl !== undefined) installPlugin('dist', realWorkspace);
}

/** The SiYuan under test, signed in to with SIYUAN_TOKEN and, where it is locked, SIYUAN_AUTH. */
export async function openRealHost(url: string, dist: string, setting: Setting): Promise<TestHost> {
  await makeAnew(url, dist, setting);
  const devices = new Devices(url);
  return {
    running: realKernel(`${url}/`),
    workspace: realWorkspace,
    address: ({ note, mobile } = {}) => `${url}/stage/build/${mobile ? 'mobile' : 'desktop'}/${note ? `?id=${note}` : ''}`,
    signIn: (context) => devices.add(context),
    cut: (path) => devices.cut(path),
    mend: () => devices.mend(),
    push: (event) => devices.push(event),
    close: async () => undefined,
  };
}
