import * as v from 'valibot';
import { ToolError } from '../../tools/contract/errors.ts';
import { assetRoutes } from './asset-routes.ts';
import { databaseRoutes } from './database-routes.ts';
import type { KernelClient, ParseData } from './kernel-client.ts';

/** One typed function for each route that the host uses; shapes as recorded from SiYuan 3.7.3 (tests/contract). */
const text = v.optional(v.string(), '');
const notebookSchema = v.object({
  id: v.string(),
  name: text,
  closed: v.optional(v.boolean(), false),
  encrypted: v.optional(v.boolean(), false),
});
const childSchema = v.object({ id: v.string(), type: v.string(), subType: text, content: text, markdown: text });
const fileSchema = v.object({ id: v.string(), path: v.string(), name: text, subFileCount: v.optional(v.number(), 0) });
/** Only the id: what is shown of a match is read from the block, since a query can make a search return anything. */
const matchSchema = v.object({ id: v.string() });
const searchSchema = v.object({
  blocks: v.nullish(v.array(matchSchema), []),
  matchedBlockCount: v.optional(v.number(), 0),
  pageCount: v.optional(v.number(), 0),
});
const blockInfoSchema = v.object({ box: v.string(), path: v.string(), rootID: v.string(), rootTitle: text });
const attributesSchema = v.record(v.string(), v.string());
const sqlSchema = v.nullish(v.array(v.record(v.string(), v.unknown())), []);
const breadcrumbSchema = v.nullish(v.array(v.object({ id: v.string(), type: v.string() })), []);
const editorSchema = v.object({ conf: v.object({ editor: v.optional(v.object({ readOnly: v.optional(v.boolean(), false) }), {}) }) });
const embeddingSchema = v.object({
  conf: v.object({
    ai: v.optional(v.object({ embedding: v.optional(v.object({ enabled: v.optional(v.boolean(), false), baseURL: text }), {}) }), {}),
  }),
});
/** A saved search as SiYuan's window writes it; `null` for missing values. */
const criterionSchema = v.object({
  name: v.string(),
  /** 0 words, 1 query syntax, 2 SQL, 3 regular expression, 4 by meaning. */
  method: v.optional(v.number(), 0),
  sort: v.optional(v.number(), 0),
  idPath: v.nullish(v.array(v.string()), []),
  k: text,
  types: v.nullish(v.record(v.string(), v.boolean())),
});
const cardSchema = v.object({ due: v.string(), reps: v.optional(v.number(), 0), lapses: v.optional(v.number(), 0) });
/** `riffCard` is null for a block that SiYuan does not find. */
const cardsSchema = v.object({
  blocks: v.nullish(v.array(v.object({ id: v.string(), riffCard: v.nullish(cardSchema) })), []),
  pageCount: v.optional(v.number(), 0),
});
const dueSchema = v.object({
  cards: v.nullish(
    v.array(
      v.object({
        deckID: v.string(),
        cardID: v.string(),
        blockID: v.string(),
        reps: v.optional(v.number(), 0),
        nextDues: v.optional(v.record(v.string(), v.string()), {}),
      }),
    ),
    [],
  ),
});
const windowSchema = v.object({ content: v.string(), blockCount: v.number() });

/** A heading's id and the headings below it, in `blocks` at the top level and in `children` below. */
interface OutlineEntry {
  readonly id: string;
  readonly blocks?: readonly OutlineEntry[] | null | undefined;
  readonly children?: readonly OutlineEntry[] | null | undefined;
}
const outlineSchema: v.GenericSchema<unknown, OutlineEntry> = v.object({
  id: v.string(),
  blocks: v.nullish(v.array(v.lazy(() => outlineSchema))),
  children: v.nullish(v.array(v.lazy(() => outlineSchema))),
});
const idsOfOutline = ({ id, blocks, children }: OutlineEntry): readonly string[] => [
  id,
  ...[...(blocks ?? []), ...(children ?? [])].flatMap(idsOfOutline),
];

const entrySchema = v.object({
  name: v.string(),
  isDir: v.optional(v.boolean(), false),
  isSymlink: v.optional(v.boolean(), false),
  updated: v.optional(v.number()),
});

