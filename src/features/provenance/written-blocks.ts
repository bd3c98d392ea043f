import { READ_ATTRIBUTE, SOURCE_ATTRIBUTE, sourcesIn } from '../../host/blocks/source-attributes.ts';
import type { JournalOperation, WriteJournal } from '../../host/journal/write-journal.ts';
import type { KernelRoutes } from '../../host/kernel/kernel-routes.ts';
import { batchesOf, quoted, quotedList } from '../../host/sql/sql-text.ts';
import type { WrittenBlock, WrittenCounts, WrittenKind, WrittenPage, WrittenPlaces, WrittenScope } from './provenance-port.ts';

interface WrittenBlocksDeps {
  readonly routes: Pick<KernelRoutes, 'sql' | 'flushIndex' | 'doms' | 'setAttributes'>;
  readonly journal: Pick<WriteJournal, 'ofMessage'>;
  readonly now: () => number;
  /** Of what Markdown can express of a block. */
  readonly contentHash: (dom: string) => string;
}

const PAGE = 50;

const attributeOf = (name: string): string =>
  `(SELECT value FROM attributes WHERE block_id = blocks.id AND name = ${quoted(name)} LIMIT 1)`;

const WRITTEN = `id IN (SELECT block_id FROM attributes WHERE name = ${quoted(SOURCE_ATTRIBUTE)})`;
const UNREAD = `id NOT IN (SELECT block_id FROM attributes WHERE name = ${quoted(READ_ATTRIBUTE)})`;
const COLUMNS = `id, root_id AS note, box, hpath AS path, substr(content, 1, 300) AS text, updated || id AS place, ${attributeOf(SOURCE_ATTRIBUTE)} AS source, ${attributeOf(READ_ATTRIBUTE)} AS seen`;

/** Statements about all of them get one row for each chat in a notebook. */
const PLACES = 2000;
const CHAT = "substr(value, 1, instr(value, '/') - 1)";

/** No LIKE: `_` in an id would match anything. */
const inScope = ({ chat, notebook }: WrittenScope): readonly string[] => [
  ...(chat === ''
    ? []
    : [`id IN (SELECT block_id FROM attributes WHERE name = ${quoted(SOURCE_ATTRIBUTE)} AND ${CHAT} = ${quoted(chat)})`]),
  ...(notebook === '' ? [] : [`box = ${quoted(notebook)}`]),
];

const statementOf = (conditions: readonly string[]): string =>
  `SELECT ${COLUMNS} FROM blocks WHERE ${conditions.join(' AND ')} ORDER BY updated || id DESC LIMIT ${PAGE}`;

function rowOf(row: Readonly<Record<string, unknown>>): { readonly block: Omit<WrittenBlock, 'write'>; readonly place: string } {
  const text = (name: string): string => String(row[name] ?? '');
  const [sessionId = '', messageId = '', callId = ''] = (sourcesIn(text('source'))[0] ?? '').split('/');
  const call = { sessionId, messageId, callId };
  const block = {
    id: text('id'),
    noteId: text('note'),
    notebookId: text('box'),
    path: text('path'),
    text: text('text'),
    call,
    isRead: text('seen') !== '',
  };
  return { block, place: text('place') };
}

/** The blocks in notes that models wrote, for the person whose notes they are: rights of the model do not matter here. */
export class WrittenBlocks {
  private readonly deps: WrittenBlocksDeps;

  constructor(deps: WrittenBlocksDeps) {
    this.deps = deps;
  }

  async counts(scope: WrittenScope, signal: AbortSignal): Promise<WrittenCounts> {
    const conditions = [WRITTEN, ...inScope(scope)].join(' AND ');
    const statement = `SELECT count(*) AS n, count(CASE WHEN ${UNREAD} THEN 1 END) AS unread FROM blocks WHERE ${conditions} LIMIT 1`;
    // It may be asked for beside a list: whichever comes first must know what was marked just now.
    await this.deps.routes.flushIndex(signal);
    const [row = {}] = await this.deps.routes.sql(statement, signal);
    return { all: Number(row.n ?? 0), unread: Number(row.unread ?? 0) };
  }

