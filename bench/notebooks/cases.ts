import { type BlockElement, blockId, blockType, childBlocks, parseBlocks } from '../../src/host/blocks/block-dom.ts';
import type { BenchKernel, MeasuredHost } from './bench-kernel.ts';
import { type BenchWorkspace, openExtras } from './workspace.ts';

/** A tool's call beside the kernel's routes that answer the same. */
export interface Case {
  readonly name: string;
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly bare: (call: MeasuredHost['call']) => Promise<unknown>;
  /** How many requests the tool may make. */
  readonly requests: number;
  /** Of a group of these the smallest and the largest note are compared. */
  readonly window?: { readonly of: string; readonly note: number };
}

const PAGE_REQUESTS = 12;
const WINDOW = 48;
const AFTER = 20;
const LARGE_WINDOW = 500;
/** Documents on a page of list_docs. */
const LIST_PAGE = 50;
/** Folders that it opens below the one that is listed. */
const OPENED_BELOW = 4;
const MANY = 1_000_000;

/** Places in a note that cases ask about. */
interface NotePlaces {
  readonly id: string;
  readonly size: number;
  /** 0-based index of a top-level block in the middle. */
  readonly middle: number;
  readonly paragraph: string;
  readonly item: string;
  /** The routes that answer the windows of the cases. */
  readonly windows: { readonly first: Case['bare']; readonly middle: Case['bare']; readonly after: Case['bare'] };
}

const itemIn = (block: BlockElement): string => {
  const item = childBlocks(block).find((each) => blockType(each) === 'i');
  return item ? blockId(item) : '';
};

/** A bare window with as many top-level blocks as were asked for, and no more: the route counts the blocks in a list, too. */
async function windowOf(kernel: BenchKernel, id: string, index: number, count: number): Promise<Case['bare']> {
  const holds = async (size: number): Promise<boolean> => {
    const body = { id, index, mode: 0, size };
    const { content, blockCount } = await kernel.api<{ content: string; blockCount: number }>('/api/filetree/getDoc', body);
    return parseBlocks(content).length >= Math.min(count, blockCount - index + 1);
  };
  let [less, enough] = [0, count];
  while (!(await holds(enough))) [less, enough] = [enough, 2 * enough];
  while (enough - less > 1) {
    const size = Math.floor((less + enough) / 2);
    if (await holds(size)) enough = size;
    else less = size;
  }
  return windowAt(id, index, enough);
}

async function placesIn(kernel: BenchKernel, id: string, size: number): Promise<NotePlaces> {
  const children = await kernel.api<{ id: string; type: string }[]>('/api/block/getChildBlocks', { id });
  const middle = Math.floor(children.length / 2);
  const after = children.slice(middle);
  const list = after.find(({ type }) => type === 'l')?.id ?? '';
  const { dom } = await kernel.api<{ dom: string }>('/api/block/getBlockDOM', { id: list });
  const [block] = parseBlocks(dom);
  const windows = {
    first: await windowOf(kernel, id, 1, WINDOW),
    middle: await windowOf(kernel, id, middle + 1, WINDOW),
    after: await windowOf(kernel, id, middle + 2, AFTER),
  };
  return { id, size, middle, paragraph: after.find(({ type }) => type === 'p')?.id ?? '', item: block ? itemIn(block) : '', windows };
}

const sql = (stmt: string) => (call: MeasuredHost['call']) => call('/api/query/sql', { stmt, mode: 'readonly' });
const route = (path: string, body: object) => (call: MeasuredHost['call']) => call(path, body);
const all =
  (...parts: Case['bare'][]): Case['bare'] =>
  (call) =>
    Promise.all(parts.map((part) => part(call)));

const outline = (id: string) => route('/api/outline/getDocOutline', { id, preview: false });
const windowAt = (id: string, index: number, size: number) => route('/api/filetree/getDoc', { id, index, mode: 0, size });