export type ChildBlock = v.InferOutput<typeof childSchema>;
export type DocumentFile = v.InferOutput<typeof fileSchema>;
export type Criterion = v.InferOutput<typeof criterionSchema>;
/** A block with its card; `due` is ISO. */
export interface CardBlock {
  readonly id: string;
  readonly card: v.InferOutput<typeof cardSchema>;
}
/** A card that is to be reviewed; `nextDues`: SiYuan's words for when it comes again, by rating. */
export type ReviewCard = NonNullable<v.InferOutput<typeof dueSchema>['cards']>[number];
/** Whose cards: of a document also those of the documents below it. */
export type CardScope = { readonly kind: 'all' } | { readonly kind: 'document' | 'notebook'; readonly id: string };
export type Attributes = Readonly<Record<string, string>>;

export interface KernelOperation {
  readonly action: 'insert' | 'update' | 'delete' | 'move' | 'setAttrs' | 'unfoldHeading' | 'addFlashcards' | 'removeFlashcards';
  readonly id: string;
  /** Block DOM; for `setAttrs` a JSON object, where '' removes an attribute. */
  readonly data?: string;
  readonly previousID?: string;
  readonly parentID?: string;
  readonly nextID?: string;
  /** Flashcards only: the blocks are `blockIDs`, and `id` is one of them. */
  readonly deckID?: string;
  readonly blockIDs?: readonly string[];
}

export interface TransactionRequest {
  readonly app: string;
  readonly session: string;
  readonly reqId: number;
  readonly doOperations: readonly KernelOperation[];
  readonly undoOperations: readonly KernelOperation[];
}

interface FullTextQuery {
  /** For query syntax only what `printFullText` returns, for a regular expression only what `goSource` returns. */
  readonly query: string;
  /** 0 keyword, 1 query syntax, 3 regular expression. */
  readonly method: 0 | 1 | 3;
  readonly paths?: readonly string[];
  readonly types?: Readonly<Record<string, boolean>>;
  /** 0 names and titles first, 1/2 created up/down, 3/4 changed up/down. */
  readonly orderBy?: 0 | 1 | 2 | 3 | 4;
  readonly page: number;
  readonly pageSize: number;
}

const as =
  <T>(schema: v.GenericSchema<unknown, T>): ParseData<T> =>
  (data) =>
    v.parse(schema, data);
const nothing: ParseData<void> = () => undefined;

/** Rights are decided by these rows: if some were missing, hidden blocks would count as readable. */
const rowsOf =
  (stmt: string): ParseData<v.InferOutput<typeof sqlSchema>> =>
  (data, truncated) => {
    const rows = v.parse(sqlSchema, data);
    const asked = Number(/LIMIT (\d+)\s*$/i.exec(stmt)?.[1] ?? Number.POSITIVE_INFINITY);
    if (truncated && rows.length < asked)
      throw new ToolError('kernel_refused', `SiYuan returned ${rows.length} rows and left out others`, 'ask for less, or tell the user');
    return rows;
  };

function searchRoutes(call: KernelClient['call']) {
  return {
    // Order 0 (names, titles, headings first) is the recorded one; 7, by relevance, found nothing on a 3.7.3 kernel of our own.
    search: ({ orderBy = 0, query, ...more }: FullTextQuery, signal: AbortSignal) => {
      // The kernel puts query syntax unescaped between the quotes of a statement; for other methods it doubles the quotes itself.
      const sent = more.method === 1 ? query.replaceAll("'", "''") : query;
      return call('/api/search/fullTextSearchBlock', { ...more, query: sent, groupBy: 0, orderBy }, as(searchSchema), signal);
    },
    /** By meaning; finds nothing if the host has no embeddings. An empty query sends nothing (kernel/model/embedding.go). */
    searchByMeaning: (query: Omit<FullTextQuery, 'method' | 'orderBy'>, signal: AbortSignal) =>
      call('/api/search/semanticSearchBlock', query, as(searchSchema), signal),
    /** Whether SiYuan tells that it cut rows. */
    tellsOmissions: (signal: AbortSignal): Promise<boolean> =>
      call('/api/query/sql', { stmt: 'SELECT 1 LIMIT 1', mode: 'readonly' }, (_rows, truncated) => truncated !== undefined, signal),
    savedSearches: async (signal: AbortSignal): Promise<readonly Criterion[]> => {
      const saved = await call('/api/storage/getCriteria', {}, as(v.nullish(v.array(v.unknown()), [])), signal);
      return (saved ?? []).flatMap((each) => {
        const parsed = v.safeParse(criterionSchema, each);
        return parsed.success ? [parsed.output] : [];
      });
    },
  };
}

