import type { JsonSchema, ToolDefinition } from '../../src/tools/contract/messages.ts';
import type { World } from './non-interference-world.ts';

/**
 * Calls made from the tools' own schemas: each argument in turn takes every value that fits its name and type and every value that does
 * not, for each operation of the tool. A new tool or argument is called without a word being added here.
 */
export interface Call {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
}

export type Pick = <T>(items: readonly T[]) => T;

/** Stands in an argument for the hash that the model read for this block. */
export const HASH_OF = 'the hash of ';
/** Stands in an argument for the first words that the model read of this block. */
export const WORDS_OF = 'the words of ';

const ABSENT = '20200101000000-absent0';

interface Pools {
  readonly documents: readonly string[];
  readonly ids: readonly string[];
  readonly notebooks: readonly string[];
  readonly words: readonly string[];
  readonly patterns: readonly string[];
  readonly paths: readonly string[];
  readonly statements: readonly string[];
  readonly markdown: readonly string[];
  readonly dates: readonly string[];
  readonly attributes: readonly Readonly<Record<string, string>>[];
}

/** Words of open and of hidden blocks together: what is rare among all of them must decide no order. */
const QUESTIONS = ['Where are the roses and the meadow of the harbour', 'open words text01 meadow', 'mixed begins garden common'];

/** The word itself, its beginnings, and whatever else a question about it could hold. */
function wordsOf(secrets: readonly string[]): string[] {
  const probes = secrets.flatMap((secret) => [
    secret,
    secret.slice(0, 1),
    secret.slice(0, 4),
    secret.slice(0, -1),
    secret.toUpperCase(),
    `${secret} text01`,
    `${secret}tag01`,
    `${secret}name01`,
    `${secret} memo01`,
    `${secret} anchor01`,
    `${secret} title11`,
    `assets/${secret}-01.png`,
  ]);
  return [
    ...new Set([
      ...probes.filter((probe) => probe !== ''),
      ...QUESTIONS,
      ...QUESTIONS.map((question) => `${question} ${secrets[0]}`),
      'text01',
      'tag01',
      'name01',
      'heading07',
      'common',
      'meadow',
      'Harbour',
      'seen',
    ]),
  ];
}

function patternsOf(secrets: readonly string[]): string[] {
  const letters = [...new Set(secrets.flatMap((secret) => [secret.slice(0, 1), secret.slice(0, 3)]).filter((part) => part !== ''))];
  const probing = letters.flatMap((letter) => [
    `^${letter}`,
    `${letter}.* text01`,
    `[${letter[0]}-z]+ text0\\d`,
    `^> ${letter}`,
    `- ${letter}`,
  ]);
  return [
    ...secrets.filter((secret) => secret !== ''),
    ...probing,
    '.',
    '^.{14,20}',
    '^$',
    '\\w+ text\\d\\d',
    'unavailable',
    '(',
    '\\d{4}',
  ];
}

function pathsOf(secrets: readonly string[]): string[] {
  const files = ['assets/harbour.txt', 'assets/kept.txt', 'assets/nowhere.txt', 'assets/../assets/harbour.txt', 'assets/ocr-texts.json'];
  const named = secrets.flatMap((secret) => [`assets/${secret}-01.png`, `assets/${secret}.txt`]);
  const open = [
    ...files,
    '/Garden',
    '/Garden/Below',
    '/Mixed',
    '/Nowhere',
    '/',
    '',
    'Garden',
    '/daily note/2026/01/2026-01-05',
    '/Garden/New',
  ];
  const kept = secrets.flatMap((secret) => {
    const [guarded, shut, closed] = ['11', '14', '16'].map((number) => `/${`${secret} title${number}`.trim()}`);
    return [guarded, `${guarded}/${`${secret} title12`.trim()}`, `${guarded}/New`, shut, closed].filter((path) => path !== undefined);
  });
  return [...open, ...named, ...new Set(kept)];
}

function statementsOf(secrets: readonly string[], ids: Readonly<Record<string, string>>): string[] {
  const secret = secrets[0] ?? '';
  return [
    "SELECT id, content FROM blocks WHERE type = 'd' ORDER BY hpath",
    'SELECT count(*) FROM blocks',
    'SELECT * FROM blocks ORDER BY id LIMIT 500',
    `SELECT count(*) FROM blocks WHERE content LIKE '%${secret}%'`,
    `SELECT id FROM blocks WHERE id = '${ids.p01}' AND substr(content, 1, 1) = '${secret[0]}'`,
    'SELECT name, value FROM attributes',
    'SELECT content FROM refs',
    'SELECT content, markdown FROM spans',
    'SELECT * FROM assets',
    "SELECT 1 FROM 'main'.blocks",
    'SELEC',
  ];
}

