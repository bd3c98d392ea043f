import { ToolError } from '../../tools/contract/errors.ts';
import type { KernelRoutes } from '../kernel/kernel-routes.ts';

const PREFIX = 'custom-marginalia-';
const PORTION = 500;

/** Marginalia's attributes on blocks of the open notebooks; the index lacks closed ones. */
export interface OwnAttributesCount {
  readonly blocks: number;
  readonly notes: number;
}

interface OwnAttributesDeps {
  readonly routes: Pick<KernelRoutes, 'sql' | 'flushIndex' | 'attributesOf' | 'setAttributes'>;
}

const isOwn = (name: string): boolean => name.startsWith(PREFIX);
// LIKE is blind to case, so that a name of somebody else would count.
const WHERE_OWN = `substr(name, 1, ${PREFIX.length}) = '${PREFIX}'`;

/** The attributes by which answers, sources and chats are known in notes, for removing them. */
export class OwnAttributes {
  private readonly deps: OwnAttributesDeps;

  constructor(deps: OwnAttributesDeps) {
    this.deps = deps;
  }

  async count(signal: AbortSignal): Promise<OwnAttributesCount> {
    const { routes } = this.deps;
    await routes.flushIndex(signal);
    const statement = `SELECT count(DISTINCT block_id) AS blocks, count(DISTINCT root_id) AS notes FROM attributes WHERE ${WHERE_OWN} LIMIT 1`;
    const [row = {}] = await routes.sql(statement, signal);
    return { blocks: Number(row.blocks ?? 0), notes: Number(row.notes ?? 0) };
  }

  /** Takes them off all blocks, and touches nothing else of them. It is final: no record for Undo is kept, since those go as well. */
  async remove(signal: AbortSignal, portion = PORTION): Promise<void> {
    const { routes } = this.deps;
    for (let after = ''; ; ) {
      await routes.flushIndex(signal);
      const statement = `SELECT DISTINCT block_id AS id FROM attributes WHERE ${WHERE_OWN} AND block_id > '${after}' ORDER BY block_id LIMIT ${portion}`;
      const ids = (await routes.sql(statement, signal)).map(({ id }) => String(id));
      const last = ids.at(-1);
      if (last === undefined) break;
      await this.removeFrom(ids, signal);
      after = last;
    }
    const left = await this.count(signal);
    if (left.blocks > 0)
      throw new ToolError(
        'kernel_refused',
        `attributes of ${left.blocks} blocks are still there`,
        'press again once SiYuan has saved its notes',
      );
  }

  private async removeFrom(ids: readonly string[], signal: AbortSignal): Promise<void> {
    const { routes } = this.deps;
    const attributes = await routes.attributesOf(ids, signal);
    for (const id of ids) {
      const own = Object.keys(attributes[id] ?? {}).filter(isOwn);
      if (own.length > 0) await routes.setAttributes(id, Object.fromEntries(own.map((name) => [name, ''])), signal);
    }
  }
}
