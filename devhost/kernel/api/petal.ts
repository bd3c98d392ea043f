import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { olderName } from '../../languages.ts';
import { ApiError } from '../api-error.ts';
import type { Kernel } from '../kernel.ts';
import type { RouteTable } from '../router.ts';
import { readJson, writeFileAtomic } from '../store/atomic-file.ts';
import { optionalText, requiredText } from './parameters.ts';
import { configuration } from './system.ts';

interface Manifest {
  readonly name?: string;
  readonly version?: string;
  readonly displayName?: Readonly<Record<string, string>>;
  readonly frontends?: readonly string[];
  readonly disabledInPublish?: boolean;
}

const readText = (file: string): string => (existsSync(file) ? readFileSync(file, 'utf8') : '');

/** The texts of the user's language, else English, else Chinese, else what there is. */
function texts(folder: string, lang: string): Record<string, unknown> {
  const files = existsSync(folder) ? readdirSync(folder).filter((f) => f.endsWith('.json')) : [];
  const wanted = [lang, 'en', 'zh-CN'].flatMap((each) => [`${each}.json`, `${olderName(each)}.json`]);
  const file = wanted.find((f) => files.includes(f)) ?? files[0];
  return file === undefined ? {} : readJson<Record<string, unknown>>(join(folder, file), {});
}

function folderOf(kernel: Kernel, name: string): string | undefined {
  return kernel.pluginFolders.map((f) => join(f, name)).find((f) => existsSync(join(f, 'plugin.json')));
}

/** Plugins that the user switched off, by name; all others are on. */
const stateFile = (kernel: Kernel): string => join(kernel.workspace, 'conf', 'devhost-petals.json');
const switchedOff = (kernel: Kernel): string[] => readJson<string[]>(stateFile(kernel), []);

function petal(kernel: Kernel, name: string, frontend: string) {
  const folder = folderOf(kernel, name);
  if (folder === undefined) return undefined;
  const manifest = readJson<Manifest>(join(folder, 'plugin.json'), {});
  const { frontends = ['all'], displayName = {}, version = '', disabledInPublish = false } = manifest;
  const { lang } = configuration(kernel);
  return {
    name,
    displayName: displayName[lang] ?? displayName.default ?? name,
    version,
    enabled: !switchedOff(kernel).includes(name),
    incompatible: !frontends.includes('all') && !frontends.includes(frontend),
    disabledInPublish,
    disallowInstall: false,
    js: readText(join(folder, 'index.js')),
    css: readText(join(folder, 'index.css')),
    i18n: texts(join(folder, 'i18n'), lang),
    kernel: { js: '', existed: false, incompatible: true },
  };
}

function pluginNames(kernel: Kernel): string[] {
  const names = kernel.pluginFolders.flatMap((folder) => (existsSync(folder) ? readdirSync(folder) : []));
  return [...new Set(names)].filter((name) => folderOf(kernel, name) !== undefined).sort();
}

function setEnabled(kernel: Kernel, name: string, enabled: boolean): void {
  const others = switchedOff(kernel).filter((n) => n !== name);
  writeFileAtomic(stateFile(kernel), JSON.stringify(enabled ? others : [...others, name]));
}

/** Tells the windows of other apps which plugins to load or unload. */
function pushReload(kernel: Kernel, lists: Readonly<Record<string, readonly string[]>>, exceptApp: string): void {
  const data = { uninstallPlugins: [], unloadPlugins: [], reloadPlugins: [], dataChangePlugins: [], ...lists };
  kernel.pushes.push({ cmd: 'reloadPlugin', data }, { type: 'main', exceptApp });
}

export const petalRoutes: RouteTable = {
  '/api/petal/loadPetals': (body, { kernel }) => {
    const frontend = requiredText(body, 'frontend');
    const petals = pluginNames(kernel).map((name) => petal(kernel, name, frontend));
    return petals.filter((p) => p?.enabled && !p.incompatible);
  },

  '/api/petal/setPetalEnabled': {
    writes: true,
    handle: (body, { kernel }) => {
      const name = requiredText(body, 'packageName');
      const enabled = body.enabled === true;
      setEnabled(kernel, name, enabled);
      pushReload(kernel, enabled ? { reloadPlugins: [name] } : { unloadPlugins: [name] }, optionalText(body, 'app'));
      return petal(kernel, name, 'all');
    },
  },

  // Only what lies in the workspace is removed; a plugin that the host was started with is switched off.
  '/api/bazaar/uninstallBazaarPlugin': {
    writes: true,
    handle: (body, { kernel }) => {
      const name = requiredText(body, 'packageName');
      const folder = folderOf(kernel, name);
      if (folder === undefined || !pluginNames(kernel).includes(name)) throw new ApiError(-1, `package [${name}] not found`);
      if (folder === join(kernel.dataFolder, 'plugins', name)) rmSync(folder, { recursive: true });
      else setEnabled(kernel, name, false);
      pushReload(kernel, { uninstallPlugins: [name] }, '');
      return { packages: [] };
    },
  },
};
