// SiYuan 3.8 decodes requests strictly: a field that is missing, null or of another type is an error, where 3.7.3 answered code 0 without data.
import { describe, expect, it } from 'vitest';
import { createForward } from '../../src/host/kernel/forward-request.ts';
import { createKernelClient, type KernelClient } from '../../src/host/kernel/kernel-client.ts';
import { createKernelRoutes } from '../../src/host/kernel/kernel-routes.ts';
import { createStructureRoutes } from '../../src/host/kernel/structure-routes.ts';

type Kind = 'text' | 'number' | 'flag' | 'texts' | 'attributes' | 'flags' | 'transactions' | 'headers';
type Shape = Readonly<Record<string, Kind>>;

const isText = (value: unknown): boolean => typeof value === 'string';
const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);
const everyField = (value: unknown, is: (field: unknown) => boolean): boolean => isObject(value) && Object.values(value).every(is);
const OPERATION = ['action', 'id', 'data', 'previousID', 'parentID', 'nextID'];
const isOperation = (value: unknown): boolean =>
  everyField(value, isText) && isObject(value) && Object.keys(value).every((name) => OPERATION.includes(name));

const IS: Readonly<Record<Kind, (value: unknown) => boolean>> = {
  text: isText,
  number: (value) => typeof value === 'number',
  flag: (value) => typeof value === 'boolean',
  texts: (value) => Array.isArray(value) && value.every(isText),
  // A null takes an attribute away.
  attributes: (value) => everyField(value, (each) => each === null || isText(each)),
  flags: (value) => everyField(value, (each) => typeof each === 'boolean'),
  transactions: (value) =>
    Array.isArray(value) &&
    value.every((each) => everyField(each, (operations) => Array.isArray(operations) && operations.every(isOperation))),
  headers: (value) => Array.isArray(value) && value.every((each) => everyField(each, isText)),
};

const id: Shape = { id: 'text' };
const ids: Shape = { ids: 'texts' };
const notebook: Shape = { notebook: 'text' };

/** By route, the fields that must be there; and those that may. */
const SHAPES: Readonly<Record<string, readonly [required: Shape, optional?: Shape]>> = {
  '/api/attr/batchGetBlockAttrs': [ids],
  '/api/attr/getBlockAttrs': [id],
  '/api/attr/setBlockAttrs': [{ ...id, attrs: 'attributes' }],
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
  '/api/sqlite/flushTransaction': [{}],
  '/api/storage/getCriteria': [{}],
  '/api/system/getConf': [{}],
  '/api/transactions': [
    { transactions: 'transactions', reqId: 'number' },
    { app: 'text', session: 'text' },
  ],
};

interface Sent {
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>>;
}

/** A kernel that takes down what it is sent, as JSON, and answers nothing. */
function recorder(): { readonly client: KernelClient; readonly sent: Sent[] } {
  const sent: Sent[] = [];
  const refuse = (path: string, body: unknown): Promise<never> => {
    sent.push({ path, body: JSON.parse(JSON.stringify(body)) as Sent['body'] });
    return Promise.reject(new Error('recorded'));
  };
  const client: KernelClient = {
    call: refuse,
    upload: (path) => refuse(path, {}),
    readFile: (path) => refuse('/api/file/getFile', { path }),
    writeFile: (path) => refuse('/api/file/putFile', { path }),
    readBytes: (path) => refuse(path, {}),
  };
  return { client, sent };
}

const signal = new AbortController().signal;
const ID = '20260101000000-aaaaaaa';
const operation = { action: 'insert', id: ID, data: '<div></div>', previousID: ID, parentID: undefined } as const;
const search = { query: 'x', page: 1, pageSize: 10 };

