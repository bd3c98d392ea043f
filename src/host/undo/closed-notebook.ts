import type { Clock, UndoConflict } from '../../tools/contract/ports.ts';
import type { JournalEntry } from '../journal/write-journal.ts';
import type { KernelRoutes } from '../kernel/kernel-routes.ts';

/** Milliseconds. A notebook may be closed while many notes are being undone. */
const FRESH_MS = 1000;

/** In a closed notebook every block looks deleted, so its Undo waits. Notebooks are asked for at most once per second. */
export class ClosedNotebooks {
  private readonly routes: Pick<KernelRoutes, 'notebooks'>;
  private readonly clock: Pick<Clock, 'now'>;
  private asked: { readonly open: ReadonlySet<string>; readonly time: number } | undefined;

  constructor({ routes, clock }: { readonly routes: Pick<KernelRoutes, 'notebooks'>; readonly clock: Pick<Clock, 'now'> }) {
    this.routes = routes;
    this.clock = clock;
  }

  /** Conflicts of an entry whose notebook is closed; none if it is open. Document steps check this themselves. */
  async left(
    { notebook, document, structure }: Pick<JournalEntry, 'notebook' | 'document' | 'structure'>,
    ids: Iterable<string>,
    signal: AbortSignal,
  ): Promise<readonly UndoConflict[]> {
    if (structure) {
      this.asked = undefined;
      return [];
    }
    if ((await this.open(signal)).has(notebook)) return [];
    const named = [...ids];
    const left = named.length > 0 ? named : [document.id ?? ''];
    return left.map((blockId) => ({ blockId, reasons: [{ code: 'notebook-gone' }] }));
  }

  private async open(signal: AbortSignal): Promise<ReadonlySet<string>> {
    const time = this.clock.now();
    if (!this.asked || time - this.asked.time >= FRESH_MS) {
      const listed = await this.routes.notebooks(signal);
      this.asked = { open: new Set(listed.flatMap(({ id, closed }) => (closed ? [] : [id]))), time };
    }
    return this.asked.open;
  }
}
