// SiYuan 3.8 decodes requests strictly: a field that is missing, null or of another type is an error, where 3.7.3 answered code 0 without data.
import { describe, expect, it } from 'vitest';
import { IS_OF, SHAPES } from '../../devhost/kernel/http/request-shapes.ts';
import { createForward } from '../../src/host/kernel/forward-request.ts';
import { createKernelClient, type KernelClient } from '../../src/host/kernel/kernel-client.ts';
import { createKernelRoutes } from '../../src/host/kernel/kernel-routes.ts';
import { createStructureRoutes } from '../../src/host/kernel/structure-routes.ts';

interface Sent {
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>>;
}

const OPERATION = ['action', 'id', 'data', 'previousID', 'parentID', 'nextID'];

/** Operations of ours have no other fields, and all of them are texts. */
const strangeOperations = (body: Sent['body']): readonly string[] =>
  [body.transactions ?? []].flat().flatMap((transaction) =>
    Object.values(transaction as Record<string, object[]>)
      .flat()
      .flatMap((operation) => Object.entries(operation).filter(([name, value]) => !OPERATION.includes(name) || typeof value !== 'string'))
      .map(([name]) => name),
  );

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
  const structure = createStructureRoutes(client, 'test');
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
    cards: () => {
      const scopes = [{ kind: 'all' }, { kind: 'document', id: ID }, { kind: 'notebook', id: ID }] as const;
      return Promise.allSettled(scopes.map((scope) => routes.cards(scope, { page: 1, pageSize: 20 }, signal)));
    },
    dueCards: () => {
      const scopes = [{ kind: 'all' }, { kind: 'document', id: ID }, { kind: 'notebook', id: ID }] as const;
      return Promise.allSettled(scopes.map((scope) => routes.dueCards(scope, signal)));
    },
    reviewsOf: () => routes.reviewsOf([ID], signal),
    reviewCard: () => routes.reviewCard({ deckID: ID, cardID: ID, rating: 3 }, [ID], signal),
    database: () => routes.database(ID, (data) => data, signal),
    drawnDatabase: () => routes.drawnDatabase({ id: ID, blockID: ID, viewID: ID }, (data) => data, signal),
    databaseKeys: () => routes.databaseKeys(ID, (data) => data, signal),
    unusedAssets: () => routes.unusedAssets(signal),
    assetSize: () => routes.assetSize('assets/a.pdf', signal),
    setAttributes: () => routes.setAttributes(ID, { a: '' }, signal),
    search: () => routes.search({ ...search, method: 1, paths: [ID], types: { paragraph: true } }, signal),
    searchByMeaning: () => routes.searchByMeaning(search, signal),
    tellsOmissions: () => routes.tellsOmissions(signal),
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
    addCard: () => structure.addCard(ID, ID),
    removeCard: () => structure.removeCard(ID, ID),
    changeDatabase: () => structure.changeDatabase([{ action: 'setAttrViewName', id: ID, data: 'a' }]),
    makeDatabase: () => structure.makeDatabase(ID, ID),
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
      const known = { ...required, ...optional };
      const odd = Object.entries(body).filter(([name, value]) => !IS_OF[known[name] ?? 'text'](value) || !(name in known));
      return [...missing, ...odd.map(([name]) => name), ...strangeOperations(body)].map((name) => `${path} ${name}`);
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
