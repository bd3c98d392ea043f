import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { BlockRange } from '../../src/tools/contract/note-queries.ts';
import type { SearchPage, SearchQuery } from '../../src/tools/contract/note-readings.ts';
import { signal, startBench, type TestBench } from './support.ts';

/**
 * Every reading method of NotesPort against each kind of thing that is kept from the model. The secret is in a text, a tag, an
 * attribute, an anchor and a title; other documents, which are open, refer to it. It must never come out; where blocks of a document are missing is said, and nothing is counted that only hidden text says.
 */
let bench: TestBench;
beforeAll(async () => {
  bench = await startBench();
});
afterAll(() => bench.close());

interface Scene {
  readonly secret: string;
  readonly notebook: string;
  /** Documents that are open, whatever is hidden inside them. */
  readonly open: readonly string[];
  /** The block that may not be read, and its document. */
  readonly hiddenBlock: string;
  readonly hiddenDocument: string;
  /** An open block that the hidden one refers to, and names. */
  readonly target: string;
  /** An open document that the hidden block names without a reference. */
  readonly named: string;
  /** Ends what the scene changed for everybody. */
  end(): Promise<void> | void;
}

type Kind = (secret: string, name: string) => Promise<Omit<Scene, 'secret'>>;

const RANGES: readonly BlockRange[] = ['self', 'children', 'context', 'before', 'after'];
const guard = (id: string): Promise<unknown> => bench.api('/api/attr/setBlockAttrs', { id, attrs: { 'custom-ai-access': 'none' } });
const make = (notebook: string, path: string, markdown: string): Promise<string> =>
  bench.api('/api/filetree/createDocWithMd', { notebook, path, markdown });

async function newNotebook(name: string): Promise<string> {
  return (await bench.api<{ notebook: { id: string } }>('/api/notebook/createNotebook', { name })).notebook.id;
}

async function idOfText(documentId: string, content: string, type = 'p'): Promise<string> {
  await bench.api('/api/sqlite/flushTransaction', {});
  const stmt = `SELECT id FROM blocks WHERE root_id = '${documentId}' AND type = '${type}' AND content LIKE '%${content}%' LIMIT 1`;
  const rows = await bench.api<{ id: string }[]>('/api/query/sql', { stmt, mode: 'readonly' });
  if (!rows[0]) throw new Error(`no ${type} with ${content}`);
  return rows[0].id;
}

/** What the hidden block refers to, and what it names. */
async function targetsIn(notebook: string, name: string) {
  const targetDocument = await make(notebook, `/Target ${name}`, `target ${name}`);
  const named = await make(notebook, `/Place ${name}`, 'a place');
  const [target = ''] = await bench.blocks(targetDocument);
  return { target, named, documents: [targetDocument, named] };
}

/** Documents of `notebook` that refer to the hidden block in every way; and one that the hidden block refers to. */
async function linkers(notebook: string, name: string, secret: string, hiddenBlock: string): Promise<{ open: string[] }> {
  const dynamic = `((${hiddenBlock} '${secret} dynamic'))`;
  const linking = await make(
    notebook,
    `/Linking ${name}`,
    `# Heading ${dynamic}\n\nword ${dynamic} more\n\n- item ${dynamic}\n  - **bold** ${dynamic}\n\n> quote ${dynamic}\n\n| a | b |\n| --- | --- |\n| ${dynamic} | c |`,
  );
  const embedding = await make(notebook, `/Embedding ${name}`, `before\n\n{{SELECT * FROM blocks WHERE id = '${hiddenBlock}'}}\n\nafter`);
  const [, embed] = await bench.blocks(embedding);
  await bench.api('/api/sqlite/flushTransaction', {});
  // What the editor shows of an embed goes into the index (kernel/model/search.go, UpdateEmbedBlock).
  await bench.api('/api/query/sql', { stmt: `UPDATE blocks SET content = '${secret} result' WHERE id = '${embed}' RETURNING id` });
  return { open: [linking, embedding] };
}

const hiddenText = (secret: string, target: string, name: string): string =>
  `the ${secret} with #${secret}tag# about Place ${name} and ((${target} "${secret} anchor"))`;