  async places(signal: AbortSignal): Promise<WrittenPlaces> {
    const of = `FROM attributes INNER JOIN blocks ON blocks.id = block_id WHERE attributes.name = ${quoted(SOURCE_ATTRIBUTE)}`;
    await this.deps.routes.flushIndex(signal);
    const rows = await this.deps.routes.sql(`SELECT DISTINCT ${CHAT} AS chat, blocks.box AS notebook ${of} LIMIT ${PLACES}`, signal);
    const all = (name: string): readonly string[] => [...new Set(rows.map((row) => String(row[name])))].filter(Boolean);
    return { chats: all('chat'), notebooks: all('notebook') };
  }

  /** Those of these ids that are in the scope, in the same order. */
  async within(ids: readonly string[], scope: WrittenScope, signal: AbortSignal): Promise<readonly string[]> {
    const conditions = inScope(scope);
    if (conditions.length === 0) return ids;
    const found = new Set<unknown>();
    for (const batch of batchesOf(ids)) {
      const where = [`id IN (${quotedList(batch)})`, ...conditions].join(' AND ');
      for (const { id } of await this.deps.routes.sql(`SELECT id FROM blocks WHERE ${where} LIMIT ${batch.length}`, signal)) found.add(id);
    }
    return ids.filter((id) => found.has(id));
  }

  /** The last changed first. `before`: `next` of the page before. */
  async list(
    kind: Exclude<WrittenKind, 'outdated'>,
    scope: WrittenScope,
    before: string | null,
    signal: AbortSignal,
  ): Promise<WrittenPage> {
    const { routes } = this.deps;
    if (before === null) await routes.flushIndex(signal);
    const found: WrittenBlock[] = [];
    for (let next = before; ; ) {
      const conditions = [
        WRITTEN,
        ...inScope(scope),
        ...(kind === 'unread' ? [UNREAD] : []),
        ...(next === null ? [] : [`updated || id < ${quoted(next)}`]),
      ];
      const rows = (await routes.sql(statementOf(conditions), signal)).map(rowOf);
      const blocks = await this.withWrites(
        rows.map(({ block }) => block),
        signal,
      );
      found.push(...blocks.filter(({ write }) => kind !== 'changed' || write?.isChanged));
      next = rows.length < PAGE ? null : (rows.at(-1)?.place ?? null);
      if (next === null || found.length >= PAGE) return { blocks: found, next };
    }
  }

  /** The records of these blocks; those that no model wrote are left out, unless `anybody`. */
  async of(ids: readonly string[], signal: AbortSignal, anybody = false): Promise<readonly WrittenBlock[]> {
    const { routes } = this.deps;
    await routes.flushIndex(signal);
    const rows = await routes.sql(statementOf([...(anybody ? [] : [WRITTEN]), `id IN (${quotedList(ids.slice(0, PAGE))})`]), signal);
    return this.withWrites(
      rows.map((row) => rowOf(row).block),
      signal,
    );
  }

  /** They are marked no more, until a model writes them again. */
  async markRead(ids: readonly string[], signal: AbortSignal): Promise<void> {
    const time = String(this.deps.now());
    for (const id of ids) await this.deps.routes.setAttributes(id, { [READ_ATTRIBUTE]: time }, signal);
  }

  private async withWrites(blocks: readonly Omit<WrittenBlock, 'write'>[], signal: AbortSignal): Promise<readonly WrittenBlock[]> {
    const doms = await this.deps.routes.doms(
      blocks.map(({ id }) => id),
      signal,
    );
    const written: WrittenBlock[] = [];
    for (const block of blocks) written.push({ ...block, write: await this.writeOf(block, doms[block.id]) });
    return written;
  }

  private async writeOf({ id, call }: Omit<WrittenBlock, 'write'>, dom: string | undefined): Promise<WrittenBlock['write']> {
    const records = await this.deps.journal.ofMessage(call.sessionId, call.messageId);
    const writes = records
      .filter(({ entry }) => entry.callId === call.callId)
      .flatMap(({ entry: { time, operations } }) => operations.map((operation) => ({ time, operation })));
    const last = writes.findLast(({ operation }) => operation.blockId === id);
    if (!last || dom === undefined) return null;
    const { time, operation } = last;
    const { contentHash } = this.deps;
    return { time, isNew: isNew(operation), isChanged: contentHash(operation.after.dom) !== contentHash(dom) };
  }
}

const isNew = ({ action, before }: JournalOperation): boolean => action === 'insert' && before === null;
