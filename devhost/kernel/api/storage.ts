import { join } from 'node:path';
import { ApiError } from '../api-error.ts';
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

/** Kinds of blocks, and of texts to replace in, that a saved search may have on (kernel/model/storage.go). */
const TYPES =
  'mathBlock table blockquote superBlock paragraph document heading list listItem codeBlock htmlBlock embedBlock databaseBlock audioBlock videoBlock iframeBlock widgetBlock callout';
const REPLACED =
  'text imgText imgTitle imgSrc aText aTitle aHref code em strong inlineMath inlineMemo blockRef fileAnnotationRef kbd mark s sub sup tag u docTitle codeBlock mathBlock htmlBlock';

interface Criterion extends Values {
  readonly name: string;
}

const criteriaFile = (kernel: Kernel): string => join(kernel.dataFolder, 'storage', 'criteria.json');
const criteria = (kernel: Kernel): readonly Criterion[] => readJson<readonly Criterion[]>(criteriaFile(kernel), []);
const asValues = (value: unknown): Values | null => (value && typeof value === 'object' ? (value as Values) : null);
const flags = (value: unknown, names: string): Values | null => {
  const given = asValues(value);
  return given && Object.fromEntries(names.split(' ').map((name) => [name, given[name] === true]));
};

function saveCriteria(kernel: Kernel, next: readonly Criterion[]): null {
  writeFileAtomic(criteriaFile(kernel), JSON.stringify(next, null, 2));
  return null;
}

/** As the kernel keeps it: fields that it does not know are gone, those that were not said are empty. */
function criterionOf(value: unknown): Criterion {
  const { name, sort, group, hasReplace, method, hPath, idPath, k, r, types, replaceTypes } = asValues(value) ?? {};
  if (typeof name !== 'string' || name === '') throw new ApiError(-1, 'Input can not be empty');
  return {
    name,
    sort: Number(sort ?? 0),
    group: Number(group ?? 0),
    hasReplace: hasReplace === true,
    method: Number(method ?? 0),
    hPath: String(hPath ?? ''),
    idPath: idPath ?? null,
    k: String(k ?? ''),
    r: String(r ?? ''),
    types: flags(types, TYPES),
    replaceTypes: flags(replaceTypes, REPLACED),
  };
}

/** What windows keep of their own state (`window.siyuan.storage`). */
export const storageRoutes: RouteTable = {
  '/api/storage/getLocalStorage': (_body, { kernel }) => values(kernel),

  '/api/storage/getCriteria': (_body, { kernel }) => criteria(kernel),

  '/api/storage/setCriterion': {
    writes: true,
    handle: (body, { kernel }) => {
      const saved = criterionOf(body.criterion);
      const others = criteria(kernel);
      const known = others.some(({ name }) => name === saved.name);
      return saveCriteria(kernel, known ? others.map((each) => (each.name === saved.name ? saved : each)) : [...others, saved]);
    },
  },

  '/api/storage/removeCriterion': {
    writes: true,
    handle: (body, { kernel }) =>
      saveCriteria(
        kernel,
        criteria(kernel).filter(({ name }) => name !== body.name),
      ),
  },

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