/** A document whose part is hidden; `frame` puts the hidden text where it belongs, `guarded` finds what gets the attribute. */
function insideDocument(frame: (text: string) => string, guarded: (document: string, secret: string) => Promise<string>): Kind {
  return async (secret, name) => {
    const notebook = await newNotebook(`Book ${name}`);
    const { target, named, documents } = await targetsIn(notebook, name);
    const text = hiddenText(secret, target, name);
    const document = await make(notebook, `/Document ${name}`, `first ${name}\n\n${frame(text)}\n\nlast ${name}`);
    const hiddenBlock = await idOfText(document, secret);
    await bench.api('/api/attr/setBlockAttrs', { id: hiddenBlock, attrs: { memo: `${secret} memo`, name: `${secret}name` } });
    await guard(await guarded(document, secret));
    const { open } = await linkers(notebook, name, secret, hiddenBlock);
    return { notebook, open: [document, ...documents, ...open], hiddenBlock, hiddenDocument: document, target, named, end: () => {} };
  };
}

/** A whole document, in `notebook`, with the open ones in another notebook. */
async function otherNotebook(secret: string, name: string) {
  const [shut, notebook] = [await newNotebook(`Shut ${name}`), await newNotebook(`Book ${name}`)];
  const { target, named, documents } = await targetsIn(notebook, name);
  const document = await make(shut, `/${secret} title`, hiddenText(secret, target, name));
  const [hiddenBlock = ''] = await bench.blocks(document);
  const { open } = await linkers(notebook, name, secret, hiddenBlock);
  return { shut, notebook, open: [...documents, ...open], hiddenBlock, hiddenDocument: document, target, named };
}

async function hiddenTree(secret: string, name: string, deep: boolean): Promise<Omit<Scene, 'secret'>> {
  const notebook = await newNotebook(`Book ${name}`);
  const { target, named, documents } = await targetsIn(notebook, name);
  const top = await make(notebook, `/${secret} top`, deep ? 'nothing' : hiddenText(secret, target, name));
  const document = deep ? await make(notebook, `/${secret} top/${secret} below`, hiddenText(secret, target, name)) : top;
  await bench.api('/api/attr/setBlockAttrs', { id: document, attrs: { tags: `${secret}tag`, 'custom-dailynote-20260101': '20260101' } });
  await guard(top);
  const [hiddenBlock = ''] = await bench.blocks(document);
  const { open } = await linkers(notebook, name, secret, hiddenBlock);
  return { notebook, open: [...documents, ...open], hiddenBlock, hiddenDocument: document, target, named, end: () => {} };
}

const KINDS: Readonly<Record<string, Kind>> = {
  'a guarded paragraph': insideDocument((text) => text, idOfText),
  'a guarded list item': insideDocument(
    (text) => `- open item\n- ${text}\n- another`,
    (document, secret) => idOfText(document, secret, 'i'),
  ),
  'an item inside a guarded item': insideDocument(
    (text) => `- outer marked\n  - ${text}\n- another`,
    (document) => idOfText(document, 'outer marked', 'i'),
  ),
  'a paragraph in a guarded quote': insideDocument(
    (text) => `> ${text}\n>\n> more`,
    (document, secret) => idOfText(document, secret, 'b'),
  ),
  'the section of a guarded heading': insideDocument(
    (text) => `# Closed\n\n## Below\n\n${text}\n\n# Open again`,
    (document) => idOfText(document, 'Closed', 'h'),
  ),
  'a guarded heading inside a super block': insideDocument(
    (text) => `{{{row\n# Closed inside\n\n${text}\n\n}}}`,
    (document) => idOfText(document, 'Closed inside', 'h'),
  ),
  'a guarded document': (secret, name) => hiddenTree(secret, name, false),
  'a document below a guarded one': (secret, name) => hiddenTree(secret, name, true),
  'a notebook at none': async (secret, name) => {
    const scene = await otherNotebook(secret, name);
    bench.policy.setRight(scene.shut, 'none');
    return { ...scene, end: () => bench.policy.setRight(scene.shut, 'read') };
  },
  'a closed notebook': async (secret, name) => {
    const scene = await otherNotebook(secret, name);
    await bench.api('/api/notebook/closeNotebook', { notebook: scene.shut });
    return { ...scene, end: () => {} };
  },
  'an encrypted notebook': async (secret, name) => {
    const scene = await otherNotebook(secret, name);
    const original = bench.host.routes.notebooks;
    const notebooks: typeof original = async (stop) =>
      (await original(stop)).map((each) => (each.id === scene.shut ? { ...each, encrypted: true } : each));
    Object.assign(bench.host.routes, { notebooks });
    return { ...scene, end: () => void Object.assign(bench.host.routes, { notebooks: original }) };
  },
};

/** What a call gave or how it failed, as the model would read it. */
async function told(run: Promise<unknown>): Promise<string> {
  return run.then(
    (value) => JSON.stringify(value),
    (error: unknown) => `error ${String(error)}`,
  );
}
const codeIn = (text: string): string => /^error (?:ToolError: )?(\w+)/.exec(text)?.[1] ?? 'none';
const hiddenIn = (text: string): number => (text.startsWith('error') ? -1 : ((JSON.parse(text) as { hidden?: number }).hidden ?? 0));