/** Flashcards, soonest due first. Encrypted notebooks have none. */
function cardRoutes(call: KernelClient['call']) {
  const read = as(cardsSchema);
  const cardsOf = (scope: CardScope, part: { readonly page: number; readonly pageSize: number }, signal: AbortSignal) => {
    if (scope.kind === 'all') return call('/api/riff/getRiffCards', { id: '', ...part }, read, signal);
    if (scope.kind === 'document') return call('/api/riff/getTreeRiffCards', { id: scope.id, ...part }, read, signal);
    return call('/api/riff/getNotebookRiffCards', { id: scope.id, ...part }, read, signal);
  };
  const due = (scope: CardScope, signal: AbortSignal) => {
    const parse = as(dueSchema);
    if (scope.kind === 'all') return call('/api/riff/getRiffDueCards', { deckID: '' }, parse, signal);
    if (scope.kind === 'document') return call('/api/riff/getTreeRiffDueCards', { rootID: scope.id }, parse, signal);
    return call('/api/riff/getNotebookRiffDueCards', { notebook: scope.id }, parse, signal);
  };
  return {
    /** In the order of SiYuan's review, and within its daily limits. Of a notebook without a block: of all notebooks. */
    dueCards: async (scope: CardScope, signal: AbortSignal): Promise<readonly ReviewCard[]> => (await due(scope, signal)).cards ?? [],
    /** The reviews of these blocks' cards so far; blocks without a card are missing. */
    reviewsOf: async (blockIDs: readonly string[], signal: AbortSignal): Promise<ReadonlyMap<string, number>> => {
      const { blocks } = await call('/api/riff/getRiffCardsByBlockIDs', { blockIDs }, read, signal);
      return new Map((blocks ?? []).flatMap(({ id, riffCard }) => (riffCard ? [[id, riffCard.reps] as const] : [])));
    },
    /** Answers the same for a card that is not there. `round`: ids of the cards that are reviewed together. */
    reviewCard: (review: { deckID: string; cardID: string; rating: number }, round: readonly string[], signal: AbortSignal) =>
      call('/api/riff/reviewRiffCard', { ...review, reviewedCards: round.map((cardID) => ({ cardID })) }, nothing, signal),
    cards: async (
      scope: CardScope,
      part: { readonly page: number; readonly pageSize: number },
      signal: AbortSignal,
    ): Promise<{ readonly cards: readonly CardBlock[]; readonly pageCount: number }> => {
      const { blocks, pageCount } = await cardsOf(scope, part, signal);
      return { cards: (blocks ?? []).flatMap(({ id, riffCard }) => (riffCard ? [{ id, card: riffCard }] : [])), pageCount };
    },
  };
}

/** Parts of a document, by the index of its top-level blocks. */
function windowRoutes(call: KernelClient['call']) {
  return {
    /** DOM from a 1-based index on, until `size` blocks followed the first, without folded ones; and the number of top-level blocks. */
    documentWindow: (id: string, index: number, size: number, signal: AbortSignal) =>
      call('/api/filetree/getDoc', { id, index, mode: 0, size }, as(windowSchema), signal),
    /** 1-based index of the top-level block that contains a block; 0 if it does not exist. */
    blockIndex: (id: string, signal: AbortSignal) => call('/api/block/getBlockIndex', { id }, as(v.number()), signal),
    /** The same for many blocks of one document, which must contain the first. */
    blockIndexes: async (ids: readonly string[], signal: AbortSignal): Promise<Readonly<Record<string, number>>> =>
      ids.length === 0 ? {} : call('/api/block/getBlocksIndexes', { ids }, as(v.record(v.string(), v.number())), signal),
    /** Ids of a document's headings in order, without those in quotes and callouts. */
    outline: async (id: string, signal: AbortSignal): Promise<readonly string[]> =>
      ((await call('/api/outline/getDocOutline', { id, preview: false }, as(v.nullish(v.array(outlineSchema))), signal)) ?? []).flatMap(
        idsOfOutline,
      ),
  };
}

export interface KernelRoutes extends ReturnType<typeof createKernelRoutes> {}

