import { expect } from 'vitest';
import { kernelFetch, realKernelUrl, settle } from './real-kernel.ts';
import type { TestBench } from './support.ts';

/**
 * A workspace with a secret word in every place where rights can hold it back: documents, blocks in every kind of container, whole
 * notebooks; in texts, titles, tags, names, attributes, anchors, assets and index texts. Nobody who may read only the rest may tell
 * which word it is. The ids are chosen here, so that two workspaces differ in the word alone.
 */
export interface World {
  readonly bench: TestBench;
  /** Id by the name that the tests use for it. */
  readonly ids: Readonly<Record<string, string>>;
  /** Names of things that may be read, and of things that may not. */
  readonly open: readonly string[];
  readonly hidden: readonly string[];
  /** Documents, hidden ones too. */
  readonly documents: readonly string[];
  /** Kinds of SiYuan 3.8, by the name of a block that the index has as one of them. */
  readonly kinds: Readonly<Record<string, string>>;
  /** The word that is in it now. */
  secret: string;
}

/** Letters and digits only, so that it can stand in a tag, a title and a file name. */
const FIRST_SECRET = 'zqoriginal0000';

type Attributes = Readonly<Record<string, string>>;
const GUARD: Attributes = { 'custom-ai-access': 'none' };

class WorldBuilder {
  readonly ids: Record<string, string> = {};
  readonly open: string[] = [];
  readonly hidden: string[] = [];
  readonly documents: string[] = [];
  readonly kinds: Record<string, string> = {};
  private readonly bench: TestBench;
  private readonly prefix: string;
  /** Called before each request that makes something: a test sets time and chance there. */
  private readonly beforeStep: () => void;

  constructor(bench: TestBench, prefix: string, beforeStep: () => void) {
    this.bench = bench;
    this.prefix = prefix;
    this.beforeStep = beforeStep;
  }

  /** An id for this name, the same one each time. */
  id(name: string): string {
    this.ids[name] ??= `${this.prefix}-n${String(Object.keys(this.ids).length).padStart(6, '0')}`;
    return this.ids[name];
  }

  shown(...names: readonly string[]): void {
    this.open.push(...names);
  }

  kept(...names: readonly string[]): void {
    this.hidden.push(...names);
  }

  async notebook(name: string, title: string): Promise<string> {
    await settle();
    this.beforeStep();
    const { notebook } = await this.bench.api<{ notebook: { id: string } }>('/api/notebook/createNotebook', { name: title });
    this.ids[name] = notebook.id;
    return notebook.id;
  }

  async document(name: string, notebook: string, path: string, markdown: string, attributes: Attributes = {}): Promise<string> {
    const id = this.id(name);
    // What the index has still to write is given ids as well: written in the midst of this, it would change those of the folders made here.
    await this.bench.api('/api/sqlite/flushTransaction', {});
    this.beforeStep();
    await this.bench.api('/api/filetree/createDocWithMd', { notebook, path, markdown, id });
    this.documents.push(name);
    if (Object.keys(attributes).length > 0) await this.set(name, attributes);
    return id;
  }

  async set(name: string, attrs: Attributes): Promise<void> {
    await this.bench.api('/api/attr/setBlockAttrs', { id: this.id(name), attrs });
  }

  async insertAfter(before: string, name: string, dom: string): Promise<void> {
    await this.bench.transact([{ action: 'insert', id: this.id(name), data: dom, previousID: this.id(before) }]);
  }

  /** Markdown of one block, with its id. */
  block(name: string, markdown: string): string {
    return `${markdown}\n{: id="${this.id(name)}"}`;
  }

  /** Markdown of a list item and its paragraph; `below` is Markdown of a list in it. */
  item(name: string, markdown: string, below = ''): string {
    const nested = below === '' ? '' : `\n\n${below}`;
    return `- {: id="${this.id(name)}"}${`${this.block(`${name}Text`, markdown)}${nested}`.replaceAll('\n', '\n  ')}`;
  }

  /** Markdown of a quote of these paragraphs. */
  quote(name: string, ...paragraphs: readonly string[]): string {
    const lines = paragraphs.join('\n\n').split('\n');
    return this.block(name, lines.map((line) => `> ${line}`).join('\n'));
  }
}

