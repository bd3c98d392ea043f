// Finds the browser that the browser tests drive; on Debian it can also install one.
import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/**
 * Chromium takes the last such flag alone, so those that Playwright turns off are named again. Besides them: pages of Chromium's own
 * address bar, which it loads for each context (its 414 requests took more of the processor than the panel), and processes in reserve.
 */
const DISABLED_FEATURES = [
  ...['AimEnabled', 'AvoidCorsURLLoaderRestartOnRedirect', 'AvoidUnnecessaryBeforeUnloadCheckSync', 'DestroyProfileOnBrowserClose'],
  ...['HttpsFirstBalancedModeAutoEnable', 'HttpsUpgrades', 'LensOverlay', 'MediaRouter', 'NetworkTimeServiceQuerying'],
  ...['OptimizationHints', 'PaintHolding', 'PreconnectToSearch', 'TcpPortRandomizationWin', 'ThirdPartyStoragePartitioning'],
  ...['PreloadTopChromeWebUI', 'SpareRendererForSitePerProcess', 'WebUIOmniboxAimPopup', 'WebUIOmniboxFullPopup', 'WebUIOmniboxPopup'],
];

/** Without a sandbox, since CI runs as root; without everything that would talk to the outside by itself. */
export const CHROMIUM_FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  `--disable-features=${DISABLED_FEATURES.join(',')}`,
];

/** Chromium without a window of its own: the pages are the same, and opening one takes a fifth less of the processor. */
const SHELLS = ['chromium-headless-shell', 'chrome-headless-shell'];
const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome', 'microsoft-edge'];
const FIXED = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
];

const isExecutable = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false; // Not there or not ours to run: the search goes on.
  }
};

/** Path of a Chrome or Chromium: MARGINALIA_CHROMIUM, the PATH (a headless shell first), the usual places; undefined when there is none. */
export function findChromium(): string | undefined {
  const named = process.env.MARGINALIA_CHROMIUM;
  const folders = (process.env.PATH ?? '').split(delimiter);
  const onPath = [SHELLS, NAMES].flatMap((names) => folders.flatMap((folder) => names.map((name) => join(folder, name))));
  return [...(named ? [named] : []), ...onPath, ...FIXED].find(isExecutable);
}

/**
 * Installs Debian's headless shell (or where a release has none, and no other browser is there, its Chromium) with Chinese and emoji fonts,
 * where apt-get may be used without a question. Returns why not, if not.
 */
function installChromium(found: string | undefined): string | undefined {
  if (!existsSync('/usr/bin/apt-get')) return 'this is no Debian';
  const prefix = process.getuid?.() === 0 ? [] : ['sudo', '-n'];
  const apt = (...args: string[]) => {
    const [program = '', ...argv] = [...prefix, 'apt-get', '-qq', '-o', 'Acquire::Retries=0', '-o', 'Acquire::http::Timeout=10', ...args];
    return spawnSync(program, argv, { stdio: 'ignore', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } }).status === 0;
  };
  // Nothing that is installed is given up for it.
  const install = (browser: string) => apt('install', '-y', '--no-remove', browser, 'fonts-noto-cjk', 'fonts-noto-color-emoji');
  console.log('installing a browser for the tests with apt-get …');
  if (install('chromium-headless-shell')) return undefined;
  if (found) return undefined;
  if (!apt('update')) return 'apt-get update failed (no root, or no network)';
  return install('chromium-headless-shell') || install('chromium') ? undefined : 'apt-get install chromium failed';
}

export type ChromiumResult = { readonly path: string } | { readonly missing: string };

/** The browser, installed if it has to be and can be. As root on Debian (CI, a container) that is the headless shell, whatever else is there. */
export function ensureChromium(): ChromiumResult {
  const found = findChromium();
  const isChosen = process.env.MARGINALIA_CHROMIUM !== undefined || SHELLS.some((name) => found?.endsWith(name));
  if (found && (isChosen || process.getuid?.() !== 0)) return { path: found };
  const problem = installChromium(found);
  const installed = findChromium();
  if (installed) return { path: installed };
  return { missing: `no Chrome or Chromium (${problem ?? 'installed, but not found'}): install one, or name it in MARGINALIA_CHROMIUM` };
}