export function createKernelRoutes(client: KernelClient) {
  const call = client.call.bind(client);
  return {
    notebooks: async (signal: AbortSignal) =>
      (await call('/api/notebook/lsNotebooks', {}, as(v.object({ notebooks: v.array(notebookSchema) })), signal)).notebooks,
    notebookConf: async (notebook: string, signal: AbortSignal) =>
      (await call('/api/notebook/getNotebookConf', { notebook }, as(v.object({ conf: v.object({ dailyNoteSavePath: text }) })), signal))
        .conf,
    documentsAt: async (notebook: string, path: string, signal: AbortSignal) =>
      (
        await call(
          '/api/filetree/listDocsByPath',
          { notebook, path, maxListCount: 0, ignoreMaxListHint: true },
          as(v.object({ files: v.nullish(v.array(fileSchema), []) })),
          signal,
        )
      ).files,
    idsByPath: (notebook: string, path: string, signal: AbortSignal) =>
      call('/api/filetree/getIDsByHPath', { notebook, path }, as(v.nullish(v.array(v.string()), [])), signal),
    pathOf: (id: string, signal: AbortSignal) => call('/api/filetree/getHPathByID', { id }, as(v.string()), signal),
    /** `parentID`: which of several documents at the path above it becomes the parent. */
    createDocument: (notebook: string, path: string, signal: AbortSignal, parentID?: string) =>
      call('/api/filetree/createDocWithMd', { notebook, path, markdown: '', parentID }, as(v.string()), signal),
    createDailyNote: async (notebook: string, signal: AbortSignal) =>
      (await call('/api/filetree/createDailyNote', { notebook }, as(v.object({ id: v.string() })), signal)).id,
    removeDocument: (id: string, signal: AbortSignal) => call('/api/filetree/removeDocByID', { id }, nothing, signal),
    blockInfo: (id: string, signal: AbortSignal) => call('/api/block/getBlockInfo', { id }, as(blockInfoSchema), signal),
    children: (id: string, signal: AbortSignal) => call('/api/block/getChildBlocks', { id }, as(v.array(childSchema)), signal),
    dom: async (id: string, signal: AbortSignal) =>
      (await call('/api/block/getBlockDOM', { id }, as(v.object({ dom: v.string() })), signal)).dom,
    /** DOM by id; missing ids are missing in the answer. */
    doms: async (ids: readonly string[], signal: AbortSignal): Promise<Readonly<Record<string, string>>> =>
      ids.length === 0 ? {} : call('/api/block/getBlockDOMs', { ids }, as(v.record(v.string(), v.string())), signal),
    exists: (id: string, signal: AbortSignal) => call('/api/block/checkBlockExist', { id }, as(v.boolean()), signal),
    attributes: (id: string, signal: AbortSignal) => call('/api/attr/getBlockAttrs', { id }, as(attributesSchema), signal),
    attributesOf: async (ids: readonly string[], signal: AbortSignal): Promise<Readonly<Record<string, Attributes>>> =>
      ids.length === 0 ? {} : call('/api/attr/batchGetBlockAttrs', { ids }, as(v.record(v.string(), attributesSchema)), signal),
    setAttributes: (id: string, attrs: Readonly<Record<string, string>>, signal: AbortSignal) =>
      call('/api/attr/setBlockAttrs', { id, attrs }, nothing, signal),
    ...searchRoutes(call),
    ...windowRoutes(call),
    ...cardRoutes(call),
    ...databaseRoutes(call),
    ...assetRoutes(call),
    embedding: async (signal: AbortSignal) => (await call('/api/system/getConf', {}, as(embeddingSchema), signal)).conf.ai.embedding,
    isEditorReadOnly: async (signal: AbortSignal) => (await call('/api/system/getConf', {}, as(editorSchema), signal)).conf.editor.readOnly,
    breadcrumb: (id: string, signal: AbortSignal) => call('/api/block/getBlockBreadcrumb', { id }, as(breadcrumbSchema), signal),
    /** Read-only SQL. The statement must have a LIMIT: without one SiYuan cuts at 64 rows. Rejects if SiYuan cut the rows further. */
    sql: (stmt: string, signal: AbortSignal) => call('/api/query/sql', { stmt, mode: 'readonly' }, rowsOf(stmt), signal),
    flushIndex: (signal: AbortSignal) => call('/api/sqlite/flushTransaction', {}, nothing, signal),
    transact: (request: TransactionRequest, signal: AbortSignal) => {
      const { app, session, reqId, doOperations, undoOperations } = request;
      return call('/api/transactions', { app, session, reqId, transactions: [{ doOperations, undoOperations }] }, nothing, signal);
    },
    readDir: (path: string, signal: AbortSignal) => call('/api/file/readDir', { path }, as(v.nullish(v.array(entrySchema), [])), signal),
    renameFile: (path: string, newPath: string, signal: AbortSignal) => call('/api/file/renameFile', { path, newPath }, nothing, signal),
    removeFile: (path: string, signal: AbortSignal) => call('/api/file/removeFile', { path }, nothing, signal),
  };
}
