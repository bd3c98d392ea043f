// One running product for browser tests: the built plugin in the development host, in a real Chromium, over the sample
// workspace and a scripted model.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { type RunningHost, startHost } from '../../devhost/host.ts';
import { linkPlugin } from '../../devhost/plugin-folder.ts';
import { seedSampleWorkspace } from '../../devhost/sample/workspace.ts';
import { buildShell } from '../../devhost/shell/build.ts';
import { realKernelUrl } from '../host/real-kernel.ts';
import { findChromium } from './chromium.ts';
import { type DevelopmentDeps, kernelClient, openDevelopmentHost, type Setting, type TestHost } from './hosts.ts';
import { type ModelServer, startModelServer } from './model-server.ts';
import { openRealHost } from './real-host.ts';
import { launchBrowser, SLOW, sharedBrowser, sharedFolder } from './shared.ts';

const root = dirname(dirname(import.meta.dirname));
const dist = join(root, 'dist');
export const chromiumPath = findChromium();
/** What the browser of a phone calls itself. */
const PHONE = 'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Mobile Safari/537.36';

export interface AppOptions {
  /** Written into settings.json before the plugin starts. */
  readonly settings?: Record<string, unknown>;
  readonly language?: Setting['language'];
  /** The SiYuan that the development host answers as, whether its AI is switched off there, and whether the workspace is read-only. */
  readonly as?: Setting['as'];
  readonly aiOff?: boolean;
  readonly readOnly?: boolean;
  readonly theme?: 'light' | 'dark';
  readonly viewport?: { width: number; height: number };
  /** A phone: its touch screen, and what its browser calls itself, by which SiYuan chooses the small frontend at its plain address. */
  readonly touch?: boolean;
  /** Runs in every page before its own scripts. */
  readonly init?: (() => void) | string;
  /** Requests to anywhere else fail in the browser; they are in `foreignRequests` all the same. */
  readonly offline?: boolean;
}

export interface TestApp {
  readonly host: RunningHost;
  readonly model: ModelServer;
  readonly page: Page;
  readonly workspace: string;
  readonly address: TestHost['address'];
  readonly cut: TestHost['cut'];
  readonly mend: TestHost['mend'];
  readonly push: TestHost['push'];
  /** Requests that any page sent anywhere but to the host and the model. */
  readonly foreignRequests: string[];
  /** Whether an address is the host's or the model's, or goes nowhere. */
  readonly isOurs: (url: URL) => boolean;
  /** Uncaught errors of all pages; with any, `close` rejects. */
  readonly pageErrors: string[];
  /** Another window of the same browser: one more of this device. */
  openWindow(): Promise<Page>;
  /** A window of another browser profile: one more device, which shares the workspace and nothing else. */
  openProfile(): Promise<Page>;
  /** POSTs to the kernel as SiYuan's own client would. */
  kernel<T = unknown>(path: string, body: object): Promise<T>;
  /** The id of a notebook, once the kernel lists it: it leaves one out while it writes that notebook's file. */
  notebook(name: string): Promise<string>;
  reload(): Promise<void>;
  close(): Promise<void>;
}

async function notebookNamed(kernel: TestApp['kernel'], name: string): Promise<string> {
  for (const until = Date.now() + 20_000; Date.now() < until; await pause(50)) {
    const { notebooks } = await kernel<{ notebooks: { id: string; name: string }[] }>('/api/notebook/lsNotebooks', {});
    const found = notebooks.find((one) => one.name === name);
    if (found) return found.id;
  }
  throw new Error(`the kernel lists no notebook ${name}`);
}

/** A folder whose one subfolder is the built plugin. */
function pluginsFolder(): Promise<string> {
  if (!existsSync(join(dist, 'index.js'))) throw new Error('the plugin is not built: run npm run build first');
  return sharedFolder('plugins', async (folder) => linkPlugin(dist, folder));
}

/** Every file under data/<notebook>, by path, with its hash: what "writes nothing" is measured on. */
export function notebookFiles(workspace: string): Record<string, string> {
  const data = join(workspace, 'data');
  const files = readdirSync(data, { recursive: true, encoding: 'utf8' }).filter(
    (path) => /^\d{14}-/.test(path) && statSync(join(data, path)).isFile(),
  );
  return Object.fromEntries(
    files.sort().map((path) => [
      path,
      createHash('sha256')
        .update(readFileSync(join(data, path)))
        .digest('hex'),
    ]),
  );
}

