import { allBlocks, blockType, parseBlock, plainText, serializeBlock } from '../blocks/block-dom.ts';
import type { MarkdownEngine } from '../blocks/markdown-engine.ts';
import type { FilteredContent } from '../content/content-filter.ts';
import { alignBlocks, type NewBlock, type OldBlock } from './rewrite-align.ts';

/** The new text as blocks; a verbatim copy of an old block contains only its name. */
export interface RewrittenText {
  readonly blocks: readonly (NewBlock & { readonly dom: string })[];
  readonly notices: FilteredContent['notices'];
}

interface Span {
  readonly start: number;
  readonly end: number;
  /** Of the old block that is copied there, or without one, the paragraph inside a block. */
  readonly id: string;
  readonly dom?: string;
}

const FENCE = /^ {0,3}(`{3,}|~{3,})/;

function fencedRanges(text: string): readonly (readonly [number, number])[] {
  const ranges: [number, number][] = [];
  let [at, open, since] = [0, '', 0];
  for (const line of text.split('\n')) {
    const fence = FENCE.exec(line)?.[1] ?? '';
    if (open === '' && fence !== '') [open, since] = [fence, at];
    else if (open !== '' && fence.startsWith(open) && line.trim() === fence) {
      ranges.push([since, at + line.length]);
      open = '';
    }
    at += line.length + 1;
  }
  if (open !== '') ranges.push([since, text.length]);
  return ranges;
}

/** True if the text from start to end is separated by blank lines, and the following text does not belong to it. */
function standsAlone(text: string, start: number, end: number, type: string): boolean {
  const before = text.slice(0, start);
  const after = text.slice(end);
  // Indented text after a list is part of its last item.
  const next = type === 'l' ? /^[ \t]*\n[ \t]*\n+(?![ \t])/ : /^[ \t]*\n[ \t]*\n/;
  return (before.trim() === '' || /\n[ \t]*\n$/.test(before)) && (after.trim() === '' || next.test(after));
}

/** Places in the new text where old blocks occur verbatim, each once, in reading order. */
function findVerbatim(text: string, wanted: readonly OldBlock[]): Span[] {
  // Found blocks are blanked out: a literal ``` must not open a fence.
  let rest = text;
  let fences = fencedRanges(rest);
  const spans: Span[] = [];
  let cursor = 0;
  const find = ({ markdown, type }: OldBlock, from: number): number => {
    for (let at = rest.indexOf(markdown, from); at >= 0; at = rest.indexOf(markdown, at + 1)) {
      const start = at;
      const isCode = fences.some(([open, close]) => start > open && start <= close);
      if (!isCode && standsAlone(text, start, start + markdown.length, type)) return start;
    }
    return -1;
  };
  for (const block of wanted) {
    if (block.markdown === '') continue;
    const ahead = find(block, cursor);
    const start = ahead >= 0 ? ahead : find(block, 0);
    if (start < 0) continue;
    const end = start + block.markdown.length;
    spans.push({ start, end, id: block.id });
    cursor = end;
    rest = `${rest.slice(0, start)}${block.markdown.replace(/[^\n]/g, '\u0000')}${rest.slice(end)}`;
    fences = fencedRanges(rest);
  }
  return spans;
}

const quoted = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
/** What may be before a paragraph on its first line, and on the others. */
const MARKERS = String.raw`^[ \t>]*(?:(?:[-*+]|\d+[.)])[ \t]+)*(?:\[[^\]\n]?\][ \t]+)?`;
const INDENT = String.raw`\n[ \t>]*`;

