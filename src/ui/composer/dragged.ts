/** The content of a drag: files of the machine, or blocks and documents by their ids. */
export type Dragged =
  | { readonly kind: 'files'; readonly files: readonly File[] }
  | { readonly kind: 'notes'; readonly ids: readonly string[] };

const FILE = 'application/siyuan-file';
const GUTTER = 'application/siyuan-gutter';
const TAB = 'application/siyuan-tab';
const REFERENCE = 'application/siyuan-block-ref';

const ID = /^\d{14}-[0-9a-z]{7}$/;
const unique = (ids: readonly unknown[]): readonly string[] => [
  ...new Set(ids.filter((id): id is string => typeof id === 'string' && ID.test(id))),
];

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null; // Another program may use the same type.
  }
}

const field = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;

/** A dragged block has its ids in the name of its type, separated by zero-width spaces: only type names can be read during a drag. */
function idsOfHandle(type: string): readonly string[] {
  const [, , ids = ''] = type.slice(GUTTER.length).split('\u200b');
  return unique(ids.split(','));
}

/** Whether a drag could be dropped here; until the drop, only the names of its types are known. */
export function canDrop({ types }: Pick<DataTransfer, 'types'>): 'files' | 'notes' | null {
  if (types.some((type) => type === FILE || type === TAB || type === REFERENCE || type.startsWith(GUTTER))) return 'notes';
  return types.includes('Files') ? 'files' : null;
}

/** What was dropped; `notes` without ids for something of the host that is not a note. */
export function dragged(data: Pick<DataTransfer, 'types' | 'getData' | 'files'>): Dragged | null {
  const handle = data.types.find((type) => type.startsWith(GUTTER));
  if (handle !== undefined) return { kind: 'notes', ids: idsOfHandle(handle) };
  if (data.types.includes(FILE)) return { kind: 'notes', ids: unique(data.getData(FILE).split(',')) };
  if (data.types.includes(TAB)) return { kind: 'notes', ids: unique([field(field(parsed(data.getData(TAB)), 'children'), 'rootId')]) };
  if (data.types.includes(REFERENCE)) {
    const ids = field(parsed(data.getData(REFERENCE)), 'ids');
    return { kind: 'notes', ids: Array.isArray(ids) ? unique(ids) : [] };
  }
  return data.types.includes('Files') ? { kind: 'files', files: [...data.files] } : null;
}