/** One call of every function that sends something. */
async function everyRequest(): Promise<readonly Sent[]> {
  const { client, sent } = recorder();
  const routes = createKernelRoutes(client);
  const structure = createStructureRoutes(client);
  const calls: Record<string, () => Promise<unknown>> = {
    notebooks: () => routes.notebooks(signal),
    notebookConf: () => routes.notebookConf(ID, signal),
    documentsAt: () => routes.documentsAt(ID, '/', signal),
    idsByPath: () => routes.idsByPath(ID, '/a', signal),
    pathOf: () => routes.pathOf(ID, signal),
    createDocument: () => routes.createDocument(ID, '/a', signal),
    createDailyNote: () => routes.createDailyNote(ID, signal),
    removeDocument: () => routes.removeDocument(ID, signal),
    blockInfo: () => routes.blockInfo(ID, signal),
    children: () => routes.children(ID, signal),
    dom: () => routes.dom(ID, signal),
    doms: () => routes.doms([ID], signal),
    exists: () => routes.exists(ID, signal),
    attributes: () => routes.attributes(ID, signal),
    attributesOf: () => routes.attributesOf([ID], signal),
    setAttributes: () => routes.setAttributes(ID, { a: '' }, signal),
    search: () => routes.search({ ...search, method: 1, paths: [ID], types: { paragraph: true } }, signal),
    searchByMeaning: () => routes.searchByMeaning(search, signal),
    savedSearches: () => routes.savedSearches(signal),
    documentWindow: () => routes.documentWindow(ID, 1, 10, signal),
    blockIndex: () => routes.blockIndex(ID, signal),
    blockIndexes: () => routes.blockIndexes([ID], signal),
    outline: () => routes.outline(ID, signal),
    embedding: () => routes.embedding(signal),
    isEditorReadOnly: () => routes.isEditorReadOnly(signal),
    breadcrumb: () => routes.breadcrumb(ID, signal),
    sql: () => routes.sql('SELECT 1 LIMIT 1', signal),
    flushIndex: () => routes.flushIndex(signal),
    transact: () => routes.transact({ app: 'a', session: 's', reqId: 1, doOperations: [operation], undoOperations: [] }, signal),
    readDir: () => routes.readDir('/data', signal),
    renameFile: () => routes.renameFile('/a', '/b', signal),
    removeFile: () => routes.removeFile('/a', signal),
  };
  expect(Object.keys(calls).sort()).toEqual(Object.keys(routes).sort());
  const changes: Record<string, () => Promise<unknown>> = {
    setAttributes: () => structure.setAttributes(ID, { a: null, b: '' }),
    renameDocument: () => structure.renameDocument(ID, 'a'),
    moveDocument: () => structure.moveDocument(ID, ID),
    removeDocument: () => structure.removeDocument(ID),
    checkpoint: () => structure.checkpoint(ID),
    restoreDocument: () => structure.restoreDocument(ID, '/a'),
    createNotebook: () => structure.createNotebook('a'),
    renameNotebook: () => structure.renameNotebook(ID, 'a'),
    openNotebook: () => structure.openNotebook(ID),
    closeNotebook: () => structure.closeNotebook(ID),
    removeNotebook: () => structure.removeNotebook(ID),
    filesBelow: () => structure.filesBelow(ID, '/', signal),
    namesIn: () => structure.namesIn('/data', signal),
  };
  expect(Object.keys(changes).sort()).toEqual(Object.keys(structure).sort());
  const forward = () => createForward(client)({ url: 'https://x', method: 'POST', headers: { a: 'b' }, body: new Uint8Array() }, signal);
  for (const call of [...Object.values(calls), ...Object.values(changes), forward]) await call().catch(() => undefined);
  return sent;
}

describe('every request to the kernel', () => {
  it('has the fields that a strict kernel requires, of their types, and no null', async () => {
    const sent = await everyRequest();
    const wrong = sent.flatMap(({ path, body }) => {
      const [required, optional = {}] = SHAPES[path] ?? [{ 'a row for it': 'text' }];
      const missing = Object.keys(required).filter((name) => body[name] === undefined);
      const known: Shape = { ...required, ...optional };
      const odd = Object.entries(body).filter(([name, value]) => !IS[known[name] ?? 'text'](value) || !(name in known));
      return [...missing, ...odd.map(([name]) => name)].map((name) => `${path} ${name}`);
    });
    expect(wrong).toEqual([]);
    expect([...new Set(sent.map(({ path }) => path))].sort()).toEqual(Object.keys(SHAPES).sort());
  });
});

describe('rows that SiYuan left out', () => {
  const rowsWith = (rows: number, truncated: boolean, stmt: string): Promise<unknown> => {
    const data = Array.from({ length: rows }, () => ({ id: ID }));
    const fetch = async () => new Response(JSON.stringify({ code: 0, msg: '', data, limit: rows, truncated }));
    return createKernelRoutes(createKernelClient({ baseUrl: '', fetch })).sql(stmt, signal);
  };

  it.each([
    [2, true, 'SELECT id FROM blocks LIMIT 1000', false],
    [2, true, 'SELECT id FROM blocks LIMIT 2', true],
    [2, false, 'SELECT id FROM blocks LIMIT 1000', true],
    [64, true, 'SELECT id FROM blocks', false],
  ])('%i of them, truncated %s, for %s: taken %s', async (rows, truncated, stmt, taken) => {
    const answer = rowsWith(rows, truncated, stmt);
    if (taken) await expect(answer).resolves.toHaveLength(rows);
    else await expect(answer).rejects.toMatchObject({ code: 'kernel_refused' });
  });
});
