import type { Access } from '../access/access.ts';
import type { KernelRoutes } from '../kernel/kernel-routes.ts';

/** The place of blocks with database rows or flashcards instead of a deletion: the kernel restores neither. */
export const TRASH_PATH = '/Marginalia trash';

/** The notebook's trash document; created if it is missing or hidden from the model. */
export async function openTrash(
  { routes, access }: { readonly routes: KernelRoutes; readonly access: Pick<Access, 'documentsAt'> },
  notebook: string,
  signal: AbortSignal,
): Promise<string> {
  const [existing] = (await access.documentsAt(notebook, TRASH_PATH, signal)).readable;
  return existing ?? routes.createDocument(notebook, TRASH_PATH, signal);
}