/** Everything that can be read of the open documents, by the name of the method. */
async function readOpen({ open, notebook, target, named, secret }: Scene): Promise<[string, string][]> {
  const { notes } = bench.host;
  /** A word that hidden text alone has is named as one that is nowhere: it is the word of who asked. */
  const search = async (query: SearchQuery): Promise<SearchPage> => {
    const { missing, ...page } = await notes.search(query, signal);
    expect(missing ?? [secret]).toContain(secret);
    for (const word of missing ?? []) expect(query.query.split(' ')).toContain(word);
    return page;
  };
  const all: [string, () => Promise<unknown>][] = [
    ['notebooks', () => notes.notebooks(signal)],
    ['documents', () => notes.documents({ parent: notebook, depth: 9, page: 1, pageSize: 99 }, signal)],
    ['recentDocuments', () => notes.recentDocuments({ days: 9, limit: 500 }, signal)],
    ['tags', () => notes.tags({ limit: 500 }, signal)],
    ['tags by name', () => notes.tags({ filter: secret, limit: 500 }, signal)],
    ['dailyNotes', () => notes.dailyNotes({ from: '2026-01-01', to: '2026-01-01' }, signal)],
    ['backlinks', () => notes.backlinks({ id: target, kind: 'links', page: 1, pageSize: 50 }, signal)],
    ['mentions', () => notes.backlinks({ id: named, kind: 'mentions', page: 1, pageSize: 50 }, signal)],
    ['sql', () => notes.sql({ stmt: `SELECT * FROM blocks WHERE content LIKE '%${secret}%'`, maxRows: 50 }, signal)],
  ];
  for (const mode of ['keyword', 'syntax', 'regex'] as const) {
    const page = { page: 1, pageSize: 50 };
    all.push([`search ${mode}`, () => search({ query: secret, mode, ...page })]);
    const types = ['d', 'h', 'p', 'l', 'i', 'b', 's', 't', 'query_embed'];
    all.push([`search ${mode} everywhere`, () => search({ query: secret, mode, types, ...page })]);
  }
  const both = { query: `${secret} dynamic`, mode: 'keyword', page: 1, pageSize: 50 } as const;
  all.push(['search several words', () => search(both)]);
  all.push(['search by tag', () => notes.search({ query: 'the', mode: 'keyword', tags: [`${secret}tag`], page: 1, pageSize: 50 }, signal)]);
  for (const id of open) {
    all.push(['document', () => notes.document({ id }, { start: 0, blocks: 99 }, signal)]);
    all.push(['exportMarkdown', () => notes.exportMarkdown({ id }, signal)]);
    all.push(['grep', () => notes.grep({ id, pattern: secret, regex: false, limit: 50 }, signal)]);
    all.push(['grep by pattern', () => notes.grep({ id, pattern: `${secret.slice(0, 4)}.*`, regex: true, limit: 50 }, signal)]);
    for (const range of RANGES) all.push([`blocks ${range} of a document`, () => notes.blocks({ id, range, limit: 50 }, signal)]);
    for (const block of await bench.blocks(id)) {
      for (const range of RANGES) all.push([`blocks ${range}`, () => notes.blocks({ id: block, range, limit: 50 }, signal)]);
      all.push(['blockInfo', () => notes.blockInfo([block], signal)], ['attributes', () => notes.attributes(block, signal)]);
      all.push(['readBlock', () => bench.host.readBlock(block, signal)]);
      all.push(['exportMarkdown of a block', () => notes.exportMarkdown({ block }, signal)]);
      for (const inner of await bench.blocks(block)) {
        for (const range of RANGES) all.push([`blocks ${range} inside`, () => notes.blocks({ id: inner, range, limit: 50 }, signal)]);
        all.push(['blockInfo inside', () => notes.blockInfo([inner], signal)]);
      }
    }
  }
  const results: [string, string][] = [];
  for (const [name, run] of all) results.push([name, await told(run())]);
  return results;
}

