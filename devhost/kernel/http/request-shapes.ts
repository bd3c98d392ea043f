import { ApiError } from '../api-error.ts';
import type { RequestBody } from '../router.ts';

type Kind = 'text' | 'number' | 'flag' | 'texts' | 'attributes' | 'flags' | 'transactions' | 'headers' | 'cards';
type Shape = Readonly<Record<string, Kind>>;

const isText = (value: unknown): boolean => typeof value === 'string';
const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);
const everyField = (value: unknown, is: (field: unknown) => boolean): boolean => isObject(value) && Object.values(value).every(is);
const IDS_OF_OPERATION = ['id', 'parentID', 'previousID', 'nextID'];
const isOperation = (value: unknown): boolean =>
  isObject(value) && isText(value.action) && IDS_OF_OPERATION.every((name) => value[name] === undefined || isText(value[name]));

const isOperations = (value: unknown): boolean => Array.isArray(value) && value.every(isOperation);
const isTransaction = (value: unknown): boolean =>
  isObject(value) && isOperations(value.doOperations) && (value.undoOperations == null || isOperations(value.undoOperations));

export const IS_OF: Readonly<Record<Kind, (value: unknown) => boolean>> = {
  text: isText,
  number: (value) => typeof value === 'number',
  flag: (value) => typeof value === 'boolean',
  texts: (value) => Array.isArray(value) && value.every(isText),
  // A null takes an attribute away.
  attributes: (value) => everyField(value, (each) => each === null || isText(each)),
  flags: (value) => everyField(value, (each) => typeof each === 'boolean'),
  transactions: (value) => Array.isArray(value) && value.every(isTransaction),
  cards: (value) => Array.isArray(value) && value.every((each) => everyField(each, isText)),
  headers: (value) => Array.isArray(value) && value.every((each) => everyField(each, isText)),
};

const id: Shape = { id: 'text' };
const ids: Shape = { ids: 'texts' };
const notebook: Shape = { notebook: 'text' };

