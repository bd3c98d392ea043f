import type { NoteSource } from '../../tools/contract/provenance.ts';
import { sourcesOfNode } from './lineage.ts';
import type { Node } from './types.ts';

/** The notes that the messages of a chat came from. Asking again costs what changed since, not what the chat holds. */
export class SourceIndex {
  private readonly byNode = new Map<string, readonly NoteSource[]>();
  private readonly stale: Set<string>;

  constructor(ids: Iterable<string>) {
    this.stale = new Set(ids);
  }

  changed(id: string): void {
    this.stale.add(id);
  }

  /** Of every branch, deleted messages among them. */
  all(find: (id: string) => Node | undefined): readonly NoteSource[] {
    for (const id of this.stale) {
      const node = find(id);
      const sources = node ? sourcesOfNode(node) : [];
      if (sources.length > 0) this.byNode.set(id, sources);
      else this.byNode.delete(id);
    }
    this.stale.clear();
    return [...this.byNode.values()].flat();
  }
}
