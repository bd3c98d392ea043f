import { CITES_ATTRIBUTE } from '../blocks/source-attributes.ts';
import type { KernelRoutes } from '../kernel/kernel-routes.ts';
import { quoted } from '../sql/sql-text.ts';

const PORTION = 10_000;
const MOST_ROWS = 1_000_000;
/** Blocks whose content is other blocks: a change of one of those is a change of theirs. */
const CONTAINERS = "'l', 'i', 'b', 's', 'callout'";
const INSIDE = 'inside';
const LAST = 'last';

/** A citation: block, source, hash, and the state of the source: changed in any way, or missing. */
interface CiteRow {
  readonly at: string;
  readonly source: string;
  readonly hash: string;
  readonly touched: boolean;
}

export interface CitesInIndex {
  readonly cites: readonly CiteRow[];
  /** Blocks in a cited container, with its id. */
  readonly inside: readonly (readonly [id: string, source: string])[];
}

// Somebody may have written anything into the attribute, and a wrong value must not end the statement.
const statement = (after: string): string =>
  'WITH RECURSIVE kept(at, value) AS MATERIALIZED (SELECT block_id, value FROM attributes ' +
  `WHERE name = ${quoted(CITES_ATTRIBUTE)} AND block_id > ${quoted(after)} ORDER BY block_id LIMIT ${PORTION}), ` +
  "cites(at, source, hash, time) AS (SELECT at, json_extract(cite.value, '$[0]'), json_extract(cite.value, '$[1]'), " +
  "json_extract(cite.value, '$[2]') FROM kept, json_each(CASE WHEN json_valid(kept.value) THEN kept.value ELSE '[]' END) AS cite " +
  "WHERE cite.type = 'array'), " +
  'inside(id, source) AS (SELECT id, id FROM blocks WHERE id IN (SELECT source FROM cites) ' +
  'UNION SELECT blocks.id, inside.source FROM inside CROSS JOIN blocks AS holder ON holder.id = inside.id ' +
  `CROSS JOIN blocks ON blocks.parent_id = inside.id WHERE holder.type IN (${CONTAINERS})) ` +
  "SELECT at AS id, group_concat(cites.source || ' ' || cites.hash || ' ' || (blocks.updated IS NOT cites.time)) AS parts FROM cites " +
  'LEFT JOIN blocks ON blocks.id = cites.source GROUP BY at ' +
  `UNION ALL SELECT '${INSIDE}', id || ' ' || source FROM inside WHERE id <> source ` +
  `UNION ALL SELECT '${LAST}', max(at) || ' ' || count(*) FROM kept LIMIT ${MOST_ROWS}`;

const CITE = /^(\d{14}-[0-9a-z]{7}) ([0-9a-f]{8}) ([01])$/;

/** All citations in the index, in one request for every 10,000 blocks that cite. */
export async function citesInIndex(routes: Pick<KernelRoutes, 'sql'>, signal: AbortSignal): Promise<CitesInIndex> {
  const cites: CiteRow[] = [];
  const inside: (readonly [string, string])[] = [];
  for (let after: string | undefined = ''; after !== undefined; ) {
    let next: string | undefined;
    for (const row of await routes.sql(statement(after), signal)) {
      const [at, parts] = [String(row.id), String(row.parts ?? '')];
      const [one = '', other = ''] = parts.split(' ');
      if (at === INSIDE) inside.push([one, other]);
      else if (at === LAST) next = Number(other) < PORTION ? undefined : one;
      else
        for (const each of parts.split(',')) {
          const [, source, hash, touched] = CITE.exec(each) ?? [];
          if (source !== undefined && hash !== undefined) cites.push({ at, source, hash, touched: touched === '1' });
        }
    }
    after = next;
  }
  return { cites, inside };
}
