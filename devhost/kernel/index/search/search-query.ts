import type { RequestBody } from '../../router.ts';
import { ID_PATTERN, typeAbbreviation } from '../../tree/node.ts';

const SEARCH_METHODS = ['keyword', 'querySyntax', 'sql', 'regexp'] as const;
type SearchMethod = (typeof SEARCH_METHODS)[number];

/** A condition of a WHERE with its parameters in order. */
interface Condition {
  readonly sql: string;
  readonly parameters: readonly string[];
}

/** What `/api/search/fullTextSearchBlock` was asked for. */
export interface SearchQuery {
  readonly query: string;
  readonly method: SearchMethod;
  /** 0 by type, 1/2 created up/down, 3/4 updated up/down, 5 as in the document (grouped only), 6/7 relevance up/down. */
  readonly orderBy: number;
  readonly grouped: boolean;
  /** From 1. */
  readonly page: number;
  readonly pageSize: number;
  /** Types, notebooks and paths, in one condition on the columns of `blocks`. */
  readonly filter: Condition;
  /** SiYuan is set to search attributes, too (recorded/search-attributes). */
  readonly attributes: boolean;
}

const DEFAULT_PAGE_SIZE = 32;

/** Names of the request's `types` → types of nodes, and which of them are searched when nothing is said (kernel/conf/search.go). */
const TYPES: Readonly<Record<string, readonly [node: string, byDefault: boolean]>> = {
  document: ['NodeDocument', true],
  heading: ['NodeHeading', true],
  list: ['NodeList', false],
  listItem: ['NodeListItem', false],
  codeBlock: ['NodeCodeBlock', true],
  mathBlock: ['NodeMathBlock', true],
  table: ['NodeTable', true],
  blockquote: ['NodeBlockquote', false],
  superBlock: ['NodeSuperBlock', false],
  paragraph: ['NodeParagraph', true],
  htmlBlock: ['NodeHTMLBlock', true],
  embedBlock: ['NodeBlockQueryEmbed', false],
  databaseBlock: ['NodeAttributeView', true],
  audioBlock: ['NodeAudio', false],
  videoBlock: ['NodeVideo', false],
  iframeBlock: ['NodeIFrame', false],
  widgetBlock: ['NodeWidget', false],
  callout: ['NodeCallout', false],
  tabs: ['NodeTabs', false],
  tabItem: ['NodeTabItem', false],
  mindmap: ['NodeMindmap', false],
  mindmapItem: ['NodeMindmapItem', false],
  customBlock: ['NodeCustomBlock', false],
};

const HEADING_SUBTYPES = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6'];
const LIST_SUBTYPES = ['o', 'u', 't'];

const flags = (value: unknown): Readonly<Record<string, unknown>> | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : undefined;

const oneOf = (column: string, values: readonly string[]): Condition => ({
  sql: `${column} IN (${values.map(() => '?').join(', ')})`,
  parameters: values,
});

const joined = (conditions: readonly Condition[], operator: 'AND' | 'OR'): Condition => ({
  sql: `(${conditions.map(({ sql }) => sql).join(` ${operator} `)})`,
  parameters: conditions.flatMap(({ parameters }) => parameters),
});

/** Types to search; of headings and lists only some subtypes, where the request names any. */
function typeCondition(types: unknown, subTypes: unknown): Condition {
  const wanted = flags(types);
  const wantedSubTypes = flags(subTypes) ?? {};
  const chosen = Object.entries(TYPES).filter(([name, [, byDefault]]) => (wanted ? wanted[name] === true : byDefault));
  const plain: string[] = [];
  const conditions: Condition[] = [];
  for (const [name, [node]] of chosen) {
    const possible = name === 'heading' ? HEADING_SUBTYPES : name === 'list' || name === 'listItem' ? LIST_SUBTYPES : [];
    const named = possible.filter((subType) => wantedSubTypes[subType] === true);
    const type = typeAbbreviation(node);
    if (named.length === 0) plain.push(type);
    else conditions.push(joined([oneOf('type', [type]), oneOf('subtype', named)], 'AND'));
  }
  if (plain.length > 0) conditions.unshift(oneOf('type', plain));
  return conditions.length > 0 ? joined(conditions, 'OR') : { sql: '(1 = 0)', parameters: [] };
}

/** Is it `/`, or a document's path or the beginning of one: ids between slashes? */
function isDocumentPath(path: string): boolean {
  if (path === '' || path === '/') return true;
  return (
    path.startsWith('/') &&
    path
      .slice(1)
      .split('/')
      .every((part) => ID_PATTERN.test(part.replace(/\.sy$/, '')))
  );
}

/** `<notebook>` or `<notebook>/<path>` each; what is neither is left out without a word. */
function placeConditions(paths: unknown): Condition[] {
  const boxes = new Set<string>();
  const prefixes = new Set<string>();
  for (const entry of Array.isArray(paths) ? paths : []) {
    const place = String(entry);
    const box = place.split('/')[0]?.trim() ?? '';
    const path = place.slice(place.split('/')[0]?.length ?? 0).trim();
    if (!ID_PATTERN.test(box) || !isDocumentPath(path)) continue;
    boxes.add(box);
    if (path !== '') prefixes.add(path);
  }
  const conditions: Condition[] = [];
  if (boxes.size > 0) conditions.push(oneOf('box', [...boxes]));
  if (prefixes.size > 0)
    conditions.push(
      joined(
        [...prefixes].map((prefix) => ({ sql: 'path LIKE ?', parameters: [`${prefix}%`] })),
        'OR',
      ),
    );
  return conditions;
}

const numberField = (body: RequestBody, key: string, fallback: number): number => {
  const value = body[key];
  return typeof value === 'number' && Number.isFinite(value) ? Math.trunc(value) : fallback;
};

const positive = (value: number, fallback: number): number => (value > 0 ? value : fallback);

/** What the kernel leaves of a query: nothing that is not printed, but for some spaces and what joins emoji (model/search.go). */
const visibleQuery = (query: string): string =>
  query
    .replaceAll('\u00a0', ' ')
    .replaceAll(/[^\p{L}\p{M}\p{N}\p{P}\p{S} \t\u2002\u2003\u3000\u200d]/gu, '')
    .replaceAll('\u200d#', '#');

/** Reads the request as the kernel does: what is missing or makes no sense gets the kernel's default. */
export function readSearchQuery(body: RequestBody, attributes = false): SearchQuery {
  return {
    query: typeof body.query === 'string' ? visibleQuery(body.query) : '',
    method: SEARCH_METHODS[numberField(body, 'method', 0)] ?? 'keyword',
    orderBy: numberField(body, 'orderBy', 0),
    grouped: numberField(body, 'groupBy', 0) === 1,
    page: positive(numberField(body, 'page', 1), 1),
    pageSize: positive(numberField(body, 'pageSize', DEFAULT_PAGE_SIZE), DEFAULT_PAGE_SIZE),
    attributes,
    filter: joined([typeCondition(body.types, body.subTypes), ...placeConditions(body.paths)], 'AND'),
  };
}