function markdownOf(secrets: readonly string[], ids: Readonly<Record<string, string>>): string[] {
  return [
    'New words.',
    `New words to ((${ids.p01} "peek")) and ((${ids.guarded})).`,
    `New words to ((${ids.target} "roses")).`,
    `{{SELECT * FROM blocks WHERE id = '${ids.p01}'}}`,
    `${secrets[0]} text01`,
    `# A\n\nopen words\n\n- one\n  - two\n\n#${secrets[0]}tag01# #common#`,
    '',
    '<b>no',
  ];
}

function poolsOf(world: World, secrets: readonly string[]): Pools {
  const { ids } = world;
  const idOf = (name: string): string => ids[name] ?? '';
  const words = wordsOf(secrets);
  const attributeNames = ['memo', 'name', 'alias', 'custom-note', 'custom-ai-access', 'custom-marginalia-source', 'updated'];
  const documents = world.documents.filter((name) => world.open.includes(name)).map(idOf);
  return {
    documents,
    ids: [...world.open, ...world.hidden, 'notes', 'shut', 'inbox', 'closed', 'vault'].map(idOf).concat(ABSENT, 'xyz', secrets[0] ?? ''),
    notebooks: [
      ...['notes', 'shut', 'inbox', 'closed', 'vault'].map(idOf),
      'Notes',
      'Closed',
      'Vault',
      'Inbox',
      ...secrets.map((secret) => `${secret} shut`),
      'Nobody',
    ],
    words,
    patterns: patternsOf(secrets),
    paths: pathsOf(secrets),
    statements: statementsOf(secrets, ids),
    markdown: markdownOf(secrets, ids),
    dates: ['today', '2026-01-05', '2026-01-06', '2026-01-04..2026-01-07', '2026-01-05..2026-01-05', '2026-02-31', 'soon'],
    attributes: [
      ...attributeNames.flatMap((name) => [{ [name]: secrets[0] || 'x' }, { [name]: '' }]),
      { [`custom-${secrets[0]}`]: 'x' },
      {},
    ],
  };
}

const WRONG: readonly unknown[] = [null, 7, true, [], {}, ''];

/** Values for an argument, those that fit best first. `about`: what the tool says of itself and of the argument. */
function valuesOf(name: string, schema: JsonSchema, pools: Pools, about: string): readonly unknown[] {
  const { enum: choices, type, minimum, maximum, items, properties } = schema;
  if (Array.isArray(choices)) return [...choices, 'nothing', 3];
  if (type === 'boolean') return [false, true, 'yes'];
  if (type === 'integer') return [2, minimum, maximum, -1, 1.5, 100_000, 'two'].filter((value) => value !== undefined);
  if (type === 'array') return listsOf(name, (items ?? {}) as JsonSchema, pools, about);
  if (type !== 'object') return [...textsOf(name, pools, `${about} ${String(schema.description)}`), ...WRONG];
  if (name === 'attrs') return [...pools.attributes, 'x'];
  return [Object.fromEntries(Object.keys(properties ?? {}).map((key) => [key, 'x'])), 'x'];
}

function textsOf(name: string, pools: Pools, about: string): readonly string[] {
  if (['id', 'ids', 'anchor', 'after'].includes(name)) {
    return /notebook id/.test(about) ? pools.notebooks : /document/.test(about) ? [...pools.documents, ...pools.ids] : pools.ids;
  }
  if (name === 'parent' || name === 'target' || name === 'to')
    return [...pools.documents, ...pools.words, ...pools.notebooks, ...pools.ids];
  if (name === 'notebook' || name === 'notebooks') return pools.notebooks;
  if (name === 'path') return pools.paths;
  if (name === 'pattern') return pools.patterns;
  if (name === 'query') return [...pools.words, ...pools.patterns];
  if (name === 'stmt') return pools.statements;
  if (name === 'markdown' || name === 'new') return pools.markdown;
  if (name === 'expectHash') return [...Array.from({ length: 9 }, () => `${HASH_OF}id`), '00000000'];
  if (name === 'old') return [...Array.from({ length: 9 }, () => `${WORDS_OF}id`), 'open item', 'unavailable', ...pools.words];
  if (name === 'date' || name === 'range' || name === 'updatedFrom' || name === 'updatedTo') return pools.dates;
  if (name === 'types') return ['p', 'd', 'h', 'i', 'l', 'c', 't', 'b', 's', 'query_embed', 'av'];
  return pools.words;
}

