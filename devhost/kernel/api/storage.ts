import { join } from 'node:path';
import type { Kernel } from '../kernel.ts';
import type { RouteTable } from '../router.ts';
import { readJson, writeFileAtomic } from '../store/atomic-file.ts';
import { requiredText, textList } from './parameters.ts';

type Values = Record<string, unknown>;

const file = (kernel: Kernel): string => join(kernel.dataFolder, 'storage', 'local.json');
const values = (kernel: Kernel): Values => readJson<Values>(file(kernel), {});

function save(kernel: Kernel, next: Values): null {
  writeFileAtomic(file(kernel), JSON.stringify(next, null, 2));
  return null;
}

/** What windows keep of their own state (`window.siyuan.storage`). */
export const storageRoutes: RouteTable = {
  '/api/storage/getLocalStorage': (_body, { kernel }) => values(kernel),

  '/api/storage/setLocalStorage': {
    writes: true,
    handle: (body, { kernel }) => save(kernel, body.val && typeof body.val === 'object' ? (body.val as Values) : {}),
  },

  '/api/storage/setLocalStorageVal': {
    writes: true,
    handle: (body, { kernel }) => save(kernel, { ...values(kernel), [requiredText(body, 'key')]: body.val }),
  },

  '/api/storage/removeLocalStorageVals': {
    writes: true,
    handle: (body, { kernel }) => {
      const gone = textList(body, 'keys');
      return save(kernel, Object.fromEntries(Object.entries(values(kernel)).filter(([key]) => !gone.includes(key))));
    },
  },
};