/** Cases within one note: what they cost should not hang on how long it is. */
function windowCases({ id, size, middle, item, paragraph, windows }: NotePlaces): Case[] {
  const of = (name: string) => ({ name: `${name}, ${size} blocks`, requests: PAGE_REQUESTS, window: { of: name, note: size } });
  return [
    {
      ...of(`read_doc first ${WINDOW}`),
      tool: 'read_doc',
      args: { id, blocks: WINDOW },
      bare: all(windows.first, outline(id)),
    },
    {
      ...of(`read_doc middle ${WINDOW}`),
      tool: 'read_doc',
      args: { id, start: middle, blocks: WINDOW },
      bare: all(windows.middle, outline(id)),
    },
    { ...of('read_block item'), tool: 'read_block', args: { id: item }, bare: route('/api/block/getBlockDOM', { id: item }) },
    {
      ...of('read_block after'),
      tool: 'read_block',
      args: { id: paragraph, range: 'after', limit: AFTER },
      bare: windows.after,
    },
    { ...of('attributes get'), tool: 'attributes', args: { op: 'get', ids: [item] }, bare: route('/api/attr/getBlockAttrs', { id: item }) },
    {
      ...of('block_info'),
      tool: 'block_info',
      args: { ids: [item] },
      bare: all(
        route('/api/block/getBlockBreadcrumb', { id: item }),
        route('/api/attr/getBlockAttrs', { id: item }),
        sql(`SELECT count(*) AS n FROM refs WHERE def_block_id = '${item}' LIMIT 1`),
      ),
    },
  ];
}

/** Cases whose answer is made of the whole note. */
function wholeCases({ id, size }: NotePlaces): Case[] {
  const of = (name: string) => ({ name: `${name}, ${size} blocks`, requests: PAGE_REQUESTS });
  const lines = `SELECT id, type, markdown FROM blocks WHERE root_id = '${id}'`;
  // An answer says where in the note each line is, which no SQL statement can tell.
  const placed =
    (condition: string, pattern: RegExp): Case['bare'] =>
    async (call) => {
      const stmt = `${lines} AND type IN ('p', 'h', 'c', 't') ${condition}LIMIT ${MANY}`;
      const found = await call<{ id: string; markdown: string }[]>('/api/query/sql', { stmt, mode: 'readonly' });
      const ids = found.filter(({ markdown }) => pattern.test(markdown)).map((each) => each.id);
      await call('/api/block/getBlocksIndexes', { ids });
    };
  return [
    { ...of('get_outline'), tool: 'get_outline', args: { id }, bare: outline(id) },
    {
      ...of('grep_doc'),
      tool: 'grep_doc',
      args: { id, pattern: 'a needle' },
      bare: placed("AND markdown LIKE '%a needle%' ", /a needle/i),
    },
    {
      ...of('grep_doc regex'),
      tool: 'grep_doc',
      args: { id, pattern: '\\d+ of \\d+ has', regex: true },
      bare: placed('', /\d+ of \d+ has/),
    },
    { ...of('export_doc'), tool: 'export_doc', args: { id }, bare: route('/api/export/exportMdContent', { id }) },
  ];
}

function searchCases({ hub, blocks }: BenchWorkspace): Case[] {
  // A page that there is, in a small workspace too.
  const deep = blocks < 50_000 ? 6 : 10;
  const found = (page: number) =>
    route('/api/search/fullTextSearchBlock', { query: 'needle', method: 0, page, pageSize: 20, groupBy: 0, orderBy: 0 });
  const of = (name: string, args: object, bare: Case['bare']): Case => {
    return { name: `search_notes ${name}`, tool: 'search_notes', args: { query: 'needle', ...args }, bare, requests: PAGE_REQUESTS };
  };
  const linking = `SELECT DISTINCT block_id, root_id FROM refs WHERE def_block_id = '${hub}' ORDER BY block_id LIMIT 20`;
  const links = (offset: number) =>
    all(
      sql(`SELECT count(DISTINCT block_id) AS n FROM refs WHERE def_block_id = '${hub}' LIMIT 1`),
      sql(
        `SELECT blocks.id, blocks.root_id, blocks.hpath, blocks.box, blocks.markdown FROM refs JOIN blocks ON blocks.id = refs.block_id WHERE refs.def_block_id = '${hub}' ` +
          `GROUP BY blocks.id ORDER BY blocks.updated DESC LIMIT 20 OFFSET ${offset}`,
      ),
    );
  return [
    of('page 1', {}, found(1)),
    of(`page ${deep}`, { page: deep }, found(deep)),
    // No route filters so; the page is the kernel's, since no other has its order and its marks.
    of('with a tag', { tags: ['bench/t3'] }, found(1)),
    of('from a day on', { updatedFrom: '2020-01-01' }, found(1)),
    of('up to a day', { updatedTo: '2020-01-01' }, found(1)),
    { name: 'backlinks page 1', tool: 'backlinks', args: { id: hub }, bare: links(0), requests: PAGE_REQUESTS },
    { name: 'backlinks page 20', tool: 'backlinks', args: { id: hub, page: 20 }, bare: links(380), requests: PAGE_REQUESTS },
    {
      name: 'backlinks mentions',
      tool: 'backlinks',
      args: { id: hub, kind: 'mentions' },
      bare: all(
        sql(linking),
        sql("SELECT id, root_id, hpath, box, markdown FROM blocks WHERE type IN ('h', 'p', 't') AND content LIKE '%the hub%' LIMIT 20"),
      ),
      requests: PAGE_REQUESTS,
    },
    {
      name: 'tags',
      tool: 'tags',
      args: { op: 'list' },
      bare: sql("SELECT content, count(*) AS n FROM spans WHERE type LIKE '%tag%' GROUP BY content LIMIT 1000"),
      requests: PAGE_REQUESTS,
    },
    {
      name: 'recent_docs',
      tool: 'recent_docs',
      args: {},
      bare: sql("SELECT id, content, hpath, box, updated FROM blocks WHERE type = 'd' ORDER BY updated DESC LIMIT 20"),
      requests: PAGE_REQUESTS,
    },
  ];
}

