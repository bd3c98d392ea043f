import { join } from 'node:path';
import { LANGUAGES } from '../../languages.ts';
import type { Kernel } from '../kernel.ts';
import type { Handler, RouteTable } from '../router.ts';
import { readJson } from '../store/atomic-file.ts';
import { requiredText } from './parameters.ts';

/** What `<workspace>/conf/devhost.json` may set: `{lang?, mode?, ai?}`; the rest of the configuration is fixed. */
interface HostConf {
  readonly lang?: string;
  /** 0 light, 1 dark. */
  readonly mode?: number;
  readonly ai?: Record<string, unknown>;
}

const hostConf = (kernel: Kernel): HostConf => readJson<HostConf>(join(kernel.workspace, 'conf', 'devhost.json'), {});

/** The parts of SiYuan's configuration that plugins read. */
export function configuration(kernel: Kernel) {
  const { lang = 'en', mode = 0, ai = {} } = hostConf(kernel);
  return {
    lang,
    langs: LANGUAGES.map(({ label, name }) => ({ label, name })),
    appearance: { mode, modeOS: false, lang, themeLight: 'daylight', themeDark: 'midnight', icon: 'material' },
    editor: { fontSize: 16, readOnly: false, spellcheck: false, markdown: { inlineAsterisk: true, inlineTag: true, inlineMath: true } },
    fileTree: { sort: 6, maxListCount: 512, openFilesUseCurrentTab: false },
    system: {
      kernelVersion: kernel.version,
      disabledFeatures: kernel.disabledFeatures,
      os: process.platform,
      name: 'development host',
      container: 'std',
      workspaceDir: '',
      dataDir: '',
      confDir: '',
      appDir: '',
    },
    keymap: { general: {}, editor: {}, plugin: {} },
    bazaar: { trust: true, petalDisabled: false },
    ai: { providers: [], agent: {}, embedding: { enabled: false }, ...ai, ...kernel.ai },
    api: { token: '' },
    readonly: kernel.readOnly,
    user: null,
    stat: {},
  };
}

function message(code: number): Handler {
  return (body, { kernel }) => {
    const msg = requiredText(body, 'msg');
    const id = Math.random().toString(36).slice(2, 9);
    const closeTimeout = typeof body.timeout === 'number' ? body.timeout : 7000;
    kernel.pushes.push({ cmd: 'msg', code, msg, data: { id, closeTimeout } }, { type: 'main' });
    return { id };
  };
}

export const systemRoutes: RouteTable = {
  '/api/system/version': (_body, { kernel }) => kernel.version,
  '/api/system/currentTime': () => Date.now(),
  '/api/system/bootProgress': () => ({ progress: 100, details: 'booted' }),
  '/api/system/getConf': (_body, { kernel }) => ({ conf: configuration(kernel), start: false, isPublish: false }),
  '/api/notification/pushMsg': message(0),
  '/api/notification/pushErrMsg': message(-1),

  // Refused in read-only mode, as the kernel does: nothing waits there.
  '/api/sqlite/flushTransaction': {
    writes: true,
    handle: (_body, { kernel }) => {
      kernel.indexQueue.flush();
      return null;
    },
  },
};
