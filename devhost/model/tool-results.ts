/** A block as a tool result shows it. */
export interface Unit {
  readonly id: string;
  /** SiYuan's type letter where the result told it, else `?`. */
  readonly type: string;
  readonly markdown: string;
  /** Title of the document; empty when the result did not say. */
  readonly title: string;
}

interface Match {
  readonly id: string;
  readonly path: string;
  readonly snippet: string;
}

export interface SearchReading {
  readonly matches: readonly Match[];
  /** Document ids by title or path, where the result names them. */
  readonly documents: ReadonlyMap<string, string>;
}

const id = '\\d{14}-[0-9a-z]{7}';
const matchLine = new RegExp(`^\\s*\\d+\\.\\s+(.+?)\\s+\\[(${id})\\](?:\\s+(.*))?$`);
const insideLine = new RegExp(`^\\s+\\[(${id})\\](?:\\s+(.*))?$`);
const headLine = new RegExp(`^([^\\[\\]]+?)\\s*\\[(${id})\\]$`);
const blockLine = new RegExp(`^@@(${id})@@\\s?([a-z_]*\\d?)(?:#\\w+)?(?:\\s(.*))?$`);
const namedId = new RegExp(`([^,;|\\[\\]]+?)\\s*[\\[(](${id})[\\])]`, 'g');

/**
 * What a tool itself said: without the frame and the notice about the variable that the executor puts around it, and without
 * the last lines that tell how to go on.
 */
function bodyOf(result: string): string {
  const framed = /^<([a-z][\w-]*)(?:\s[^>\n]*)?>\n([\s\S]*)\n<\/\1>/.exec(result.trim());
  const lines = (framed?.[2] ?? result).trimEnd().split('\n');
  while (/^(?:next:\s|\[(?:kept|cut)\b|\(\d+ (?:blocks|matches) are kept)/.test(lines.at(-1) ?? '')) lines.pop();
  return lines.join('\n');
}

export function titleOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1).trim();
}

/**
 * Reads matches: `n. /hpath [document-id]` with `[block-id] snippet` lines below it, or `n. /hpath [block-id] snippet` lines with
 * lines that name documents with their ids, above the matches or elsewhere.
 */
export function readSearch(text: string): SearchReading {
  const matches: Match[] = [];
  const documents = new Map<string, string>();
  let head: { title: string; id: string } | null = null;
  let path = '';
  for (const line of bodyOf(text).split('\n')) {
    const inside = insideLine.exec(line);
    if (inside && path !== '') {
      // The line above named the document: it was no match itself.
      const last = matches.at(-1);
      if (last && last.path === path && !documents.has(path)) documents.set(path, matches.pop()?.id ?? '');
      matches.push({ path, id: inside[1] ?? '', snippet: (inside[2] ?? '').trim() });
      continue;
    }
    const parts = matchLine.exec(line);
    if (parts) {
      const match = { path: parts[1] ?? '', id: parts[2] ?? '', snippet: (parts[3] ?? '').trim() };
      matches.push(match);
      path = match.path;
      if (head && head.title === titleOf(match.path)) documents.set(match.path, head.id);
      continue;
    }
    const names = line.replace(/^\s*(?:[-*]\s+|(?:documents?|titles?|文档)[^:：[]*[:：]\s*)/i, '');
    const single = headLine.exec(names);
    head = single ? { title: clean(single[1] ?? ''), id: single[2] ?? '' } : null;
    if (head) documents.set(head.title, head.id);
    else for (const found of names.matchAll(namedId)) documents.set(clean(found[1] ?? ''), found[2] ?? '');
  }
  return { matches, documents };
}

function clean(name: string): string {
  return name
    .trim()
    .replace(/^[#*"'`“《-]+\s*|["'`”》]+$/g, '')
    .trim();
}

export function documentIdOf(reading: SearchReading, path: string): string | undefined {
  return reading.documents.get(path) ?? reading.documents.get(titleOf(path));
}

/** Title that the header of a read_doc result gives: `# Title`, `title: Title`, `Title [id]` or a path. */
export function headerTitle(text: string): string {
  for (const line of bodyOf(text).split('\n').slice(0, 6)) {
    if (line.startsWith('@@')) break;
    const named = /^(?:title|document|标题|文档)\s*[:：]\s*(.+)$/i.exec(line) ?? /^#\s+(.+)$/.exec(line);
    const found = named?.[1] ?? new RegExp(`^(.*?)\\s*[\\[(]${id}[\\])]`).exec(line)?.[1];
    if (found !== undefined && found.trim() !== '') return titleOf(clean(found.replace(new RegExp(`\\s*[\\[(]?${id}.*$`), '')));
  }
  return '';
}

/** Id of the document in the header of a read_doc result: the first id before the body. */
export function headerId(text: string): string | undefined {
  return new RegExp(id).exec(text.split(/^@@/m, 1)[0] ?? '')?.[0];
}

/** Blocks of a read_doc body with shown ids: `@@id@@type#hash Markdown`, going on until the next id. */
export function readBlocks(text: string, title: string): Unit[] {
  const units: { id: string; type: string; lines: string[] }[] = [];
  for (const line of bodyOf(text).split('\n')) {
    const match = blockLine.exec(line);
    if (match) units.push({ id: match[1] ?? '', type: match[2] || '?', lines: [match[3] ?? ''] });
    else units.at(-1)?.lines.push(line);
  }
  return units.map((unit) => ({ id: unit.id, type: unit.type, markdown: unit.lines.join('\n').trim(), title }));
}

/** Everything in a text that carries an id: blocks of documents and matches of searches, whatever tool it came from. */
export function readUnits(text: string, title = ''): Unit[] {
  const blocks = readBlocks(text, title || headerTitle(text));
  if (blocks.length > 0) return blocks;
  const { matches, documents } = readSearch(text);
  const documentIds = new Set(documents.values());
  return matches
    .filter((match) => !documentIds.has(match.id))
    .map((match) => ({ id: match.id, type: '?', markdown: match.snippet, title: titleOf(match.path) }));
}

/** Where the next page of a document starts, from its `next:` line; null when it is the last. */
export function nextStart(text: string): number | null {
  const line = [...text.matchAll(/^\s*next:.*$/gim)].at(-1)?.[0] ?? '';
  const start = /start\D{0,6}(\d+)/i.exec(line)?.[1];
  return start === undefined ? null : Number(start);
}

/** Names of notebooks in a daily_note list, newest day first: `- date [id] path in Notebook`. */
export function readDailyNotebooks(text: string): string[] {
  return bodyOf(text)
    .split('\n')
    .flatMap((line) => new RegExp(`^\\s*-\\s+\\d{4}-\\d{2}-\\d{2}\\s+\\[${id}\\]\\s+.+? in (.+)$`).exec(line)?.[1]?.trim() ?? []);
}

/** Notebooks of a list_notebooks result: name, id and whether it can be written to, as far as the line tells. */
export function readNotebooks(text: string): { name: string; id: string; closed: boolean }[] {
  return bodyOf(text)
    .split('\n')
    .flatMap((line) => {
      const found = new RegExp(id).exec(line)?.[0];
      if (found === undefined) return [];
      const name = clean(
        line
          .replace(/^\s*(?:[-*]|\d+\.)\s*/, '')
          .split(/[\s,|(（[]*\d{14}-/)[0]
          ?.replace(/\s*(?:\||,|·|—|id:?)\s*$/i, '') ?? '',
      );
      return name === '' ? [] : [{ name, id: found, closed: /\bclosed\b|已关闭/i.test(line) }];
    });
}
