import { encryptedNotebook, ToolError } from '../../contract/errors.ts';
import { isSeen, type NotebookRight } from '../../contract/notebook-right.ts';
import type { NotebookInfo, NotesPort } from '../../contract/ports.ts';
import { lazyPart } from '../../util/lazy.ts';
import { nearNames } from '../../util/near-names.ts';

const loadEqualText = lazyPart(() => import('../../equal-text/equal-text.ts'));

type Notebooks = Pick<NotesPort, 'notebooks'>;

/** A notebook by id or by name, as models give both. Throws ToolError `not_found`, `ambiguous_notebook`, `encrypted_notebook` or, for one that only takes new notes, `no_right`. */
export async function resolveNotebook(
  notes: Notebooks,
  wanted: string,
  signal: AbortSignal,
  isFor: (right: NotebookRight) => boolean = isSeen,
): Promise<NotebookInfo> {
  return findNotebook(await notes.notebooks(signal), wanted, isFor);
}

/** Several at once; throws for the first one that does not exist. */
export async function resolveNotebooks(notes: Notebooks, wanted: readonly string[], signal: AbortSignal): Promise<readonly NotebookInfo[]> {
  const all = await notes.notebooks(signal);
  const found: NotebookInfo[] = [];
  for (const name of wanted) found.push(await findNotebook(all, name, isSeen));
  return found;
}

async function findNotebook(all: readonly NotebookInfo[], wanted: string, isFor: (right: NotebookRight) => boolean): Promise<NotebookInfo> {
  const tries = [
    () => all.filter(({ id }) => id === wanted.trim()),
    () => all.filter(({ name }) => name === wanted.trim()),
    async () => {
      const { areAlike } = await loadEqualText();
      return all.filter(({ name }) => areAlike(name, wanted));
    },
  ];
  for (const namedSo of tries) {
    const named = await namedSo();
    const found = named.filter(({ right }) => isFor(right));
    if (found.length > 1) {
      const ids = found.map((notebook) => notebook.id).join(', ');
      throw new ToolError('ambiguous_notebook', `${found.length} notebooks are named "${wanted}"`, `use one of the ids: ${ids}`);
    }
    if (found[0] !== undefined) return found[0];
    const [other] = named;
    if (other?.encrypted !== undefined) throw encryptedNotebook(other.name);
    if (other !== undefined)
      throw new ToolError('no_right', `"${other.name}" takes new notes only`, 'write into it with create_doc; nothing in it can be read');
  }
  const names = all.flatMap(({ name, right }) => (isFor(right) ? name : []));
  const near = nearNames(wanted, names);
  const next = `use one of: ${(near.length > 0 ? near : names.slice(0, 10)).join(', ') || '(no notebook may be read)'}`;
  throw new ToolError('not_found', `there is no notebook "${wanted.slice(0, 80)}"`, next);
}

export async function openNotebooks(notes: Notebooks, signal: AbortSignal): Promise<readonly string[]> {
  return (await notes.notebooks(signal)).flatMap((notebook) => (notebook.open && isSeen(notebook.right) ? notebook.id : []));
}