/** Everything that a hidden block can carry besides its text. */
const carried = (number: string): Attributes => ({
  ...GUARD,
  name: `${FIRST_SECRET}name${number}`,
  alias: `${FIRST_SECRET}alias${number}`,
  memo: `${FIRST_SECRET} memo${number}`,
  bookmark: `${FIRST_SECRET}mark${number}`,
  'custom-note': `${FIRST_SECRET} value${number}`,
});

async function openDocuments(build: WorldBuilder, notebook: string): Promise<void> {
  await build.document(
    'garden',
    notebook,
    '/Garden',
    [
      build.block('gardenHead', '# Garden'),
      build.block('target', 'Roses stand at the harbour. #common#'),
      build.block('gardenList', `${build.item('gardenItem', 'first bed')}\n${build.item('gardenTwo', 'second bed #common#')}`),
      build.block('gardenPara', 'The meadow is wide. #meadow#'),
      build.block('gardenTable', '| plant | bed |\n| --- | --- |\n| rose | one |'),
    ].join('\n\n'),
  );
  await build.document(
    'harbour',
    notebook,
    '/Harbour',
    build.block('harbourPara', 'Boats go out to the meadow: [plan](assets/harbour.txt).'),
  );
  await build.document('below', notebook, '/Garden/Below', build.block('belowPara', 'Below the garden. #meadow#'));
  build.shown('garden', 'gardenHead', 'target', 'gardenList', 'gardenItem', 'gardenPara', 'gardenTable', 'harbour', 'harbourPara', 'below');
}

/** A hidden text: it names and refers to open notes, carries a tag of its own and one that open notes have, a picture, and files that open notes use or not. */
const hiddenText = (build: WorldBuilder, number: string): string =>
  `${FIRST_SECRET} text${number} at Harbour #${FIRST_SECRET}tag${number}# #common# ((${build.id('target')} "${FIRST_SECRET} anchor${number}")) ` +
  `![pic](assets/${FIRST_SECRET}-${number}.png) [plan](assets/harbour.txt) [kept](assets/kept.txt)`;

/** One document with a guarded block of every kind between open ones. */
async function mixedDocument(build: WorldBuilder, notebook: string): Promise<void> {
  const text = (number: string): string => hiddenText(build, number);
  await build.document(
    'mixed',
    notebook,
    '/Mixed',
    [
      build.block('mixedFirst', 'Mixed begins in the meadow.'),
      build.block('p01', text('01')),
      build.block(
        'mixedList',
        [
          build.item('itemOne', 'open item'),
          build.item('p02', text('02')),
          build.item('itemTwo', 'last item', build.block('innerList', build.item('p03', text('03')))),
        ].join('\n'),
      ),
      build.quote('p04', build.block('p04Text', text('04')), build.block('p04More', 'more')),
      build.quote('mixedQuote', build.block('quoteOpen', 'open words'), build.block('p05', text('05'))),
      build.block('superBlock', `{{{row\n${build.block('superOpen', 'open in a super block')}\n\n${build.block('p06', text('06'))}\n\n}}}`),
      build.block('p07', `## Closed ${FIRST_SECRET} heading07`),
      build.block('p08', text('08')),
      build.block('mixedHead', '## Open again'),
      build.block('p09', `\`\`\`js\nconst ${FIRST_SECRET} = 9;\n\`\`\``),
      build.block('p10', `| a | b |\n| --- | --- |\n| ${FIRST_SECRET} | c |`),
      build.block('mixedLast', 'Mixed ends.'),
    ].join('\n\n'),
  );
  for (const number of ['01', '02', '03', '04', '05', '06', '07', '09', '10']) await build.set(`p${number}`, carried(number));
  build.shown('mixed', 'mixedFirst', 'mixedList', 'itemOne', 'itemTwo', 'mixedQuote', 'superBlock', 'superOpen', 'mixedHead', 'mixedLast');
  build.kept('p01', 'p02', 'p03', 'p04', 'p05', 'p06', 'p07', 'p08', 'p09', 'p10');
}