const SAVED_INDEX = 'sample-index';

/** Makes a workspace with the sample notes, and nothing of the plugin yet, and beside it the index that a kernel makes when it starts there. */
async function seedSample(folder: string, plugins: string): Promise<void> {
  const options = { workspace: join(folder, 'workspace'), port: 0, plugins, indexDelayMs: 0 };
  const host = await startHost(options);
  await seedSampleWorkspace(kernelClient(host.url));
  await host.close();
  const started = await startHost(options);
  writeFileSync(join(folder, SAVED_INDEX), started.kernel.index.saved());
  await started.close();
}

/** What the plugin finds when it starts. */
function settingOf({ settings, language = 'en', theme = 'light', as, aiOff, readOnly }: AppOptions, model: ModelServer): Setting {
  // What fails fails at once, and the scripted model is asked what its test asks: nothing is tried again, no title is asked for.
  const custom = { source: 'custom', baseURL: model.baseURL, apiKey: 'test-key', model: 'scripted' };
  return { settings: { schema: 1, model: custom, retries: 0, modelTitles: false, ...settings }, language, theme, as, aiOff, readOnly };
}

const viewportOf = ({ viewport, touch }: AppOptions) => viewport ?? (touch ? { width: 390, height: 844 } : { width: 1400, height: 900 });

/** A browser of its own device. */
async function openContext(browser: Browser, options: AppOptions, isOurs: (url: URL) => boolean): Promise<BrowserContext> {
  const viewport = viewportOf(options);
  // SiYuan's service worker would answer for what a test answers itself.
  const phone = options.touch ? { hasTouch: true, isMobile: true, userAgent: PHONE } : {};
  // A page over HTTP may not write to the clipboard by itself in a shell without windows.
  const permissions = ['clipboard-read', 'clipboard-write'];
  const context = await browser.newContext({ viewport, serviceWorkers: 'block', permissions, ...phone });
  context.setDefaultTimeout(SLOW ? 90_000 : 30_000);
  if (options.init) await context.addInitScript(typeof options.init === 'string' ? { content: options.init } : options.init);
  if (options.offline)
    await context.route(
      (url) => !isOurs(url),
      (route) => route.abort(),
    );
  return context;
}

type Watched = Pick<TestApp, 'foreignRequests' | 'pageErrors' | 'isOurs'>;
const WATCHED = ['request', 'requestfailed', 'weberror'] as const;

/** All windows of a device. */
function watch(context: BrowserContext, watched: Watched): void {
  context.on('request', (request) => {
    if (!watched.isOurs(new URL(request.url()))) watched.foreignRequests.push(request.url());
  });
  // The browser tells of a request that the page's own rules forbid, too: nothing was sent.
  context.on('requestfailed', (request) => {
    const at = watched.foreignRequests.indexOf(request.url());
    if (at >= 0 && request.failure()?.errorText === 'csp') watched.foreignRequests.splice(at, 1);
  });
  context.on('weberror', (failure) => {
    const error = failure.error();
    watched.pageErrors.push(String(error.stack ?? error));
  });
}

/** A device that an app has left: whoever comes next at the port of its host has a page whose scripts are compiled. */
interface LeftDevice {
  readonly page: Page;
  readonly port: number;
  readonly isPhone: boolean;
}

/** Of this worker. */
const leftDevices: LeftDevice[] = [];

function takeDevice({ touch = false }: AppOptions): LeftDevice | undefined {
  const at = leftDevices.findIndex(({ isPhone }) => isPhone === touch);
  const device = at < 0 ? undefined : leftDevices.splice(at, 1)[0];
  return device?.page.context().browser()?.isConnected() ? device : undefined;
}

/** Leaves a device empty; closes it where a test did what cannot be taken back (its clock stays, a page was killed). */
async function leaveDevice(device: LeftDevice, url: string): Promise<void> {
  const { page } = device;
  const context = page.context();
  for (const event of WATCHED) context.removeAllListeners(event);
  page.removeAllListeners('request');
  for (const other of context.pages()) if (other !== page) await other.close();
  if (await page.evaluate(() => '__pwClock' in globalThis).catch(() => true)) return context.close();
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await page.goto('about:blank');
  const session = await context.newCDPSession(page);
  await session.send('Storage.clearDataForOrigin', { origin: new URL(url).origin, storageTypes: 'all' });
  await session.detach();
  leftDevices.push(device);
}

