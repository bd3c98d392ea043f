import { allBlocks, blockId, parseBlocks } from '../blocks/block-dom.ts';
import { CITES_ATTRIBUTE } from '../blocks/source-attributes.ts';
import type { TransactionsPush } from '../kernel/transaction-log.ts';
import type { CitesInIndex } from './answer-statements.ts';
import { type CitedSource, readCites } from './cited-sources.ts';

type Operation = NonNullable<TransactionsPush['operations']>[number];

function add(map: Map<string, Set<string>>, key: string, value: string): void {
  const known = map.get(key);
  if (known) known.add(value);
  else map.set(key, new Set([value]));
}

/** Which blocks cite which, and of which of them a source changed: what is held between requests, so that a change asks only for itself. */
export class CitationMap {
  /** By block: the hash of each source. */
  private readonly cites = new Map<string, Map<string, string>>();
  private readonly bySource = new Map<string, Set<string>>();
  /** Blocks in a cited container, with the containers. */
  private readonly inside = new Map<string, Set<string>>();
  private readonly changed = new Map<string, Set<string>>();
  private readonly touched = new Set<string>();
  private isOpen = false;
  private hasNews = false;

  outdated(): ReadonlySet<string> {
    return new Set(this.changed.keys());
  }

  /** What is known may be out of date as a whole. */
  openAgain(): void {
    this.isOpen = false;
  }

  mustOpen(): boolean {
    return !this.isOpen;
  }

  fill({ cites, inside }: CitesInIndex): void {
    const before = this.outdated();
    for (const each of [this.cites, this.bySource, this.inside, this.changed]) each.clear();
    for (const { at, source, hash, touched } of cites) {
      this.set(at, source, hash);
      if (touched) this.touched.add(source);
    }
    for (const [id, source] of inside) add(this.inside, id, source);
    this.isOpen = true;
    this.hasNews ||= before.size > 0;
  }

  /** Sources that are to be looked up. */
  takeTouched(): readonly string[] {
    const touched = [...this.touched].filter((id) => this.bySource.has(id));
    this.touched.clear();
    return touched;
  }

  takeNews(): boolean {
    const had = this.hasNews;
    this.hasNews = false;
    return had;
  }

  /** Blocks that cite one of these. */
  citing(sources: readonly string[]): readonly string[] {
    return [...new Set(sources.flatMap((source) => [...(this.bySource.get(source) ?? [])]))];
  }

  hashOf(at: string, source: string): string | undefined {
    return this.cites.get(at)?.get(source);
  }

  settle(at: string, source: string, isChanged: boolean): void {
    const known = this.changed.get(at);
    if (isChanged === (known?.has(source) ?? false)) return;
    this.hasNews = true;
    if (isChanged) add(this.changed, at, source);
    else known?.delete(source);
    if (known?.size === 0) this.changed.delete(at);
  }

  /** What a block cites now. Sources with another hash than before are to be looked up. */
  put(at: string, now: readonly Pick<CitedSource, 'id' | 'hash'>[]): void {
    const before = this.cites.get(at);
    const kept = new Set(now.map(({ id }) => id));
    for (const source of before?.keys() ?? []) {
      if (kept.has(source)) continue;
      this.settle(at, source, false);
      before?.delete(source);
      const others = this.bySource.get(source);
      others?.delete(at);
      if (others?.size === 0) this.bySource.delete(source);
    }
    for (const { id, hash } of now) {
      if (before?.get(id) === hash) continue;
      this.set(at, id, hash);
      this.touched.add(id);
    }
    if (now.length === 0) this.cites.delete(at);
  }

  /** Takes in what somebody wrote; true if something is to be looked up. */
  heard({ operations = [], blockIds }: TransactionsPush): boolean {
    for (const operation of operations) this.take(operation);
    for (const id of blockIds) this.touch(id);
    return this.touched.size > 0 || (!this.isOpen && this.cites.size > 0) || this.hasNews;
  }

  private take(operation: Operation): void {
    const { action, id, data, attributes, parentID } = operation;
    if (action === 'updateAttrs') {
      if (attributes) this.put(id, readCites(attributes[CITES_ATTRIBUTE]));
      // A guard may have been put on, or taken off.
      if (this.cites.size > 0) this.openAgain();
    }
    // It takes along what is in it, which nobody names; or moves under a guard.
    if ((action === 'delete' || action === 'move') && this.cites.size > 0) this.openAgain();
    if (action !== 'insert' && action !== 'update') return;
    for (const source of [...(this.inside.get(parentID) ?? []), ...(this.bySource.has(parentID) ? [parentID] : [])])
      add(this.inside, id, source);
    if (this.cites.size === 0 && !data.includes(CITES_ATTRIBUTE)) return;
    for (const block of parseBlocks(data).flatMap(allBlocks)) {
      const at = blockId(block);
      this.touch(at);
      const value = block.attribs[CITES_ATTRIBUTE];
      if (value !== undefined || this.cites.has(at)) this.put(at, readCites(value));
    }
  }

  private touch(id: string): void {
    if (this.bySource.has(id)) this.touched.add(id);
    for (const source of this.inside.get(id) ?? []) this.touched.add(source);
  }

  private set(at: string, source: string, hash: string): void {
    const own = this.cites.get(at) ?? new Map<string, string>();
    this.cites.set(at, own.set(source, hash));
    add(this.bySource, source, at);
  }
}