/** Documents whose whole text is kept back: guarded, below a guarded one, a daily note, in other notebooks. */
async function hiddenDocuments(build: WorldBuilder, notebook: string): Promise<void> {
  const text = (number: string): string => build.block(`p${number}`, hiddenText(build, number));
  const guarded = { ...carried('11'), tags: `${FIRST_SECRET}doctag,common` };
  await build.document('guarded', notebook, `/${FIRST_SECRET} title11`, text('11'), guarded);
  await build.document('underGuarded', notebook, `/${FIRST_SECRET} title11/${FIRST_SECRET} title12`, text('12'));
  await build.document('guardedDay', notebook, '/daily note/2026/01/2026-01-05', text('13'), {
    ...GUARD,
    'custom-dailynote-20260105': '20260105',
  });
  await build.document('openDay', notebook, '/daily note/2026/01/2026-01-06', build.block('dayPara', 'An open day.'), {
    'custom-dailynote-20260106': '20260106',
  });
  await build.document('shutDoc', await build.notebook('shut', `${FIRST_SECRET} shut`), `/${FIRST_SECRET} title14`, text('14'));
  await build.document('vaultDoc', await build.notebook('vault', 'Vault'), `/${FIRST_SECRET} title15`, text('15'));
  await build.document('closedDoc', await build.notebook('closed', 'Closed'), `/${FIRST_SECRET} title16`, text('16'));
  const inbox = await build.notebook('inbox', 'Inbox');
  await build.document('inboxDoc', inbox, `/${FIRST_SECRET} title20`, text('20'));
  await build.document('inboxBelow', inbox, `/${FIRST_SECRET} title20/${FIRST_SECRET} title21`, text('21'));
  await build.document('inboxGuarded', inbox, `/${FIRST_SECRET} title22`, text('22'), carried('22'));
  build.kept('inboxDoc', 'p20', 'inboxBelow', 'p21', 'inboxGuarded', 'p22');
  build.shown('openDay');
  build.kept('guarded', 'p11', 'underGuarded', 'p12', 'guardedDay', 'p13', 'shutDoc', 'p14', 'vaultDoc', 'p15', 'closedDoc', 'p16');
}

/** Open documents that show hidden blocks: dynamic references in every kind of block, embeds, a database. */
async function pointingDocuments(build: WorldBuilder, notebook: string): Promise<void> {
  const to = (name: string): string => `((${build.id(name)} '${FIRST_SECRET} seen'))`;
  await build.document(
    'linking',
    notebook,
    '/Linking',
    [
      build.block('linkHead', `# Heading ${to('p01')}`),
      build.block('linkPara', `word ${to('p11')} and **bold** ${to('guarded')} more`),
      build.block('linkList', `${build.item('linkItem', `item ${to('p14')}`)}\n${build.item('linkTwo', `other ${to('p16')}`)}`),
      build.quote('linkQuote', build.block('linkQuoteText', `quote ${to('p07')}`)),
      build.block('linkTable', `| a | b |\n| --- | --- |\n| ${to('p12')} | c |`),
      build.block('linkStatic', `an anchor of the author ((${build.id('p01')} "my own words"))`),
      build.block('linkOpen', `to an open one ((${build.id('target')} 'Roses'))`),
    ].join('\n\n'),
  );
  const embed = `{{SELECT * FROM blocks WHERE id = '${build.id('p01')}'}}`;
  await build.document(
    'embedding',
    notebook,
    '/Embedding',
    [build.block('embedFirst', 'before'), build.block('embed', embed)].join('\n\n'),
  );
  await build.document('rows', notebook, '/Rows', build.block('rowsFirst', 'rows below'));
  const database = `<div data-node-id="${build.id('database')}" data-type="NodeAttributeView" data-av-id="${build.id('view')}" data-av-type="table"></div>`;
  await build.insertAfter('rowsFirst', 'database', database);
  build.shown('rows', 'rowsFirst', 'database');
  build.shown(
    'linking',
    'linkHead',
    'linkPara',
    'linkList',
    'linkItem',
    'linkQuote',
    'linkTable',
    'linkStatic',
    'linkOpen',
    'embedding',
    'embed',
  );
}

