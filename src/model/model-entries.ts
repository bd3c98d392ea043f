import { fieldOf, isRecord } from '../tools/util/plain-value.ts';

export interface ModelEntry {
  readonly id: string;
  readonly entry: unknown;
}

const LISTS = ['data', 'models', 'result', 'results', 'items', 'list', 'model_list'] as const;
const IDS = ['id', 'model', 'slug', 'model_id', 'modelId', 'model_name', 'key', 'name'] as const;
/** An id that no request accepts, if a name is next to it. */
const INTERNAL = /^(?:[\da-f]{8}-[\da-f]{4}-[\da-f-]{12,}$|azureml:|\d+$)/iu;
const MAX_DEPTH = 4;

/** The models of an answer to `GET /models`, in any shape; empty if it is not a list of models. */
export function modelEntries(answer: unknown, depth = 0): readonly ModelEntry[] {
  if (depth > MAX_DEPTH) return [];
  if (Array.isArray(answer)) return answer.flatMap((entry: unknown) => entriesOf(entry, depth));
  for (const name of LISTS) {
    const list = fieldOf(answer, name);
    if (Array.isArray(list)) return modelEntries(list, depth + 1);
    if (!isRecord(list)) continue;
    const within = modelEntries(list, depth + 1);
    return within.length > 0 ? within : Object.entries(list).flatMap(([id, entry]) => (isRecord(entry) ? [{ id, entry }] : []));
  }
  return [];
}

function entriesOf(entry: unknown, depth: number): readonly ModelEntry[] {
  if (typeof entry === 'string') return entry === '' ? [] : [{ id: entry, entry: {} }];
  const ids = IDS.map((name) => fieldOf(entry, name)).filter((id): id is string => typeof id === 'string' && id !== '');
  const id = ids.find((each) => !INTERNAL.test(each)) ?? ids[0];
  // Some list their models by service.
  if (Array.isArray(fieldOf(entry, 'models'))) return modelEntries(fieldOf(entry, 'models'), depth + 1);
  return id === undefined ? [] : [{ id, entry }];
}
