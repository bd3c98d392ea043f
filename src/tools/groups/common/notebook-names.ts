import { ToolError } from '../../contract/errors.ts';
import type { NotebookInfo, NotesPort } from '../../contract/ports.ts';
import { nearNames } from '../../util/near-names.ts';

/** A notebook by id or by name, as models give both. Throws ToolError `not_found` or `ambiguous_notebook`. */
export async function resolveNotebook(notes: Pick<NotesPort, 'notebooks'>, wanted: string, signal: AbortSignal): Promise<NotebookInfo> {
  const visible = (await notes.notebooks(signal)).filter((notebook) => notebook.right !== 'none');
  const lower = wanted.trim().toLowerCase();
  const tries = [
    (notebook: NotebookInfo) => notebook.id === wanted.trim(),
    (notebook: NotebookInfo) => notebook.name === wanted.trim(),
    (notebook: NotebookInfo) => notebook.name.toLowerCase() === lower,
  ];
  for (const matches of tries) {
    const found = visible.filter(matches);
    if (found.length > 1) {
      const ids = found.map((notebook) => notebook.id).join(', ');
      throw new ToolError('ambiguous_notebook', `${found.length} notebooks are named "${wanted}"`, `use one of the ids: ${ids}`);
    }
    if (found[0] !== undefined) return found[0];
  }
  const names = visible.map((notebook) => notebook.name);
  const near = nearNames(wanted, names);
  const next = `use one of: ${(near.length > 0 ? near : names.slice(0, 10)).join(', ') || '(no notebook may be read)'}`;
  throw new ToolError('not_found', `there is no notebook "${wanted.slice(0, 80)}"`, next);
}

/** Where a result may have come from that does not say from where. */
export async function openNotebooks(notes: Pick<NotesPort, 'notebooks'>, signal: AbortSignal): Promise<readonly string[]> {
  const visible = (await notes.notebooks(signal)).filter(({ open, right }) => open && right !== 'none');
  return visible.map(({ id }) => id);
}