/** Where paragraphs inside of old blocks occur verbatim, outside what is copied already; each of equal ones. */
function findInner(text: string, old: readonly OldBlock[], copied: readonly Span[]): Span[] {
  const spans: Span[] = [];
  for (const [markdown, dom] of old.flatMap(({ inner = [] }) => [...inner])) {
    const lines = markdown.split('\n').map(quoted).join(INDENT);
    for (const match of text.matchAll(new RegExp(`(?<=${MARKERS})${lines}(?=[ \\t]*$)`, 'gm'))) {
      const [start, end] = [match.index, match.index + match[0].length];
      if ([...copied, ...spans].some((span) => span.start < end && start < span.end)) continue;
      spans.push({ start, end, dom, id: `${start}` });
    }
  }
  return spans;
}

/** Puts the content of old paragraphs where their names are. */
function withInner(dom: string, contents: ReadonlyMap<string, string>): string {
  const block = contents.size > 0 ? parseBlock(dom) : undefined;
  if (!block) return dom;
  for (const each of allBlocks(block)) {
    const content = blockType(each) === 'p' ? parseBlock(contents.get(plainText(each)) ?? '') : undefined;
    if (!content) continue;
    each.children = content.children;
    for (const child of each.children) child.parent = each;
  }
  return serializeBlock(block);
}

/** A word that no text contains and that Markdown does not change. */
function tokenFor(text: string, id: string): string {
  let token = `mgkeep${id.replace(/\W/g, '')}`;
  while (text.includes(token)) token += 'x';
  return token;
}

interface ParseDeps {
  readonly engine: MarkdownEngine;
  readonly filter: (markdown: string) => Promise<FilteredContent>;
}

interface Parsed extends RewrittenText {
  /** Old blocks whose names ended up inside other blocks. */
  readonly misplaced: readonly string[];
}

async function parse(deps: ParseDeps, text: string, spans: readonly Span[]): Promise<Parsed> {
  const [tokens, contents] = [new Map<string, string>(), new Map<string, string>()];
  let source = text;
  for (const span of [...spans].sort((one, other) => other.start - one.start)) {
    const token = tokenFor(text, span.id);
    tokens.set(token, span.id);
    if (span.dom !== undefined) contents.set(token, span.dom);
    source = `${source.slice(0, span.start)}${token}${source.slice(span.end)}`;
  }
  const content = await deps.filter(source);
  const misplaced: string[] = [];
  const blocks = content.blocks.map((written) => {
    const dom = withInner(written, contents);
    const block = parseBlock(dom);
    const keeps = block && tokens.get(plainText(block));
    const type = block ? blockType(block) : '';
    if (keeps !== undefined && type === 'p') return { type, markdown: '', keeps, dom: '' };
    for (const [token, id] of tokens) if (dom.includes(token)) misplaced.push(id);
    return { type, markdown: deps.engine.toMarkdown(dom), dom };
  });
  return { blocks, notices: content.notices, misplaced };
}

/** Parses new Markdown against the existing blocks; those that the parser would not reproduce are searched verbatim in the text. */
export async function readRewrite({ engine, filter }: ParseDeps, text: string, old: readonly OldBlock[]): Promise<RewrittenText> {
  const filtered = new Map<string, Promise<FilteredContent>>();
  const once = (markdown: string): Promise<FilteredContent> => {
    const made = filtered.get(markdown) ?? filter(markdown);
    filtered.set(markdown, made);
    return made;
  };
  const deps = { engine, filter: once };
  let spans: readonly Span[] = findVerbatim(
    text,
    old.filter((block) => !block.free),
  );
  let result = await parse(deps, text, spans);
  const { unmatched } = alignBlocks(old, result.blocks);
  const missed = unmatched.flatMap((index) => old[index] ?? []);
  const kept = new Set(spans.map((span) => span.id));
  spans = findVerbatim(
    text,
    old.filter((block) => kept.has(block.id) || missed.includes(block)),
  );
  spans = [...spans, ...findInner(text, old, spans)];
  // A name that ended up inside another block is not a block: that text is parsed as written.
  for (;;) {
    result = await parse(deps, text, spans);
    const { misplaced } = result;
    if (misplaced.length === 0) return result;
    spans = spans.filter((span) => !misplaced.includes(span.id));
  }
}