/**
 * Containers as SiYuan 3.8 has them, and one of a kind that nobody knows, each with a hidden block in front; open notes refer to them. SiYuan
 * draws the words of their first block into such a reference. The blocks are super blocks: the index alone has them as these kinds.
 */
async function newerDocuments(build: WorldBuilder, notebook: string): Promise<void> {
  const holders = ['tabs', 'mindmap', 'unknownKind'].map((outer, index) => {
    const [inner, number] = [`${outer}Item`, String(index + 17)];
    build.kinds[outer] = outer;
    build.kinds[inner] = outer === 'mindmap' ? 'mindmap_item' : 'tab';
    build.shown(outer, inner, `${outer}Open`);
    build.kept(`p${number}`);
    const blocks = [build.block(`p${number}`, hiddenText(build, number)), build.block(`${outer}Open`, `open in ${outer}`)];
    return build.block(outer, `{{{row\n${build.block(inner, `{{{col\n${blocks.join('\n\n')}\n\n}}}`)}\n\n}}}`);
  });
  await build.document('newer', notebook, '/Newer', [build.block('newerFirst', 'kinds begin'), ...holders].join('\n\n'));
  for (const number of ['17', '18', '19']) await build.set(`p${number}`, carried(number));
  const references = Object.keys(build.kinds).map((name) =>
    build.block(`${name}Link`, `${name} ((${build.id(name)} '${FIRST_SECRET} drawn'))`),
  );
  await build.document('newerLinks', notebook, '/Newer links', references.join('\n\n'));
  build.shown('newer', 'newerFirst', 'newerLinks', ...Object.keys(build.kinds).map((name) => `${name}Link`));
}

const TABLE_COLUMNS = {
  tableNote: 'text',
  tableParts: 'relation',
  tableSum: 'rollup',
  tableFormula: 'template',
  tableChanged: 'updated',
} as const;

/**
 * An open database: a row of an open block, one of a hidden block with the word in a cell, one of a note with hidden blocks, and one that
 * leads to the first two, lists their notes and has a template.
 */
async function openTable(build: WorldBuilder, bench: TestBench, notebook: string): Promise<void> {
  await build.document('tableDoc', notebook, '/Table', build.block('tableFirst', 'Table of the meadow.'));
  const id = (name: string): string => build.id(name);
  const avID = id('tableData');
  const data = `<div data-node-id="${id('table')}" data-type="NodeAttributeView" class="av" data-av-id="${avID}" data-av-type="table"></div>`;
  await bench.transact([{ action: 'insert', id: id('table'), previousID: id('tableFirst'), data }]);
  await bench.api('/api/av/renderAttributeView', { id: avID, blockID: id('table'), createIfNotExist: true });
  const row = (name: string, source: object) => ({
    ...{ action: 'insertAttrViewBlock', avID, blockID: id('table'), previousID: '', ignoreDefaultFill: true },
    srcs: [{ itemID: id(name), ...source }],
  });
  const relation = { isTwoWay: false, backRelationKeyID: '', name: '', format: 'tableParts' };
  await bench.transact([
    ...Object.entries(TABLE_COLUMNS).map(([name, type]) => ({
      action: 'addAttrViewCol',
      avID,
      id: id(name),
      name,
      type,
      data: '',
      previousID: '',
    })),
    { action: 'updateAttrViewColRelation', avID, id: avID, keyID: id('tableParts'), ...relation },
    {
      action: 'updateAttrViewColRollup',
      avID,
      id: id('tableSum'),
      parentID: id('tableParts'),
      keyID: id('tableNote'),
      data: { calc: { operator: '' } },
    },
    { action: 'updateAttrViewColTemplate', avID, id: id('tableFormula'), type: 'template', data: FIRST_SECRET },
    row('tableOpen', { id: id('target'), isDetached: false }),
    row('tableHidden', { id: id('p01'), isDetached: false }),
    row('tableMixed', { id: id('mixed'), isDetached: false }),
    row('tableOwn', { id: id('tableOwn'), isDetached: true, content: 'both of the meadow' }),
    { action: 'updateAttrViewCell', avID, keyID: id('tableNote'), rowID: id('tableOpen'), data: { text: { content: 'open cell' } } },
    {
      ...{ action: 'updateAttrViewCell', avID, keyID: id('tableParts'), rowID: id('tableOwn') },
      data: { relation: { blockIDs: [id('tableOpen'), id('tableHidden')] } },
    },
  ]);
  build.shown('tableDoc', 'tableFirst', 'table', 'tableData', 'tableOpen', 'tableMixed', 'tableOwn');
  build.kept('tableHidden');
}