/** Everything that can be asked of the hidden block itself. */
async function readHidden({ hiddenBlock, hiddenDocument }: Scene): Promise<[string, string][]> {
  const { notes } = bench.host;
  const all: [string, () => Promise<unknown>][] = [
    ['attributes', () => notes.attributes(hiddenBlock, signal)],
    ['blockInfo', () => notes.blockInfo([hiddenBlock], signal)],
    ['backlinks', () => notes.backlinks({ id: hiddenBlock, kind: 'links', page: 1, pageSize: 9 }, signal)],
    ['mentions', () => notes.backlinks({ id: hiddenBlock, kind: 'mentions', page: 1, pageSize: 9 }, signal)],
    ['readBlock', () => bench.host.readBlock(hiddenBlock, signal)],
    ['exportMarkdown of a block', () => notes.exportMarkdown({ block: hiddenBlock }, signal)],
    ['search by id', () => notes.search({ query: hiddenBlock, mode: 'keyword', page: 1, pageSize: 9 }, signal)],
  ];
  for (const range of RANGES) all.push([`blocks ${range}`, () => notes.blocks({ id: hiddenBlock, range, limit: 9 }, signal)]);
  const whole: [string, () => Promise<unknown>][] = [
    ['document', () => notes.document({ id: hiddenDocument }, { start: 0, blocks: 9 }, signal)],
    ['exportMarkdown', () => notes.exportMarkdown({ id: hiddenDocument }, signal)],
    ['grep', () => notes.grep({ id: hiddenDocument, pattern: 'the', regex: false, limit: 9 }, signal)],
    ['documents', () => notes.documents({ parent: hiddenDocument, depth: 2, page: 1, pageSize: 9 }, signal)],
  ];
  const results: [string, string][] = [];
  for (const [name, run] of [...all, ...whole]) results.push([name, await told(run())]);
  return results;
}

describe.each(Object.keys(KINDS))('%s', (kind) => {
  let scene: Scene;
  let read: [string, string][] = [];
  const of = (name: string): string[] => read.filter(([each]) => each === name).map(([, text]) => text);

  beforeAll(async () => {
    const number = Object.keys(KINDS).indexOf(kind);
    const secret = `zq${'abcdefghijkl'[number]}secret`;
    const stage = KINDS[kind];
    if (!stage) throw new Error('no such kind');
    scene = { secret, ...(await stage(secret, `N${number}`)) };
    await bench.api('/api/sqlite/flushTransaction', {});
    read = await readOpen(scene);
  }, 120_000);
  afterAll(() => scene.end());

  it('comes out of nothing that is open', () => {
    expect(read.length).toBeGreaterThan(60);
    const leaks = read.filter(([, text]) => text.toLowerCase().includes(scene.secret));
    expect(leaks).toEqual([]);
  });

  it('lets the open text be read', () => {
    const markdown = of('document').join('');
    expect(markdown).toContain('word');
    expect(markdown).toContain('unavailable');
    expect(of('exportMarkdown').join('')).toContain('SELECT * FROM blocks WHERE id');
  });

  it('cannot be asked for', async () => {
    const hidden = await readHidden(scene);
    expect(hidden.filter(([, text]) => text.toLowerCase().includes(scene.secret))).toEqual([]);
    const refusals = new Set(['no_right', 'closed_notebook', 'encrypted_notebook', 'not_found']);
    const inOpenDocument = scene.open.includes(scene.hiddenDocument);
    for (const [name, text] of hidden) {
      if (name === 'blockInfo') expect(text).toMatch(/"code":"(no_right|closed_notebook|encrypted_notebook|not_found)"/);
      else if (name === 'search by id') expect(text).toContain('"matches":[]');
      else if (!inOpenDocument || !['document', 'exportMarkdown', 'grep', 'documents'].includes(name)) {
        expect([name, refusals.has(codeIn(text))]).toEqual([name, true]);
      }
    }
  });

  it('is said to be there', () => {
    const closed = kind === 'a closed notebook';
    // A closed notebook is not in the index, so nothing of it can be read by SQL, and nothing of it is counted.
    expect(of('sql').map(codeIn)).toEqual([closed ? expect.any(String) : 'sql_off']);
    if (scene.open.includes(scene.hiddenDocument)) {
      expect(Math.max(...of('document').map(hiddenIn))).toBeGreaterThan(0);
      expect(Math.max(...of('exportMarkdown').map(hiddenIn))).toBeGreaterThan(0);
      expect(Math.max(...of('grep').map(hiddenIn))).toBeGreaterThan(0);
      expect(Math.max(...of('blocks self of a document').map(hiddenIn))).toBeGreaterThan(0);
    }
    // What would be counted there is what hidden text says.
    for (const name of ['backlinks', 'mentions', 'recentDocuments', 'documents'])
      for (const text of of(name)) expect(text).not.toContain('hidden');
    for (const name of ['keyword', 'syntax', 'regex']) {
      expect(JSON.parse(of(`search ${name}`)[0] ?? '')).toEqual({ matches: [], total: 0, nextPage: null });
    }
  });
});