/** The order is the person's, which these routes alone know. */
async function listCases(kernel: BenchKernel, notebook: string): Promise<Case[]> {
  const folderOf = (of: string) => (path: string) =>
    route('/api/filetree/listDocsByPath', { notebook: of, path, maxListCount: 0, ignoreMaxListHint: true });
  const listCase = (name: string, parent: string, depth: number, ...folders: readonly { readonly path: string }[]): Case => {
    const bare = all(...['/', ...folders.map(({ path }) => path)].map(folderOf(parent)));
    return { name: `list_docs depth ${name}`, tool: 'list_docs', args: { parent, depth }, bare, requests: PAGE_REQUESTS };
  };
  const tree = await openExtras(kernel);
  const inTree = (await foldersOfPage(kernel, tree)).slice(0, OPENED_BELOW);
  return [
    listCase('1', notebook, 1),
    listCase('2', notebook, 2, ...(await foldersOfPage(kernel, notebook))),
    listCase('4, many folders', tree, 4, ...inTree),
  ];
}

/** Those of the top whose documents stand on the first page of a listing. */
async function foldersOfPage(kernel: BenchKernel, notebook: string): Promise<readonly { readonly path: string }[]> {
  const { files } = await kernel.api<{ files: { path: string; subFileCount: number }[] }>('/api/filetree/listDocsByPath', {
    notebook,
    path: '/',
  });
  let count = 0;
  const shown = files.filter(({ subFileCount }) => {
    count += 1 + subFileCount;
    return count - subFileCount <= LIST_PAGE;
  });
  return shown.filter(({ subFileCount }) => subFileCount > 0);
}

function batchCase({ short }: BenchWorkspace): Case {
  const ids = short.slice(0, 20);
  return {
    name: `read_docs, ${ids.length} notes`,
    tool: 'read_docs',
    args: { items: ids.map((id) => ({ id })) },
    bare: all(...ids.flatMap((id) => [windowAt(id, 1, LARGE_WINDOW), outline(id)])),
    requests: 3 * ids.length,
  };
}

/** Every reading tool over the workspace. */
export async function casesFor(kernel: BenchKernel, workspace: BenchWorkspace): Promise<readonly Case[]> {
  const notes: NotePlaces[] = [];
  for (const [size, id] of workspace.sized) notes.push(await placesIn(kernel, id, size));
  const largest = notes.at(-1);
  const many: Case[] = largest
    ? [
        {
          name: `read_doc ${LARGE_WINDOW} of ${largest.size} blocks`,
          tool: 'read_doc',
          args: { id: largest.id, blocks: LARGE_WINDOW, tokens: 20_000 },
          bare: all(await windowOf(kernel, largest.id, 1, LARGE_WINDOW), outline(largest.id)),
          requests: PAGE_REQUESTS,
        },
      ]
    : [];
  return [
    ...notes.flatMap(windowCases),
    ...many,
    batchCase(workspace),
    ...notes.slice(1).flatMap(wholeCases),
    ...searchCases(workspace),
    ...(await listCases(kernel, workspace.notebook)),
  ];
}
