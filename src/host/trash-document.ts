import type { KernelRoutes } from './kernel-routes.ts';

/** Where blocks with database rows or flashcards go instead of being deleted: the kernel brings neither back (HOST.md, Writing). */
export const TRASH_PATH = '/Marginalia trash';

/** The notebook's trash document; made when it is missing. */
export async function openTrash(routes: KernelRoutes, notebook: string, signal: AbortSignal): Promise<string> {
  const [standing] = await routes.idsByPath(notebook, TRASH_PATH, signal);
  return standing ?? routes.createDocument(notebook, TRASH_PATH, signal);
}