function listsOf(name: string, items: JsonSchema, pools: Pools, about: string): readonly unknown[] {
  if (items.type === 'object') {
    const properties = Object.entries((items.properties ?? {}) as Record<string, JsonSchema>);
    const needed = properties
      .filter(([key]) => requiredIn(items, key))
      .map(([key, schema]) => [key, valuesOf(key, schema, pools, about)[0]]);
    const single = properties.flatMap(([key, schema]) =>
      valuesOf(key, schema, pools, about).map((value) => ({ ...Object.fromEntries(needed), [key]: value })),
    );
    return [...single.map((item) => [item]), single.slice(0, 8), [], 'x'];
  }
  const texts = textsOf(name, pools, about);
  return [...texts.map((text) => [text]), texts.slice(0, 2), [texts[0], texts.at(-4)], texts.slice(0, 40), [], 'x', [7]];
}

const requiredIn = (schema: JsonSchema, name: string): boolean => Array.isArray(schema.required) && schema.required.includes(name);

/** Arguments that an operation has no sense without though the schema cannot say so, and others that it may have. */
const USUAL: readonly string[] = ['edits', 'attrs', 'label', 'to', 'name', 'target'];
const POSSIBLE: readonly string[] = ['after', 'parent', 'date', 'notebook'];
/** How many of an argument's values, the best fitting ones, stand beside the one that is tried. */
const FITTING = 24;

interface Signature {
  readonly tool: string;
  readonly about: string;
  readonly parameters: JsonSchema;
  readonly properties: readonly (readonly [string, JsonSchema])[];
}

function signatureOf({ function: { name, description, parameters } }: ToolDefinition): Signature {
  const properties = Object.entries((parameters.properties ?? {}) as Record<string, JsonSchema>);
  return { tool: name, about: description, parameters, properties };
}

function usualArguments({ about, parameters, properties }: Signature, pools: Pools, pick: Pick): Record<string, unknown> {
  const names = properties.map(([name]) => name);
  const given = properties.filter(([name]) => {
    if (requiredIn(parameters, name) || USUAL.includes(name)) return true;
    if (name === 'markdown') return !names.includes('edits');
    return POSSIBLE.includes(name) && pick([true, false]);
  });
  return Object.fromEntries(given.map(([name, schema]) => [name, pick(valuesOf(name, schema, pools, about).slice(0, FITTING))]));
}

/** For each operation, each argument and each of its values: a call whose other arguments are chosen by `pick`. */
export function systematicCalls(definitions: readonly ToolDefinition[], world: World, secrets: readonly string[], pick: Pick): Call[] {
  const pools = poolsOf(world, secrets);
  return definitions.map(signatureOf).flatMap((signature) => {
    const { tool, about, properties } = signature;
    const choices = properties.filter(([, schema]) => Array.isArray(schema.enum));
    const variants = [{}, ...choices.flatMap(([name, schema]) => (schema.enum as unknown[]).map((value) => ({ [name]: value })))];
    const calls = variants.flatMap((variant) =>
      properties.flatMap(([name, schema]) =>
        valuesOf(name, schema, pools, about).map((value) => ({
          tool,
          args: { ...usualArguments(signature, pools, pick), ...variant, [name]: value },
        })),
      ),
    );
    return [{ tool, args: {} }, ...calls];
  });
}

/** New notes in the notebook that takes them unread: where another is, below one, below what is hidden from a reader too, and elsewhere. */
export function filingCalls(world: World, secrets: readonly string[]): Call[] {
  const titles = secrets.flatMap((secret) => ['20', '21', '22', '23'].map((number) => `${secret} title${number}`.trim()));
  const paths = ['/New', ...titles.flatMap((title) => [`/${title}`, `/${title}/New`, `/${titles[0]}/${title}`])];
  const [text = '', linking = '', hidden = ''] = markdownOf(secrets, world.ids);
  return [...new Set(paths)].map((path, index) => ({
    tool: 'create_doc',
    args: { notebook: ['Inbox', world.ids.inbox][index % 2], path, markdown: [text, linking, hidden][index % 3] },
  }));
}

/** Calls whose every argument is there or not and has any value. */
export function randomCalls(
  definitions: readonly ToolDefinition[],
  world: World,
  secrets: readonly string[],
  pick: Pick,
  count: number,
): Call[] {
  const pools = poolsOf(world, secrets);
  const signatures = definitions.map(signatureOf);
  return Array.from({ length: count }, () => {
    const { tool, about, parameters, properties } = pick(signatures);
    const given = properties.filter(([name]) => requiredIn(parameters, name) || pick([true, false]));
    return { tool, args: Object.fromEntries(given.map(([name, schema]) => [name, pick(valuesOf(name, schema, pools, about))])) };
  });
}