async function slowDown(context: BrowserContext, page: Page): Promise<void> {
  const session = await context.newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: 6 });
  await page.route('**/api/**', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 400));
    await route.continue().catch(() => undefined);
  });
}

export interface AppFactory {
  /** An app with a workspace, a model and a browser profile of its own. */
  open(options?: AppOptions): Promise<TestApp>;
  close(): Promise<void>;
}

/** @param flags of Chromium, besides those of every test: a browser of its own. */
export async function createAppFactory(flags: readonly string[] = []): Promise<AppFactory> {
  const plugins = await pluginsFolder();
  const shellDir = await sharedFolder('shell', buildShell);
  const seeded = await sharedFolder('sample', (folder) => seedSample(folder, plugins));
  const sample = { sample: join(seeded, 'workspace'), savedIndex: readFileSync(join(seeded, SAVED_INDEX)) };
  const own = flags.length > 0 ? await launchBrowser(flags) : undefined;
  return {
    open: async (options = {}) =>
      openApp({ plugins, shellDir, ...sample, browser: own ?? (await sharedBrowser()), isShared: own === undefined }, options),
    close: async () => own?.close(),
  };
}

interface AppDeps extends DevelopmentDeps {
  readonly browser: Browser;
  /** Whether other apps of the worker are opened in it, too. */
  readonly isShared: boolean;
}

/** Runs in every page of a device, also in an empty one, which has no storage. */
function keepKey(): void {
  if (location.protocol !== 'about:') localStorage.setItem('siyuan-marginalia:local:model', 'test-key');
}

async function openApp({ browser, isShared, ...parts }: AppDeps, options: AppOptions): Promise<TestApp> {
  const model = await startModelServer();
  const setting = settingOf(options, model);
  const canShare = isShared && realKernelUrl === undefined && options.init === undefined && !options.offline;
  const left = canShare ? takeDevice(options) : undefined;
  const opened =
    realKernelUrl === undefined ? await openDevelopmentHost(parts, setting, left?.port) : await openRealHost(realKernelUrl, dist, setting);
  const { running: host, workspace, address, cut, mend, push } = opened;
  const foreignRequests: string[] = [];
  const pageErrors: string[] = [];
  const ours = [new URL(host.url).host, new URL(model.baseURL).host];
  const isOurs = ({ protocol, host }: URL): boolean => !/^(https?|wss?):$/.test(protocol) || ours.includes(host);
  const others: BrowserContext[] = [];
  const openIn = async (context: BrowserContext, known?: Page): Promise<Page> => {
    const page = known ?? (await context.newPage());
    if (left) await page.setViewportSize(viewportOf(options));
    if (SLOW === 'page') await slowDown(context, page);
    await page.goto(address());
    return page;
  };
  const profile = async (known?: BrowserContext): Promise<BrowserContext> => {
    const context = known ?? (await openContext(browser, options, isOurs));
    watch(context, { foreignRequests, pageErrors, isOurs });
    await opened.signIn(context);
    return context;
  };
  const context = await profile(left?.page.context());
  const page = await openIn(context, left?.page);
  const kernel = kernelClient(host.url);
  return {
    host,
    model,
    page,
    workspace,
    ...{ address, cut, mend, push },
    foreignRequests,
    isOurs,
    pageErrors,
    openWindow: () => openIn(context),
    async openProfile() {
      const other = await profile();
      others.push(other);
      // The first one has taken the key out of the settings into its own storage, as it does on each device.
      await other.addInitScript(keepKey);
      return openIn(other);
    },
    kernel,
    notebook: (name) => notebookNamed(kernel, name),
    reload: () => page.reload().then(() => undefined),
    async close() {
      for (const each of others) await each.close();
      if (canShare) await leaveDevice({ page, port: host.port, isPhone: options.touch ?? false }, host.url);
      else await context.close();
      await opened.close();
      await model.close();
      if (pageErrors.length > 0) throw new Error(`errors that nobody caught in the page: ${pageErrors.join('\n')}`);
    },
  };
}

export async function startApp(options: AppOptions = {}): Promise<TestApp> {
  const factory = await createAppFactory();
  const app = await factory.open(options);
  const { close } = app;
  return Object.assign(app, {
    async close() {
      await close();
      await factory.close();
    },
  });
}