/** The word in what is hidden of the table: a cell of the hidden row, and what the template would say. */
async function wordInTable({ bench, ids }: World, secret: string): Promise<void> {
  const { tableData: avID, tableNote: keyID, tableHidden: rowID, tableFormula } = ids;
  await bench.transact([
    { action: 'updateAttrViewCell', avID, keyID, rowID, data: { text: { content: `${secret} cell` } } },
    { action: 'updateAttrViewColTemplate', avID, id: tableFormula, type: 'template', data: secret },
  ]);
}

/** What a 3.8 kernel would have written into the index. Its rows are written again whenever their document is. */
function writeKinds({ bench, ids, kinds }: World): void {
  if (realKernelUrl !== undefined) return;
  const { index } = bench.kernel.kernel;
  for (const [name, type] of Object.entries(kinds)) index.select('UPDATE blocks SET type = ? WHERE id = ?', type, ids[name] ?? '');
}

/** Builds it in the bench's notebook and four of its own. `prefix`: 14 digits, the time in every id. */
export async function buildWorld(bench: TestBench, prefix: string, beforeStep: () => void): Promise<World> {
  const build = new WorldBuilder(bench, prefix, beforeStep);
  build.ids.notes = bench.notebook;
  await openDocuments(build, bench.notebook);
  await mixedDocument(build, bench.notebook);
  await hiddenDocuments(build, bench.notebook);
  await pointingDocuments(build, bench.notebook);
  await newerDocuments(build, bench.notebook);
  await openTable(build, bench, bench.notebook);
  bench.policy.setRight(bench.notebook, 'delete');
  bench.policy.setRight(build.id('shut'), 'none');
  bench.policy.setRight(build.id('inbox'), 'create');
  bench.policy.setRight(build.id('closed'), 'delete');
  encrypt(bench, build.id('vault'));
  await bench.api('/api/sqlite/flushTransaction', {});
  const { ids, open, hidden, documents, kinds } = build;
  return { bench, ids, open, hidden, documents, kinds, secret: FIRST_SECRET };
}

/** As the kernel lists an encrypted notebook whose key it holds. */
function encrypt(bench: TestBench, notebook: string): void {
  const original = bench.host.routes.notebooks;
  const notebooks: typeof original = async (stop) =>
    (await original(stop)).map((each) => (each.id === notebook ? { ...each, encrypted: true } : each));
  Object.assign(bench.host.routes, { notebooks });
}

/** The index text of a database holds its name, its columns and its rows. The development host keeps no databases. */
async function nameRows({ bench, ids }: World, secret: string): Promise<void> {
  const { database = '', view = '' } = ids;
  if (realKernelUrl === undefined) {
    bench.kernel.kernel.index.select('UPDATE blocks SET content = ? WHERE id = ?', `${secret} rows`, database);
    return;
  }
  const table = { id: `${view.slice(0, 15)}layout0`, name: `${secret} table`, type: 'table', table: { columns: [], rowIds: [] } };
  const content = JSON.stringify({ spec: 4, id: view, name: `${secret} rows`, keyValues: [], viewID: table.id, views: [table] });
  const form = new FormData();
  form.set('path', `/data/storage/av/${view}.json`);
  form.set('isDir', 'false');
  form.set('file', new Blob([content]));
  await kernelFetch(`${realKernelUrl}/api/file/putFile`, { method: 'POST', body: form });
  await bench.transact([{ action: 'update', id: database, data: await bench.dom(database) }]);
}