/** By route that the plugin calls, the fields that must be there, and those that may. */
export const SHAPES: Readonly<Record<string, readonly [required: Shape, optional?: Shape]>> = {
  '/api/attr/batchGetBlockAttrs': [ids],
  '/api/attr/getBlockAttrs': [id],
  '/api/attr/setBlockAttrs': [{ ...id, attrs: 'attributes' }],
  '/api/av/getAttributeView': [id],
  '/api/av/getAttributeViewKeysByAvID': [{ avID: 'text' }],
  '/api/av/renderAttributeView': [
    { ...id, blockID: 'text', createIfNotExist: 'flag' },
    { viewID: 'text', page: 'number', pageSize: 'number' },
  ],
  '/api/block/checkBlockExist': [id],
  '/api/block/getBlockBreadcrumb': [id],
  '/api/block/getBlockDOM': [id],
  '/api/block/getBlockDOMs': [ids],
  '/api/block/getBlockIndex': [id],
  '/api/block/getBlockInfo': [id],
  '/api/block/getBlocksIndexes': [ids],
  '/api/block/getChildBlocks': [id],
  '/api/file/readDir': [{ path: 'text' }],
  '/api/file/removeFile': [{ path: 'text' }],
  '/api/file/renameFile': [{ path: 'text', newPath: 'text' }],
  '/api/filetree/createDailyNote': [notebook],
  '/api/filetree/createDocWithMd': [{ ...notebook, path: 'text', markdown: 'text' }, { parentID: 'text' }],
  '/api/filetree/getDoc': [{ ...id, index: 'number', mode: 'number', size: 'number' }],
  '/api/filetree/getHPathByID': [id],
  '/api/filetree/getIDsByHPath': [{ ...notebook, path: 'text' }],
  '/api/filetree/listDocsByPath': [
    { ...notebook, path: 'text' },
    { maxListCount: 'number', ignoreMaxListHint: 'flag', showHidden: 'flag' },
  ],
  '/api/filetree/moveDocsByID': [{ fromIDs: 'texts', toID: 'text' }],
  '/api/filetree/removeDocByID': [id],
  '/api/filetree/renameDocByID': [{ ...id, title: 'text' }],
  '/api/history/createDocHistory': [id],
  '/api/history/rollbackDocHistory': [{ ...notebook, historyPath: 'text' }],
  '/api/network/forwardProxy': [
    { url: 'text' },
    {
      ...{ method: 'text', contentType: 'text', redirect: 'flag', timeout: 'number', headers: 'headers', payload: 'text' },
      ...{ payloadEncoding: 'text', responseEncoding: 'text' },
    },
  ],
  '/api/notebook/closeNotebook': [notebook],
  '/api/notebook/createNotebook': [{ name: 'text' }],
  '/api/notebook/getNotebookConf': [notebook],
  '/api/notebook/lsNotebooks': [{}, { flashcard: 'flag' }],
  '/api/notebook/openNotebook': [notebook],
  '/api/notebook/removeNotebook': [notebook],
  '/api/notebook/renameNotebook': [{ ...notebook, name: 'text' }],
  '/api/outline/getDocOutline': [id, { preview: 'flag' }],
  '/api/query/sql': [{ stmt: 'text' }, { mode: 'text' }],
  '/api/search/fullTextSearchBlock': [
    { query: 'text' },
    { method: 'number', paths: 'texts', types: 'flags', groupBy: 'number', orderBy: 'number', page: 'number', pageSize: 'number' },
  ],
  '/api/search/semanticSearchBlock': [{ query: 'text' }, { paths: 'texts', types: 'flags', page: 'number', pageSize: 'number' }],
  '/api/asset/getUnusedAssets': [{}],
  '/api/asset/statAsset': [{ path: 'text' }],
  '/api/riff/addRiffCards': [{ deckID: 'text', blockIDs: 'texts' }],
  '/api/riff/getNotebookRiffDueCards': [notebook],
  '/api/riff/getRiffCardsByBlockIDs': [{ blockIDs: 'texts' }],
  '/api/riff/getRiffDueCards': [{ deckID: 'text' }],
  '/api/riff/getTreeRiffDueCards': [{ rootID: 'text' }],
  '/api/riff/reviewRiffCard': [{ deckID: 'text', cardID: 'text', rating: 'number', reviewedCards: 'cards' }],
  '/api/riff/getNotebookRiffCards': [{ ...id, page: 'number', pageSize: 'number' }],
  '/api/riff/getRiffCards': [{ ...id, page: 'number', pageSize: 'number' }],
  '/api/riff/getTreeRiffCards': [{ ...id, page: 'number', pageSize: 'number' }],
  '/api/riff/removeRiffCards': [{ deckID: 'text', blockIDs: 'texts' }],
  '/api/sqlite/flushTransaction': [{}],
  '/api/storage/getCriteria': [{}],
  '/api/system/getConf': [{}],
  '/api/transactions': [
    { transactions: 'transactions', reqId: 'number' },
    { app: 'text', session: 'text' },
  ],
};

const NAMES: Readonly<Partial<Record<Kind, string>>> = { text: 'string', number: 'number', flag: 'boolean' };

/**
 * SiYuan 3.8 decodes requests strictly: what is missing, null or of another type is an error, where 3.7.3 answered code 0 without data. Fields
 * that it does not know are passed over.
 */
export function decodeStrictly(path: string, body: RequestBody): void {
  const [required, optional] = SHAPES[path] ?? [{}];
  for (const name of Object.keys(required)) if (body[name] === undefined) throw new ApiError(-1, `Field [${name}] is required`);
  for (const [name, kind] of Object.entries({ ...required, ...optional })) {
    const value = body[name];
    if (value !== undefined && !IS_OF[kind](value)) throw new ApiError(-1, `Field [${name}] should be of type [${NAMES[kind] ?? kind}]`);
  }
}
