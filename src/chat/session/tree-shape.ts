import { compareTexts } from '../../tools/util/plain-value.ts';
import type { Node } from './types.ts';

/** The time of a message is that of its oldest version. */
function createdOf(node: Node): number {
  return Math.min(...Object.values(node.versions).map((payload) => payload.created));
}

/** The visible order of messages. Tombstones are skipped: what follows one follows the message before it. */
export class TreeShape {
  private readonly nodes: ReadonlyMap<string, Node>;
  private readonly below = new Map<string | null, string[]>();

  constructor(nodes: ReadonlyMap<string, Node>) {
    this.nodes = nodes;
    for (const node of nodes.values()) this.add(node);
  }

  add({ id, parent }: Node): void {
    const list = this.below.get(parent);
    if (list) list.push(id);
    else this.below.set(parent, [id]);
  }

  /** The message shown before this one; null for the first. */
  before(id: string): string | null {
    const seen = new Set<string>();
    let parent = this.nodes.get(id)?.parent ?? null;
    while (parent !== null && !seen.has(parent)) {
      seen.add(parent);
      const node = this.nodes.get(parent);
      if (!node) return null;
      if (!node.deleted) return parent;
      parent = node.parent;
    }
    return null;
  }

  /** True if a message clearly has no siblings; false requires a closer check. */
  isAlone({ parent, deleted }: Node): boolean {
    return !deleted && this.below.get(parent)?.length === 1 && (parent === null || !this.nodes.get(parent)?.deleted);
  }

  /** The messages that may follow, oldest first; for null: the first ones. */
  after(id: string | null): readonly string[] {
    const found: Node[] = [];
    const seen = new Set<string>();
    const waiting = [...(this.below.get(id) ?? [])];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const node = this.nodes.get(next);
      if (!node || seen.has(next)) continue;
      seen.add(next);
      if (node.deleted) waiting.push(...(this.below.get(next) ?? []));
      else found.push(node);
    }
    if (found.length < 2) return found.map((node) => node.id);
    const aged = found.map((node) => ({ id: node.id, created: createdOf(node) }));
    return aged.sort((left, right) => left.created - right.created || compareTexts(left.id, right.id)).map((one) => one.id);
  }

  /** The end of the branch that begins with a message: by the choice at each fork, else the newest. */
  endOf(id: string, choices: ReadonlyMap<string, string>): string {
    const seen = new Set<string>();
    let end = id;
    while (!seen.has(end)) {
      seen.add(end);
      const next = this.after(end);
      const chosen = choices.get(end);
      end = (chosen !== undefined && next.includes(chosen) ? chosen : next.at(-1)) ?? end;
    }
    return end;
  }
}
