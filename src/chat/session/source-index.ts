import type { NoteSource } from '../../tools/contract/provenance.ts';
import { sourcesOfNode } from './lineage.ts';
import type { Node } from './types.ts';

/** The sources of a chat's messages. Updated incrementally: a query costs what changed since the last one. */
export class SourceIndex {
  private readonly byNode = new Map<string, readonly NoteSource[]>();
  private readonly stale: Set<string>;

  constructor(ids: Iterable<string>) {
    this.stale = new Set(ids);
  }

  changed(id: string): void {
    this.stale.add(id);
  }

  /** Of every branch, including deleted messages. */
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