/** SiYuan indexes a notebook that is opened, and forgets a closed one, when its other tasks are done: a flush does not wait for that. */
async function untilIndexed({ bench, ids }: World, state: 'open' | 'closed'): Promise<void> {
  // Which tables have rows of it besides `blocks` is the kernel's own business; none may have any once it is closed.
  const tables = state === 'open' ? ['blocks'] : ['blocks', 'refs', 'attributes'];
  const stmt = tables.map((table) => `SELECT '${table}' FROM ${table} WHERE box = '${ids.closed}'`).join(' UNION ');
  const isDone = async (): Promise<boolean> => {
    await bench.api('/api/sqlite/flushTransaction', {});
    return (await bench.api<unknown[]>('/api/query/sql', { stmt })).length > 0 === (state === 'open');
  };
  await expect.poll(isDone, { timeout: 60_000, interval: 200 }).toBe(true);
}

/** A file that an open note uses, and files that only hidden blocks use, in the common folder and in that of a hidden notebook. */
async function writeFiles({ bench, ids }: World, secret: string): Promise<void> {
  const stop = new AbortController().signal;
  const write = (path: string, text: string): Promise<void> => bench.client.writeFile(`/data/${path}`, text, stop);
  await write('assets/harbour.txt', 'Boats at nine.');
  await write('assets/kept.txt', `${secret} file`);
  await write(`assets/${secret}-01.png`, `${secret} picture`);
  await write(`assets/${secret}.txt`, `${secret} of no note`);
  await write(`${ids.shut}/assets/nowhere.txt`, `${secret} in a hidden notebook`);
}

/** Puts another word in the place of the secret one, everywhere and in the same order each time. */
export async function changeSecret(world: World, secret: string): Promise<void> {
  const { bench, ids } = world;
  const changed = (text: string): string => text.replaceAll(world.secret, secret);
  await bench.api('/api/notebook/openNotebook', { notebook: ids.closed });
  await untilIndexed(world, 'open');
  await wordInTable(world, secret);
  await bench.api('/api/notebook/renameNotebook', { notebook: ids.shut, name: changed(`${world.secret} shut`) });
  for (const name of world.documents) {
    const id = ids[name] ?? '';
    for (const block of await bench.blocks(id)) {
      const dom = await bench.dom(block);
      if (dom.includes(world.secret)) await bench.transact([{ action: 'update', id: block, data: changed(dom) }]);
    }
    const { title = '', ...attributes } = await bench.api<Record<string, string>>('/api/attr/getBlockAttrs', { id });
    const attrs = Object.fromEntries(Object.entries(attributes).filter(([, value]) => value.includes(world.secret)));
    for (const key of Object.keys(attrs)) attrs[key] = changed(attrs[key] ?? '');
    if (Object.keys(attrs).length > 0) await bench.api('/api/attr/setBlockAttrs', { id, attrs });
    if (title.includes(world.secret)) await bench.api('/api/filetree/renameDocByID', { id, title: changed(title).trim() });
  }
  await writeFiles(world, secret);
  await bench.api('/api/sqlite/flushTransaction', {});
  // What the editor shows of an embed goes into the index, and so do the rows of a database.
  await bench.api('/api/search/updateEmbedBlock', { id: ids.embed, content: `${secret} result` });
  await nameRows(world, secret);
  await bench.api('/api/sqlite/flushTransaction', {});
  await bench.api('/api/notebook/closeNotebook', { notebook: ids.closed });
  await untilIndexed(world, 'closed');
  writeKinds(world);
  world.secret = secret;
}

/** Takes the guards off documents, and lists those of the bench's notebook that may be read in their place. */
export async function scopeTo({ bench, ids, open, documents }: World): Promise<void> {
  for (const name of documents.filter((each) => !open.includes(each)))
    await bench.api('/api/attr/setBlockAttrs', { id: ids[name], attrs: { 'custom-ai-access': '' } });
  const within = documents.flatMap((name) => (open.includes(name) ? [ids[name] ?? ''] : []));
  Object.assign(bench.policy, { within: () => ({ [bench.notebook]: within }) });
}
